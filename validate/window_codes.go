package validate

// windowCodes are the defects of the chain of context windows (format.md 4.3,
// compaction.md 3.6 rule 2).
func windowCodes() []Code {
	const reads = "A resume takes what the newest surviving checkpoint says and checks nothing; "
	return []Code{
		{
			ID: "W001", Severity: Warning, Title: "window number does not follow",
			Meaning: "Each compaction opens the next window: its window_number is that of the window before plus 1, and 1 for the first. Behind a rollback it may go on from an older window.",
			Codex:   reads + "the window id of requests (thread id and number) repeats or jumps, and what the server keeps for a window is attributed to another.",
			Fix:     "look for a missing or a copied checkpoint; renumber only when no request used the numbers",
			Since:   1, Source: "compaction.md 3.6.2",
		},
		{
			ID: "W002", Severity: Warning, Title: "previous window id does not match",
			Meaning: "previous_window_id is not the window_id of the compaction before. Behind a rollback it may be that of an older one.",
			Codex:   reads + "the chain of windows is broken for whoever follows it.",
			Fix:     "look for a missing checkpoint, or for records of another thread",
			Since:   1, Source: "compaction.md 3.6.2, 3.6.6",
		},
		{
			ID: "W003", Severity: Warning, Title: "first window id changed",
			Meaning: "first_window_id stays the same for the life of a thread; here it differs from the compaction before.",
			Codex:   reads + "the thread counts as another from here on.",
			Fix:     "look for records of another thread",
			Since:   1, Source: "compaction.md 3.6.2",
		},
		{
			ID: "W004", Severity: Warning, Title: "window id is no UUIDv7",
			Meaning: "A window id that is not a UUID of version 7.",
			Codex:   "Window ids of another form count as absent on resume; the window goes on without them.",
			Fix:     "remove the id, or put the original back",
			Since:   1, Source: "format.md 4.3",
		},
		{
			ID: "W005", Severity: Warning, Title: "window number is missing",
			Meaning: "A compaction has no window_number (nor a numeric window_id), although an earlier one of the file has: an older program, or a tool, compacted in between.",
			Codex:   "The checkpoint cannot bound the replay, so the whole file is scanned; with no other window, the number becomes the count of compactions and the session's first window is not used.",
			Fix:     "add the number of the window before plus 1",
			Since:   1, Source: "format.md 4.3, rules.md 10",
		},
		{
			ID: "W006", Severity: Info, Title: "numeric window id",
			Meaning: "window_id is a number: in June 2026 that was the window's number.",
			Codex:   "Reads it as window_number when that is absent, and knows no id for the window.",
			Fix:     "write it as window_number", Op: "migrate",
			Since: 1, Source: "format.md 4.3, rules.md 5",
		},
		{
			ID: "W007", Severity: Warning, Title: "windows do not begin with the session's",
			Meaning: "The first compaction's previous_window_id and first_window_id are the window that session_meta.context_window names. Threads that were forked or that have a history_base are left out.",
			Codex:   reads + "the first window of the session is not the one that the checkpoints continue.",
			Fix:     "look for a missing first checkpoint, or for a session_meta of another thread",
			Since:   1, Source: "compaction.md 3.6.2",
		},
	}
}
