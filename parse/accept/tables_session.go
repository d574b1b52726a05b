package accept

// session_meta and turn_context (format.md 3.1, 3.2).

var sessionMeta = object("SessionMetaLine", "3.1",
	opt("creator_user_id", text).from(afterA),
	opt("creator_account_id", text).from(afterA),
	def("session_id", uuid, "id").from("2026-06-22"),
	req("id", uuid).kept(keepID),
	opt("forked_from_id", uuid).from("2026-01-16"),
	opt("forked_from_ordinal_exclusive", u64).from(afterA),
	opt("parent_thread_id", uuid).from("2026-06-01"),
	req("timestamp", text),
	req("cwd", anyPath),
	opt("runtime_workspace_roots", list(anyPath)),
	req("originator", text),
	req("cli_version", text),
	def("source", sessionSource, "vscode").from("2025-10-02"),
	opt("thread_source", text),
	opt("agent_nickname", text),
	opt("agent_role", text).or("agent_type"),
	opt("agent_path", text),
	opt("model_provider", text).from("2025-10-27"),
	opt("base_instructions", baseInstructions).from("2026-01-19"),
	opt("dynamic_tools", dynamicTools).from("2026-01-30"),
	def("selected_capability_roots", list(capabilityRoot), "[]").from("2026-06-25"),
	opt("memory_mode", text),
	def("history_mode", enum("history mode", "legacy", "paginated"), "legacy").kept(keepHistoryMode).from("2026-06-26"),
	opt("history_base", historyPosition).from("2026-07-18"),
	opt("subagent_history_start_ordinal", u64).from("2026-07-15"),
	opt("multi_agent_version", multiAgentVersion).from("2026-06-02"),
	opt("context_window", object("SessionContextWindow", "3.1", req("window_id", text))).from("2026-06-23"),
	opt("git", gitInfo),
)

var gitInfo = object("GitInfo", "3.1",
	opt("commit_hash", text),
	opt("branch", text),
	opt("repository_url", text),
)

var historyPosition = object("HistoryPosition", "1.9",
	req("thread_id", uuid),
	req("end_ordinal_exclusive", u64),
	req("end_byte_offset", u64),
)

var baseInstructions = object("BaseInstructions", "3.1",
	req("text", text),
	opt("provenance", tagged("type", "provenance", "3.1",
		v("custom"),
		v("model", req("model", text)),
	)),
)

var sessionSource = external(enum("session source", "cli", "vscode", "exec", "mcp", "unknown"), "3.1",
	key("custom", text),
	key("internal", enum("internal source", "memory_consolidation").plus(afterA, "guardian")),
	key("subagent", subagentSource),
).opened(openUnitKeys)

var subagentSource = external(enum("subagent source", "review", "compact", "memory_consolidation"), "3.1",
	key("other", text),
	key("thread_spawn", object("ThreadSpawn", "3.1",
		req("parent_thread_id", uuid),
		req("depth", i32),
		opt("agent_path", agentPath),
		opt("agent_nickname", text),
		opt("agent_role", text).or("agent_type"),
	)),
)

var multiAgentVersion = enum("multi-agent version", "disabled", "v1", "v2")

var capabilityRoot = object("SelectedCapabilityRoot", "3.1",
	req("id", text),
	req("location", tagged("type", "capability root location", "3.1",
		v("environment", req("environmentId", text), req("path", anyPath)),
	)),
)

// Entries of dynamic_tools are all canonical (with a type) or all flat.
var dynamicTools = list(byKey("type", dynamicTool, flatDynamicTool)).
	allAlike("dynamic tools must use either canonical or legacy format consistently")

var dynamicTool = tagged("type", "dynamic tool", "3.1",
	v("function", dynamicFunction...),
	v("namespace",
		req("name", text),
		req("description", text),
		req("tools", list(tagged("type", "dynamic tool", "3.1", v("function", dynamicFunction...)).with(notFlat...))),
	),
).with(notFlat...)

var notFlat = []field{never("namespace"), never("exposeToContext")}

var dynamicFunction = []field{
	req("name", text),
	req("description", text),
	req("inputSchema", anything),
	def("deferLoading", boolean, "false"),
}

var flatDynamicTool = object("LegacyDynamicToolSpec", "3.1",
	opt("namespace", text),
	req("name", text),
	req("description", text),
	req("inputSchema", anything),
	opt("deferLoading", boolean),
	opt("exposeToContext", boolean),
)

var turnContext = object("TurnContextItem", "3.2",
	opt("turn_id", text).from("2026-02-11"),
	opt("root_turn_id", text).from(afterA),
	opt("disabled_plugin_ids", list(text)).from(afterA),
	req("cwd", absPath),
	req("approval_policy", approvalPolicy),
	opt("approvals_reviewer", approvalsReviewer),
	req("sandbox_policy", sandboxPolicy),
	opt("permission_profile", permissionProfile),
	opt("active_permission_profile", activePermissionProfile),
	opt("file_system_sandbox_policy", fileSystemPolicy),
	req("model", text),
	opt("comp_hash", text),
	opt("collaboration_mode", collaborationMode),
	opt("multi_agent_version", multiAgentVersion),
	opt("realtime_active", boolean),
	opt("cyber_access_program", enum("cyber access program", "standard", "daybreak_blue", "daybreak_red")).from(afterA),
	opt("effort", effort),
	req("summary", reasoningSummary).to(afterA),
	opt("summary", reasoningSummary).from(afterA),
	// Ignored today; the reader of 2026-08-21 still decoded them (format.md 6.4).
	opt("personality", personality).to(afterA),
	opt("network", object("TurnContextNetworkItem", "6.4",
		req("allowed_domains", list(text)),
		req("denied_domains", list(text)),
	)).to(afterA),
	opt("workspace_roots", list(absPath)).to(afterA),
	opt("current_date", text).to(afterA),
	opt("timezone", text).to(afterA),
	opt("multi_agent_mode", external(enum("multi-agent mode", "explicitRequestOnly", "proactive"), "6.4",
		key("custom", text))).to(afterA),
)

var (
	approvalsReviewer = enum("approvals reviewer", "user", "auto_review").aliases("guardian_subagent")
	reasoningSummary  = enum("reasoning summary", "auto", "concise", "detailed", "none")
	personality       = enum("personality", "none", "friendly", "pragmatic")
)

var approvalPolicy = external(enum("approval policy", "untrusted", "on-request", "never").aliases("on-failure"), "3.2",
	key("granular", object("GranularApprovalConfig", "3.2",
		req("sandbox_approval", boolean),
		req("rules", boolean),
		def("skill_approval", boolean, "false"),
		def("request_permissions", boolean, "false"),
		req("mcp_elicitations", boolean),
	)),
)

var collaborationMode = object("CollaborationMode", "3.2",
	req("mode", collaborationKind),
	req("settings", object("Settings", "3.2",
		req("model", text),
		opt("reasoning_effort", effort),
		opt("developer_instructions", text),
	)),
)

var collaborationKind = enum("collaboration mode", "plan", "default").
	aliases("code", "pair_programming", "execute", "custom")
