package validate

// fileCodes are about the name of a rollout and the files beside it (format.md 1.2, 1.3).
func fileCodes() []Code {
	return []Code{
		{
			ID: "F001", Severity: Warning, Title: "name without time and ids",
			Meaning: "The name starts with rollout- and a date, or the file lies in a tree of sessions, but the name is not rollout-YYYY-MM-DDTHH-MM-SS-<thread>[_<rollout>].jsonl.",
			Codex:   "The file is found by a walk of the tree, but not by its id: resume by id, history_base and compression pass it over.",
			Fix:     "rename the file",
			Since:   1, Source: "format.md 1.2",
		},
		{
			ID: "F002", Severity: Warning, Title: "name and session_meta disagree",
			Meaning: "The thread id in the name is not the id of the first session_meta, or the rollout id in the name is that of the file's own history_base.",
			Codex:   "The file is looked up by its name and then gives another thread: rollout contains history for thread {id}.",
			Fix:     "give the file the name of its thread",
			Since:   1, Source: "format.md 1.2, 2.6",
		},
		{
			ID: "F003", Severity: Warning, Title: "plain and compressed form",
			Meaning: "The rollout is there as .jsonl and as .jsonl.zst, as after a compression that was interrupted.",
			Codex:   "The plain file counts; the compressed one is never read and may be older.",
			Fix:     "compare the two, then delete the compressed one",
			Since:   1, Source: "format.md 1.3",
		},
		{
			ID: "F004", Severity: Error, Title: "compressed, but not by its name",
			Meaning: "The file is a zstd stream and its name does not end in .jsonl.zst.",
			Codex:   "The bytes are read as text: stream did not contain valid UTF-8, the load fails.",
			Fix:     "add .zst to the name, or decompress the file",
			Since:   1, Source: "format.md 1.3",
		},
		{
			ID: "F005", Severity: Error, Title: "compressed by its name only",
			Meaning: "The name ends in .jsonl.zst and the file is no zstd stream: it was decompressed in place, or a program appended to a name.",
			Codex:   "The decoder fails: an I/O error of the whole load.",
			Fix:     "remove .zst from the name",
			Since:   1, Source: "format.md 1.3",
		},
		{
			ID: "F006", Severity: Info, Title: "name of another day",
			Meaning: "The time in the name (local time of the writer) is more than 26 hours from the timestamp of the session_meta: more than time zones explain.",
			Codex:   "The time in the name decides the order of files of one thread, and the folder when a session is unarchived.",
			Fix:     "nothing needed if the file was renamed on purpose",
			Since:   1, Source: "format.md 1.2, 1.1",
		},
	}
}
