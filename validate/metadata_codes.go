package validate

// metadataCodes are about the sidecar: M00x its alignment with a replacement history,
// M01x what it says.
func metadataCodes() []Code {
	const ignored = "The whole compacted record is rejected: the checkpoint is ignored, and the older history, which it was to replace, is used in full."
	return []Code{
		{
			ID: "M001", Severity: Error, Title: "sidecar of another length",
			Meaning: "replacement_history_metadata has not as many entries as replacement_history has items, so that nobody knows which entry belongs to which item.",
			Codex:   ignored,
			Fix:     "pad the sidecar with {\"client_authored\":false}, cut it, or drop it", Op: "align",
			Since: 1, Source: "format.md 4.2.1",
		},
		{
			ID: "M002", Severity: Error, Title: "sidecar without history",
			Meaning: "replacement_history_metadata is there, but replacement_history is absent or null. An empty list counts as there.",
			Codex:   ignored,
			Fix:     "drop the sidecar", Op: "align",
			Since: 1, Source: "format.md 4.2.2",
		},
		{
			ID: "M003", Severity: Error, Title: "null in the sidecar",
			Meaning: "An entry of replacement_history_metadata is null. An item without metadata has the default entry.",
			Codex:   ignored,
			Fix:     "write {\"client_authored\":false}", Op: "align",
			Since: 1, Source: "format.md 4.2.4",
		},
		{
			ID: "M004", Severity: Error, Title: "ghost snapshots and a sidecar of another length",
			Meaning: "The replacement history has ghost snapshots of 2025 and a sidecar whose length is not that of the list with them.",
			Codex:   "Takes out ghosts and their entries together, or, as here, nothing. " + ignored,
			Fix:     "take the ghosts out of the history; the sidecar then has to fit what is left", Op: "align",
			Since: 1, Source: "format.md 2.7.3, 2.7.4",
		},
		{
			ID: "M005", Severity: Warning, Title: "ghost snapshots kept by a null sidecar",
			Meaning: "The replacement history has ghost snapshots, and replacement_history_metadata is an explicit null, which counts as there.",
			Codex:   "Takes no ghost out: each becomes an item of an unknown type in the history.",
			Fix:     "remove the ghosts, or the null", Op: "slim",
			Since: 1, Source: "format.md 2.7.3, rules.md 3",
		},
		{
			ID: "M010", Severity: Warning, Title: "client_authored where it means nothing",
			Meaning: "client_authored is true for an item that is neither a developer message nor a function_call_output with a name and without call_id.",
			Codex:   "Reads it and does not act on it.",
			Fix:     "write false: the entry may be that of another item",
			Since:   1, Source: "format.md 6.1, compaction.md 3.6.6",
		},
		{
			ID: "M011", Severity: Warning, Title: "compaction_model_hash of another item",
			Meaning: "compaction_model_hash stands with an item that is no compaction item.",
			Codex:   "Reads it and does not act on it; the compaction item that it was meant for may lack it.",
			Fix:     "remove it: the entry may be that of another item",
			Since:   1, Source: "format.md 6.1, compaction.md 3.6.6",
		},
		{
			ID: "M012", Severity: Info, Title: "unknown sidecar key",
			Meaning: "A sidecar has a key that this tool does not know: of a newer build, or misspelled.",
			Codex:   "Ignores the key and loses it when it writes the item again.",
			Fix:     "none needed",
			Since:   1, Source: "format.md 6.2",
		},
		{
			ID: "M013", Severity: Info, Title: "metadata beside another record",
			Meaning: "A record that is no response_item has a metadata beside its payload.",
			Codex:   "Reads the key of response_items only.",
			Fix:     "none needed",
			Since:   1, Source: "format.md 2.1",
		},
		{
			ID: "M014", Severity: Info, Title: "metadata inside an item",
			Meaning: "An item has the key metadata in its payload, as files of 2026-06-15 to 2026-06-22 do: what is called internal_chat_message_metadata_passthrough now.",
			Codex:   "Ignores it: the turn id of the item is lost.",
			Fix:     "rename the key", Op: "migrate",
			Since: 1, Source: "format.md 5.5",
		},
		{
			ID: "M015", Severity: Warning, Title: "mcp_attribution does not decode",
			Meaning: "mcp_attribution is null, no object, has no known status, lacks a field of a source, or has a key that it may not have.",
			Codex:   "Takes it for an attribution error without reason and sources.",
			Fix:     "remove the key if there is nothing to attribute",
			Since:   1, Source: "format.md 6.3",
		},
		{
			ID: "M016", Severity: Info, Title: "content_item_kinds do not fit the content",
			Meaning: "content_item_kinds is not a list of strings, or has not one entry for each part of the message.",
			Codex:   "Takes a list that does not decode for none; parts without an entry are of kind unknown.",
			Fix:     "none needed",
			Since:   1, Source: "format.md 5.5, rules.md 24",
		},
	}
}
