package validate

// captureMetaCodes are about metadata, windows, items and attempts of captured requests.
func captureMetaCodes() []Code {
	return []Code{
		{
			ID: "X030", Severity: Error, Title: "window ids differ",
			Meaning: "The window ids of the header, of the turn metadata and of client_metadata are not the same.",
			Codex:   "Writes one window id to all of them.",
			Fix:     "look for a proxy that rewrites one of them",
			Since:   1, Source: "compaction.md 6.4, 8",
		},
		{
			ID: "X031", Severity: Error, Title: "window id of another form",
			Meaning: "The window id is not thread id, colon, window number, or its parts are not those of the metadata.",
			Codex:   "Makes the window id of thread id and window number.",
			Fix:     "look for what rewrites ids",
			Since:   1, Source: "compaction.md 3.6 rule 2",
		},
		{
			ID: "X032", Severity: Error, Title: "window number out of step",
			Meaning: "The number of the window does not go up by one behind a compaction, or differs between attempts of one compaction.",
			Codex:   "Sends the old number with the compaction and its repetitions, the next one afterwards.",
			Fix:     "look for a compaction that was not installed, or installed twice",
			Since:   1, Source: "compaction.md 3.6 rule 2",
		},
		{
			ID: "X033", Severity: Warning, Title: "unknown request_kind",
			Meaning: "request_kind is none of turn, prewarm, compaction, memory.",
			Codex:   "Newer kinds may exist.",
			Fix:     "update the tool if a newer Codex sent it",
			Since:   1, Source: "compaction.md 6.4",
		},
		{
			ID: "X034", Severity: Warning, Title: "unknown value in the compaction object",
			Meaning: "A member of the compaction object has a value that Codex does not write.",
			Codex:   "Newer values may exist.",
			Fix:     "update the tool if a newer Codex sent it",
			Since:   1, Source: "compaction.md 6.4",
		},
		{
			ID: "X035", Severity: Error, Title: "compaction object contradicts itself",
			Meaning: "Only some of trigger manual, reason user_requested and phase standalone_turn are there.",
			Codex:   "Sets all three for a compaction that the user asked for, and none of them for an automatic one.",
			Fix:     "look for what rewrites the metadata",
			Since:   1, Source: "compaction.md 6.4",
		},
		{
			ID: "X036", Severity: Error, Title: "compaction object out of place",
			Meaning: "A compaction request has no compaction object in its metadata, or another request has one.",
			Codex:   "Adds the object to compaction requests only.",
			Fix:     "look for what rewrites the metadata",
			Since:   1, Source: "compaction.md 6.4",
		},
		{
			ID: "X037", Severity: Error, Title: "turn metadata damaged",
			Meaning: "The turn metadata is no JSON object, or that of the header contradicts that of client_metadata.",
			Codex:   "Writes the same metadata to both, the header with escapes for what is not ASCII.",
			Fix:     "look for a proxy that rewrites headers",
			Since:   1, Source: "compaction.md 6.4",
		},
		{
			ID: "X038", Severity: Error, Title: "beta feature not listed",
			Meaning: "The request is a remote compaction and its header x-codex-beta-features does not list remote_compaction_v2.",
			Codex:   "Lists the feature; servers answer a trigger without it as they like.",
			Fix:     "look for a proxy that drops the header",
			Since:   1, Source: "compaction.md 6.4, 8",
		},
		{
			ID: "X039", Severity: Warning, Title: "no context window id",
			Meaning: "The metadata has window_number and no context_window_id.",
			Codex:   "Sends both or neither.",
			Fix:     "look for what rewrites the metadata",
			Since:   1, Source: "compaction.md 6.4, 8",
		},
		{
			ID: "X040", Severity: Error, Title: "create_time changed",
			Meaning: "An item has another create_time than in a request before.",
			Codex:   "Keeps the time of a retained item as it was written.",
			Fix:     "look for a client that makes items anew, or reads the number as a float",
			Since:   1, Source: "compaction.md 6.3 rule 2, 8",
		},
		{
			ID: "X041", Severity: Error, Title: "notice away from its source",
			Meaning: "An image resize notice does not stand directly behind the item that it belongs to.",
			Codex:   "Keeps or drops source and notice together.",
			Fix:     "look for a filter that takes single items",
			Since:   1, Source: "compaction.md 2.1, 3.1",
		},
		{
			ID: "X042", Severity: Warning, Title: "too many attempts",
			Meaning: "A compaction whose answer breaks off is sent again more often than Codex does.",
			Codex:   "Sends it again twice at most, less when the provider allows fewer.",
			Fix:     "look for a proxy that repeats requests",
			Since:   1, Source: "compaction.md 3.0 rule 4",
		},
		{
			ID: "X043", Severity: Error, Title: "attempt with another input",
			Meaning: "The input of a repeated compaction is not that of the attempt before.",
			Codex:   "Sends the same input again.",
			Fix:     "look for a failed attempt that left something behind",
			Since:   1, Source: "compaction.md 3.0 rule 4, 8",
		},
	}
}

// captureProviderCodes are about the provider and the model that a request goes to.
func captureProviderCodes() []Code {
	return []Code{
		{
			ID: "X050", Severity: Error, Title: "Bedrock: another path",
			Meaning: "A request of a thread at Amazon Bedrock goes to another path than /v1/responses.",
			Codex:   "Sends turns and compactions to /v1/responses.",
			Fix:     "check the base URL of the provider",
			Since:   1, Source: "compaction.md 8",
		},
		{
			ID: "X051", Severity: Error, Title: "Bedrock: no client agent",
			Meaning: "A request of a thread at Amazon Bedrock lacks the header x-amzn-mantle-client-agent: codex.",
			Codex:   "Sends it with every request.",
			Fix:     "look for a proxy that drops the header",
			Since:   1, Source: "compaction.md 8",
		},
		{
			ID: "X052", Severity: Error, Title: "Bedrock: no bearer key",
			Meaning: "A request of a thread at Amazon Bedrock has no bearer key. The key itself is never shown.",
			Codex:   "Authorises with a bearer key.",
			Fix:     "check the credentials of the provider",
			Since:   1, Source: "compaction.md 8",
		},
		{
			ID: "X053", Severity: Error, Title: "compaction by another model",
			Meaning: "A turn goes on with another model than the one that its compaction has asked, and the compaction gives no reason for it.",
			Codex:   "Compacts with the model of the turn, but for model_downshift and comp_hash_changed.",
			Fix:     "look for a router that picks models",
			Since:   1, Source: "compaction.md 1.9 rule 9, 8",
		},
	}
}

// captureRolloutCodes are about a capture beside the rollout of its session.
func captureRolloutCodes() []Code {
	return []Code{
		{
			ID: "X060", Severity: Warning, Title: "capture of another session",
			Meaning: "No request of the capture is of the thread that --rollout names.",
			Codex:   "Sends the thread id with every request.",
			Fix:     "give the rollout of the captured thread",
			Since:   1, Source: "compaction.md 6.4",
		},
		{
			ID: "X061", Severity: Warning, Title: "input differs from the rollout",
			Meaning: "The input sent is not the one that the rollout gives at that point, ids, metadata and injected context left aside.",
			Codex:   "Builds the input from the history that it also stores.",
			Fix:     "compare with diff; a model's output limit and features that are switched on explain some differences",
			Since:   1, Source: "compaction.md 6.1",
		},
		{
			ID: "X062", Severity: Error, Title: "checkpoint differs from the capture",
			Meaning: "The stored checkpoint is not what the rules give for the captured request and its answer.",
			Codex:   "Builds the checkpoint from the request that was answered.",
			Fix:     "compare with diff",
			Since:   1, Source: "rules.md 35 to 43",
		},
		{
			ID: "X063", Severity: Error, Title: "usage not recorded",
			Meaning: "The rollout has no token_usage_record for a captured answer, or one with other numbers.",
			Codex:   "Records the usage of every answer before it looks at its items, rejected ones included.",
			Fix:     "look for a crash between answer and record",
			Since:   1, Source: "compaction.md 8",
		},
		{
			ID: "X064", Severity: Error, Title: "prompt not stored once",
			Meaning: "A user message that was sent is in the rollout not at all, or more than once.",
			Codex:   "Stores a prompt once, before it is sent, also when the compaction before it fails.",
			Fix:     "repair the file",
			Since:   1, Source: "compaction.md 8",
		},
		{
			ID: "X065", Severity: Error, Title: "failed attempt stored",
			Meaning: "The rollout has an item of a compaction answer that failed.",
			Codex:   "Stores nothing of a failed attempt but its usage.",
			Fix:     "drop the item",
			Since:   1, Source: "compaction.md 3.0 rule 4",
		},
		{
			ID: "X066", Severity: Error, Title: "compaction not stored",
			Meaning: "A compaction was answered as it should be and the rollout has no checkpoint with its compaction item.",
			Codex:   "Stores the checkpoint before the next request.",
			Fix:     "look for a crash after the answer",
			Since:   1, Source: "compaction.md 3.6 rule 3",
		},
	}
}
