package validate

import (
	"fmt"
	"strings"
	"testing"
)

// kindsFile is a legacy session with the records and items that the demo session lacks.
// Shapes are those of format.md 3 to 6; nothing in it is worth a finding.
const kindsFile = `{"id":"0199aaaa-0000-7000-8000-000000000001","timestamp":"2026-11-02T09:00:00.000Z","cwd":"/srv/demo","originator":"demo","cli_version":"0.0.1","source":{"subagent":{"thread_spawn":{"parent_thread_id":"0199aaaa-0000-7000-8000-000000000002","depth":1,"agent_path":"/root/w","agent_nickname":null,"agent_role":null}}},"selected_capability_roots":[{"id":"r","location":{"type":"environment","environmentId":"e","path":"/srv"}}],"dynamic_tools":[{"type":"namespace","name":"n","description":"d","tools":[{"type":"function","name":"f","description":"d","inputSchema":{}}]}]}
{"type":"task_started","turn_id":"t1","turn_attribution":{"turn_id":"t1","turn_trigger":null,"parent_turn_id":null,"initiating_agent_path":null,"root_turn_id":null},"model_context_window":null}
{"type":"user_message","message":"hi","client_id":"c","images":["file:///a.png"],"image_details":["low"],"file_ids":["f"],"image_order":["inline"],"local_images":["/a.png"],"audio":[],"text_elements":[{"byte_range":{"start":0,"end":2},"placeholder":null}]}
{"type":"agent_message","message":"ok","phase":"commentary","memory_citation":null}
{"type":"agent_reasoning","text":"hm"}
{"type":"agent_reasoning_raw_content","text":"hm"}
{"type":"entered_review_mode","target":{"type":"commit","sha":"abc","title":null},"user_facing_hint":"h"}
{"type":"exited_review_mode","review_output":{"findings":[],"overall_correctness":"ok","overall_explanation":"e","overall_confidence_score":0.5}}
{"type":"patch_apply_end","call_id":"p1","turn_id":"t1","stdout":"","stderr":"","success":true,"changes":{"/a":{"type":"update","unified_diff":"d","move_path":null}},"status":"completed"}
{"type":"mcp_tool_call_end","call_id":"m1","invocation":{"server":"s","tool":"t","arguments":null},"duration":{"secs":1,"nanos":2},"result":{"Ok":{"content":[]}}}
{"type":"web_search_end","call_id":"w1","query":"q","action":{"type":"search","query":"q"}}
{"type":"image_generation_end","call_id":"g1","status":"completed","result":"","saved_path":"/a.png"}
{"type":"sub_agent_activity","event_id":"e1","occurred_at_ms":1,"agent_thread_id":"0199aaaa-0000-7000-8000-000000000002","agent_path":"/root/w","kind":"started","model":null,"reasoning_effort":null}
{"type":"thread_goal_updated","threadId":"0199aaaa-0000-7000-8000-000000000001","goal":{"threadId":"0199aaaa-0000-7000-8000-000000000001","objective":"o","status":"active","tokensUsed":1,"timeUsedSeconds":1,"createdAt":1,"updatedAt":1}}
{"type":"thread_rolled_back","num_turns":0}
{"type":"error","message":"e","codex_error_info":{"http_connection_failed":{"http_status_code":500}}}
{"type":"token_count","info":null,"rate_limits":{"limit_id":null,"limit_name":null,"primary":{"used_percent":0.5,"window_minutes":300,"resets_at":1793610001},"secondary":null,"credits":{"has_credits":true,"unlimited":false,"balance":null},"plan_type":"pro"}}
{"type":"verified_answer","turn_id":"t1","call_id":"ask1","questions":[{"question":"q","answer":"a"}],"acceptance_order":1}
{"id":"r1","realtime_session_id":"rs1","type":"transcript_segment","role":"user","text":"hi"}
{"id":"r2","realtime_session_id":"rs1","type":"realtime_session_closed","outcome":"ended"}
{"scores":{"demo":0.25},"sampled_at":"2026-11-02T09:00:04Z"}
{"author":"/root","recipient":"/root/w","other_recipients":["/root/v"],"content":"go","trigger_turn":true}
{"type":"local_shell_call","id":"lsh_1","call_id":"c1","status":"completed","action":{"type":"exec","command":["ls"],"timeout_ms":1,"working_directory":null,"env":{"A":"b"},"user":null}}
{"type":"function_call_output","id":"fco_1","call_id":"c1","output":[{"type":"input_text","text":"a"},{"type":"input_image","file_id":"file_1","detail":"low"},{"type":"input_audio","audio_url":"data:audio/wav;base64,"},{"type":"encrypted_content","encrypted_content":"b3BhcXVl"}]}
{"type":"image_generation_call","id":"ig_1","status":"completed","revised_prompt":"p","result":""}
{"type":"context_compaction","id":"cmp_1","encrypted_content":"b3BhcXVl"}
{"type":"configuration_update","reasoning":{"effort":"low"}}
{"type":"additional_tools","id":"at_1","role":"developer","tools":[]}
{"type":"turn_aborted","turn_id":"t1","reason":"interrupted","completed_at":1}
{"type":"context_compacted"}`

// kindsLines puts envelopes around the payloads of kindsFile.
func kindsLines() lines {
	var out lines
	for i, payload := range strings.Split(kindsFile, "\n") {
		n := i + 1
		typ := "event_msg"
		switch {
		case n == 1:
			typ = "session_meta"
		case n == 18:
			typ = "retained_context"
		case n == 19, n == 20:
			typ = "realtime_item"
		case n == 21:
			typ = "security_risk_score"
		case n == 22:
			typ = "inter_agent_communication"
		case n >= 23 && n <= 28:
			typ = "response_item"
		}
		out = append(out, fmt.Appendf(nil, `{"timestamp":"2026-11-02T09:00:%02d.000Z","type":%q,"payload":%s}`+"\n", n, typ, payload))
	}
	return out
}

// kindsUnread is demoUnread for this file.
func kindsUnread(n int) []hit {
	switch n {
	case 1:
		return []hit{{"S001", 0}}
	case 23:
		return []hit{{"P002", 24}}
	case 24:
		return []hit{{"P001", 23}}
	}
	return nil
}

func TestMutateFieldsOfOtherKinds(t *testing.T) {
	l := kindsLines()
	b := newBenchOf(t, "kinds.jsonl", l)
	if len(b.base) > 0 {
		t.Fatalf("the file is meant to be clean:\n%s", messages(b.base))
	}
	mutateFields(t, b, l, parseFields(t, `
1 source/subagent/thread_spawn/parent_thread_id req uuid; source/subagent/thread_spawn/depth req n
1 source/subagent/thread_spawn/agent_path opt agent; source/subagent/thread_spawn/agent_nickname opt s
1 selected_capability_roots def a; selected_capability_roots/0/id req s; selected_capability_roots/0/location req o
1 selected_capability_roots/0/location/type req e; selected_capability_roots/0/location/environmentId req s
1 dynamic_tools/0/name req s; dynamic_tools/0/tools req a; dynamic_tools/0/tools/0/name req s; dynamic_tools/0/tools/0/type req e
2 turn_attribution opt o; turn_attribution/turn_id req s; turn_attribution/parent_turn_id opt s
3 message req s; client_id opt s; images opt a; image_details def a; image_details/0 opt e; file_ids opt a; image_order def a; image_order/0 def e
3 local_images def a; audio opt a; local_audio def a; text_elements def a; text_elements/0/byte_range req o
3 text_elements/0/byte_range/start req n; text_elements/0/placeholder opt s
4 message req s; phase opt e; memory_citation opt o; delivery opt e; questions opt a
5 text req s
6 text req s
7 target req o; target/type req e; target/sha req s; target/title opt s; user_facing_hint opt s; turn_id opt s; item_id opt s
8 review_output opt o; review_output/findings req a; review_output/overall_correctness req s; review_output/overall_explanation req s
8 review_output/overall_confidence_score req f; turn_id opt s
9 call_id req s; turn_id def s; stdout req s; stderr req s; success req b; changes def o; status req e; changes/~1a/type req e
9 changes/~1a/unified_diff req s; changes/~1a/move_path opt s
10 call_id req s; turn_id def s; invocation req o; invocation/server req s; invocation/tool req s; invocation/arguments opt any
10 duration req o; duration/secs req n; duration/nanos req n; result req any; result/Ok/content req a
11 call_id req s; query req s; action req o; results opt a
12 call_id req s; status req s; revised_prompt opt s; result req s; saved_path opt path
13 event_id req s; occurred_at_ms def n; agent_thread_id req uuid; agent_path req agent; kind req e; model opt s; reasoning_effort opt effort
14 threadId req uuid; turnId opt s; goal req o; goal/threadId req uuid; goal/objective req s; goal/status req e; goal/tokenBudget opt n
14 goal/tokensUsed req n; goal/timeUsedSeconds req n; goal/createdAt req n; goal/updatedAt req n
15 num_turns req n
16 message req s; codex_error_info opt any
17 info opt o; rate_limits opt o; rate_limits/primary opt o; rate_limits/primary/used_percent req f; rate_limits/primary/window_minutes opt n
17 rate_limits/credits opt o; rate_limits/credits/has_credits req b; rate_limits/credits/unlimited req b; rate_limits/credits/balance opt s
18 turn_id req s; call_id req s; questions req a; questions/0/question req s; questions/0/answer req s; acceptance_order opt n
19 id req s; realtime_session_id req s; role req e; text req s
20 id req s; realtime_session_id req s; outcome req e
21 scores req o; scores/demo def f; sampled_at opt s
22 author req agent; recipient req agent; other_recipients def a; content req s; encrypted_content opt s; trigger_turn req b; id opt s
23 id opt s; status req e; action req o; action/type req e; action/command req a; action/timeout_ms opt n; action/working_directory opt s
23 action/env opt o; action/user opt s; encrypted_content opt s
24 output/0/text req s; output/0/type req e; output/1/detail opt e; output/2/audio_url req s; output/3/encrypted_content req s
25 id opt s; status req s; revised_prompt opt s; result req s
26 id opt s
27 reasoning req o; reasoning/effort req effort
28 id opt s; role req s; tools req a
29 turn_id opt s; reason req e; completed_at opt n; started_at opt n; duration_ms opt n; error opt o
`), kindsUnread)
}
