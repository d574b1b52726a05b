package validate

// sessionCodes are about session_meta and about what a session needs to be one
// (format.md 2.6, 3.1).
func sessionCodes() []Code {
	return []Code{
		{
			ID: "S001", Severity: Error, Title: "no session_meta",
			Meaning: "No session_meta of the file is accepted: there is none, or the line is rejected.",
			Codex:   "The lines load, but a resume ends in: failed to parse thread ID from rollout file.",
			Fix:     "restore the first line", Op: "rescue",
			Since: 1, Source: "format.md 2.6",
		},
		{
			ID: "S002", Severity: Error, Title: "unknown history_mode",
			Meaning: "The history_mode of a session_meta is neither legacy nor paginated (null counts as unknown), and no session_meta is accepted before it.",
			Codex:   "The load is aborted: invalid session metadata history_mode.",
			Fix:     "set legacy or paginated; a newer Codex may know the mode", Op: "repair",
			Since: 1, Source: "format.md 2.6",
		},
		{
			ID: "S003", Severity: Error, Title: "items before the session_meta",
			Meaning: "A response_item or an inter_agent_communication stands before the first session_meta.",
			Codex:   "The readers of the head refuse the file (rollout at {path} does not start with session metadata): the session is not listed and not opened for writing.",
			Fix:     "move the session_meta to the top", Op: "repair",
			Since: 1, Source: "format.md 2.6, 1.10",
		},
		{
			ID: "S004", Severity: Error, Title: "first record is no session_meta",
			Meaning: "The first line that is not blank is no readable session_meta; one comes later, and no item stands before it.",
			Codex:   "The session is listed and loads, but cannot be opened for writing: failed to parse first rollout record at {path}, or rollout at {path} does not start with session metadata.",
			Fix:     "move the session_meta to the top", Op: "repair",
			Since: 1, Source: "format.md 1.10",
		},
		{
			ID: "S005", Severity: Info, Title: "session_meta of another thread",
			Meaning: "A later session_meta names another thread, as in copies that a fork makes of its parent's records.",
			Codex:   "The first session_meta gives the thread id; later ones are data.",
			Fix:     "nothing needed",
			Since:   1, Source: "format.md 2.6",
		},
		{
			ID: "S006", Severity: Error, Title: "file of before the envelope",
			Meaning: "The file is of 2025-05 to 2025-09: its lines are bare items without timestamp, type and payload around them.",
			Codex:   "Every line is rejected, and a resume ends in: failed to parse thread ID from rollout file.",
			Fix:     "rewrite the lines with an envelope", Op: "migrate",
			Since: 1, Source: "format.md 2.8",
		},
		{
			ID: "S007", Severity: Warning, Title: "no user turn",
			Meaning: "The file has output of the model, but neither a message of a user or an agent, nor a compaction or a history_base that would explain where they are. Either they are lost, or this version writes them in a form that rollout-tool does not know.",
			Codex:   "The session resumes with what there is; lists show it without a preview or not at all.",
			Fix:     "if the session has user messages in Codex, report the record types of the file",
			Since:   1, Source: "format.md 3.9, rules 13 and 17",
		},
		{
			ID: "S008", Severity: Info, Title: "nothing but session_meta",
			Meaning: "The file has no other record than session_meta.",
			Codex:   "Writers create the file with the first record that follows, so nothing was kept of this session. It loads and is empty.",
			Fix:     "delete the file if no other one names it",
			Since:   1, Source: "format.md 1.4.1",
		},
	}
}
