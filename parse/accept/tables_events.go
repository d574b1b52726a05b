package accept

// event_msg (format.md 3.9). An event type that is in no table rejects the line;
// so do the retired ones: undo_started, undo_completed, thread_name_updated,
// background_event, agent_message_delta and other *_delta names of 2025,
// get_history_entry_response, mcp_list_tools_response and
// list_custom_prompts_response among them.
var event = tagged("type", "event", "3.9", concat(persistedEvents, legacyEvents, formerEvents, liveEvents)...)

func concat(groups ...[]variant) []variant {
	var all []variant
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// persistedEvents are stored in both history modes.
var persistedEvents = []variant{
	v("task_started",
		opt("turn_attribution", turnAttribution).from(afterA),
		req("turn_id", text),
		opt("root_turn_id", text).from(afterA),
		opt("trace_id", text),
		opt("started_at", i64),
		opt("model_context_window", i64),
		def("collaboration_mode_kind", collaborationKind, "default"),
	).or("turn_started"),
	v("task_complete",
		opt("root_turn_id", text).from(afterA),
		req("turn_id", text),
		opt("last_agent_message", text),
		opt("error", errorEvent),
		opt("started_at", i64),
		opt("completed_at", i64),
		opt("duration_ms", i64),
		opt("time_to_first_token_ms", i64),
	).or("turn_complete"),
	v("turn_aborted",
		opt("root_turn_id", text).from(afterA),
		opt("turn_id", text),
		req("reason", enum("abort reason", "interrupted", "replaced", "review_ended", "budget_limited")),
		opt("error", errorEvent).from(afterA),
		opt("started_at", i64),
		opt("completed_at", i64),
		opt("duration_ms", i64),
	),
	v("token_count", opt("info", tokenUsageInfo), opt("rate_limits", rateLimits)),
	v("thread_rolled_back", req("num_turns", u32)),
	v("thread_goal_updated",
		req("threadId", uuid),
		opt("turnId", text),
		req("goal", threadGoal),
	),
	v("thread_settings_applied",
		opt("thread_id", uuid),
		req("thread_settings", threadSettings),
	),
	v("item_completed",
		req("thread_id", uuid),
		req("turn_id", text),
		req("item", turnItem),
		opt("started_at_ms", i64),
		def("completed_at_ms", i64, "0"),
	),
}

var errorEvent = object("ErrorEvent", "3.9", errorFields...)

var errorFields = []field{
	req("message", text),
	opt("codex_error_info", closedErrorInfo).to(afterA),
	opt("codex_error_info", errorInfo).from(afterA),
}

var tokenUsageInfo = object("TokenUsageInfo", "3.9",
	req("total_token_usage", tokenUsage),
	req("last_token_usage", tokenUsage),
	opt("model_context_window", i64),
)

var rateLimits = object("RateLimitSnapshot", "3.9",
	opt("limit_id", text),
	opt("limit_name", text),
	opt("normal_model_slug", text).from(afterA),
	opt("primary", rateLimitWindow),
	opt("secondary", rateLimitWindow),
	opt("credits", object("CreditsSnapshot", "3.9",
		req("has_credits", boolean),
		req("unlimited", boolean),
		opt("balance", text),
	)),
	opt("individual_limit", object("SpendControlLimitSnapshot", "3.9",
		req("limit", text),
		req("used", text),
		req("remaining_percent", i32),
		req("resets_at", i64),
	)),
	opt("spend_control_reached", boolean),
	opt("plan_type", text),
	opt("rate_limit_reached_type", enum("rate limit reached type",
		"rate_limit_reached", "workspace_owner_credits_depleted", "workspace_member_credits_depleted",
		"workspace_owner_usage_limit_reached", "workspace_member_usage_limit_reached")),
)

var rateLimitWindow = object("RateLimitWindow", "3.9",
	req("used_percent", float),
	opt("window_minutes", i64),
	opt("resets_at", i64), // a string in files of October 2025: rejected today
)

var threadGoal = object("ThreadGoal", "3.9",
	req("threadId", uuid),
	req("objective", text),
	req("status", enum("goal status", "active", "paused", "blocked", "usageLimited", "budgetLimited", "complete")),
	opt("tokenBudget", i64),
	req("tokensUsed", i64),
	req("timeUsedSeconds", i64),
	req("createdAt", i64),
	req("updatedAt", i64),
)

var threadSettings = object("ThreadSettingsSnapshot", "3.9",
	req("model", text),
	req("model_provider_id", text),
	opt("service_tier", text),
	req("approval_policy", approvalPolicy),
	req("approvals_reviewer", approvalsReviewer),
	req("permission_profile", permissionProfile),
	opt("active_permission_profile", activePermissionProfile),
	req("cwd", absPath),
	opt("runtime_workspace_roots", list(absPath)),
	opt("reasoning_effort", effort),
	opt("reasoning_summary", reasoningSummary),
	opt("personality", personality),
	req("collaboration_mode", collaborationMode),
	def("disabled_plugin_ids", list(text), "[]").from(afterA),
)

// errorInfo is open: unknown strings and unknown one-key objects are "other".
// A known code that has no data takes none (format.md 6.4).
var errorInfo = external(errorCodes.plus(afterA, "rate_limit_exceeded", "flex_unavailable", "bio_policy",
	"misalignment_policy_violation", "too_many_denials", "invalid_prompt"), "3.9", errorData...).opened(openKeys)

var closedErrorInfo = external(errorCodes, "6.4", errorData...)

var errorCodes = enum("error info",
	"context_window_exceeded", "session_budget_exceeded", "usage_limit_exceeded", "server_overloaded",
	"cyber_policy", "internal_server_error", "unauthorized", "bad_request", "sandbox_error",
	"thread_rollback_failed", "other")

var errorData = []variant{
	key("http_connection_failed", httpStatus),
	key("response_stream_connection_failed", httpStatus),
	key("response_stream_disconnected", httpStatus),
	key("response_too_many_failed_attempts", httpStatus),
	key("active_turn_not_steerable", object("ActiveTurnNotSteerable", "3.9",
		req("turn_kind", enum("turn kind", "review", "compact")))),
}

var httpStatus = object("HttpStatus", "3.9", opt("http_status_code", u16))
