package validate

// rejectCodes are the reasons for which Codex rejects a line whose envelope is fine
// (format.md 2.4 to 6). Lines that it rejects for other reasons have J, L, S or M codes.
func rejectCodes() []Code {
	const rejects = "The whole line is rejected and counted as an error; there is no partial record."
	const retired = rejects + " Its own migration to paginated files "
	return []Code{
		{
			ID: "R001", Severity: Error, Title: "field missing",
			Meaning: "A required field is absent.",
			Codex:   rejects,
			Fix:     "add the field, or drop the record",
			Since:   1, Source: "format.md 2.4",
		},
		{
			ID: "R002", Severity: Error, Title: "null where none may be",
			Meaning: "A field is null that has to have a value, or that may only be left out.",
			Codex:   rejects,
			Fix:     "leave the field out if it is optional, else give it a value",
			Since:   1, Source: "format.md 2.4",
		},
		{
			ID: "R003", Severity: Error, Title: "value of the wrong type",
			Meaning: "A value is of another kind of JSON than the field takes, such as an object as output of a tool.",
			Codex:   rejects,
			Fix:     "correct the value",
			Since:   1, Source: "format.md 2.4, 3 to 6",
		},
		{
			ID: "R004", Severity: Error, Title: "unknown event",
			Meaning: "The type of an event_msg is one that Codex does not know and, as far as known, never stored.",
			Codex:   rejects,
			Fix:     "nothing, if the record is another program's; a newer rollout-tool may know the event",
			Since:   1, Source: "format.md 3.9",
		},
		{
			ID: "R005", Severity: Error, Title: "unknown variant",
			Meaning: "A value of a closed set (status, role, kind of content, kind of turn item) is not one of the set. Values of newer builds look so to older ones.",
			Codex:   rejects,
			Fix:     "correct the value, or read the session with a newer Codex",
			Since:   1, Source: "format.md 2.4",
		},
		{
			ID: "R006", Severity: Error, Title: "retired event",
			Meaning: "The event was stored by earlier builds (undo_completed, thread_name_updated, background_event and others) and is no longer known.",
			Codex:   retired + "leaves it out.",
			Fix:     "drop the record: it holds nothing that the model sees", Op: "migrate",
			Since: 1, Source: "format.md 3.9, 8",
		},
		{
			ID: "R007", Severity: Error, Title: "sandbox policy with mode",
			Meaning: "The sandbox_policy of a turn_context names its kind mode instead of type, as files until 2025-11-13 do.",
			Codex:   retired + "copies mode to type.",
			Fix:     "rename mode to type", Op: "migrate",
			Since: 1, Source: "format.md 3.2, 8",
		},
		{
			ID: "R008", Severity: Error, Title: "review with prompt",
			Meaning: "An entered_review_mode event has prompt instead of target, as files before 2025-12-02 do.",
			Codex:   retired + "makes a custom target of the prompt.",
			Fix:     "write target as {\"type\":\"custom\",\"instructions\":prompt}", Op: "migrate",
			Since: 1, Source: "format.md 3.9, 8",
		},
		{
			ID: "R009", Severity: Error, Title: "resets_at as text",
			Meaning: "The resets_at of a rate limit is a date as text, as files of 2025-10-17 to 2025-10-20 have it.",
			Codex:   retired + "makes unix seconds of it.",
			Fix:     "write unix seconds", Op: "migrate",
			Since: 1, Source: "format.md 3.9, 8",
		},
		{
			ID: "R010", Severity: Error, Title: "command with a plain cwd",
			Meaning: "The cwd of an exec_command_begin or exec_command_end is a plain path and no file URI, as in older files.",
			Codex:   retired + "makes a file URI of it.",
			Fix:     "write file:// and the path", Op: "migrate",
			Since: 1, Source: "format.md 3.9, 8",
		},
		{
			ID: "R011", Severity: Error, Title: "flat collaboration mode",
			Meaning: "The collaboration_mode of a turn_context has its settings beside mode and not in settings, as files of January 2026 do.",
			Codex:   retired + "moves them into settings.",
			Fix:     "move model, reasoning_effort and developer_instructions into settings", Op: "migrate",
			Since: 1, Source: "format.md 3.2, 8",
		},
		{
			ID: "R012", Severity: Error, Title: "path is not absolute",
			Meaning: "A path has to be absolute for the system that reads: ~/x is not, and a Windows path is not on Unix.",
			Codex:   rejects + " Its message: AbsolutePathBuf deserialized without a base path.",
			Fix:     "write the absolute path",
			Since:   1, Source: "format.md 3.2, 6.4",
		},
		{
			ID: "R013", Severity: Error, Title: "key that is not allowed",
			Meaning: "Unknown keys are ignored almost everywhere; this object is one of the few that take none.",
			Codex:   rejects,
			Fix:     "remove the key",
			Since:   1, Source: "format.md 2.4 G1, G9",
		},
		{
			ID: "R014", Severity: Error, Title: "bad UUID",
			Meaning: "An id has to be a UUID (in any of its spellings) and is none.",
			Codex:   rejects + " Its message: UUID parsing failed.",
			Fix:     "restore the id",
			Since:   1, Source: "format.md 3.1, 6.4",
		},
		{
			ID: "R015", Severity: Error, Title: "bad agent path",
			Meaning: "An agent path is /morpheus, /root, or /root/ and segments of a to z, 0 to 9 and _, none of them root, without a slash at the end.",
			Codex:   rejects,
			Fix:     "correct the path",
			Since:   1, Source: "format.md 3.6",
		},
		{
			ID: "R016", Severity: Error, Title: "no file URI",
			Meaning: "The field takes a URI with the scheme file: and nothing else.",
			Codex:   rejects,
			Fix:     "write file:// and the path",
			Since:   1, Source: "format.md 3.9, 6.4",
		},
		{
			ID: "R017", Severity: Error, Title: "number out of range",
			Meaning: "A number has a fraction or an exponent where an integer is needed (7.0, 1e2), or is too large or negative for the field.",
			Codex:   rejects,
			Fix:     "write a plain integer in the range of the field",
			Since:   1, Source: "format.md 2.3",
		},
		{
			ID: "R018", Severity: Error, Title: "field under both names",
			Meaning: "A field stands under its name and under its former name, such as agent_role and agent_type. Twice the same name would be accepted.",
			Codex:   rejects,
			Fix:     "remove one of the two",
			Since:   1, Source: "format.md 2.3",
		},
		{
			ID: "R019", Severity: Error, Title: "image without source",
			Meaning: "An input_image has neither an image_url nor a file_id that is a string.",
			Codex:   rejects,
			Fix:     "restore the image, or replace the part by a text", Op: "images",
			Since: 1, Source: "format.md 5.6",
		},
		{
			ID: "R020", Severity: Error, Title: "value not accepted",
			Meaning: "A value is of the right type and still not what the field takes: an empty reasoning effort, a text that is no date, no base64, a list of mixed styles, a map with other than one key.",
			Codex:   rejects,
			Fix:     "correct the value",
			Since:   1, Source: "format.md 3 to 6",
		},
	}
}
