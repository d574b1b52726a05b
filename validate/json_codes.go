package validate

// jsonCodes are the defects of a line as text and as JSON (format.md 2.3).
func jsonCodes() []Code {
	const skips = "counts an error and skips the line; the record is lost"
	return []Code{
		{
			ID: "J001", Severity: Error, Title: "line is not JSON",
			Meaning: "The line cannot be parsed as one JSON value, and nothing more specific is known about the damage.",
			Codex:   "The loader " + skips + ".",
			Fix:     "restore the line from a backup, or drop it", Op: "repair",
			Since: 1, Source: "format.md 2.3",
		},
		{
			ID: "J002", Severity: Error, Title: "byte order mark",
			Meaning: "The line starts with a UTF-8 byte order mark (EF BB BF), which is no JSON white space. Editors and shells put it there when they rewrite a file.",
			Codex:   "The loader " + skips + "; on the first line that is the session_meta, and the session does not resume.",
			Fix:     "remove the three bytes", Op: "repair",
			Since: 1, Source: "format.md 2.3",
		},
		{
			ID: "J003", Severity: Error, Title: "NUL bytes",
			Meaning: "The line holds raw NUL bytes, as a file system leaves them after a crash. NUL is neither white space nor allowed in a string.",
			Codex:   "The loader " + skips + ".",
			Fix:     "remove the NUL bytes; what is left of the line may be a whole record", Op: "repair",
			Since: 1, Source: "format.md 2.3",
		},
		{
			ID: "J004", Severity: Error, Title: "invalid UTF-8",
			Meaning: "The line is not valid UTF-8: bytes of another encoding, a character cut in two, or compressed data.",
			Codex:   "The forward reader stops with an I/O error (stream did not contain valid UTF-8): the whole session does not load, whatever else is in it.",
			Fix:     "re-encode or drop the line", Op: "repair",
			Since: 1, Source: "format.md 2.3",
		},
		{
			ID: "J005", Severity: Error, Title: "file ends inside a record",
			Meaning: "The last line has no newline and no end: the writer was stopped while it wrote it. If the session is running, the rest may still come.",
			Codex:   "The loader " + skips + ". When the session is resumed a newline is added, and the fragment stays in the file for ever.",
			Fix:     "drop the fragment", Op: "repair",
			Since: 1, Source: "format.md 1.4.3",
		},
		{
			ID: "J006", Severity: Error, Title: "record is cut off",
			Meaning: "The line ends in the middle of a record and the next line is not the same record in full. The records after it are not affected.",
			Codex:   "The loader " + skips + ".",
			Fix:     "drop the fragment, or restore the record from a backup", Op: "repair",
			Since: 1, Source: "format.md 1.4.3, 10.23",
		},
		{
			ID: "J007", Severity: Error, Title: "two records on one line",
			Meaning: "A newline between two records is missing: the line is one record (or the start of one) and then another.",
			Codex:   "The loader sees trailing characters, counts one error and skips the line: both records are lost.",
			Fix:     "split the line", Op: "repair",
			Since: 1, Source: "format.md 2.3",
		},
		{
			ID: "J008", Severity: Error, Title: "characters after the record",
			Meaning: "After a complete JSON value the line goes on with something else.",
			Codex:   "The loader " + skips + ".",
			Fix:     "remove what follows the record", Op: "repair",
			Since: 1, Source: "format.md 2.3",
		},
		{
			ID: "J009", Severity: Error, Title: "raw control character",
			Meaning: "A string holds a control character (U+0001 to U+001F) as it is and not as an escape.",
			Codex:   "The loader " + skips + ".",
			Fix:     "write the character as an escape such as \\t or \\u001b", Op: "repair",
			Since: 1, Source: "format.md 2.3",
		},
		{
			ID: "J010", Severity: Error, Title: "lone surrogate",
			Meaning: "A string holds half of a surrogate pair as an escape, such as \\ud83d without its second half. Many JSON libraries accept or replace it, Codex does not.",
			Codex:   "The loader " + skips + ".",
			Fix:     "write \\ufffd or the whole character instead", Op: "repair",
			Since: 1, Source: "format.md 2.3",
		},
		{
			ID: "J011", Severity: Error, Title: "nesting too deep",
			Meaning: "Arrays and objects are nested more than 127 levels deep.",
			Codex:   "The decoder stops with recursion limit exceeded; the loader " + skips + ".",
			Fix:     "shorten or drop the record", Op: "repair",
			Since: 1, Source: "format.md 2.3",
		},
		{
			ID: "J012", Severity: Error, Title: "integer of 128 bits",
			Meaning: "An integer from 2^64 to 2^128-1, or from -2^127 to -2^63-1, stands somewhere in the line, be it in a field that nobody reads.",
			Codex:   "The decoder reads it as a 128-bit number and then cannot use it; the loader " + skips + ".",
			Fix:     "write the number as a string or with a fraction, where its reader allows that", Op: "repair",
			Since: 1, Source: "format.md 2.3",
		},
		{
			ID: "J013", Severity: Error, Title: "float not in shortest form",
			Meaning: "A float field is written as 0.50, 1.00, 5e-1 or 1e2: the value is fine, the spelling is not. Other writers than Codex produce it.",
			Codex:   "The decoder takes the number for a map (a consequence of how it keeps numbers exact); the loader " + skips + ".",
			Fix:     "write the shortest form, such as 0.5 or 100.0", Op: "repair",
			Since: 1, Source: "format.md 2.3",
		},
		{
			ID: "J014", Severity: Warning, Title: "duplicate key",
			Meaning: "The record, its payload or an object in it that Codex reads has two members of one name. The last one counts; readers that take the first see another record. Reported once for the record, once for the payload and once for all that is below. Values that Codex passes on as they are (arguments, tools, states) are not searched.",
			Codex:   "The last value wins.",
			Fix:     "remove the member that does not count", Op: "repair",
			Since: 1, Source: "format.md 2.3",
		},
	}
}
