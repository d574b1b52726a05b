package validate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// A field of a record as the tables of format.md 3 to 6 have it: "12 name req s" is the
// member of the payload of line 12 that the record needs and that is a string.
//
// req: absent and null reject the line (G4). opt: absent and null are fine (G2). def: absent
// is fine, null rejects (G3).
type field struct {
	line    int
	pointer string // of the record
	need    string // req, opt, def, or val: required, and null is a value like others
	kind    string // of breaks; "any" for one whose values are not put to the test
}

// breaks are values that a field of a kind does not take, and the code of each.
func breaks(kind string) map[string]string {
	switch kind {
	case "s":
		return map[string]string{"7": "R003", "{}": "R003", "true": "R003"}
	case "n": // an integer
		return map[string]string{`"7"`: "R003", "1.5": "R017", "7.0": "R017", "1e2": "R017", "[]": "R003"}
	case "f": // a float
		return map[string]string{`"7"`: "R003", "0.50": "J013", "1.00": "J013", "1e2": "J013"}
	case "number": // kept as text
		return map[string]string{`"7"`: "R003", "true": "R003"}
	case "b":
		return map[string]string{`"true"`: "R003", "1": "R003"}
	case "o":
		return map[string]string{`"x"`: "R003", "7": "R003"}
	case "a":
		return map[string]string{`"x"`: "R003", "7": "R003", "{}": "R003"}
	case "e": // one of a closed set
		return map[string]string{`"zz"`: "R005"}
	case "uuid":
		return map[string]string{"7": "R003", `"zz"`: "R014", `""`: "R014"}
	case "path":
		return map[string]string{"7": "R003", `"zz/y"`: "R012", `"~/x"`: "R012"}
	case "uri":
		return map[string]string{"7": "R003", `"/plain"`: "R016"}
	case "agent":
		return map[string]string{"7": "R003", `"/zz"`: "R015", `"/root/"`: "R015", `"/root/root"`: "R015"}
	case "effort": // any text but the empty one
		return map[string]string{"7": "R003", `""`: "R020"}
	}
	return nil // any value
}

func parseFields(t *testing.T, table string) []field {
	t.Helper()
	var out []field
	for _, row := range strings.Split(strings.TrimSpace(table), "\n") {
		parts := strings.Fields(row)
		var line int
		if _, err := fmt.Sscan(parts[0], &line); err != nil {
			t.Fatal(row)
		}
		for _, one := range strings.Split(strings.Join(parts[1:], " "), ";") {
			f := strings.Fields(one)
			if len(f) != 3 {
				t.Fatalf("%q in %q", one, row)
			}
			pointer := "/payload/" + f[0]
			if strings.HasPrefix(f[0], "/") {
				pointer = f[0]
			}
			out = append(out, field{line: line, pointer: pointer, need: f[1], kind: f[2]})
		}
	}
	return out
}

func parentOf(pointer string) string { return pointer[:strings.LastIndexByte(pointer, '/')] }

// mutateFields breaks each field in each way. lost says what follows when a line is not
// taken; fields whose absence or null has a meaning of its own are left to other tests.
func mutateFields(t *testing.T, b *bench, l lines, fields []field, lost func(line int) []hit) {
	t.Helper()
	check := func(f field, what, code, pointer string, change func(jsonraw.Value) jsonraw.Value) {
		t.Helper()
		var want []hit
		if code != "" {
			want = append([]hit{{code, f.line}}, lost(f.line)...)
		}
		name := fmt.Sprintf("line %d: %s %s", f.line, f.pointer, what)
		found := b.check(t, name, l.edit(f.line, change), want)
		if found != nil && code != "" && !slices.ContainsFunc(found, func(g Finding) bool { return g.Code == code && g.Line == f.line && g.Pointer == pointer }) {
			t.Errorf("%s: want it at %q\n%s", name, pointer, messages(found))
		}
	}
	for _, f := range fields {
		parent := valueAt(l[f.line-1], parentOf(f.pointer))
		if parent == nil {
			t.Errorf("line %d has no %s", f.line, parentOf(f.pointer))
			continue
		}
		absent, null := "R001", "R002"
		switch f.need {
		case "opt":
			absent, null = "", ""
		case "def":
			absent = ""
		case "val": // required, but null is a value
			null = ""
		case "req":
		default:
			t.Fatalf("%v", f)
		}
		if valueAt(l[f.line-1], f.pointer) != nil {
			check(f, "dropped", absent, parentOf(f.pointer), without(f.pointer))
		} else if f.need == "req" || f.need == "val" {
			t.Errorf("line %d has no %s", f.line, f.pointer)
		}
		check(f, "null", null, f.pointer, setTo(f.pointer, "null"))
		for text, code := range breaks(f.kind) {
			check(f, text, code, f.pointer, setTo(f.pointer, text))
		}
	}
}

// TestMutateDemoFields: the records of the newest generation.
func TestMutateDemoFields(t *testing.T) {
	b, demo := newBench(t, demoFile)
	mutateFields(t, b, demo, parseFields(t, `
1 session_id def uuid; id req uuid; timestamp req s; cwd req s; originator req s; cli_version req s; thread_source opt s; model_provider opt s
1 base_instructions opt o; base_instructions/text req s; base_instructions/provenance opt o; base_instructions/provenance/type req e
1 dynamic_tools opt a; dynamic_tools/0/name req s; dynamic_tools/0/description req s; multi_agent_version opt e
1 context_window opt o; context_window/window_id req s; git opt o; git/commit_hash opt s; git/branch opt s; git/repository_url opt s
1 forked_from_id opt uuid; forked_from_ordinal_exclusive opt n; parent_thread_id opt uuid; memory_mode opt s; agent_nickname opt s; agent_path opt s
1 runtime_workspace_roots opt a; selected_capability_roots def a; creator_user_id opt s
2 turn_id req s; root_turn_id opt s; trace_id opt s; started_at opt n; model_context_window opt n; collaboration_mode_kind def e; turn_attribution opt o
3 turn_id opt s; root_turn_id opt s; disabled_plugin_ids opt a; cwd req path; approval_policy req e; sandbox_policy req o
3 sandbox_policy/type req e; sandbox_policy/network_access def b; sandbox_policy/exclude_tmpdir_env_var def b; sandbox_policy/exclude_slash_tmp def b
3 sandbox_policy/writable_roots def a; model req s; comp_hash opt s; collaboration_mode opt o; collaboration_mode/mode req e
3 collaboration_mode/settings req o; collaboration_mode/settings/model req s; collaboration_mode/settings/reasoning_effort opt effort
3 collaboration_mode/settings/developer_instructions opt s; multi_agent_version opt e; realtime_active opt b; cyber_access_program opt e
3 effort opt effort; summary opt e; approvals_reviewer opt e
4 full req b; state req o
8 thread_id req uuid; turn_id req s; item req o; item/type req e; item/id req s; item/client_id opt s; item/content req a
8 item/content/0/type req e; item/content/0/text req s; item/content/0/text_elements def a; started_at_ms opt n; completed_at_ms def n
10 id opt s; summary req a; summary/0/type req e; summary/0/text req s; internal_chat_message_metadata_passthrough opt o
11 item/summary_text req a; item/raw_content def a
12 id opt s; name req s; namespace opt s; arguments req s; encrypted_function_args opt a; call_id req s; status opt s; encrypted_content opt s
12 internal_chat_message_metadata_passthrough/turn_id opt s; internal_chat_message_metadata_passthrough/create_time opt number
14 thread_id req uuid; turn_id req s; session_id req uuid; root_turn_id req s; response_id req s; usage req o; turn_token_usage req o
14 thread_token_usage req o; usage/input_tokens req n; usage/cached_input_tokens req n; usage/cache_write_input_tokens def n
14 usage/output_tokens req n; usage/reasoning_output_tokens req n; usage/total_tokens req n
15 info opt o; info/total_token_usage req o; info/last_token_usage req o; info/model_context_window opt n; rate_limits opt o
15 info/total_token_usage/total_tokens req n; info/last_token_usage/cache_write_input_tokens def n
16 id opt s; output req any; name opt s; namespace opt s
17 item/command req a; item/cwd req uri; item/parsed_cmd req a; item/status req e; item/aggregated_output opt s; item/exit_code opt n
17 item/duration opt o; item/duration/secs req n; item/duration/nanos req n; item/process_id opt s
22 role req s; content req a; content/0/type req e; content/0/text req s; content/0/annotations opt a; content/0/logprobs opt a
22 phase opt e; status opt s; encrypted_content opt s; id opt s
23 item/content req a; item/content/0/text req s; item/content/0/type req e; item/phase opt e
26 turn_id req s; last_agent_message opt s; root_turn_id opt s; started_at opt n; completed_at opt n; duration_ms opt n; time_to_first_token_ms opt n; error opt o
30 id opt s; role req s; content req a; content/0/type req e; content/0/text req s; internal_chat_message_metadata_passthrough opt o
30 internal_chat_message_metadata_passthrough/turn_id opt s; /metadata opt o; /metadata/client_authored def b; /metadata/user_input_order opt n
30 /metadata/fallback_token_limit_override opt n; /metadata/harness_authored_configuration def b; /metadata/compaction_output def b
30 /metadata/inherited_user_message def b; /metadata/delivered_assistant_message opt s; /metadata/sender_user_messages opt o
30 /metadata/retained_source opt o; /metadata/guardian_sources def a; /metadata/guardian_review_ids def a
30 /metadata/guardian_source_order_guidance def b; /metadata/guardian_retained_omissions opt o
39 id opt s; author req s; recipient req s; content req a; content/0/type req e; content/0/text req s; content/1/encrypted_content req s
40 trigger_turn req b
41 item/kind req e; item/agent_thread_id req uuid; item/agent_path req agent; item/model opt s; item/reasoning_effort opt effort
44 id opt s; status opt s; call_id req s; name req s; namespace opt s; input req s; encrypted_content opt s
47 id opt s; call_id req s; name opt s; output req any
48 id opt s; status opt s; execution req s; arguments val any
49 id opt s; status req s; execution req s; tools req a
52 id opt s; status opt s; action opt o; action/query opt s; action/queries opt a
53 item/query req s; item/action req o; item/id req s
74 message req s; guardian_history opt a; retained_context opt o; mcp_resource_origins opt o; window_number opt n; first_window_id opt s
74 previous_window_id opt s; compaction_response_id opt s; latest_token_usage_record opt o; latest_token_usage_record/turn_id req s
74 latest_token_usage_record/usage req o; latest_token_usage_record/usage/input_tokens req n; resume_metadata opt o
74 resume_metadata/multi_agent_version opt e; resume_metadata/last_started_turn_id opt s; resume_metadata/previous_turn_settings opt o
74 resume_metadata/previous_turn_settings/model req s; resume_metadata/previous_turn_settings/comp_hash opt s
74 resume_metadata/previous_turn_settings/realtime_active opt b
74 replacement_history/0/content req a; replacement_history/0/role req s; replacement_history/0/content/0/text req s
74 replacement_history/3/author req s; replacement_history/3/content/1/encrypted_content req s; replacement_history/7/encrypted_content req s
74 replacement_history_metadata/7/compaction_model_hash opt s; replacement_history_metadata/0/client_authored def b; replacement_history_metadata/0/user_input_order opt n
77 thread_id opt uuid; thread_settings req o; thread_settings/model req s; thread_settings/model_provider_id req s
77 thread_settings/approval_policy req e; thread_settings/approvals_reviewer req e; thread_settings/permission_profile req o
77 thread_settings/cwd req path; thread_settings/collaboration_mode req o; thread_settings/disabled_plugin_ids def a
77 thread_settings/reasoning_effort opt effort; thread_settings/reasoning_summary opt e; thread_settings/service_tier opt s
`), demoUnread)
}
