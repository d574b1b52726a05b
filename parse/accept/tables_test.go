package accept

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// walk visits every type below t once.
func walk(t *typ, seen map[*typ]bool, visit func(*typ)) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	visit(t)
	walk(t.elem, seen, visit)
	walk(t.keys, seen, visit)
	for _, e := range t.elems {
		walk(e, seen, visit)
	}
	fields := slices.Clone(t.fields)
	for _, x := range t.variants {
		walk(x.typ, seen, visit)
		fields = append(fields, x.fields...)
	}
	for _, f := range fields {
		walk(f.typ, seen, visit)
	}
}

func TestTablesAreComplete(t *testing.T) {
	for _, p := range []Profile{Newest, "2025-09", "2025-11-18", "2026-06-12", "2026-08-21", "2026-08-22"} {
		NewChecker(WithProfile(p)) // panics on two rows for one name
	}
	objects := 0
	walk(line, map[*typ]bool{}, func(n *typ) {
		if n.name == "" {
			t.Errorf("a type of form %d has no name", n.form)
		}
		switch n.form {
		case formObject, formTagged, formExternal:
			objects++
			if n.source == "" {
				t.Errorf("%s has no source", n.name)
			}
		case formByKey:
			if n.tag == "" || len(n.elems) != 2 {
				t.Errorf("%s: wrong shape", n.name)
			}
		}
		names := map[string]bool{}
		for _, x := range n.variants {
			for _, name := range []string{x.name, x.alias} {
				if name != "" && names[name] {
					t.Errorf("%s: two variants %q", n.name, name)
				}
				names[name] = true
			}
		}
		for _, f := range n.fields {
			if f.is == either && f.typ.form != formScalar {
				t.Errorf("%s.%s: only basic types can be alternatives", n.name, f.name)
			}
			if f.is == defaulted && f.dflt == "" {
				t.Errorf("%s.%s: no default", n.name, f.name)
			}
		}
	})
	if objects < 100 {
		t.Errorf("only %d tables reached", objects)
	}
}

// The names of format.md 2.2, 3.9, 3.10 and 5.1.
func TestTablesKnowTheNames(t *testing.T) {
	for _, set := range []struct {
		table *typ
		exact bool
		names string
	}{
		{line, true, `session_meta response_item event_msg compacted turn_context inter_agent_communication
			inter_agent_communication_metadata world_state security_risk_score token_usage_record retained_context realtime_item`},
		{responseItem, true, `message agent_message reasoning local_shell_call function_call function_call_output custom_tool_call
			custom_tool_call_output tool_search_call tool_search_output web_search_call image_generation_call compaction
			compaction_summary context_compaction configuration_update additional_tools compaction_trigger ghost_snapshot`},
		{turnItem, true, `UserMessage FunctionCallOutput HookPrompt AgentMessage Plan Reasoning CommandExecution DynamicToolCall
			CollabAgentToolCall SubAgentActivity WebSearch ImageView Extension ImageGeneration EnteredReviewMode ExitedReviewMode
			FileChange McpToolCall ContextCompaction`},
		{realtimeItem, true, `realtime_session_started transcript_segment bem_item_promoted realtime_session_closed`},
		{event, false, `task_started turn_started task_complete turn_complete turn_aborted token_count thread_rolled_back
			thread_goal_updated thread_settings_applied item_completed user_message agent_message agent_reasoning
			agent_reasoning_raw_content context_compacted entered_review_mode exited_review_mode patch_apply_end
			mcp_tool_call_end web_search_end image_generation_end sub_agent_activity error warning stream_error
			exec_command_begin exec_command_end view_image_tool_call dynamic_tool_call_request dynamic_tool_call_response
			guardian_assessment plan_update turn_diff collab_agent_spawn_end collab_waiting_end`},
	} {
		n := (&compiler{done: map[*typ]*node{}}).compile(set.table)
		want := strings.Fields(set.names)
		for _, name := range want {
			if n.variants[name] == nil {
				t.Errorf("%s: %q is unknown", n.name, name)
			}
		}
		if got := slices.Collect(maps.Keys(n.variants)); set.exact && len(got) != len(want) {
			t.Errorf("%s: %d names, want %d: %q", n.name, len(got), len(want), got)
		}
	}
	events := (&compiler{done: map[*typ]*node{}}).compile(event)
	for _, name := range strings.Fields(`undo_started undo_completed thread_name_updated background_event agent_message_delta
		agent_reasoning_delta agent_reasoning_raw_content_delta get_history_entry_response mcp_list_tools_response
		list_custom_prompts_response item_updated`) {
		if events.variants[name] != nil {
			t.Errorf("retired event %q is known", name)
		}
	}
}

func TestScalars(t *testing.T) {
	for _, c := range []struct {
		typ       *typ
		good, bad []string
	}{
		{i32, []string{"0", "-0", "2147483647", "-2147483648"}, []string{"2147483648", "-2147483649", "1.0", "1e2"}},
		{i64, []string{"9223372036854775807", "-9223372036854775808"}, []string{"9223372036854775808", "7.0"}},
		{u16, []string{"65535", "-0"}, []string{"65536", "-1"}},
		{u32, []string{"4294967295", "999999999"}, []string{"4294967296", "-1"}},
		{u64, []string{"18446744073709551615", "-0"}, []string{"18446744073709551616", "-1", "1e2"}},
		{nonZero, []string{"1"}, []string{"0", "-0"}},
		// format.md 2.3: shortest form only; integers, 100.0, 0.5 and 1e-7 are fine.
		{float, []string{"0", "1", "-1", "1.0", "100.0", "0.5", "0.1", "-0.0", "12.5", "0.30000000000000004", "1e-7", "1E-7",
			"0.0000001", "123456789.12345679", "18446744073709551615", "1000000000000000.0"},
			[]string{"0.50", "1.00", "5e-1", "1e0", "1e2", "1E2", "123456789.123456789", "0.300000000000000044", "1e400", "1e-5",
				"1e16", "1.5e300", "10000000000000000.0"}},
		{uuid, []string{`"0199aaaa-0000-7000-8000-000000000001"`, `"0199AAAA000070008000000000000001"`,
			`"{0199aaaa-0000-7000-8000-000000000001}"`, `"urn:uuid:0199aaaa-0000-7000-8000-000000000001"`},
			[]string{`""`, `"x"`, `"0199aaaa-0000-7000-8000-00000000000"`, `"0199aaaa0-000-7000-8000-000000000001"`,
				`"{0199aaaa000070008000000000000001}"`, `"0199aaaa-0000-7000-8000-00000000000g"`}},
		{absPath, []string{`"/"`, `"/a/../b"`, `"\u002fa"`}, []string{`""`, `"."`, `"~/x"`, `"C:\\x"`, `"\\\\srv\\x"`}},
		{hostPath, []string{`"/"`, `"C:\\x"`, `"c:/x"`, `"\\\\srv\\x"`}, []string{`""`, `"x"`, `"C:x"`, `"1:/x"`}},
		{fileURI, []string{`"file:///srv"`, `"FILE:///srv"`, `"file:relative"`, `"file://host/srv"`, `"file:///c:/x"`, `"file:///a%20b"`},
			[]string{`""`, `"/srv"`, `"rel"`, `"http://x/"`, `"file:///srv?q"`, `"file:///srv#f"`, `"file://u@host/srv"`, `"file:///a%00"`}},
		{timestamp, []string{`"2026-11-02T09:00:04Z"`, `"2026-11-02T09:00:04.123456789Z"`, `"2026-11-02 09:00:04+01:00"`},
			[]string{`""`, `"2026-11-02T09:00:04"`, `"2026-02-30T09:00:04Z"`, `"2026-11-02T25:00:04Z"`, `"2026-11-02"`}},
		{effort, []string{`"low"`, `"zz"`}, []string{`""`}},
		{base64Text, []string{`""`, `"aGk="`}, []string{`"aGk"`, `"*"`, `"===="`}},
	} {
		for _, lit := range c.good {
			if msg := c.typ.badScalar([]byte(lit)); msg != "" {
				t.Errorf("%s: %s is refused: %s", c.typ.name, lit, msg)
			}
		}
		for _, lit := range c.bad {
			if c.typ.badScalar([]byte(lit)) == "" {
				t.Errorf("%s: %s passes", c.typ.name, lit)
			}
		}
	}
}
