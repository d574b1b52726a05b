package validate

import "slices"

// compactionCodes are the defects of checkpoints: C00x what they hold, C02x how they
// compare with the history that they replaced, C03x what lies around them.
func compactionCodes() []Code {
	return slices.Concat(checkpointCodes(), retentionCodes(), aroundCodes())
}

// asIs is what Codex does with a checkpoint on resume (rule 15).
const asIs = "The items of a checkpoint are taken as they are into the next request; "

func checkpointCodes() []Code {
	return []Code{
		{
			ID: "C001", Severity: Error, Title: "several compaction items",
			Meaning: "A checkpoint holds more than one compaction item. A remote compaction answers with exactly one, and older ones are not retained. Checkpoints of the older endpoint are left out.",
			Codex:   "A compaction that answers with more than one item is a fatal error and writes no checkpoint, so this one was put together by something else; the model gets several summaries that contradict each other.",
			Fix:     "keep the last compaction item, or go back to the checkpoint before", Op: "rollback-checkpoint",
			Since: 1, Source: "compaction.md 3.0.4, 3.6.6",
		},
		{
			ID: "C002", Severity: Warning, Title: "compaction item is not last",
			Meaning: "Something other than a user message stands behind the compaction item. Only goal edits that came too late for the compaction do.",
			Codex:   asIs + "the model reads the item as something that happened after the summary.",
			Fix:     "go back to the checkpoint before and compact again", Op: "rollback-checkpoint",
			Since: 1, Source: "compaction.md 3.6.3, 3.6.6",
		},
		{
			ID: "C003", Severity: Error, Title: "compaction trigger inside a checkpoint",
			Meaning: "A checkpoint holds a compaction_trigger. The trigger ends the request of a compaction and is never stored.",
			Codex:   asIs + "a turn that carries a trigger in its input asks for another compaction.",
			Fix:     "remove the item and its sidecar entry",
			Since:   1, Source: "compaction.md 3.6.6, rules.md 20",
		},
		{
			ID: "C004", Severity: Warning, Title: "compaction trigger as a record",
			Meaning: "A response_item of type compaction_trigger. Codex never writes one; a proxy or a tool has copied the input of a request.",
			Codex:   "Accepts the line and does not record the item.",
			Fix:     "drop the line; items next to it may be copies too",
			Since:   1, Source: "format.md 5.3, rules.md 20",
		},
		{
			ID: "C005", Severity: Warning, Title: "id twice in a checkpoint",
			Meaning: "Two items of a checkpoint have the same id. Ids are unique within a history.",
			Codex:   asIs + "items with one id cannot be told apart, and the model sees the content twice.",
			Fix:     "drop the copy with its sidecar entry, or go back to the checkpoint before", Op: "rollback-checkpoint",
			Since: 1, Source: "compaction.md 3.6.1, 3.6.6",
		},
		{
			ID: "C006", Severity: Info, Title: "items without ids",
			Meaning: "Items of a checkpoint have no id, although its writer was of a generation that gives every item one before it stores the checkpoint.",
			Codex:   "Works; a fork gives the missing ids.",
			Fix:     "none needed",
			Since:   1, Source: "compaction.md 3.6.1",
		},
		{
			ID: "C007", Severity: Warning, Title: "calls, outputs or reasoning in a checkpoint",
			Meaning: "A compaction retains no reasoning, no calls and no outputs (but for outputs that a client asked to retain).",
			Codex:   asIs + "they take room that the summary was to save, and calls or outputs without their partner fail the request.",
			Fix:     "go back to the checkpoint before and compact again", Op: "rollback-checkpoint",
			Since: 1, Source: "compaction.md 3.1, 3.6.6",
		},
		{
			ID: "C008", Severity: Warning, Title: "assistant or system message in a checkpoint",
			Meaning: "Only messages of users and agents are retained. The older endpoint left assistant messages; its checkpoints are left out.",
			Codex:   asIs + "the model sees some of its own words beside the summary of them.",
			Fix:     "go back to the checkpoint before and compact again", Op: "rollback-checkpoint",
			Since: 1, Source: "compaction.md 3.1, 3.7",
		},
		{
			ID: "C009", Severity: Warning, Title: "image resize notice away from its source",
			Meaning: "A resize notice stands directly behind the message whose images were resized. Here something else is in front of it.",
			Codex:   asIs + "the notice tells the model about images that are not there.",
			Fix:     "remove the notice and its sidecar entry",
			Since:   1, Source: "rules.md 28, 36",
		},
		{
			ID: "C010", Severity: Warning, Title: "empty replacement history",
			Meaning: "replacement_history is an empty list: nothing of the conversation is left, nor a summary.",
			Codex:   "An empty list is a valid base: the session goes on without any history.",
			Fix:     "go back to the checkpoint before", Op: "rollback-checkpoint",
			Since: 1, Source: "format.md 4.8.3",
		},
		{
			ID: "C011", Severity: Warning, Title: "checkpoint of instructions only",
			Meaning: "The checkpoint holds only context that the harness put in: no summary, no message of a user or an agent. A context reset looks like this too.",
			Codex:   "The model knows its instructions and nothing of the task.",
			Fix:     "go back to the checkpoint before, unless the reset was wanted", Op: "rollback-checkpoint",
			Since: 1, Source: "compaction.md 3.6.3, openai/codex#43855",
		},
		{
			ID: "C012", Severity: Warning, Title: "checkpoint without a summary",
			Meaning: "The checkpoint holds messages of users or agents, but no compaction item, no summary message, and the record has no message. Checkpoints of the older endpoint are left out.",
			Codex:   asIs + "what the model found and did since the last checkpoint is lost.",
			Fix:     "go back to the checkpoint before", Op: "rollback-checkpoint",
			Since: 1, Source: "compaction.md 3.0.5, 3.8.5",
		},
		{
			ID: "C013", Severity: Warning, Title: "context repeated in a checkpoint",
			Meaning: "The same injected message (instructions, environment, skills) stands in a checkpoint more than once.",
			Codex:   asIs + "the copies cost tokens in every request.",
			Fix:     "drop the copies with their sidecar entries, or go back to the checkpoint before and compact again", Op: "rollback-checkpoint",
			Since: 1, Source: "compaction.md 3.5",
		},
	}
}

func retentionCodes() []Code {
	return []Code{
		{
			ID: "C020", Severity: Warning, Title: "no user message kept",
			Meaning: "The history before the compaction had messages of the user, and by the rules the newest would have been retained; the checkpoint has none.",
			Codex:   "The model knows the request only as far as the summary tells it.",
			Fix:     "go back to the checkpoint before and compact again", Op: "rollback-checkpoint",
			Since: 1, Source: "rules.md 36-38",
		},
		{
			ID: "C021", Severity: Warning, Title: "checkpoint is larger than the history",
			Meaning: "By the estimate, the checkpoint has more tokens than the history that it replaced. Histories of fewer than 1,000 tokens are left out.",
			Codex:   "The context is as full as before, and the next compaction follows soon.",
			Fix:     "go back to the checkpoint before and compact with a smaller budget", Op: "rollback-checkpoint",
			Since: 1, Source: "openai/codex#40619, #8878",
		},
		{
			ID: "C022", Severity: Info, Title: "compaction saved little",
			Meaning: "By the estimate, the compaction took less than 5 % off the history. Histories of fewer than 1,000 tokens are left out.",
			Codex:   "The context stays nearly full, and the next compaction follows soon.",
			Fix:     "go back to the checkpoint before and compact with a smaller budget", Op: "rollback-checkpoint",
			Since: 1, Source: "openai/codex#14120, #35032",
		},
		{
			ID: "C023", Severity: Warning, Title: "compaction loop",
			Meaning: "Three compactions or more follow each other without a message of a user or an agent between them, and each left at least 75 % of the tokens.",
			Codex:   "Compacts again and again without getting on; each attempt costs a whole request.",
			Fix:     "go back before the loop and compact with a smaller budget", Op: "rollback-checkpoint",
			Since: 1, Source: "openai/codex#20983, #31351",
		},
		{
			ID: "C024", Severity: Warning, Title: "retained items exceed the budget",
			Meaning: "The retained items cost more than 64,000 tokens, images not counted, and more than the markers of cut texts explain.",
			Codex:   "Retains within the budget; a checkpoint over it was changed afterwards or made by something else.",
			Fix:     "go back to the checkpoint before and compact again", Op: "rollback-checkpoint",
			Since: 1, Source: "compaction.md 3.2",
		},
		{
			ID: "C025", Severity: Info, Title: "retention differs from the rules",
			Meaning: "What the checkpoint retains is not what the rules give for the history before it, with any of the settings that were tried: generation, image budget, client messages and outputs, modalities. Ids, kinds of parts, injected context and the summary are not compared.",
			Codex:   "Takes the checkpoint as it is. Codex may have been configured otherwise, or the rules have changed.",
			Fix:     "rollout-tool diff shows the items",
			Since:   1, Source: "rules.md 35-43",
		},
		{
			ID: "C026", Severity: Info, Title: "retained items in another order",
			Meaning: "The checkpoint retains what the rules give for the history before it, but not in the order of that history. Compared as for C025; the pointer is the first item that would have to move.",
			Codex:   asIs + "the model reads the messages in this order.",
			Fix:     "go back to the checkpoint before and compact again", Op: "rollback-checkpoint",
			Since: 1, Source: "rules.md 43",
		},
	}
}

func aroundCodes() []Code {
	return []Code{
		{
			ID: "C030", Severity: Warning, Title: "file begins with a checkpoint",
			Meaning: "The first record behind the session_meta is a compaction: what it replaced is in no file. Forks and threads with a history_base are left out.",
			Codex:   "Resumes from the checkpoint; the earlier transcript cannot be shown, searched or rolled back to.",
			Fix:     "look for a backup or an archived copy of the file",
			Since:   1, Source: "openai/codex#44363, #45350",
		},
		{
			ID: "C031", Severity: Info, Title: "checkpoint ignored on resume",
			Meaning: "The turn of the compaction was rolled back, so an older checkpoint, or the start of the file, seeds the replay.",
			Codex:   "Replays the original items instead.",
			Fix:     "none needed",
			Since:   1, Source: "rules.md 11-15",
		},
		{
			ID: "C032", Severity: Info, Title: "response without items or checkpoint",
			Meaning: "A token_usage_record accounts for a response that left neither an item nor a checkpoint before its turn completed: a compaction, or an answer, that was paid for and failed.",
			Codex:   "Counts the tokens and goes on from the history before.",
			Fix:     "none needed; the error is in the task_complete of the turn",
			Since:   1, Source: "compaction.md 8 (records_usage_before_output_validation)",
		},
		{
			ID: "C033", Severity: Warning, Title: "prompt stored twice",
			Meaning: "The same user message stands twice in one turn, with no answer and no compaction between. A prompt that a failed compaction had accepted is stored once.",
			Codex:   "The model sees the prompt twice, and a rollback of one turn removes only the second.",
			Fix:     "drop the second line",
			Since:   1, Source: "compaction.md 8 (records_usage_before_output_validation)",
		},
		{
			ID: "C034", Severity: Info, Title: "no turn_context behind a checkpoint",
			Meaning: "A checkpoint with resume_metadata is stored together with a turn_context; here the model goes on without one.",
			Codex:   "On resume the settings come from the checkpoint's resume_metadata, and the whole context is sent again with the next turn.",
			Fix:     "none needed",
			Since:   1, Source: "compaction.md 3.6.3e, 5.1",
		},
	}
}
