package jsonraw

// nameOf is the string of a member's name or a type; those that fill rollouts are not
// allocated each time.
func nameOf(b []byte) string {
	for _, name := range commonNames[slotOf(b)] {
		if name == string(b) {
			return name
		}
	}
	return string(b)
}

// slotOf spreads names over slots by what is quick to look at.
func slotOf[T []byte | string](name T) uint8 {
	n := len(name)
	if n == 0 {
		return 0
	}
	return uint8(5*n) ^ name[0]<<3 ^ name[n-1] ^ name[n/2]<<1
}

var commonNames = internNames(
	"timestamp", "ordinal", "type", "payload", "metadata", "id", "role", "content", "text", "phase", "status",
	"name", "namespace", "arguments", "call_id", "output", "input", "turn_id", "summary", "encrypted_content",
	"image_url", "detail", "audio_url", "file_id", "internal_chat_message_metadata_passthrough", "create_time",
	"content_item_kinds", "client_authored", "user_input_order", "author", "recipient", "action", "tools",
	"message", "info", "rate_limits", "item", "thread_id", "started_at_ms", "completed_at_ms", "model", "cwd",
	"effort", "approval_policy", "sandbox_policy", "total_token_usage", "last_token_usage",
	"model_context_window", "input_tokens", "cached_input_tokens", "output_tokens",
	"reasoning_output_tokens", "total_tokens", "replacement_history", "replacement_history_metadata",
	// Types and roles.
	"session_meta", "response_item", "event_msg", "compacted", "turn_context", "world_state", "token_usage_record",
	"agent_message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output",
	"compaction", "input_text", "output_text", "input_image", "summary_text", "reasoning_text",
	"user", "assistant", "developer", "user_message", "token_count", "task_started", "task_complete", "item_completed",
	"agent_reasoning", "exec_command_end",
)

func internNames(names ...string) *[256][]string {
	slots := new([256][]string)
	for _, n := range names {
		at := slotOf(n)
		slots[at] = append(slots[at], n)
	}
	return slots
}
