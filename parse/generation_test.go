package parse

import "testing"

// Records of each generation, after format.md 2 to 7. Dates in the comments are
// those from which (or until which) the reference knows what is looked at.
func TestGenerations(t *testing.T) {
	const any = GenerationAny
	for _, tt := range []struct {
		want Generation
		line string
	}{
		{0, `{"id":"a","timestamp":"2025-06-01T10:00:00.000Z","instructions":null}`},
		{any, `{"type":"made_up","payload":{}}`},
		{any, `{"payload":{}}`},
		{any, `{"type":"compacted_x"}`},

		// session_meta
		{1, `{"type":"session_meta","payload":{"id":"a","cwd":"/","instructions":null}}`},
		{1, `{"type":"session_meta","payload":{"id":"a","source":"cli","model_provider":"openai"}}`}, // 2025-10
		{2, `{"type":"session_meta","payload":{"id":"a","base_instructions":null}}`},                 // 2026-01-19
		{2, `{"type":"session_meta","payload":{"id":"a","base_instructions":{"text":"x"}}}`},
		{2, `{"type":"session_meta","payload":{"forked_from_id":"b"}}`},                             // 2026-01-16
		{2, `{"type":"session_meta","payload":{"dynamic_tools":[]}}`},                               // 2026-01-30
		{2, `{"type":"session_meta","payload":{"parent_thread_id":"b"}}`},                           // 2026-06-01
		{2, `{"type":"session_meta","payload":{"multi_agent_version":"v1"}}`},                       // 2026-06-02
		{3, `{"type":"session_meta","payload":{"session_id":"a"}}`},                                 // 2026-06-22
		{3, `{"type":"session_meta","payload":{"context_window":{"window_id":"x"}}}`},               // 2026-06-23
		{3, `{"type":"session_meta","payload":{"selected_capability_roots":[]}}`},                   // 2026-06-25
		{4, `{"type":"session_meta","payload":{"session_id":"a","history_mode":"legacy"}}`},         // 2026-06-26
		{4, `{"type":"session_meta","payload":{"history_base":{}}}`},                                // 2026-07-18
		{4, `{"type":"session_meta","payload":{"subagent_history_start_ordinal":3}}`},               // 2026-07-15
		{4, `{"ordinal":0,"type":"session_meta","payload":{"session_id":"a"}}`},                     // 2026-07-11
		{3, `{"ordinal":null,"type":"session_meta","payload":{"session_id":"a"}}`},                  // null is none
		{6, `{"type":"session_meta","payload":{"history_mode":"legacy","creator_user_id":"u"}}`},    // after 2026-08
		{6, `{"type":"session_meta","payload":{"history_mode":"legacy","creator_account_id":"u"}}`}, // the same
		{6, `{"type":"session_meta","payload":{"forked_from_ordinal_exclusive":7}}`},

		// response_item
		{any, `{"type":"response_item","payload":{"type":"message","role":"user","content":[]}}`},
		{any, `{"type":"response_item","payload":{"type":"web_search_call","id":"ws_1"}}`}, // 5.2: an exception
		{any, `{"type":"response_item","payload":{"type":"message","id":null}}`},
		{1, `{"type":"response_item","payload":{"type":"ghost_snapshot","ghost_commit":{}}}`},                          // 2025-10-27
		{2, `{"type":"response_item","payload":{"type":"compaction_summary","encrypted_content":"x"}}`},                // 2025-11-18
		{2, `{"type":"response_item","payload":{"type":"compaction","encrypted_content":"x"}}`},                        // 2025-12-12
		{2, `{"type":"response_item","payload":{"type":"message","end_turn":true}}`},                                   // 2026-01-22
		{3, `{"type":"response_item","payload":{"type":"message","metadata":{"turn_id":"t9"}}}`},                       // 2026-06-15
		{3, `{"type":"response_item","payload":{"type":"message","id":"msg_1"}}`},                                      // 2026-06-18
		{3, `{"type":"response_item","payload":{"type":"custom_tool_call_output","id":"ctco_1"}}`},                     // the same
		{3, `{"type":"response_item","payload":{"type":"reasoning","internal_chat_message_metadata_passthrough":{}}}`}, // 2026-06-22
		{3, `{"type":"response_item","payload":{"type":"agent_message","author":"/root"}}`},                            // 2026-06-24
		{4, `{"ordinal":4,"type":"response_item","payload":{"type":"message"}}`},
		{4, `{"type":"response_item","payload":{"type":"message","internal_chat_message_metadata_passthrough":{"executed_tool_calls":[]}}}`}, // 2026-07-28
		{5, `{"type":"response_item","payload":{"type":"message"},"metadata":{}}`},                                                           // 2026-08-11
		{5, `{"type":"response_item","payload":{"type":"message"},"metadata":{"client_authored":true}}`},                                     // 2026-08-12
		{5, `{"type":"response_item","payload":{"type":"message"},"metadata":null}`},                                                         // no field below null
		{5, `{"type":"response_item","payload":{"type":"message","internal_chat_message_metadata_passthrough":{"create_time":1.5}}}`},        // 2026-08-12
		{6, `{"type":"response_item","payload":{"type":"configuration_update"}}`},

		// event_msg
		{any, `{"type":"event_msg","payload":{"type":"user_message","message":"m"}}`},
		{1, `{"type":"event_msg","payload":{"type":"user_message","message":"m","kind":"plain"}}`}, // until 2025-10-22
		{any, `{"type":"event_msg","payload":{"type":"token_count","info":null,"rate_limits":{"primary":{"resets_at":1793610001}}}}`},
		{1, `{"type":"event_msg","payload":{"type":"token_count","rate_limits":{"primary":{"resets_at":"2025-10-18T00:00:00Z"}}}}`},
		{1, `{"type":"event_msg","payload":{"type":"token_count","rate_limits":{"primary":null,"secondary":{"resets_in_seconds":5}}}}`},
		{any, `{"type":"event_msg","payload":{"type":"entered_review_mode","target":{}}}`},
		{1, `{"type":"event_msg","payload":{"type":"entered_review_mode","prompt":"p"}}`}, // until 2025-12-02
		{1, `{"type":"event_msg","payload":{"type":"undo_completed","success":true}}`},    // from 2025-10-27
		{2, `{"type":"event_msg","payload":{"type":"thread_name_updated"}}`},              // 2026-01-30
		{2, `{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}`}, // 2026-01
		{2, `{"type":"event_msg","payload":{"type":"task_started","turn_id":"t"}}`},       // 2026-02
		{2, `{"type":"event_msg","payload":{"type":"task_complete","turn_id":"t"}}`},      // 2026-02
		{2, `{"type":"event_msg","payload":{"type":"mcp_tool_call_end"}}`},                // 2026-02-12
		{3, `{"type":"event_msg","payload":{"type":"thread_goal_updated"}}`},              // 2026-06
		{4, `{"type":"event_msg","payload":{"type":"item_completed"}}`},                   // 2026-07
		{4, `{"type":"event_msg","payload":{"type":"thread_settings_applied"}}`},          // 2026-07
		{4, `{"ordinal":3,"type":"event_msg","payload":{"type":"task_started"}}`},

		// turn_context
		{any, `{"type":"turn_context","payload":{"cwd":"/","sandbox_policy":{"type":"read-only"}}}`},
		{any, `{"type":"turn_context","payload":{"cwd":"/","sandbox_policy":"mode"}}`},
		{1, `{"type":"turn_context","payload":{"cwd":"/","sandbox_policy":{"mode":"read-only"}}}`}, // until 2025-11-13
		{2, `{"type":"turn_context","payload":{"collaboration_mode":{"mode":"code"}}}`},            // 2026-01
		{2, `{"type":"turn_context","payload":{"turn_id":"t"}}`},                                   // 2026-02-11
		{6, `{"type":"turn_context","payload":{"turn_id":"t","root_turn_id":"t"}}`},                // after A
		{6, `{"type":"turn_context","payload":{"disabled_plugin_ids":[]}}`},                        // after A

		// compacted: format.md 4.1
		{1, `{"type":"compacted","payload":{"message":"short summary"}}`},                                  // 2025-09-11
		{2, `{"type":"compacted","payload":{"message":"","replacement_history":[]}}`},                      // 2025-11-18
		{3, `{"type":"compacted","payload":{"message":"s","replacement_history":[],"window_id":2}}`},       // 2026-06-10
		{3, `{"type":"compacted","payload":{"message":"s","replacement_history":[],"window_number":2}}`},   // 2026-06-18
		{4, `{"ordinal":3,"type":"compacted","payload":{"message":"s","window_number":2}}`},                // 2026-07-11
		{5, `{"type":"compacted","payload":{"replacement_history":[],"replacement_history_metadata":[]}}`}, // 2026-08-11
		{5, `{"type":"compacted","payload":{"replacement_history":[],"mcp_resource_origins":{}}}`},         // 2026-08-18
		{6, `{"type":"compacted","payload":{"replacement_history":[],"compaction_response_id":null}}`},     // section 7: "also as null"
		{6, `{"type":"compacted","payload":{"replacement_history":[],"latest_token_usage_record":null}}`},  // the same
		{6, `{"type":"compacted","payload":{"resume_metadata":{}}}`},
		{6, `{"type":"compacted","payload":{"retained_context":{}}}`},
		{6, `{"type":"compacted","payload":{"guardian_history":[]}}`},

		// The other types: format.md 2.2
		{3, `{"type":"inter_agent_communication","payload":{}}`},
		{3, `{"type":"inter_agent_communication_metadata","payload":{"trigger_turn":true}}`},
		{4, `{"ordinal":10,"type":"inter_agent_communication_metadata","payload":{"trigger_turn":true}}`},
		{3, `{"type":"world_state","payload":{}}`},
		{5, `{"type":"security_risk_score","payload":{}}`},
		{5, `{"ordinal":1,"type":"security_risk_score","payload":{}}`},
		{6, `{"type":"token_usage_record","payload":{}}`},
		{6, `{"type":"retained_context","payload":{"type":"verified_answer"}}`},
		{6, `{"type":"realtime_item","payload":{}}`},
	} {
		r := view(t, tt.line)
		if got := GenerationOf(&r); got != tt.want {
			t.Errorf("%s: generation %s, want %s", tt.line, got, tt.want)
		}
	}
	bare := AsBare(view(t, `{"type":"message","role":"user","content":[]}`))
	if got := GenerationOf(&bare); got != 0 {
		t.Errorf("a bare item: generation %s", got)
	}
}

// A base_instructions without members below it says nothing about what could be.
func TestGenerationLooksThroughObjectsOnly(t *testing.T) {
	for _, v := range []string{`null`, `"x"`, `[]`, `{}`} {
		r := view(t, `{"type":"response_item","payload":{"type":"message","internal_chat_message_metadata_passthrough":`+v+`}}`)
		if got := GenerationOf(&r); got != 3 {
			t.Errorf("passthrough %s: generation %s, want 3", v, got)
		}
	}
}

// format.md 6.2: after 2026-08-21 came every field of a sidecar but client_authored.
func TestGenerationOfSidecarFields(t *testing.T) {
	for _, field := range []string{
		"guardian_sources", "guardian_review_ids", "guardian_source_order_guidance", "guardian_retained_omissions",
		"retained_source", "fallback_token_limit_override", "delivered_assistant_message",
		"harness_authored_configuration", "compaction_model_hash", "user_input_order", "compaction_output",
		"inherited_user_message", "mcp_attribution", "sender_user_messages",
	} {
		r := view(t, `{"type":"response_item","payload":{"type":"message"},"metadata":{"client_authored":false,"`+field+`":1}}`)
		if got := GenerationOf(&r); got != 6 {
			t.Errorf("%s: generation %s, want 6", field, got)
		}
	}
}

func TestGenerationString(t *testing.T) {
	if GenerationAny.String() != "any" || Generation(0).String() != "0" || Generation(6).String() != "6" {
		t.Error(GenerationAny, Generation(0), Generation(6))
	}
}
