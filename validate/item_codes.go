package validate

// itemCodes are the defects of single items: I00x their ids, I01x their kind, I02x the
// images in them.
func itemCodes() []Code {
	return append(itemKindCodes(), imageCodes()...)
}

// resent is what becomes of an item that the server does not take.
const resent = "Does not look at it and sends it with every request from then on: the server refuses them all until a compaction or a rollback removes the item."

func itemKindCodes() []Code {
	return []Code{
		{
			ID: "I001", Severity: Error, Title: "id too long",
			Meaning: "The id of an item is longer than 64 characters, the most that the server takes.",
			Codex:   resent,
			Fix:     "remove the id: it is optional",
			Since:   1, Source: "needs.md B.14, openai/codex#44414",
		},
		{
			ID: "I002", Severity: Error, Title: "id with a character that is not allowed",
			Meaning: "The id of an item has a character other than A-Z, a-z, 0-9, _ and -.",
			Codex:   resent,
			Fix:     "remove the id: it is optional",
			Since:   1, Source: "needs.md B.14, mweinbach/open-grok#23",
		},
		{
			ID: "I003", Severity: Warning, Title: "empty id",
			Meaning: "The id of an item is the empty string.",
			Codex:   "Leaves it out of requests. Earlier builds sent it, and the server refused them.",
			Fix:     "remove the id",
			Since:   1, Source: "format.md 5.2, compaction.md 6.3.3",
		},
		{
			ID: "I004", Severity: Info, Title: "id without a prefix",
			Meaning: "The id of an item has no text on both sides of a first underscore, as msg_... has.",
			Codex:   "Reads any string, but leaves this one out of requests.",
			Fix:     "none needed",
			Since:   1, Source: "format.md 5.2, compaction.md 6.3.3",
		},
		{
			ID: "I010", Severity: Warning, Title: "unknown item type",
			Meaning: "The type of an item is none that Codex knows.",
			Codex:   "Reads the line, but does not record the item; in a checkpoint it becomes an item of type other. What is in it is lost when the line is written again.",
			Fix:     "nothing, if a newer build wrote it; else drop the item",
			Since:   1, Source: "format.md 5.1, rules.md 2, 20",
		},
		{
			ID: "I011", Severity: Info, Title: "system message",
			Meaning: "A message of role system is stored as a record.",
			Codex:   "Does not record it: the model never sees it.",
			Fix:     "store it as a developer message if the model is to see it",
			Since:   1, Source: "rules.md 20",
		},
		{
			ID: "I012", Severity: Warning, Title: "reasoning that the server does not know",
			Meaning: "A reasoning item has an id, but neither encrypted_content nor content of its own. Reasoning is not kept at the server, so that the id alone stands for nothing.",
			Codex:   "Sends it; servers that look the id up refuse the request.",
			Fix:     "drop the item, and the ids of the messages that followed it", Op: "encrypted",
			Since: 1, Source: "needs.md 3, B.4",
		},
		{
			ID: "I013", Severity: Info, Title: "reasoning without encrypted content",
			Meaning: "A reasoning item has no encrypted_content. It is of a provider that gives none, or someone has removed it.",
			Codex:   "Sends the item; it counts no tokens, and the model does not get its thoughts back.",
			Fix:     "drop the item, if the provider does not take it", Op: "encrypted",
			Since: 1, Source: "needs.md 3, rules.md 25",
		},
	}
}

func imageCodes() []Code {
	return []Code{
		{
			ID: "I020", Severity: Error, Title: "empty image_url",
			Meaning: "The image_url of an image is the empty string.",
			Codex:   resent,
			Fix:     "replace the image by a text", Op: "images",
			Since: 1, Source: "openai/codex#4132",
		},
		{
			ID: "I021", Severity: Error, Title: "data URL of no image",
			Meaning: "The image_url is a data URL whose media type is not one of an image, such as text/plain, or image without a subtype.",
			Codex:   resent,
			Fix:     "replace the image by a text", Op: "images",
			Since: 1, Source: "openai/codex#5346",
		},
		{
			ID: "I022", Severity: Error, Title: "image type not supported",
			Meaning: "The media type of the data URL is one of an image, but not PNG, JPEG, GIF or WebP.",
			Codex:   resent,
			Fix:     "convert the image, or replace it by a text", Op: "images",
			Since: 1, Source: "openai/codex#3097, rules.md 26",
		},
		{
			ID: "I023", Severity: Error, Title: "image data does not decode",
			Meaning: "The data URL is not strict base64: not padded, cut off, with line breaks or other characters, or not marked as base64 at all.",
			Codex:   resent,
			Fix:     "replace the image by a text", Op: "images",
			Since: 1, Source: "rules.md 26",
		},
		{
			ID: "I024", Severity: Warning, Title: "media type does not fit the image",
			Meaning: "The data URL names one format, its bytes are an image of another.",
			Codex:   "Sends it; servers that go by the media type refuse the request.",
			Fix:     "correct the media type", Op: "images",
			Since: 1, Source: "NousResearch/hermes-agent#19070",
		},
		{
			ID: "I025", Severity: Error, Title: "markup in place of an image",
			Meaning: "The data URL names an image format, but its bytes are SVG, HTML or XML text.",
			Codex:   resent,
			Fix:     "replace the image by a text", Op: "images",
			Since: 1, Source: "openai/codex#3097",
		},
		{
			ID: "I026", Severity: Error, Title: "no known image",
			Meaning: "The bytes are no PNG, JPEG, GIF or WebP, or one that is cut off or damaged (PNG: down to its checksums; the others: in the header).",
			Codex:   resent,
			Fix:     "replace the image by a text", Op: "images",
			Since: 1, Source: "rules.md 26, anthropics/claude-code#53228",
		},
		{
			ID: "I027", Severity: Info, Title: "image at a web address",
			Meaning: "The image_url is an http or https address, and no data URL.",
			Codex:   "Sends the address; the server fetches it with each request, as long as it is there.",
			Fix:     "none needed",
			Since:   1, Source: "needs.md 4, IMAGE",
		},
		{
			ID: "I028", Severity: Error, Title: "image_url is no URL of an image",
			Meaning: "The image_url is neither a data URL nor an http address: a path, or text that went there by mistake.",
			Codex:   resent,
			Fix:     "replace the image by a text", Op: "images",
			Since: 1, Source: "openclaw/openclaw#105847",
		},
	}
}
