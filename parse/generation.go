package parse

import "github.com/rollout-tool/rollout-tool/internal/jsonraw"

// Generation is the oldest generation of the file format that explains a record
// (format.md 7), from 0 to 6, or GenerationAny.
type Generation int

// GenerationAny is the generation of a record that every enveloped generation
// could have written.
const GenerationAny Generation = -1

// GenerationNewest is the newest generation.
const GenerationNewest Generation = 6

// String is the number, or "any".
func (g Generation) String() string {
	if g == GenerationAny {
		return "any"
	}
	return string(rune('0' + g))
}

// IsBareMeta reports whether the record is the first line of a generation 0 file:
// an object with id and timestamp, without type and payload (format.md 2.8).
func IsBareMeta(r Record) bool {
	return r.Payload == nil && r.Envelope.Get("type") == nil &&
		r.Envelope.Get("id") != nil && r.Envelope.Get("timestamp") != nil
}

// AsBare turns a line of a generation 0 file into the record it stands for: a
// session_meta, a response_item, or a record without type (state lines).
func AsBare(r Record) Record {
	r.Bare, r.split = true, false
	r.Payload, r.Metadata, r.Type = r.Envelope.Raw, nil, ""
	switch {
	case r.Envelope.Get("type") != nil:
		r.Type = RecordResponseItem
	case r.Envelope.Get("id") != nil && r.Envelope.Get("timestamp") != nil:
		r.Type = RecordSessionMeta
	}
	return r
}

// GenerationOf classifies one record. The first line that holds among the
// generation's marks, newest first, decides. What only shows inside a list (an
// image with a file_id) or by its absence is not looked at.
func GenerationOf(r *Record) Generation {
	if r.Bare || IsBareMeta(*r) {
		return 0
	}
	for _, m := range marks {
		if m.record != r.Type {
			continue
		}
		if m.kind != "" && m.kind != r.Kind() {
			continue
		}
		if m.path == nil {
			return m.gen
		}
		if v := lookup(r, m.path); v != nil && (m.is == 0 || m.is == v.Kind()) {
			return m.gen
		}
	}
	return GenerationAny
}

// mark says that a record type, with an optional payload type and an optional
// member (a path from the line's top), did not exist before a generation. A mark
// of generation 1 ends the search for what generation 1 could write already.
type mark struct {
	gen    Generation
	record string
	kind   string
	path   []string
	is     jsonraw.Kind // the member's kind, 0 for any
}

// lookup is the value at a path, null included; nil when the path leads nowhere.
func lookup(r *Record, path []string) jsonraw.Value {
	o := r.Envelope
	if path[0] == "payload" {
		o, path = r.Fields(), path[1:]
	}
	for {
		v := o.Get(path[0])
		if len(path) == 1 {
			return v
		}
		if v.Kind() != jsonraw.KindObject {
			return nil
		}
		o, _ = jsonraw.SplitObject(v)
		path = path[1:]
	}
}

func payload(keys ...string) []string { return append([]string{"payload"}, keys...) }
func sidecar(key string) []string     { return []string{"metadata", key} }

// marks are ordered from the newest generation down; dates as in format.md 2.2,
// 2.7, 3, 4.1, 5, 6.2 and 7.
var marks = []mark{
	{6, RecordTokenUsage, "", nil, 0},
	{6, RecordRetainedContext, "", nil, 0},
	{6, RecordRealtimeItem, "", nil, 0},
	{6, RecordResponseItem, ItemConfigurationUpdate, nil, 0},
	{6, RecordCompacted, "", payload("guardian_history"), 0},
	{6, RecordCompacted, "", payload("retained_context"), 0},
	{6, RecordCompacted, "", payload("compaction_response_id"), 0},
	{6, RecordCompacted, "", payload("latest_token_usage_record"), 0},
	{6, RecordCompacted, "", payload("resume_metadata"), 0},
	// All sidecar fields but client_authored (format.md 6.2).
	{6, RecordResponseItem, "", sidecar("fallback_token_limit_override"), 0},
	{6, RecordResponseItem, "", sidecar("harness_authored_configuration"), 0},
	{6, RecordResponseItem, "", sidecar("user_input_order"), 0},
	{6, RecordResponseItem, "", sidecar("compaction_output"), 0},
	{6, RecordResponseItem, "", sidecar("compaction_model_hash"), 0},
	{6, RecordResponseItem, "", sidecar("inherited_user_message"), 0},
	{6, RecordResponseItem, "", sidecar("delivered_assistant_message"), 0},
	{6, RecordResponseItem, "", sidecar("mcp_attribution"), 0},
	{6, RecordResponseItem, "", sidecar("sender_user_messages"), 0},
	{6, RecordResponseItem, "", sidecar("retained_source"), 0},
	{6, RecordResponseItem, "", sidecar("guardian_sources"), 0},
	{6, RecordResponseItem, "", sidecar("guardian_review_ids"), 0},
	{6, RecordResponseItem, "", sidecar("guardian_source_order_guidance"), 0},
	{6, RecordResponseItem, "", sidecar("guardian_retained_omissions"), 0},
	{6, RecordSessionMeta, "", payload("creator_user_id"), 0},
	{6, RecordSessionMeta, "", payload("creator_account_id"), 0},
	{6, RecordSessionMeta, "", payload("forked_from_ordinal_exclusive"), 0},
	{6, RecordTurnContext, "", payload("root_turn_id"), 0},
	{6, RecordTurnContext, "", payload("disabled_plugin_ids"), 0},

	{5, RecordSecurityRiskScore, "", nil, 0},
	{5, RecordResponseItem, "", []string{"metadata"}, 0},
	{5, RecordCompacted, "", payload("replacement_history_metadata"), 0},
	{5, RecordCompacted, "", payload("mcp_resource_origins"), 0},
	{5, RecordResponseItem, "", payload(PassthroughKey, "create_time"), 0},

	{4, RecordSessionMeta, "", payload("history_mode"), 0},
	{4, RecordSessionMeta, "", payload("history_base"), 0},
	{4, RecordSessionMeta, "", payload("subagent_history_start_ordinal"), 0},
	{4, RecordEvent, "item_completed", nil, 0},
	{4, RecordEvent, "thread_settings_applied", nil, 0},
	{4, RecordResponseItem, "", payload(PassthroughKey, "executed_tool_calls"), 0},
	{4, RecordSessionMeta, "", []string{"ordinal"}, jsonraw.KindNumber},
	{4, RecordResponseItem, "", []string{"ordinal"}, jsonraw.KindNumber},
	{4, RecordEvent, "", []string{"ordinal"}, jsonraw.KindNumber},
	{4, RecordCompacted, "", []string{"ordinal"}, jsonraw.KindNumber},
	{4, RecordTurnContext, "", []string{"ordinal"}, jsonraw.KindNumber},
	{4, RecordWorldState, "", []string{"ordinal"}, jsonraw.KindNumber},
	{4, RecordInterAgent, "", []string{"ordinal"}, jsonraw.KindNumber},
	{4, RecordInterAgentMetadata, "", []string{"ordinal"}, jsonraw.KindNumber},

	{3, RecordWorldState, "", nil, 0},
	{3, RecordInterAgent, "", nil, 0},
	{3, RecordInterAgentMetadata, "", nil, 0},
	{3, RecordCompacted, "", payload("window_id"), 0},
	{3, RecordCompacted, "", payload("window_number"), 0},
	{3, RecordCompacted, "", payload("first_window_id"), 0},
	{3, RecordCompacted, "", payload("previous_window_id"), 0},
	{3, RecordSessionMeta, "", payload("session_id"), 0},
	{3, RecordSessionMeta, "", payload("context_window"), 0},
	{3, RecordSessionMeta, "", payload("selected_capability_roots"), 0},
	{3, RecordResponseItem, "", payload("metadata"), 0},
	{3, RecordResponseItem, "", payload(PassthroughKey), 0},
	{3, RecordResponseItem, ItemAgentMessage, nil, 0},
	{3, RecordResponseItem, ItemAdditionalTools, nil, 0},
	// Enveloped items had no ids before 2026-06-18 (format.md 5.2).
	{3, RecordResponseItem, ItemMessage, payload("id"), jsonraw.KindString},
	{3, RecordResponseItem, ItemReasoning, payload("id"), jsonraw.KindString},
	{3, RecordResponseItem, ItemLocalShellCall, payload("id"), jsonraw.KindString},
	{3, RecordResponseItem, ItemFunctionCall, payload("id"), jsonraw.KindString},
	{3, RecordResponseItem, ItemFunctionOutput, payload("id"), jsonraw.KindString},
	{3, RecordResponseItem, ItemCustomToolCall, payload("id"), jsonraw.KindString},
	{3, RecordResponseItem, ItemCustomToolOutput, payload("id"), jsonraw.KindString},
	{3, RecordResponseItem, ItemToolSearchCall, payload("id"), jsonraw.KindString},
	{3, RecordResponseItem, ItemToolSearchOutput, payload("id"), jsonraw.KindString},
	{3, RecordEvent, "sub_agent_activity", nil, 0},
	{3, RecordEvent, "thread_goal_updated", nil, 0},

	{2, RecordCompacted, "", payload("replacement_history"), 0},
	{2, RecordResponseItem, ItemCompaction, nil, 0},
	{2, RecordResponseItem, compactionSummary, nil, 0},
	{2, RecordResponseItem, ItemMessage, payload("end_turn"), 0},
	{2, RecordSessionMeta, "", payload("base_instructions"), 0},
	{2, RecordSessionMeta, "", payload("dynamic_tools"), 0},
	{2, RecordSessionMeta, "", payload("forked_from_id"), 0},
	{2, RecordSessionMeta, "", payload("parent_thread_id"), 0},
	{2, RecordSessionMeta, "", payload("multi_agent_version"), 0},
	{2, RecordTurnContext, "", payload("turn_id"), 0},
	{2, RecordTurnContext, "", payload("collaboration_mode"), 0},
	{2, RecordTurnContext, "", payload("multi_agent_version"), 0},
	{2, RecordEvent, "task_started", nil, 0},
	{2, RecordEvent, "task_complete", nil, 0},
	{2, RecordEvent, "turn_started", nil, 0},
	{2, RecordEvent, "turn_complete", nil, 0},
	{2, RecordEvent, "thread_rolled_back", nil, 0},
	{2, RecordEvent, "context_compacted", nil, 0},
	{2, RecordEvent, "thread_name_updated", nil, 0},
	{2, RecordEvent, "patch_apply_end", nil, 0},
	{2, RecordEvent, "mcp_tool_call_end", nil, 0},
	{2, RecordEvent, "web_search_end", nil, 0},
	{2, RecordEvent, "image_generation_end", nil, 0},

	{1, RecordCompacted, "", nil, 0},
	{1, RecordSessionMeta, "", nil, 0},
	{1, RecordTurnContext, "", payload("sandbox_policy", "mode"), 0},
	{1, RecordResponseItem, ItemGhostSnapshot, nil, 0},
	{1, RecordEvent, "undo_completed", nil, 0},
	{1, RecordEvent, "entered_review_mode", payload("prompt"), 0},
	{1, RecordEvent, "user_message", payload("kind"), 0},
	{1, RecordEvent, "token_count", payload("rate_limits", "primary", "resets_in_seconds"), 0},
	{1, RecordEvent, "token_count", payload("rate_limits", "primary", "resets_at"), jsonraw.KindString},
	{1, RecordEvent, "token_count", payload("rate_limits", "secondary", "resets_in_seconds"), 0},
	{1, RecordEvent, "token_count", payload("rate_limits", "secondary", "resets_at"), jsonraw.KindString},
}
