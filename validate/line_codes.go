package validate

// lineCodes are the defects of lines and their envelopes (format.md 1.4, 2.1, 2.2).
func lineCodes() []Code {
	const skips = "The loader counts an error and skips the line; the record is lost."
	return []Code{
		{
			ID: "L001", Severity: Error, Title: "line is no object",
			Meaning: "The line is valid JSON, but a number, a string, a list or null.",
			Codex:   skips + " Its message: rollout line must be a JSON object.",
			Fix:     "drop the line", Op: "repair",
			Since: 1, Source: "format.md 2.3",
		},
		{
			ID: "L002", Severity: Error, Title: "timestamp missing or no string",
			Meaning: "Every record needs a timestamp, and it has to be a string. Its content is free.",
			Codex:   skips,
			Fix:     "add the timestamp of the record before", Op: "repair",
			Since: 1, Source: "format.md 2.1",
		},
		{
			ID: "L003", Severity: Error, Title: "ordinal of the wrong form",
			Meaning: "An ordinal is an integer from 0 to 2^64-1, or null, or absent. 3.0, -1 and \"3\" are none of these.",
			Codex:   skips,
			Fix:     "number the record anew", Op: "repair",
			Since: 1, Source: "format.md 2.1",
		},
		{
			ID: "L004", Severity: Error, Title: "unknown record type",
			Meaning: "The type of the record is none of the 12 that Codex knows. Forks and short-lived builds write others.",
			Codex:   skips,
			Fix:     "nothing, if the record is another program's; a newer rollout-tool may know the type",
			Since:   1, Source: "format.md 2.2",
		},
		{
			ID: "L005", Severity: Error, Title: "record type missing or no string",
			Meaning: "The envelope does not say what the record is. A line without an envelope in a file that has envelopes looks so too.",
			Codex:   skips,
			Fix:     "add the type, or drop the line", Op: "repair",
			Since: 1, Source: "format.md 2.1",
		},
		{
			ID: "L006", Severity: Error, Title: "payload missing",
			Meaning: "Every record type needs a payload.",
			Codex:   skips,
			Fix:     "drop the line", Op: "repair",
			Since: 1, Source: "format.md 2.1",
		},
		{
			ID: "L007", Severity: Info, Title: "timestamp in another form",
			Meaning: "Writers put UTC times as 2026-11-02T09:00:00.000Z. This file has another form: something else than Codex wrote the line. Reported once, at the first such line.",
			Codex:   "The content is not looked at when a session loads.",
			Fix:     "nothing needed; tools that sort by time may trip over it",
			Since:   1, Source: "format.md 2.1",
		},
		{
			ID: "L008", Severity: Info, Title: "time goes backwards",
			Meaning: "A record is more than a minute older than the one before it. Writers stamp a line when they write it, copies in forks too, so two writers, a merged file or a clock that was set back are behind it. Reported once, at the first such line.",
			Codex:   "Order in the file counts, not time.",
			Fix:     "look at the lines around it for records of two sessions",
			Since:   1, Source: "format.md 2.1, 7",
		},
		{
			ID: "L009", Severity: Info, Title: "blank line",
			Meaning: "The file has lines of nothing but white space. Reported once, at the first.",
			Codex:   "Blank lines are skipped silently.",
			Fix:     "drop them, unless byte offsets of this file are in use", Op: "repair",
			Since: 1, Source: "format.md 2.3",
		},
		{
			ID: "L010", Severity: Info, Title: "CRLF line ends",
			Meaning: "Lines end in a carriage return and a newline: the file went through an editor or a transfer that changes line ends. Reported once, at the first.",
			Codex:   "Both ends are accepted. Byte offsets that other files hold for this one no longer fit.",
			Fix:     "remove the carriage returns", Op: "repair",
			Since: 1, Source: "format.md 2.3, 1.9",
		},
		{
			ID: "L011", Severity: Warning, Title: "line repeated",
			Meaning: "The line is byte for byte the line before it: a retried write, or a program that appended twice.",
			Codex:   "Both count: the item is twice in the history.",
			Fix:     "drop one of the two", Op: "repair",
			Since: 1, Source: "format.md 1.4.4",
		},
		{
			ID: "L012", Severity: Warning, Title: "cut-off record, then the whole one",
			Meaning: "The line is the start of the record on the next line: writing failed, the writer opened the file again and wrote the record once more. Nothing is lost.",
			Codex:   "The fragment is skipped and counted as an error, the whole record counts.",
			Fix:     "drop the fragment", Op: "repair",
			Since: 1, Source: "format.md 1.4.4",
		},
		{
			ID: "L013", Severity: Info, Title: "no newline at the end",
			Meaning: "The last line is a complete record without its newline.",
			Codex:   "The record counts. A newline is added when the session goes on.",
			Fix:     "add the newline before another program appends to the file", Op: "repair",
			Since: 1, Source: "format.md 1.4.3",
		},
		{
			ID: "L014", Severity: Error, Title: "empty file",
			Meaning: "There is no line that is not blank.",
			Codex:   "The load fails: empty session file.",
			Fix:     "delete the file",
			Since:   1, Source: "format.md 2.6",
		},
		{
			ID: "L015", Severity: Info, Title: "ghost snapshots",
			Meaning: "The file has ghost_snapshot items of 2025-10 to 2026-04. Reported once, at the first.",
			Codex:   "The lines are dropped before they are decoded, without an error.",
			Fix:     "drop them to make the file smaller", Op: "slim",
			Since: 1, Source: "format.md 2.7",
		},
	}
}
