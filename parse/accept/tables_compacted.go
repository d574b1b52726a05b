package accept

// compacted and what it carries (format.md 4), harness metadata (format.md 6).

var compacted = object("CompactedItem", "4.1",
	req("message", text),
	opt("replacement_history", list(responseItem)).kept(keepHistory).from("2025-11-18"),
	opt("replacement_history_metadata", list(harnessMetadata)).kept(keepSidecar).from("2026-08-11"),
	opt("guardian_history", list(responseItem.with(opt("guardian_metadata", harnessMetadata)))).from(afterA),
	opt("retained_context", retainedContext).from(afterA),
	opt("mcp_resource_origins", resourceOrigins).from("2026-08-18"),
	opt("window_number", u64).from("2026-06-18"),
	opt("first_window_id", text).from("2026-06-20"),
	opt("previous_window_id", text).from("2026-06-20"),
	opt("window_id", byKind("string or u64", text, u64)).from("2026-06-10"),
	opt("compaction_response_id", text).from(afterA),
	opt("latest_token_usage_record", tokenUsageRecord).from(afterA),
	opt("resume_metadata", resumeMetadata).from(afterA),
).then(finishCompacted)

var resumeMetadata = object("CompactionResumeMetadata", "4.6",
	opt("multi_agent_version", multiAgentVersion),
	opt("last_started_turn_id", text),
	opt("turn_attribution", turnAttribution),
	opt("previous_turn_settings", object("PreviousTurnSettings", "4.6",
		req("model", text),
		opt("cyber_access_program", enum("cyber access program", "standard", "daybreak_blue", "daybreak_red")),
		opt("comp_hash", text),
		opt("realtime_active", boolean),
	)),
)

var turnAttribution = object("TurnAttribution", "3.9",
	req("turn_id", text),
	opt("turn_trigger", text),
	opt("parent_turn_id", text),
	opt("initiating_agent_path", agentPath),
	opt("root_turn_id", text),
)

var resourceOrigins = object("McpResourceOrigins", "4.7",
	req("origins", list(object("McpResourceOrigin", "4.7",
		req("call_id", text),
		opt("turn_id", text),
		req("tool", text),
		req("connector_id", text),
		opt("link_id", text),
		req("uri", text),
		def("ambiguous_account", boolean, "false"),
	))),
	req("turns", list(text)),
	opt("current_turn_id", text),
)

// The retained_context record (format.md 3.5).
var retainedContextEvent = tagged("type", "retained context", "3.5",
	v("verified_answer", append(verifiedAnswer, opt("acceptance_order", u64))...),
	v("delivered_assistant_message",
		req("message", object("RetainedUserMessage", "4.5", retainedMessage...)),
		req("acceptance_order", u64),
	),
)

var verifiedAnswer = []field{
	req("turn_id", text),
	req("call_id", text),
	req("questions", list(object("VerifiedQuestionAnswer", "3.5", req("question", text), req("answer", text)))),
}

var retainedMessage = []field{
	req("turn_id", text),
	opt("message_id", text),
	req("text", text),
	req("complete", boolean),
	def("origin", enum("origin", "user", "heartbeat"), "user"),
	opt("phase", phase),
}

// retainedContext is the field of that name in compacted (format.md 4.5).
var retainedContext = object("RetainedContext", "4.5",
	req("verified_answers", list(ordered("VerifiedAnswer", verifiedAnswer...))),
	req("incomplete", boolean),
	def("user_messages", list(ordered("RetainedUserMessage", retainedMessage...)), "[]"),
	def("user_messages_incomplete", boolean, "true"),
	def("assistant_messages", list(ordered("RetainedUserMessage", retainedMessage...)), "[]"),
	def("assistant_messages_incomplete", boolean, "false"),
	def("next_order", u64, "0"),
	def("sender_deliveries", list(ordered("SenderUserMessages", senderMessages...)), "[]"),
)

// ordered is an entry with the keys that all families share.
func ordered(name string, fields ...field) *typ {
	return object(name, "4.5", append([]field{
		opt("revision", text),
		def("inherited", boolean, "false"),
		def("order", u64, "0"),
	}, fields...)...)
}

var senderMessages = []field{
	req("receiver_turn_id", text),
	req("receiver_message_id", text),
	req("text", text),
}

// harnessMetadata is the sidecar of an item (format.md 6.1, rule 8).
var harnessMetadata = object("CodexHarnessMetadata", "6.1",
	def("client_authored", boolean, "false").from("2026-08-12"),
	opt("fallback_token_limit_override", usize).from(afterA),
	def("harness_authored_configuration", boolean, "false").from(afterA),
	opt("user_input_order", u64).kept(keepUserInputOrder).from(afterA),
	def("compaction_output", boolean, "false").from(afterA),
	opt("compaction_model_hash", text).from(afterA),
	def("inherited_user_message", boolean, "false").from(afterA),
	opt("delivered_assistant_message", text).kept(keepDelivered).from(afterA),
	// A bad value becomes an error value, never a rejected line (format.md 6.3).
	opt("mcp_attribution", anything).from(afterA),
	opt("sender_user_messages", object("SenderUserMessages", "6.1", senderMessages...)).from(afterA),
	opt("retained_source", retainedSource).from(afterA),
	def("guardian_sources", list(retainedSource), "[]").from(afterA),
	def("guardian_review_ids", list(text), "[]").from(afterA),
	def("guardian_source_order_guidance", boolean, "false").from(afterA),
	opt("guardian_retained_omissions", object("RetainedOmissions", "6.1",
		req("user_instructions", boolean),
		req("assistant_context", boolean),
	)).from(afterA),
)

var retainedSource = object("RetainedSource", "6.1",
	req("id", object("RetainedSourceId", "6.1",
		req("message_id", text),
		req("turn_id", text),
		req("role", enum("role", "user", "assistant")),
	)),
	req("revision", text),
	req("complete", boolean),
)
