package accept

// formerEvents were stored once, or in the "extended" mode of spring 2026, and
// are still read (format.md 3.9, which names them; their fields are those of the
// public protocol at the newest reader).
var formerEvents = []variant{
	v("error", errorFields...),
	v("warning", req("message", text)),
	v("stream_error", append(errorFields, opt("additional_details", text))...),
	v("exec_command_begin", append(execCommand, def("started_at_ms", i64, "0"))...),
	v("exec_command_end", append(execCommand,
		def("completed_at_ms", i64, "0"),
		req("stdout", text).to(afterA),
		req("stderr", text).to(afterA),
		def("aggregated_output", text, `""`),
		req("exit_code", i32),
		req("duration", duration),
		req("formatted_output", text).to(afterA),
		req("status", enum("exec status", "completed", "failed", "declined")),
	)...),
	v("view_image_tool_call", req("call_id", text), req("path", fileURI)),
	v("dynamic_tool_call_request",
		req("callId", text),
		req("turnId", text),
		def("startedAtMs", i64, "0"),
		opt("namespace", text),
		req("tool", text),
		req("arguments", anything),
	),
	v("dynamic_tool_call_response",
		req("call_id", text),
		req("turn_id", text),
		def("completed_at_ms", i64, "0"),
		opt("namespace", text),
		req("tool", text),
		req("arguments", anything),
		req("content_items", list(dynamicToolPart)),
		req("success", boolean),
		opt("error", text),
		req("duration", duration),
	),
	v("guardian_assessment",
		req("id", text),
		opt("target_item_id", text),
		def("turn_id", text, `""`),
		def("started_at_ms", i64, "0"),
		opt("completed_at_ms", i64),
		req("status", enum("assessment status", "in_progress", "approved", "denied", "timed_out", "aborted")),
		opt("risk_level", enum("risk level", "low", "medium", "high", "critical")),
		opt("user_authorization", enum("user authorization", "unknown", "low", "medium", "high")),
		opt("rationale", text),
		opt("decision_source", enum("decision source", "agent")),
		req("action", guardianAction),
	),
	v("plan_update",
		opt("explanation", text),
		req("plan", list(strictObject("PlanItemArg", "2.4",
			req("step", text),
			req("status", enum("step status", "pending", "in_progress", "completed")),
		))),
	).noExtraKeys(),
	v("turn_diff", req("unified_diff", text)),

	v("collab_agent_spawn_begin", collabCall, startedAt, collabSender,
		req("prompt", text), req("model", text), req("reasoning_effort", effort)),
	v("collab_agent_spawn_end", collabCall, completedAt, collabSender,
		opt("new_thread_id", uuid),
		opt("new_agent_nickname", text),
		opt("new_agent_role", text),
		req("prompt", text), req("model", text), req("reasoning_effort", effort),
		req("status", agentStatus),
	),
	v("collab_agent_interaction_begin", collabCall, startedAt, collabSender, collabReceiver, req("prompt", text)),
	v("collab_agent_interaction_end", collabCall, completedAt, collabSender, collabReceiver,
		receiverNickname, receiverRole, req("prompt", text), req("status", agentStatus)),
	v("collab_waiting_begin", startedAt, collabSender,
		req("receiver_thread_ids", list(uuid)),
		def("receiver_agents", list(object("CollabAgentRef", "3.9", collabAgent...)), "[]"),
		collabCall,
	),
	v("collab_waiting_end", collabSender, collabCall, completedAt,
		def("agent_statuses", list(object("CollabAgentStatusEntry", "3.9",
			append(collabAgent, req("status", agentStatus))...)), "[]"),
		req("statuses", dictOf(uuid, agentStatus)),
	),
	v("collab_close_begin", collabCall, startedAt, collabSender, collabReceiver),
	v("collab_close_end", collabCall, completedAt, collabSender, collabReceiver,
		receiverNickname, receiverRole, req("status", agentStatus)),
	v("collab_resume_begin", collabCall, startedAt, collabSender, collabReceiver, receiverNickname, receiverRole),
	v("collab_resume_end", collabCall, completedAt, collabSender, collabReceiver,
		receiverNickname, receiverRole, req("status", agentStatus)),
}

var (
	collabCall       = req("call_id", text)
	collabSender     = req("sender_thread_id", uuid)
	collabReceiver   = req("receiver_thread_id", uuid)
	receiverNickname = opt("receiver_agent_nickname", text)
	receiverRole     = opt("receiver_agent_role", text)
	startedAt        = def("started_at_ms", i64, "0")
	completedAt      = def("completed_at_ms", i64, "0")
)

var collabAgent = []field{
	req("thread_id", uuid),
	opt("agent_nickname", text),
	opt("agent_role", text).or("agent_type"),
}

var agentStatus = external(enum("agent status", "pending_init", "running", "interrupted", "shutdown", "not_found"), "3.9",
	key("completed", nullable(text)),
	key("errored", text),
)

// execCommand are the fields that begin and end of a command share. Its cwd was
// a plain path in older files: rejected today.
var execCommand = []field{
	req("call_id", text),
	opt("plugin_id", text),
	opt("script_path", text),
	opt("process_id", text),
	req("turn_id", text),
	req("command", list(text)),
	req("cwd", fileURI),
	req("parsed_cmd", list(parsedCommand)),
	def("source", execSource, "agent"),
	opt("interaction_input", text),
}

var execSource = enum("exec source", "agent", "user_shell", "unified_exec_startup", "unified_exec_interaction")

var parsedCommand = tagged("type", "parsed command", "3.9",
	v("read", req("cmd", text), req("name", text), req("path", anyPath)),
	v("list_files", req("cmd", text), opt("path", text)),
	v("search", req("cmd", text), opt("query", text), opt("path", text)),
	v("unknown", req("cmd", text)),
)

var dynamicToolPart = tagged("type", "dynamic tool output part", "3.9",
	v("inputText", req("text", text)),
	v("inputImage", req("imageUrl", text)),
	v("inputAudio", req("audioUrl", text)),
)

// guardianAction is not given by the reference beyond its tag: paths pass in any
// form, requested permissions as any object.
var guardianAction = tagged("type", "guardian action", "3.9",
	v("command", guardianSource, req("command", text), req("cwd", anyPath)),
	v("execve", guardianSource, req("program", text), req("argv", list(text)), req("cwd", anyPath)),
	v("write_stdin", req("approval_id", text), req("process_id", text), req("stdin", text), req("cwd", anyPath)),
	v("apply_patch", req("cwd", anyPath), req("files", list(anyPath))),
	v("network_access",
		req("target", text),
		req("host", text),
		req("protocol", enum("network protocol", "http", "https", "socks5_tcp", "socks5_udp").
			aliases("https_connect", "http-connect")),
		req("port", u16),
	),
	v("mcp_tool_call",
		req("server", text),
		req("tool_name", text),
		opt("connector_id", text),
		opt("connector_name", text),
		opt("tool_title", text),
	),
	v("request_permissions", opt("reason", text), req("permissions", dict(anything))),
)

var guardianSource = req("source", enum("command source", "shell", "unified_exec"))
