package validate

// bloatCodes are about size: B00x limits of readers, B01x bytes that could be saved.
func bloatCodes() []Code {
	return []Code{
		{
			ID: "B001", Severity: Warning, Title: "record over 16 MiB",
			Meaning: "A line is longer than 16 MiB.",
			Codex:   "Loads it. Its migration to paginated files discards the whole line.",
			Fix:     "take images or outputs out of it", Op: "images",
			Since: 1, Source: "format.md 8.1",
		},
		{
			ID: "B002", Severity: Info, Title: "file over 512 MiB",
			Meaning: "The decompressed file is larger than 512 MiB.",
			Codex:   "Loads it, slowly. Applications that read a rollout as one string fail at this size.",
			Fix:     "make it smaller; the B01x findings say how", Op: "slim",
			Since: 1, Source: "openai/codex#22004",
		},
		{
			ID: "B010", Severity: Info, Title: "images in checkpoints",
			Meaning: "At least half of the bytes of all checkpoints are images, and at least 1 MiB.",
			Codex:   "Writes the images of the history into each checkpoint again.",
			Fix:     "strip or deduplicate the images in checkpoints that no longer count", Op: "images",
			Since: 1, Source: "openai/codex#34863, #23257",
		},
		{
			ID: "B011", Severity: Info, Title: "images stored many times",
			Meaning: "The same images are stored more than three times, and the copies take at least 1 MiB.",
			Codex:   "Stores an image with its item, with an event, and in each checkpoint that keeps it.",
			Fix:     "strip or deduplicate the copies", Op: "images",
			Since: 1, Source: "openai/codex#24388, #24948, #22603",
		},
		{
			ID: "B012", Severity: Info, Title: "superseded checkpoints",
			Meaning: "Checkpoints that no longer seed the history take at least 1 MiB.",
			Codex:   "Resumes from the newest checkpoint; older ones matter only when turns are rolled back past it.",
			Fix:     "empty them", Op: "slim",
			Since: 1, Source: "rules.md 10-15, openai/codex#34863",
		},
		{
			ID: "B013", Severity: Info, Title: "ghost snapshots",
			Meaning: "Ghost snapshots of 2025, as records and in checkpoints, take at least 1 MiB.",
			Codex:   "Reads all of it and takes them out.",
			Fix:     "drop them", Op: "slim",
			Since: 1, Source: "format.md 2.7, openai/codex#7395",
		},
		{
			ID: "B014", Severity: Info, Title: "large tool outputs",
			Meaning: "Tool outputs have texts of more than 12,000 tokens.",
			Codex:   "Stores outputs in full, and gives the model no more than its limit: usually 10,000 tokens and a fifth for their form.",
			Fix:     "cut them", Op: "slim",
			Since: 1, Source: "rules.md 22, needs.md B.2",
		},
	}
}
