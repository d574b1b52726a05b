package accept

// ResponseItem and its parts (format.md 5).

const passthroughKey = "internal_chat_message_metadata_passthrough"

var passthroughRow = opt(passthroughKey, passthrough)

// The passthrough also carries cell_id, executed_tool_calls and
// tool_calls_complete, which are not read, and content_item_kinds, of which an
// error means none (format.md 5.5).
var passthrough = object("MessageMetadataPassthrough", "5.5",
	opt("turn_id", text),
	opt("create_time", number).from("2026-08-12"),
	opt("content_item_kinds", anything),
)

var (
	itemID = opt("id", text)
	phase  = enum("phase", "commentary", "final_answer").plus(afterA, "partial_answer")
)

// responseItem takes any unknown type as "other" (G6, rule 2).
var responseItem = tagged("type", "response item", "5.1",
	v("message", itemID,
		req("role", text),
		req("content", list(contentItem)),
		opt("phase", phase),
		opt("status", text).from(afterA),
		opt("encrypted_content", text).from(afterA),
		passthroughRow,
	),
	v("agent_message", itemID,
		req("author", text),
		req("recipient", text),
		req("content", list(tagged("type", "agent message content", "5.1", inputText, encryptedContent))),
		passthroughRow,
	),
	v("reasoning", itemID,
		req("summary", list(tagged("type", "reasoning summary", "5.1", v("summary_text", req("text", text))))),
		opt("content", list(tagged("type", "reasoning content", "5.1",
			v("reasoning_text", req("text", text)),
			v("text", req("text", text)),
		))),
		opt("encrypted_content", text),
		passthroughRow,
	),
	v("local_shell_call", itemID,
		opt("call_id", text),
		req("status", enum("local shell status", "completed", "in_progress", "incomplete")),
		req("action", tagged("type", "local shell action", "5.1", v("exec",
			req("command", list(text)),
			opt("timeout_ms", u64),
			opt("working_directory", text),
			opt("env", dict(text)),
			opt("user", text),
		))),
		opt("encrypted_content", text).from(afterA),
		passthroughRow,
	),
	v("function_call", itemID,
		req("name", text),
		opt("namespace", text),
		req("arguments", text),
		opt("encrypted_function_args", list(text)).from(afterA),
		req("call_id", text),
		opt("status", text).from(afterA),
		opt("encrypted_content", text).from(afterA),
		passthroughRow,
	),
	v("function_call_output", itemID,
		req("call_id", text).to("2026-08-20"),
		opt("call_id", text).from("2026-08-20"),
		opt("name", text),
		opt("namespace", text),
		req("output", toolOutput),
		passthroughRow,
	),
	v("custom_tool_call", itemID,
		opt("status", text),
		req("call_id", text),
		req("name", text),
		opt("namespace", text),
		req("input", text),
		opt("encrypted_content", text).from(afterA),
		passthroughRow,
	),
	v("custom_tool_call_output", itemID,
		req("call_id", text),
		opt("name", text),
		req("output", toolOutput),
		passthroughRow,
	),
	v("tool_search_call", itemID,
		opt("call_id", text),
		opt("status", text),
		req("execution", text),
		req("arguments", anything),
		opt("encrypted_content", text).from(afterA),
		passthroughRow,
	),
	v("tool_search_output", itemID,
		opt("call_id", text),
		req("status", text),
		req("execution", text),
		req("tools", list(anything)),
		passthroughRow,
	),
	v("web_search_call", itemID,
		opt("status", text),
		opt("action", webSearchAction),
		opt("encrypted_content", text).from(afterA),
		passthroughRow,
	),
	v("image_generation_call", itemID,
		req("status", text),
		opt("revised_prompt", text),
		req("result", text),
		opt("encrypted_content", text).from(afterA),
		passthroughRow,
	),
	v("compaction", itemID, req("encrypted_content", text), passthroughRow).or("compaction_summary"),
	v("context_compaction", itemID, opt("encrypted_content", text), passthroughRow),
	v("configuration_update",
		req("reasoning", object("ConfigurationReasoning", "5.1", req("effort", effort))),
	).from(afterA),
	v("additional_tools", itemID, req("role", text), req("tools", list(anything))),
	v("compaction_trigger"),
	// Retired, and removed before decoding (format.md 2.7).
	v("ghost_snapshot").isGhost(),
).opened(openTags)

var webSearchAction = tagged("type", "web search action", "5.1",
	v("search", opt("query", text), opt("queries", list(text))),
	v("open_page", opt("url", text)),
	v("find_in_page", opt("url", text), opt("pattern", text)),
).opened(openTags)

var (
	inputText        = v("input_text", req("text", text))
	encryptedContent = v("encrypted_content", req("encrypted_content", text))
	inputImage       = v("input_image", imageFields...)
	inputAudio       = v("input_audio", req("audio_url", text)).from("2026-07-17")
)

// imageFields take an image_url, or a file_id if that is no string.
var imageFields = []field{
	req("image_url", text).to(afterA),
	oneOf("image_url", text).from(afterA),
	oneOf("file_id", text).from(afterA),
	opt("detail", imageDetail).from("2026-04-18"),
}

var imageDetail = enum("image detail", "auto", "low", "high", "original")

var contentItem = tagged("type", "content item", "5.6",
	inputText,
	inputImage,
	inputAudio,
	v("output_text",
		req("text", text),
		opt("annotations", list(anything)).from(afterA),
		opt("logprobs", list(anything)).from(afterA),
	),
)

// toolOutput is a string, or a list of parts (format.md 5.6).
var toolOutput = byKind("string or sequence", text,
	list(tagged("type", "tool output part", "5.6", inputText, inputImage, inputAudio, encryptedContent)))
