package tokens

import (
	"time"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// Estimator is a generation of Codex's item estimate. The zero value is Content.
type Estimator uint8

const (
	// Content counts what the model reads: texts, arguments, media (rule 25).
	// Ids, roles, metadata and JSON escaping of text cost nothing.
	Content Estimator = iota
	// JSON is the older estimate, the length of the whole item as compact JSON
	// with some payloads replaced by their cost; see wholeItemBytes.
	JSON
)

// ForProfile returns the estimator of a reader of that date: JSON up to and
// including 2026-08-21 (UTC), Content after it and for the zero time, which
// stands for the newest. The change lies somewhere between that date and the
// next snapshot known to the reference (compaction.md 0).
func ForProfile(date time.Time) Estimator {
	if date.IsZero() || !date.Before(lastJSONEstimate().AddDate(0, 0, 1)) {
		return Content
	}
	return JSON
}

// Item is the estimate of one item in tokens: its bytes over four, rounded up
// once (rule 25).
func (e Estimator) Item(it parse.Item) int64 { return FromBytes(e.ItemBytes(it)) }

// Items is the sum of Item over items, in tokens.
func (e Estimator) Items(items []parse.Item) int64 {
	var n int64
	for _, it := range items {
		n += e.Item(it)
	}
	return n
}

// ItemBytes is the estimate of one item in bytes. An item that Codex would not
// accept is estimated by what can be read of it.
func (e Estimator) ItemBytes(it parse.Item) int64 {
	switch it.Type {
	case parse.ItemReasoning, parse.ItemCompaction, parse.ItemContextCompaction:
		if enc := it.Fields.Get("encrypted_content"); enc.Kind() == jsonraw.KindString {
			return encryptedItemBytes(textBytes(enc))
		}
	}
	if e == JSON {
		return wholeItemBytes(it)
	}
	return contentBytes(it)
}

// encryptedItemBytes undoes base64 and takes off what encryption adds.
func encryptedItemBytes(n int64) int64 { return max(n*3/4-reasoningOverhead, 0) }

// encryptedPartBytes is ceil(n*9/16).
func encryptedPartBytes(n int64) int64 {
	return (n*encryptedPartNum + encryptedPartDen - 1) / encryptedPartDen
}

// contentBytes is rule 25 for everything but encrypted items.
func contentBytes(it parse.Item) int64 {
	f := it.Fields
	text := func(name string) int64 { return textBytes(f.Get(name)) }
	switch it.Type {
	case parse.ItemMessage:
		return PartsBytes(it.Content())
	case parse.ItemAgentMessage:
		return text("author") + text("recipient") + PartsBytes(it.Content())
	case parse.ItemFunctionCall:
		return text("name") + namespaceBytes(f) + text("arguments")
	case parse.ItemCustomToolCall:
		return text("name") + namespaceBytes(f) + text("input")
	case parse.ItemFunctionOutput:
		return outputBytes(it) + text("call_id") + text("name") + text("namespace")
	case parse.ItemCustomToolOutput:
		return outputBytes(it) + text("call_id") + text("name")
	case parse.ItemToolSearchCall:
		return compactLen(f.Get("arguments"))
	case parse.ItemToolSearchOutput, parse.ItemAdditionalTools:
		return compactLen(f.Get("tools"))
	case parse.ItemLocalShellCall:
		return compactLen(shellAction(f.Get("action")))
	case parse.ItemWebSearchCall:
		return compactLen(searchAction(f.Get("action")))
	case parse.ItemImageGenerationCall:
		n := text("revised_prompt")
		if text("result") > 0 {
			n += resizedImageBytes
		}
		return n
	}
	return 0
}

// namespaceBytes is the length of a call's namespace; a missing one counts as
// the default, an empty one as nothing.
func namespaceBytes(f jsonraw.Object) int64 {
	ns := f.Get("namespace")
	if ns.Missing() {
		return int64(len(defaultNamespace))
	}
	return textBytes(ns)
}

// outputBytes is the length of a tool output's body, be it a text or a list.
func outputBytes(it parse.Item) int64 {
	out := it.Output()
	if out.IsText {
		return textBytes(out.Raw)
	}
	return PartsBytes(out.Parts())
}

// PartsBytes is the sum of PartBytes over parts.
func PartsBytes(parts []parse.Part) int64 {
	var n int64
	for _, p := range parts {
		n += PartBytes(p)
	}
	return n
}

// PartBytes is what one part of a message, an agent message or a tool output
// adds to its item in bytes: text, image, audio or ciphertext (rules 25, 26).
func PartBytes(p parse.Part) int64 {
	switch p.Type {
	case parse.PartInputText, parse.PartOutputText:
		return textBytes(p.TextValue())
	case parse.PartInputImage:
		return ImageBytes(p)
	case parse.PartInputAudio:
		return AudioBytes(p)
	case parse.PartEncryptedContent:
		return encryptedPartBytes(textBytes(p.Encrypted()))
	}
	return 0
}

// PartText is the cost of one text part on its own in tokens, rounded up, as
// retention counts it (rule 37); 0 for parts that are no input_text or
// output_text.
func PartText(p parse.Part) int64 {
	if !p.IsText() {
		return 0
	}
	return FromBytes(textBytes(p.TextValue()))
}
