package accept

// legacyEvents are stored in legacy mode only (format.md 3.9).
var legacyEvents = []variant{
	v("user_message",
		opt("client_id", text),
		req("message", text),
		opt("images", list(text)),
		def("image_details", list(nullable(imageDetail)), "[]"),
		opt("file_ids", list(text)).from(afterA),
		def("file_id_details", list(nullable(imageDetail)), "[]").from(afterA),
		def("image_order", list(enum("image kind", "inline", "file")), "[]").from(afterA),
		def("local_images", list(anyPath), "[]"),
		def("local_image_details", list(nullable(imageDetail)), "[]"),
		opt("audio", list(text)),
		def("local_audio", list(anyPath), "[]"),
		def("text_elements", list(textElement), "[]"),
	),
	v("agent_message",
		req("message", text),
		opt("phase", phase),
		opt("memory_citation", memoryCitation),
		opt("delivery", delivery),
		opt("questions", list(asyncQuestion)).from(afterA),
	),
	v("agent_reasoning", req("text", text)),
	v("agent_reasoning_raw_content", req("text", text)),
	v("context_compacted").noExtraKeys(),
	v("entered_review_mode",
		req("target", reviewTarget), // "prompt" before 2025-12-02: rejected today
		opt("user_facing_hint", text),
		opt("turn_id", text),
		opt("item_id", text),
	),
	v("exited_review_mode",
		opt("turn_id", text),
		opt("item_id", text),
		opt("review_output", reviewOutput),
	),
	v("patch_apply_end",
		req("call_id", text),
		def("turn_id", text, `""`),
		req("stdout", text),
		req("stderr", text),
		req("success", boolean),
		def("changes", dict(fileChange), "{}"),
		req("status", patchStatus),
	),
	v("mcp_tool_call_end", append(mcpCall,
		req("duration", duration),
		req("result", external(enum("result"), "3.9", key("Ok", callToolResult), key("Err", text))),
	)...),
	v("web_search_end",
		req("call_id", text),
		req("query", text),
		req("action", webSearchAction),
		opt("results", list(anything)),
	),
	v("image_generation_end",
		req("call_id", text),
		req("status", text),
		opt("revised_prompt", text),
		req("result", text),
		opt("transparent_background", boolean),
		opt("failure", imageFailure),
		opt("saved_path", absPath),
	),
	v("sub_agent_activity",
		opt("model", text),
		opt("reasoning_effort", effort),
		req("event_id", text),
		def("occurred_at_ms", i64, "0"),
		req("agent_thread_id", uuid),
		req("agent_path", agentPath),
		req("kind", activityKind),
	),
}

// nullable lets null stand for a missing entry of a list.
func nullable(t *typ) *typ { return byKind(t.name, t, &typ{form: formNull, name: "null"}) }

var textElement = object("TextElement", "3.9",
	req("byte_range", object("ByteRange", "3.9", req("start", usize), req("end", usize))),
	opt("placeholder", text),
)

var memoryCitation = object("MemoryCitation", "3.9",
	req("entries", list(object("MemoryCitationEntry", "3.9",
		req("path", text),
		req("lineStart", u32),
		req("lineEnd", u32),
		req("note", text),
	))),
	req("rolloutIds", list(text)),
)

var (
	delivery     = enum("delivery", "async")
	patchStatus  = enum("patch status", "completed", "failed", "declined")
	activityKind = enum("sub-agent activity", "started", "interacted", "interrupted").plus(afterA, "completed")
)

var asyncQuestion = strictObject("AsyncUserInputQuestion", "2.4",
	req("title", text),
	opt("options", list(text)),
)

var reviewTarget = tagged("type", "review target", "3.9",
	v("uncommittedChanges"),
	v("baseBranch", req("branch", text)),
	v("commit", req("sha", text), opt("title", text)),
	v("custom", req("instructions", text)),
)

var reviewOutput = object("ReviewOutputEvent", "3.9",
	req("findings", list(object("ReviewFinding", "3.9",
		req("title", text),
		req("body", text),
		req("confidence_score", float),
		req("priority", i32),
		req("code_location", object("ReviewCodeLocation", "3.9",
			req("absolute_file_path", anyPath),
			req("line_range", object("ReviewLineRange", "3.9", req("start", u32), req("end", u32))),
		)),
	))),
	req("overall_correctness", text),
	req("overall_explanation", text),
	req("overall_confidence_score", float),
)

var fileChange = tagged("type", "file change", "3.9",
	v("add", req("content", text)),
	v("delete", req("content", text)),
	v("update", req("unified_diff", text), opt("move_path", anyPath)),
)

// mcpCall are the fields that begin and end of an MCP call share.
var mcpCall = []field{
	req("call_id", text),
	def("turn_id", text, `""`).from(afterA),
	req("invocation", object("McpInvocation", "3.9",
		req("server", text),
		req("tool", text),
		opt("arguments", anything),
	)),
	opt("connector_id", text),
	opt("mcp_app_resource_uri", text),
	opt("mcp_app_ui", mcpAppUI),
	opt("link_id", text),
	opt("app_name", text),
	opt("action_name", text),
	opt("plugin_id", text),
	opt("read_only_hint", boolean),
}

var mcpAppUI = object("McpAppUi", "3.9",
	req("resourceUri", text),
	req("preferredModelDisplayMode", enum("display mode", "inline", "fullscreen")),
)

var callToolResult = object("CallToolResult", "3.9",
	req("content", list(anything)),
	opt("structuredContent", anything),
	opt("isError", boolean),
	opt("_meta", anything),
)

var imageFailure = tagged("type", "image generation failure", "3.9",
	v("usageLimitExceeded", req("limitId", text), opt("resetsAt", i64)),
)

// duration also has a positional form that the decoder reads.
var duration = byKind("struct Duration",
	strictObject("Duration", "3.9",
		req("secs", u64).kept(keepSecs),
		req("nanos", u32).kept(keepNanos),
	).then(finishDuration),
	tuple("struct Duration", u64, u32),
)
