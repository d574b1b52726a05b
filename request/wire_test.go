package request_test

import (
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/request"
)

const pass = `"internal_chat_message_metadata_passthrough":`

// wired is the wire form of one item.
func wired(t testing.TB, item string, openAI bool) string {
	t.Helper()
	b := request.Turn(rows(t, item), history.Facts{})
	before := string(b.Rows[0].Item.Raw)
	stored := b.Rows
	b.Wire(openAI)
	if got := string(stored[0].Item.Raw); got != before {
		t.Errorf("the stored row has become %s", got)
	}
	return string(b.Rows[0].Item.Raw)
}

type wireCase struct{ name, item, want string }

func checkWire(t *testing.T, openAI bool, cases []wireCase) {
	t.Helper()
	for _, tt := range cases {
		if got := wired(t, tt.item, openAI); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// compaction.md 6.3 rule 2.
func TestWirePassthrough(t *testing.T) {
	const msg = `{"type":"message","role":"user","content":[]`
	full := msg + `,` + pass + `{"executed_tool_calls":[],"content_item_kinds":["a"],"cell_id":"c","create_time":1793610001.250,"tool_calls_complete":true,"turn_id":"t","new":1}}`
	checkWire(t, true, []wireCase{
		{"write-only keys go, numbers stay", full, msg + `,` + pass + `{"turn_id":"t","create_time":1793610001.250,"content_item_kinds":["a"]}}`},
		{"nulls go", msg + `,` + pass + `{"turn_id":null,"create_time":null,"content_item_kinds":null}}`, msg + `,` + pass + `{}}`},
		{"bad kinds read as absent", msg + `,` + pass + `{"turn_id":"t","content_item_kinds":["a",7]}}`, msg + `,` + pass + `{"turn_id":"t"}}`},
		{"an empty object stays", msg + `,` + pass + `{}}`, msg + `,` + pass + `{}}`},
		{"null goes", msg + `,` + pass + `null}`, msg + `}`},
		{"none is made", msg + `}`, msg + `}`},
		{"encrypted arguments stay", `{"type":"function_call","name":"f","arguments":"{}","encrypted_function_args":["x"],"call_id":"c"}`,
			`{"type":"function_call","name":"f","arguments":"{}","encrypted_function_args":["x"],"call_id":"c"}`},
		{"items that have none", `{"type":"configuration_update","reasoning":{"effort":"low"},` + pass + `{"turn_id":"t"}}`,
			`{"type":"configuration_update","reasoning":{"effort":"low"}}`},
		{"nor have tools", `{"type":"additional_tools","role":"developer","tools":[],` + pass + `{"turn_id":"t"}}`,
			`{"type":"additional_tools","role":"developer","tools":[]}`},
	})
	checkWire(t, false, []wireCase{
		{"other providers do not get it", full, msg + `}`},
		{"nor encrypted arguments", `{"type":"function_call","name":"f","arguments":"{}","encrypted_function_args":["x"],"call_id":"c"}`,
			`{"type":"function_call","name":"f","arguments":"{}","call_id":"c"}`},
	})
}

// compaction.md 6.3 rule 3: text on both sides of the first underscore.
func TestWireID(t *testing.T) {
	for id, sent := range map[string]bool{
		`"msg_1"`: true, `"a_b_c"`: true, `"é_ü"`: true, `"a__"`: true,
		`"msg"`: false, `""`: false, `"_1"`: false, `"msg_"`: false, `"__a"`: false, `"_"`: false, `null`: false,
	} {
		want := `{"type":"message","role":"user","content":[]}`
		if sent {
			want = `{"type":"message","id":` + id + `,"role":"user","content":[]}`
		}
		if got := wired(t, `{"type":"message","role":"user","content":[],"id":`+id+`}`, true); got != want {
			t.Errorf("id %s:\n got %s\nwant %s", id, got, want)
		}
	}
	const compaction = `{"type":"compaction","encrypted_content":"x"}`
	if got := wired(t, `{"encrypted_content":"x","type":"compaction_summary","id":"old"}`, true); got != compaction {
		t.Errorf("got %s, want %s", got, compaction)
	}
}

// compaction.md 6.3 rule 4: optional nulls and unknown members go, `type` first, then
// the order of declaration (format.md 5.1).
func TestWireMembers(t *testing.T) {
	const p = `,` + pass + `{"turn_id":"t"}`
	checkWire(t, true, []wireCase{
		{"message", `{"phase":"commentary","content":[ ],"role":"assistant","id":"msg_1","status":"completed","encrypted_content":"e","end_turn":true` + p + `,"type":"message"}`,
			`{"type":"message","encrypted_content":"e","status":"completed","id":"msg_1","role":"assistant","content":[ ],"phase":"commentary"` + p + `}`},
		{"message with nulls", `{"type":"message","encrypted_content":null,"status":null,"id":null,"role":"user","content":[],"phase":null}`,
			`{"type":"message","role":"user","content":[]}`},
		{"agent message", `{"type":"agent_message","content":[],"recipient":"b","author":"a","id":"amsg_1"` + p + `}`,
			`{"type":"agent_message","id":"amsg_1","author":"a","recipient":"b","content":[]` + p + `}`},
		{"local shell call", `{"type":"local_shell_call","action":{"type":"exec","command":[]},"status":"completed","id":"lsh_1","encrypted_content":null` + p + `}`,
			`{"type":"local_shell_call","id":"lsh_1","call_id":null,"status":"completed","action":{"type":"exec","command":[]}` + p + `}`},
		{"function call", `{"type":"function_call","call_id":"c","arguments":"{}","namespace":"n","name":"f","status":"completed","encrypted_content":"e","id":"fc_1"` + p + `}`,
			`{"type":"function_call","id":"fc_1","name":"f","namespace":"n","arguments":"{}","call_id":"c","status":"completed","encrypted_content":"e"` + p + `}`},
		{"function output", `{"type":"function_call_output","output":"x","success":true,"namespace":"n","name":"f","call_id":null,"id":"fco_1"` + p + `}`,
			`{"type":"function_call_output","id":"fco_1","name":"f","namespace":"n","output":"x"` + p + `}`},
		{"custom tool call", `{"type":"custom_tool_call","input":"i","namespace":null,"name":"f","call_id":"c","status":"completed","id":"ctc_1","encrypted_content":"e"` + p + `}`,
			`{"type":"custom_tool_call","id":"ctc_1","status":"completed","call_id":"c","name":"f","input":"i","encrypted_content":"e"` + p + `}`},
		{"custom tool output", `{"type":"custom_tool_call_output","output":[],"name":"f","call_id":"c","id":"ctco_1","namespace":"n"` + p + `}`,
			`{"type":"custom_tool_call_output","id":"ctco_1","call_id":"c","name":"f","output":[]` + p + `}`},
		{"tool search call", `{"type":"tool_search_call","arguments":{"q":1E+3},"execution":"client"}`,
			`{"type":"tool_search_call","call_id":null,"execution":"client","arguments":{"q":1E+3}}`},
		{"tool search output", `{"type":"tool_search_output","tools":[],"execution":"client","status":"completed","call_id":null}`,
			`{"type":"tool_search_output","call_id":null,"status":"completed","execution":"client","tools":[]}`},
		{"web search call", `{"type":"web_search_call","action":null,"status":"completed","id":"ws_1"}`,
			`{"type":"web_search_call","id":"ws_1","status":"completed"}`},
		{"image generation call", `{"type":"image_generation_call","result":"r","revised_prompt":"p","status":"completed","id":"ig_1"}`,
			`{"type":"image_generation_call","id":"ig_1","status":"completed","revised_prompt":"p","result":"r"}`},
		{"context compaction", `{"type":"context_compaction","encrypted_content":null}`, `{"type":"context_compaction"}`},
		{"trigger", `{"type":"compaction_trigger","metadata":{}}`, `{"type":"compaction_trigger"}`},
		{"additional tools", `{"tools":[],"role":"developer","type":"additional_tools","id":"at_1"}`,
			`{"type":"additional_tools","id":"at_1","role":"developer","tools":[]}`},
		{"unknown, echoed (U11)", `{"x":null, "type":"hologram","id":"bad"}`, `{"x":null, "type":"hologram","id":"bad"}`},
		{"the last duplicate counts", `{"type":"message","role":"user","role":"developer","content":[]}`,
			`{"type":"message","role":"developer","content":[]}`},
	})
}

// compaction.md 6.3 rule 5.
func TestWireReasoningContent(t *testing.T) {
	const head = `{"type":"reasoning","summary":[]`
	checkWire(t, true, []wireCase{
		{"absent", head + `}`, head + `,"content":null,"encrypted_content":null}`},
		{"null", head + `,"content":null,"encrypted_content":null}`, head + `,"content":null,"encrypted_content":null}`},
		{"empty", head + `,"content":[],"encrypted_content":"e"}`, head + `,"encrypted_content":"e"}`},
		{"text only", head + `,"content":[{"type":"text","text":"x"}]}`, head + `,"encrypted_content":null}`},
		{"reasoning_text", head + `,"content":[{"type":"reasoning_text","text":"x"}]}`,
			head + `,"content":[{"type":"reasoning_text","text":"x"}],"encrypted_content":null}`},
		{"both", head + `,"content":[{"type":"text","text":"x"},{"type":"reasoning_text","text":"y"}]}`,
			head + `,"content":[{"type":"text","text":"x"},{"type":"reasoning_text","text":"y"}],"encrypted_content":null}`},
		{"id first", `{"encrypted_content":"e","id":"rs_1","summary":[],"type":"reasoning"}`,
			`{"type":"reasoning","id":"rs_1","summary":[],"content":null,"encrypted_content":"e"}`},
	})
}

// Sidecars never leave (compaction.md 6.3 rule 1); rows keep them for their readers.
func TestWireKeepsRows(t *testing.T) {
	b := request.Turn(rows(t, callA, outputA), history.Facts{})
	b.Wire(true)
	for i, r := range b.Rows {
		if r.Line != i+1 || !r.Meta.ClientAuthored() {
			t.Errorf("row %d: line %d, metadata %s", i, r.Line, r.Meta.Raw)
		}
	}
	want := `{"input":[` + callA + `,` + outputA + `],"tool_choice":"auto","reasoning":{},"store":false,"stream":true,"include":["reasoning.encrypted_content"]}` + "\n"
	if got := written(t, b); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
