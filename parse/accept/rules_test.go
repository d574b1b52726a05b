package accept

import (
	"fmt"
	"strings"
	"testing"
)

// record is a line of the given type.
func record(typ, payload string) string {
	return fmt.Sprintf(`{"timestamp":"2026-11-02T09:00:00.000Z","type":%q,"payload":%s}`, typ, payload)
}

func withMetadata(payload, metadata string) string {
	return strings.TrimSuffix(record("response_item", payload), "}") + `,"metadata":` + metadata + `}`
}

const (
	userHi = `{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}`
	ghost  = `{"type":"ghost_snapshot","ghost_commit":{"id":"abc"}}`
)

// judgement is what a test expects of one line; an empty message is not compared.
type judgement struct {
	line    string
	verdict Verdict
	message string // a part of it
	pointer string
}

func expectAll(t *testing.T, check *Checker, cases []judgement) {
	t.Helper()
	for _, c := range cases {
		r := check.Line([]byte(c.line))
		if r.Verdict != c.verdict {
			t.Errorf("%q: got %v (%s), want %v", c.line, r.Verdict, r.Message, c.verdict)
			continue
		}
		if !strings.Contains(r.Message, c.message) {
			t.Errorf("%q: message %q lacks %q", c.line, r.Message, c.message)
		}
		if c.verdict == Err && r.Pointer != c.pointer {
			t.Errorf("%q: pointer %q, want %q", c.line, r.Pointer, c.pointer)
		}
	}
}

func TestRule01LineReading(t *testing.T) {
	ok := record("response_item", userHi)
	tool := func(arguments string) string {
		return record("response_item", `{"type":"tool_search_call","execution":"x","arguments":`+arguments+`}`)
	}
	nest := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	expectAll(t, NewChecker(), []judgement{
		{"", Blank, "", ""}, {" \t\r", Blank, "", ""}, {"\u00a0\u3000\u0085\u2028", Blank, "", ""},
		{"\u200b", Err, "expected value", ""},
		{"\x1c", Err, "expected value", ""},
		{"\x00\x00", Err, "expected value", ""},
		{"\ufeff" + ok, Err, "expected value", ""},
		{ok, OK, "", ""}, {ok + "\r", OK, "", ""}, {"  " + ok + " \t", OK, "", ""},
		{ok + ok, Err, "trailing characters", ""},
		{ok[:len(ok)-1], Err, "EOF while parsing an object", ""},
		{"[1,2]", Err, "rollout line must be a JSON object", ""},
		{`{"type":"event_msg","payload":{"type":"warning","message":"m"}}`, Err, "missing field `timestamp`", ""},
		{`{"timestamp":5,"type":"response_item","payload":` + userHi + `}`, Err, "expected a string", "/timestamp"},
		{`{"timestamp":"t","ordinal":3.0,"type":"response_item","payload":` + userHi + `}`, Err, "floating point", "/ordinal"},
		{`{"timestamp":"t","ordinal":null,"payload":` + userHi + `,"type":"response_item"}`, OK, "", ""},
		{record("session_state", `{"agent_task":null}`), Err, "unknown variant `session_state`", "/type"},
		{record("event_msg", `{"type":"undo_completed","success":true}`), Err, "unknown variant `undo_completed`", "/payload/type"},
		{record("event_msg", `{"type":"context_compacted","x":1}`), Err, "unknown field `x`", "/payload/x"},
		// The envelope and the payload are levels 1 and 2.
		{tool(nest(125)), OK, "", ""},
		{tool(nest(126)), Err, "recursion limit exceeded", ""},
		{tool(`"\ud800"`), Err, "unexpected end of hex escape", ""}, {tool(`"\udc00"`), Err, "lone leading surrogate in hex escape", ""},
		{tool(`"\u0000"`), OK, "", ""},
		{tool("\"\x01\""), Err, "control character", ""},
		{tool(`18446744073709551615`), OK, "", ""},
		{tool(`[18446744073709551616]`), Err, "128 bits", "/payload/arguments/0"},
		{tool(`340282366920938463463374607431768211455`), Err, "128 bits", "/payload/arguments"},
		{tool(`340282366920938463463374607431768211456`), OK, "", ""},
		{tool(`-9223372036854775808`), OK, "", ""},
		{tool(`-9223372036854775809`), Err, "128 bits", "/payload/arguments"},
		{tool(`-170141183460469231731687303715884105729`), OK, "", ""},
		{tool(`1844674407370955161600.0`), OK, "", ""},
	})
	r := NewChecker().Line([]byte("{\"timestamp\":\"\xff\"}"))
	if r.Verdict != Err || !r.InvalidUTF8 {
		t.Errorf("invalid UTF-8: %+v", r)
	}
}

func TestRule02UnknownItem(t *testing.T) {
	history := func(items string) string {
		return record("compacted", `{"message":"s","replacement_history":[`+items+`]}`)
	}
	expectAll(t, NewChecker(), []judgement{
		{record("response_item", `{"type":"zz","content":5}`), OK, "", ""},
		{record("response_item", `{"content":[]}`), Err, "missing field `type`", "/payload"},
		{record("response_item", `{"type":"message","content":[]}`), Err, "missing field `role`", "/payload"},
		{history(userHi + `,{"type":"zz"}`), OK, "", ""},
		{history(userHi + `,{"type":"message","role":"user","content":[{"type":"zz"}]}`), Err,
			"unknown variant `zz`", "/payload/replacement_history/1/content/0/type"},
		{history("null"), Err, "invalid type: null", "/payload/replacement_history/0"},
		{withMetadata(userHi, "null"), OK, "", ""},
		{withMetadata(userHi, "5"), Err, "invalid type: number `5`", "/metadata"},
	})
}

func TestRule03Ghost(t *testing.T) {
	compactedWith := func(rest string) string {
		return record("compacted", `{"message":"s","replacement_history":[`+ghost+`,`+userHi+`]`+rest+`}`)
	}
	expectAll(t, NewChecker(), []judgement{
		{record("response_item", ghost), Dropped, "", ""},
		{`{"type":"response_item","ordinal":"x","payload":` + ghost + `}`, Dropped, "", ""},
		{record("response_item", `{"type":"message","type":"ghost_snapshot"}`), Dropped, "", ""},
		{record("response_item", `{"type":"ghost_snapshot","type":"message"}`), Err, "missing field `role`", "/payload"},
		{record("response_item", `{"type":"ghost_snapshot","n":18446744073709551616}`), Dropped, "", ""},
		{compactedWith(""), OK, "", ""},
		{compactedWith(`,"replacement_history_metadata":[{},{}]`), OK, "", ""},
		{compactedWith(`,"replacement_history_metadata":["any",{}]`), OK, "", ""}, // the ghost's own slot goes too
		{compactedWith(`,"replacement_history_metadata":[{},"any"]`), Err, "invalid type: string", "/payload/replacement_history_metadata/1"},
		{compactedWith(`,"replacement_history_metadata":[{}]`), Err, "has 1 entries for 2 history items", "/payload/replacement_history_metadata"},
		{compactedWith(`,"replacement_history_metadata":null`), OK, "", ""}, // the ghost stays, as an unknown item
		{record("compacted", `{"message":"s","guardian_history":[`+ghost+`]}`), OK, "", ""},
		{record("compacted", `{"replacement_history_metadata":["any",{}],"replacement_history":[`+ghost+`,`+userHi+`],"message":"s"}`), OK, "", ""},
	})
}

func TestRule04SidecarAlignment(t *testing.T) {
	both := func(history, sidecar string) string {
		return record("compacted", `{"message":"s","replacement_history":`+history+`,"replacement_history_metadata":`+sidecar+`}`)
	}
	two := "[" + userHi + "," + userHi + "]"
	expectAll(t, NewChecker(), []judgement{
		{both(two, `[{},{"zz":1}]`), OK, "", ""},
		{both(two, `null`), OK, "", ""},
		{both(`[]`, `[]`), OK, "", ""},
		{both(two, `[{},{},{}]`), Err, "replacement_history_metadata has 3 entries for 2 history items", "/payload/replacement_history_metadata"},
		{both(two, `[]`), Err, "replacement_history_metadata has 0 entries for 2 history items", "/payload/replacement_history_metadata"},
		{both("null", `[]`), Err, "replacement_history_metadata requires replacement_history", "/payload/replacement_history_metadata"},
		{record("compacted", `{"message":"s","replacement_history_metadata":[]}`), Err, "requires replacement_history", "/payload/replacement_history_metadata"},
		{both(two, `[{},null]`), Err, "invalid type: null", "/payload/replacement_history_metadata/1"},
	})
}

func TestRule05NumericWindowID(t *testing.T) {
	window := func(id string) string { return record("compacted", `{"message":"s","window_id":`+id+`}`) }
	cases := []judgement{
		{window(`5`), OK, "", ""}, {window(`0`), OK, "", ""}, {window(`"5"`), OK, "", ""}, {window(`null`), OK, "", ""},
	}
	for _, bad := range []string{`3.0`, `1e2`, `-1`, `true`, `{}`, `[]`} {
		cases = append(cases, judgement{window(bad), Err, "", "/payload/window_id"})
	}
	expectAll(t, NewChecker(), cases)
}

func TestRule06DeliveredMessage(t *testing.T) {
	item := func(role, content, pass string) string {
		return `{"type":"message","role":"` + role + `","content":[` + content + `],"internal_chat_message_metadata_passthrough":` + pass + `}`
	}
	const out, turn = `{"type":"output_text","text":"x"}`, `{"turn_id":"t"}`
	const complete = `{"user_input_order":2,"delivered_assistant_message":"codex:code-mode-delivery:v1:complete"}`
	check := NewChecker()
	for line, want := range map[string]string{
		withMetadata(item("assistant", out, turn), complete): "retained_context",
		withMetadata(item("assistant", out, turn),
			`{"user_input_order":2,"delivered_assistant_message":"codex:code-mode-delivery:v1:incomplete:real"}`): "retained_context",
		withMetadata(item("assistant", out, turn),
			`{"user_input_order":2,"delivered_assistant_message":"plain"}`): "response_item",
		withMetadata(item("assistant", out, turn),
			`{"delivered_assistant_message":"codex:code-mode-delivery:v1:complete"}`): "response_item",
		withMetadata(item("user", out, turn), complete):                                                     "response_item",
		withMetadata(item("assistant", out+","+out, turn), complete):                                        "response_item",
		withMetadata(item("assistant", `{"type":"input_text","text":"x"}`, turn), complete):                 "response_item",
		withMetadata(item("assistant", out, `{"turn_id":null}`), complete):                                  "response_item",
		withMetadata(item("assistant", out, `null`), complete):                                              "response_item",
		record("retained_context", `{"type":"verified_answer","turn_id":"t","call_id":"c","questions":[]}`): "retained_context",
	} {
		if r := check.Line([]byte(line)); r.Verdict != OK || r.Kind != want {
			t.Errorf("%s: got %v %q (%s), want ok %q", line, r.Verdict, r.Kind, r.Message, want)
		}
	}
}

func TestRule07AgentPath(t *testing.T) {
	to := func(path string) string {
		return record("inter_agent_communication", `{"author":"/root","recipient":"`+path+`","content":"","trigger_turn":false}`)
	}
	var cases []judgement
	for _, path := range []string{"/root", "/morpheus", "/root/a", "/root/a_1/b", "/root/_"} {
		cases = append(cases, judgement{to(path), OK, "", ""})
	}
	for _, path := range []string{"", "/", "root", "/other", "/morpheus/a", "/root/", "/root/a/", "/root//a", "/root/root",
		"/root/a/root", "/root/A", "/root/a-b", "/rootx"} {
		cases = append(cases, judgement{to(path), Err, "invalid agent path", "/payload/recipient"})
	}
	// An agent_message item is not checked, neither is the path in session_meta.
	cases = append(cases, judgement{record("response_item",
		`{"type":"agent_message","author":"x","recipient":"","content":[]}`), OK, "", ""})
	expectAll(t, NewChecker(), cases)
}

func TestRule08MetadataFields(t *testing.T) {
	const source = `{"id":{"message_id":"m","turn_id":"t","role":"user"},"revision":"r","complete":true}`
	newest, old := NewChecker(), NewChecker(WithProfile("2026-08-21"))
	for _, f := range []struct{ name, good, bad string }{
		{"client_authored", `true`, `null`},
		{"fallback_token_limit_override", `5`, `-1`},
		{"harness_authored_configuration", `false`, `null`},
		{"user_input_order", `0`, `"1"`},
		{"compaction_output", `true`, `1`},
		{"compaction_model_hash", `null`, `5`},
		{"inherited_user_message", `true`, `"x"`},
		{"delivered_assistant_message", `"x"`, `{}`},
		{"sender_user_messages", `{"receiver_turn_id":"t","receiver_message_id":"m","text":"x"}`, `{}`},
		{"retained_source", source, `{"id":"m"}`},
		{"guardian_sources", `[` + source + `]`, `null`},
		{"guardian_review_ids", `["r"]`, `[5]`},
		{"guardian_source_order_guidance", `true`, `null`},
		{"guardian_retained_omissions", `{"user_instructions":true,"assistant_context":false}`, `{}`},
	} {
		line := func(val string) []byte { return []byte(withMetadata(userHi, `{"`+f.name+`":`+val+`,"zz":1}`)) }
		if r := newest.Line(line(f.good)); r.Verdict != OK {
			t.Errorf("%s: %s is rejected: %s", f.name, f.good, r.Message)
		}
		if r := newest.Line(line(f.bad)); r.Verdict != Err || !strings.HasPrefix(r.Pointer, "/metadata/"+f.name) {
			t.Errorf("%s: %s gives %v at %q", f.name, f.bad, r.Verdict, r.Pointer)
		}
		if r := old.Line(line(f.bad)); (r.Verdict == Err) != (f.name == "client_authored") {
			t.Errorf("%s: %s gives %v in 2026-08", f.name, f.bad, r.Verdict)
		}
	}
	for _, attribution := range []string{`null`, `5`, `{"status":"zz"}`, `{"status":"none","zz":1}`} {
		if r := newest.Line([]byte(withMetadata(userHi, `{"mcp_attribution":`+attribution+`}`))); r.Verdict != OK {
			t.Errorf("mcp_attribution %s: %s", attribution, r.Message)
		}
	}
}
