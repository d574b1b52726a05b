package validate

// ordinalCodes are about the ordinals of paginated files and about the file that a
// history_base names (format.md 1.8 to 1.10).
func ordinalCodes() []Code {
	const projection = "The load and the next append tolerate it, but Codex's projection of the thread expects each ordinal to be one more than the one before: it stops here for good, and what follows is missing from the displayed thread."
	const lineage = "Codex refuses the lineage and with it the session"
	return []Code{
		{
			ID: "O001", Severity: Error, Title: "ordinal missing",
			Meaning: "Records of a paginated file have no ordinal, and records after them have one. Reported once for each run of such records, at the first.",
			Codex:   projection,
			Fix:     "number the records anew", Op: "repair",
			Since: 1, Source: "format.md 1.8, 1.10",
		},
		{
			ID: "O002", Severity: Error, Title: "ordinal used twice",
			Meaning: "A record has the ordinal of the record before it, as after a resume that counted from a stale state.",
			Codex:   projection,
			Fix:     "number the records anew", Op: "repair",
			Since: 1, Source: "format.md 1.10",
		},
		{
			ID: "O003", Severity: Error, Title: "ordinal goes backwards",
			Meaning: "The ordinal is lower than one before it: two writers, or a program that appended records of another file. Records that count on from here are not reported again. Two neighbours that have changed places are reported once, at the second.",
			Codex:   projection,
			Fix:     "find out whose records these are; then number anew", Op: "repair",
			Since: 1, Source: "format.md 1.10",
		},
		{
			ID: "O004", Severity: Warning, Title: "gap in the ordinals",
			Meaning: "Ordinals are left out, more than the unreadable lines in between explain: records were removed.",
			Codex:   "Gaps in the past are tolerated when the session is opened for writing. The projection of the thread expects none.",
			Fix:     "restore the records, or number anew", Op: "repair",
			Since: 1, Source: "format.md 1.10",
		},
		{
			ID: "O005", Severity: Warning, Title: "first ordinal is wrong",
			Meaning: "The first session_meta of a paginated file has to have ordinal 0, or the end_ordinal_exclusive of its history_base.",
			Codex:   "Only the last ordinal is looked at when the session is opened for writing; the projection counts from the first.",
			Fix:     "number the records anew", Op: "repair",
			Since: 1, Source: "format.md 1.9, 1.10",
		},
		{
			ID: "O006", Severity: Error, Title: "last record has no ordinal",
			Meaning: "The last accepted record of a paginated file has no ordinal: an old Codex or another program appended to it. Reported at the first record of the end that has none.",
			Codex:   "The session does not resume: final paginated rollout record at {path} is missing an ordinal.",
			Fix:     "number the records of the end", Op: "repair",
			Since: 1, Source: "format.md 1.10",
		},
		{
			ID: "O007", Severity: Warning, Title: "ordinals in a legacy file",
			Meaning: "The file's first session_meta says legacy, where no record has an ordinal, but some have. Reported once, at the first.",
			Codex:   "They are read and not used; none are written.",
			Fix:     "remove them, unless the session_meta is what is wrong", Op: "repair",
			Since: 1, Source: "format.md 1.8, 1.10",
		},
		{
			ID: "O008", Severity: Error, Title: "history_base in a legacy file",
			Meaning: "Only a paginated file can go on from another file.",
			Codex:   lineage + ": every file of it has to be paginated.",
			Fix:     "set history_mode to paginated if the records have ordinals",
			Since:   1, Source: "format.md 1.9",
		},
		{
			ID: "O009", Severity: Error, Title: "file of history_base not found",
			Meaning: "The rollout that history_base names, or one further up, is not beside this file nor in its session tree, or cannot be read.",
			Codex:   lineage + ".",
			Fix:     "restore the file, or name it with --base",
			Since:   1, Source: "format.md 1.9",
		},
		{
			ID: "O010", Severity: Error, Title: "history_base goes in a circle",
			Meaning: "Following history_base from file to file comes back to a file.",
			Codex:   lineage + ": cycle detected.",
			Fix:     "restore the session_meta of the files",
			Since:   1, Source: "format.md 1.9",
		},
		{
			ID: "O011", Severity: Error, Title: "history_base ends past its file",
			Meaning: "end_byte_offset is larger than the (decompressed) file that history_base names: that file became shorter after the fork, or was written anew.",
			Codex:   lineage + ": cutoff byte offset is past the source rollout.",
			Fix:     "restore the file; never rewrite a file that others name without correcting them",
			Since:   1, Source: "format.md 1.9",
		},
		{
			ID: "O012", Severity: Error, Title: "history_base ends inside a line",
			Meaning: "end_byte_offset is not just after a newline of the file that history_base names: that file was rewritten after the fork.",
			Codex:   "The last inherited record is cut and rejected, or records are inherited that are not the fork's.",
			Fix:     "set end_byte_offset to the end of the record with the last inherited ordinal",
			Since:   1, Source: "format.md 1.9",
		},
		{
			ID: "O013", Severity: Error, Title: "history_base and ordinals disagree",
			Meaning: "The last record before end_byte_offset does not have the ordinal before end_ordinal_exclusive: offset and ordinal name different places.",
			Codex:   "The fork goes on from other records than it was made from, and its ordinals do not follow.",
			Fix:     "set both to the same record",
			Since:   1, Source: "format.md 1.9",
		},
		{
			ID: "O014", Severity: Error, Title: "history_base names a legacy file",
			Meaning: "A file of the lineage is not paginated, or has no session_meta.",
			Codex:   lineage + ": every file of it has to be paginated.",
			Fix:     "restore the paginated form of that file",
			Since:   1, Source: "format.md 1.9",
		},
		{
			ID: "O015", Severity: Error, Title: "inherited prefix is incomplete",
			Meaning: "subagent_history_start_ordinal says up to where the records are inherited, and the file ends before.",
			Codex:   "The session does not resume: paginated subagent rollout at {path} is incomplete: expected inherited prefix through ordinal {n}, found final durable ordinal {m}.",
			Fix:     "restore the missing records from the parent thread",
			Since:   1, Source: "format.md 1.10",
		},
		{
			ID: "O016", Severity: Error, Title: "ordinals used up",
			Meaning: "The last ordinal is 2^64-1.",
			Codex:   "Nothing can be appended: paginated rollout record ordinal overflow.",
			Fix:     "number the records anew", Op: "repair",
			Since: 1, Source: "format.md 1.10",
		},
		{
			ID: "O017", Severity: Error, Title: "ordinal of one record is wrong",
			Meaning: "A record's ordinal does not fit those before it, and the next record goes on as if it did: nothing is missing and nothing was added.",
			Codex:   projection,
			Fix:     "give the record the ordinal that is left for it", Op: "repair",
			Since: 1, Source: "format.md 1.10",
		},
	}
}
