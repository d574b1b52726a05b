package validate

// pairingCodes are about calls and their outputs: P00x where they are stored, P02x in the
// request that Codex would send next.
func pairingCodes() []Code {
	const inserts = "Puts an output `aborted` behind the call in every request (for a tool search: a completed one without tools)."
	const drops = "Leaves the output out of every request; it stays in the file."
	return []Code{
		{
			ID: "P001", Severity: Warning, Title: "call without output",
			Meaning: "A call has no output of its family with its call_id, although its turn has ended or a checkpoint has replaced it. In a checkpoint: none in it and none behind it.",
			Codex:   inserts,
			Fix:     "add an output that says what is known of the outcome, or drop the call", Op: "repair",
			Since: 1, Source: "rules.md 31",
		},
		{
			ID: "P002", Severity: Warning, Title: "output without call",
			Meaning: "An output has a call_id for which the history has no call of its family. Outputs of tool searches that the server ran need none.",
			Codex:   drops,
			Fix:     "drop the output, or store its call before it", Op: "repair",
			Since: 1, Source: "rules.md 33",
		},
		{
			ID: "P003", Severity: Warning, Title: "output before its call",
			Meaning: "The call with the call_id of an output comes after it.",
			Codex:   "Pairs them by call_id and keeps the order; servers refuse an output whose call they have not seen.",
			Fix:     "put the output behind its call", Op: "repair",
			Since: 1, Source: "rules.md 31, 33, needs.md B.7",
		},
		{
			ID: "P004", Severity: Warning, Title: "call_id of two calls",
			Meaning: "Two calls of a family have the same call_id within one history.",
			Codex:   "Keeps both, and takes one output for an answer to both.",
			Fix:     "drop the copy, or give one call and its output another call_id", Op: "repair",
			Since: 1, Source: "rules.md 31, 33, needs.md B.7",
		},
		{
			ID: "P005", Severity: Warning, Title: "second output",
			Meaning: "More outputs than calls have the same call_id.",
			Codex:   "Keeps all of them: the model sees several answers to one call.",
			Fix:     "drop the output that is wrong", Op: "repair",
			Since: 1, Source: "rules.md 33, needs.md B.7",
		},
		{
			ID: "P006", Severity: Error, Title: "output that answers nothing",
			Meaning: "A function_call_output has neither a call_id nor a name. Outputs without a call, which clients put in, have a name.",
			Codex:   "Keeps it in the request, and the server refuses that.",
			Fix:     "drop the output, or add the call_id of its call", Op: "repair",
			Since: 1, Source: "rules.md 33, openai/codex#42088, #45914",
		},
		{
			ID: "P007", Severity: Info, Title: "call open at the end",
			Meaning: "The file ends within a turn, and a call of that turn has no output yet: the session still runs, or was cut off.",
			Codex:   inserts,
			Fix:     "none needed while the session runs; else as for P001", Op: "repair",
			Since: 1, Source: "rules.md 31",
		},
		{
			ID: "P008", Severity: Info, Title: "message between call and output",
			Meaning: "A message of a user or an agent stands between a call and its output. Codex records such messages behind the outputs that are due.",
			Codex:   "Pairs them by call_id and keeps the order; providers that translate the history for other models refuse it.",
			Fix:     "put the message behind the output",
			Since:   1, Source: "needs.md B.7, ranxianglei/billion-context#766",
		},
		{
			ID: "P020", Severity: Warning, Title: "next request has a call without output",
			Meaning: "The output of a call is stored, but is not in the history at the end: a rollback or the cut of a history_base has left it out.",
			Codex:   inserts,
			Fix:     "none needed, if the outcome of the call no longer matters",
			Since:   1, Source: "rules.md 16, 31, openai/codex#46193",
		},
		{
			ID: "P021", Severity: Warning, Title: "next request has an output without call",
			Meaning: "The call of an output is stored, but is not in the history at the end: a rollback or the cut of a history_base has left it out.",
			Codex:   drops,
			Fix:     "none needed, if the outcome of the call no longer matters",
			Since:   1, Source: "rules.md 16, 33, openai/codex#46193",
		},
	}
}
