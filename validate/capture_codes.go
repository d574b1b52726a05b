package validate

// captureReadCodes are about what of a capture cannot be read.
func captureReadCodes() []Code {
	return []Code{
		{
			ID: "X001", Severity: Error, Title: "capture cut off",
			Meaning: "A file of the capture ends early or is no JSON. What stands before the place was read.",
			Codex:   "Not Codex: the program that wrote the capture was stopped, or its disk was full.",
			Fix:     "capture again; judge only what was read",
			Since:   1, Source: "compaction.md 7",
		},
		{
			ID: "X002", Severity: Warning, Title: "half of an exchange",
			Meaning: "A request has no response in the capture, or a response no request.",
			Codex:   "Not Codex: the request was not answered yet, or the proxy was stopped.",
			Fix:     "copy both files of each exchange",
			Since:   1, Source: "compaction.md 7",
		},
		{
			ID: "X003", Severity: Error, Title: "payload missing",
			Meaning: "An event of a trace bundle names a payload file that is not in the bundle.",
			Codex:   "Writes the payload before the event that names it.",
			Fix:     "copy the whole bundle, folder payloads included",
			Since:   1, Source: "compaction.md 7",
		},
		{
			ID: "X004", Severity: Error, Title: "body cannot be read",
			Meaning: "A body is no JSON, or it was compressed and then stored as text, which loses its bytes.",
			Codex:   "Sends JSON, HTTP bodies compressed with zstd at times.",
			Fix:     "capture with compression of requests switched off",
			Since:   1, Source: "compaction.md 6.4, 7",
		},
		{
			ID: "X005", Severity: Info, Title: "previous response not captured",
			Meaning: "A frame goes on from a response that the capture has not: its input lacks the beginning, and rules that need it are not checked.",
			Codex:   "Sends only new items over WebSocket, with previous_response_id.",
			Fix:     "start the capture before the session",
			Since:   1, Source: "compaction.md 6.4",
		},
		{
			ID: "X006", Severity: Error, Title: "no request in the capture",
			Meaning: "The capture can be read and has no request to a model, so nothing was checked. Of a HAR only addresses that end in /responses or /responses/compact count.",
			Codex:   "Not Codex: the capture was of another program or ended before the first request, or the requests did not pass the proxy.",
			Fix:     "capture a session that asks the model, at the address that Codex sends to",
			Since:   1, Source: "compaction.md 7",
		},
	}
}

// captureCodes are about the contract of a compaction: trigger, summary, failed attempts, turn state.
func captureCodes() []Code {
	return []Code{
		{
			ID: "X010", Severity: Error, Title: "compaction without trigger",
			Meaning: "The request says that it is a remote compaction and its input has no compaction_trigger.",
			Codex:   "Ends the input of a remote compaction in exactly one trigger; without it the model answers as in a turn.",
			Fix:     "look for what took the item out: a proxy, a filter",
			Since:   1, Source: "compaction.md 3.0 rule 3, 6.3 rule 9",
		},
		{
			ID: "X011", Severity: Error, Title: "trigger not last",
			Meaning: "Items stand behind the compaction_trigger.",
			Codex:   "Appends the trigger after everything else.",
			Fix:     "look for what put items behind it",
			Since:   1, Source: "compaction.md 3.0 rule 3",
		},
		{
			ID: "X012", Severity: Error, Title: "several triggers",
			Meaning: "The input has more than one compaction_trigger.",
			Codex:   "Appends one trigger and never stores it.",
			Fix:     "look for a trigger that got into the history",
			Since:   1, Source: "compaction.md 3.0 rule 3",
		},
		{
			ID: "X013", Severity: Error, Title: "trigger in another request",
			Meaning: "The input has a compaction_trigger and the request is no remote compaction.",
			Codex:   "Sends the trigger in remote compactions only.",
			Fix:     "look for a trigger that got into the history",
			Since:   1, Source: "compaction.md 3.0 rule 3",
		},
		{
			ID: "X014", Severity: Error, Title: "sidecar on the wire",
			Meaning: "An item of the input has a member metadata or replacement_history_metadata, or the body a member of the checkpoint.",
			Codex:   "Takes sidecars off before a request is built; servers may refuse unknown members.",
			Fix:     "look for a client that sends stored lines as they are",
			Since:   1, Source: "compaction.md 6.3 rule 1",
		},
		{
			ID: "X015", Severity: Error, Title: "summary in its own request",
			Meaning: "The compaction item of the answer is in the input of the request that it answers.",
			Codex:   "Puts a summary into history after the answer only.",
			Fix:     "look for a cache that answers with an older summary",
			Since:   1, Source: "compaction.md 8",
		},
		{
			ID: "X016", Severity: Error, Title: "summary missing afterwards",
			Meaning: "The next request of the thread after a compaction lacks the compaction item of the answer.",
			Codex:   "Starts the new window with retained items and the compaction item last.",
			Fix:     "look for a checkpoint that was not installed; nothing is wrong when the turn was rolled back",
			Since:   1, Source: "compaction.md 3.0 rules 5, 6",
		},
		{
			ID: "X017", Severity: Error, Title: "output of a failed attempt",
			Meaning: "An item of a compaction answer that broke off, failed, or had not exactly one compaction item is in a later request.",
			Codex:   "Throws away what a failed attempt has answered.",
			Fix:     "drop the item from the history",
			Since:   1, Source: "compaction.md 3.0 rule 4, 8",
		},
		{
			ID: "X018", Severity: Error, Title: "reply beside the summary",
			Meaning: "An item that stood beside the compaction item in the answer is in a later request.",
			Codex:   "Ignores all of the answer but the compaction item.",
			Fix:     "drop the item from the history",
			Since:   1, Source: "compaction.md 3.0 rule 4",
		},
		{
			ID: "X019", Severity: Warning, Title: "not one compaction item",
			Meaning: "The whole answer to a compaction has no compaction item, or several.",
			Codex:   "Fails the turn; the answer is not used, its usage is recorded.",
			Fix:     "try again; report it to the provider",
			Since:   1, Source: "compaction.md 3.0 rule 4",
		},
		{
			ID: "X020", Severity: Error, Title: "dropped item is back",
			Meaning: "An item that a compaction drops whatever its switches (an assistant message, a call, old context, progress of an agent) stands before the compaction item in a later request.",
			Codex:   "Keeps user messages, hook prompts and messages of agents only, and puts context in anew with new ids.",
			Fix:     "look for a client that rebuilds its input from the whole session",
			Since:   1, Source: "rules.md 36, compaction.md 3.5",
		},
		{
			ID: "X021", Severity: Error, Title: "turn state too early",
			Meaning: "The request sends a turn state before its turn has received one.",
			Codex:   "Starts every turn without a state.",
			Fix:     "look for a client that keeps the state from turn to turn",
			Since:   1, Source: "compaction.md 6.4",
		},
		{
			ID: "X022", Severity: Error, Title: "turn state missing",
			Meaning: "A turn state was received in the turn and the request sends none.",
			Codex:   "Sends the first state received with every later request of the turn.",
			Fix:     "look for a proxy that drops the header",
			Since:   1, Source: "compaction.md 6.4",
		},
		{
			ID: "X023", Severity: Error, Title: "turn state replaced",
			Meaning: "The request sends another turn state than the first one received in its turn.",
			Codex:   "Keeps the first state received in a turn and never replaces it.",
			Fix:     "look for a client that takes the newest state",
			Since:   1, Source: "compaction.md 6.4",
		},
	}
}
