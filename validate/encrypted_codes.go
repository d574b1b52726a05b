package validate

// encryptedCodes are about content that only its provider can read: reasoning, compaction
// items, encrypted parts and messages.
func encryptedCodes() []Code {
	const refused = "Sends the items on; another provider cannot decrypt them and refuses the request (invalid_encrypted_content), until they are gone from the history."
	return []Code{
		{
			ID: "E001", Severity: Warning, Title: "provider changed",
			Meaning: "A session_meta or thread_settings_applied names another model provider, while the history has items that are bound to the one before.",
			Codex:   refused,
			Fix:     "go back to the provider, or drop the bound items", Op: "encrypted",
			Since: 1, Source: "needs.md B.4, openai/codex#25290",
		},
		{
			ID: "E002", Severity: Warning, Title: "items of another provider",
			Meaning: "The file repeats the history of a thread with another model provider (a fork), with items that are bound to that one.",
			Codex:   refused,
			Fix:     "continue with the other provider, or drop the bound items", Op: "encrypted",
			Since: 1, Source: "needs.md B.4",
		},
		{
			ID: "E003", Severity: Error, Title: "compaction item without content",
			Meaning: "The encrypted_content of a compaction item is the empty string.",
			Codex:   "Sends it, and the server refuses the request. What the item stood for is lost.",
			Fix:     "go back to the checkpoint before", Op: "rollback-checkpoint",
			Since: 1, Source: "format.md 5.1, Wei-Shaw/sub2api#5651",
		},
	}
}
