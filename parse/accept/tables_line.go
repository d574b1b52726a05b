package accept

// The envelope and the record types (format.md 2.1, 2.2).
var line = tagged("type", "rollout line", "2.1",
	v("session_meta", req("payload", sessionMeta)).from(envelopeDay),
	v("response_item",
		req("payload", responseItem).kept(keepPayload),
		opt("metadata", harnessMetadata).from("2026-08-11"),
	).from(envelopeDay),
	v("event_msg", req("payload", event)).from(envelopeDay),
	v("compacted", req("payload", compacted)).from("2025-09-11"),
	v("turn_context", req("payload", turnContext)).from("2025-09-11"),
	v("inter_agent_communication", req("payload", interAgentCommunication)).from("2026-06-12"),
	v("inter_agent_communication_metadata", req("payload", interAgentMetadata)).from("2026-06-24"),
	v("world_state", req("payload", worldState)).from("2026-06-24"),
	v("security_risk_score", req("payload", securityRiskScore)).from("2026-08-13"),
	v("token_usage_record", req("payload", tokenUsageRecord)).from(afterA),
	v("retained_context", req("payload", retainedContextEvent)).from(afterA),
	v("realtime_item", req("payload", realtimeItem)).from(afterA),
	// session_state existed from 2026-04-19 to 2026-04-21 only: unknown today.
).with(
	req("timestamp", text),
	opt("ordinal", u64).from("2026-07-11"),
)

var tokenUsage = object("TokenUsage", "3.3",
	req("input_tokens", i64),
	req("cached_input_tokens", i64),
	def("cache_write_input_tokens", i64, "0"),
	req("output_tokens", i64),
	req("reasoning_output_tokens", i64),
	req("total_tokens", i64),
	opt("codex_rollout_budget_units", number).from(afterA),
)

var tokenUsageRecord = object("TokenUsageRecord", "3.3",
	req("thread_id", uuid),
	req("turn_id", text),
	req("session_id", uuid),
	req("root_turn_id", text),
	req("response_id", text),
	req("usage", tokenUsage),
	req("turn_token_usage", tokenUsage),
	req("thread_token_usage", tokenUsage),
)

var worldState = object("WorldStateItem", "3.4",
	req("full", boolean),
	req("state", dict(anything)),
)

var interAgentCommunication = object("InterAgentCommunication", "3.6",
	opt("id", text),
	req("author", agentPath),
	req("recipient", agentPath),
	def("other_recipients", list(agentPath), "[]"),
	req("content", text),
	opt("encrypted_content", text),
	opt(passthroughKey, passthrough),
	req("trigger_turn", boolean),
)

var interAgentMetadata = object("InterAgentCommunicationMetadata", "3.7",
	req("trigger_turn", boolean),
)

var securityRiskScore = object("SecurityRiskScore", "3.8",
	req("scores", dict(float)),
	opt("sampled_at", timestamp),
)

var realtimeItem = tagged("type", "realtime item", "3.10",
	v("realtime_session_started"),
	v("transcript_segment", req("role", enum("role", "user", "assistant")), req("text", text)),
	v("bem_item_promoted", req("turn_id", text), req("item_id", text), req("presentation", presentation)),
	v("realtime_session_closed", req("outcome", enum("outcome", "ended", "failed"))),
).with(
	req("id", text),
	req("realtime_session_id", text),
)

var presentation = tagged("type", "presentation", "3.10",
	v("whole_item"),
	v("inline_markdown"),
	v("inline_visualization", req("index", u32)),
)
