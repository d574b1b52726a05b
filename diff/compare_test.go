package diff

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

func TestCompareOps(t *testing.T) {
	env1, env2 := "<environment_context>one</environment_context>", "<environment_context>two</environment_context>"
	long := strings.Repeat("a", 40) + strings.Repeat("b", 40)
	image := `{"type":"input_image","image_url":"data:image/png;base64,AAAA"}`
	kinds := `"internal_chat_message_metadata_passthrough":{"content_item_kinds":["unknown"]},`
	tests := []struct {
		name          string
		before, after []string
		want          string
	}{
		{"both empty", nil, nil, ""},
		{"empty before", nil, []string{user("a")}, "add - 0 only after\n"},
		{"empty after", []string{user("a")}, nil, "drop 0 - only before\n"},
		{"equal", []string{user("a"), assistant("b")}, []string{user("a"), assistant("b")}, "keep 0 0\nkeep 1 1\n"},
		{"spelling does not count", []string{user("aé")},
			[]string{`{"role":"user", "content":[{"text":"\u0061\u00e9","type":"input_text"}], "type":"message"}`},
			"keep 0 0\n"},
		{"numbers are literals", []string{`{"type":"x","n":1}`}, []string{`{"type":"x","n":1.0}`},
			"drop 0 - only before\nadd - 0 only after\n"},
		{"dropped in its place", []string{user("a"), reasoning("r"), user("b")}, []string{user("a"), user("b")},
			"keep 0 0\ndrop 1 - only before\nkeep 2 1\n"},
		{"appended", []string{user("a")}, []string{user("a"), assistant("b")}, "keep 0 0\nadd - 1 only after\n"},
		{"moved", []string{developer("dev"), user("a"), user("b")}, []string{user("a"), user("b"), developer("dev")},
			"keep 1 0\nkeep 2 1\nmove 0 2 moved\n"},
		{"duplicates", []string{user("a"), user("a"), user("a")}, []string{user("a"), user("a")},
			"keep 0 0\nkeep 1 1\ndrop 2 - only before\n"},
		{"duplicates in other numbers", []string{user("a"), user("b"), user("a")}, []string{user("b"), user("a"), user("b")},
			"drop 0 - only before\nkeep 1 0\nkeep 2 1\nadd - 2 only after\n"},
		{"same id", []string{userID("msg_1", "one")}, []string{userID("msg_1", "two")}, "change 0 0 changed: content\n"},
		{"ids differ", []string{userID("msg_1", "the same seven words are in here")},
			[]string{userID("msg_2", "the same seven words are in there")},
			"drop 0 - only before\nadd - 0 only after\n"},
		{"similar without ids", []string{user("the same seven words are in here"), user("x")},
			[]string{user("the same seven words are in there")},
			"change 0 0 changed: content\ndrop 1 - only before\n"},
		{"same call id, other type", []string{call("c1", "ls")}, []string{output("c1", "ls")},
			"drop 0 - only before\nadd - 0 only after\n"},
		{"call ids tell calls apart", []string{call("c1", "ls -la /srv")}, []string{call("c2", "ls -la /srv")},
			"drop 0 - only before\nadd - 0 only after\n"},
		{"same call id", []string{call("c1", "ls"), output("c1", "old")}, []string{call("c1", "ls"), output("c1", "new")},
			"keep 0 0\nchange 1 1 changed: output\n"},
		{"trimmed output", []string{output("c1", "much")}, []string{output("c1", trimmedOutput)},
			"cut 0 0 output taken out to fit the context window\n"},
		{"trimmed list output", []string{`{"type":"custom_tool_call_output","call_id":"c1","output":[` + textPart("x") + `]}`},
			[]string{`{"type":"custom_tool_call_output","call_id":"c1","output":` + quote(trimmedOutput) + `}`},
			"cut 0 0 output taken out to fit the context window\n"},
		{"trimmed tools", []string{`{"type":"tool_search_output","call_id":"c1","tools":[{"name":"t"}]}`},
			[]string{`{"type":"tool_search_output","call_id":"c1","tools":[]}`},
			"cut 0 0 output taken out to fit the context window\n"},
		{"cut text without id", []string{user("x"), user(long), user("y")},
			[]string{message("user", kinds, textPart("aaaa…18 tokens truncated…bbbb")), user("y")},
			"drop 0 - only before\ncut 1 0 cut to the token budget\nkeep 2 1\n"},
		{"image dropped", []string{message("user", "", textPart("look at this"), image)}, []string{user("look at this")},
			"cut 0 0 image or audio dropped\n"},
		{"id gained", []string{user("a")}, []string{userID("msg_1", "a")},
			"change 0 0 bookkeeping only: ids or passthrough metadata differ\n"},
		{"kinds gained", []string{user("a")}, []string{message("user", kinds, textPart("a"))},
			"change 0 0 bookkeeping only: ids or passthrough metadata differ\n"},
		{"ids decide among equals", []string{userID("msg_1", "go on"), userID("msg_2", "go on")},
			[]string{strings.Replace(userID("msg_2", "go on"), `"id"`, kinds+`"id"`, 1)},
			"drop 0 - only before\nchange 1 0 bookkeeping only: ids or passthrough metadata differ\n"},
		{"context refreshed", []string{userID("msg_1", env1), user("a")}, []string{user("a"), userID("msg_2", env2)},
			"keep 1 0\nchange 0 1 context refreshed\n"},
		{"newest context", []string{user(env1), user("a"), user("<environment_context>1b</environment_context>")},
			[]string{user("a"), user(env2)},
			"drop 0 - only before\nkeep 1 0\nchange 2 1 context refreshed\n"},
		{"context of another kind", []string{user(env1)}, []string{user("<skill>s</skill>")},
			"drop 0 - only before\nadd - 0 injected context: added\n"},
		{"identical context", []string{user(env1), assistant("x")}, []string{user(env1)}, "keep 0 0\ndrop 1 - only before\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Compare(Side{Rows: rows(t, tt.before...)}, Side{Rows: rows(t, tt.after...)}, Options{})
			if got := brief(r); got != tt.want {
				t.Errorf("got:\n%swant:\n%s", got, tt.want)
			}
		})
	}
}

func TestCompareIgnoringBookkeeping(t *testing.T) {
	before := rows(t, userID("msg_1", "a"), userID("msg_2", "a"), userID("msg_3", "the same seven words are in here"))
	after := rows(t, userID("msg_2", "a"), userID("msg_9", "a"), userID("msg_8", "the same seven words are in there"))
	r := Compare(Side{Rows: before}, Side{Rows: after}, Options{IgnoreBookkeeping: true})
	if got, want := brief(r), "keep 0 0\nkeep 1 1\nchange 2 2 changed: content\n"; got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
	if r.Prefix.Items != 2 {
		t.Errorf("common prefix of %d items, want 2", r.Prefix.Items)
	}
}

// Every kind of item a compaction leaves out, with its reason.
func TestRule36DropReasons(t *testing.T) {
	notice := developer("<image_resize_notice>\nImage 1\n</image_resize_notice>")
	before := rows(t,
		call("c1", "ls"), output("c1", "x"), reasoning("r"), assistant("done"), checkpoint("b2xk"),
		developer("<permissions instructions>x"), notice, message("system", "", textPart("s")),
		developer("client"), developer("harness"),
		`{"type":"agent_message","author":"/root","recipient":"/root/a","content":[]}`,
		`{"type":"web_search_call","action":{"type":"search","query":"q"}}`, user("old"))
	before[8].Meta = parse.ViewSidecar(jsonraw.Value(`{"client_authored":true}`))
	before[9].Meta = parse.ViewSidecar(jsonraw.Value(`{"client_authored":false}`))
	r := Compare(
		Side{Point: "compaction:2:before", Rows: before},
		Side{Point: "compaction:2:after", Rows: rows(t, checkpoint("bmV3"))}, Options{})
	want := []string{
		"tool call and output: not retained", "tool call and output: not retained", "reasoning: not retained",
		"assistant message: not retained", "older checkpoint replaced", "injected context: dropped",
		"image resize notice: goes with its source", "system message: not retained",
		"client-authored developer message: not retained", "developer message: not retained",
		"agent message: not retained", "tool call and output: not retained", "user message: not retained",
	}
	reasons := map[int]string{}
	for _, c := range r.Changes {
		switch c.Op {
		case Drop:
			reasons[c.Before.Index] = c.Reason
		case Add:
			if c.Reason != "summary of this compaction" {
				t.Errorf("added: %s", c.Reason)
			}
		default:
			t.Errorf("unexpected %s", c.Op)
		}
	}
	for i, w := range want {
		if reasons[i] != w {
			t.Errorf("item %d: got %q, want %q", i, reasons[i], w)
		}
	}
}

func TestRule31InsertedOutput(t *testing.T) {
	after := rows(t, call("c1", "ls"), output("c1", "aborted"))
	after[1].Line = 0
	r := Compare(Side{Rows: rows(t, call("c1", "ls"))}, Side{Rows: after}, Options{})
	if c := r.Changes[1]; c.Rule != 31 || c.Reason != "missing output inserted" {
		t.Errorf("got rule %d, %q", c.Rule, c.Reason)
	}
}

func TestExplain(t *testing.T) {
	explain := func(c Change) (int, string, bool) {
		if c.Before != nil && c.Before.Index == 1 {
			return 36, "by the rules", true
		}
		return 0, "", false
	}
	r := Compare(Side{Rows: rows(t, user("a"), reasoning("r"))}, Side{Rows: rows(t, user("a"))}, Options{Explain: explain})
	if c := r.Changes[1]; c.Rule != 36 || c.Reason != "by the rules" {
		t.Errorf("got rule %d, %q", c.Rule, c.Reason)
	}
	if c := r.Changes[0]; c.Rule != 0 || c.Reason != "unchanged" {
		t.Errorf("got rule %d, %q", c.Rule, c.Reason)
	}
}

// 8 bytes of instructions are 2 tokens; "abcd" is 1, "abcde" 2, "sh"+"functions"+"ls"
// is 13 bytes and 4 tokens (rule 25).
func TestTotals(t *testing.T) {
	a, b := user("abcd"), user("abcde")
	spaced := strings.Replace(call("c1", "ls"), `,"name"`, ` , "name"`, 1)
	before := Side{Point: "line:9", Instructions: "12345678", Rows: rows(t, a, b, spaced)}
	after := Side{Point: "end", Instructions: "12345678", Rows: rows(t, a, b)}
	r := Compare(before, after, Options{})
	wantBytes := int64(len(a) + len(b) + len(call("c1", "ls")))
	if want := (Summary{Point: "line:9", Items: 3, Tokens: 2 + 1 + 2 + 4, Bytes: wantBytes}); r.Before != want {
		t.Errorf("before: got %+v, want %+v", r.Before, want)
	}
	if want := (Summary{Point: "end", Items: 2, Tokens: 2 + 1 + 2, Bytes: int64(len(a) + len(b))}); r.After != want {
		t.Errorf("after: got %+v, want %+v", r.After, want)
	}
	if want := (Prefix{Items: 2, Bytes: int64(len(a) + len(b)), Tokens: 3}); r.Prefix != want {
		t.Errorf("prefix: got %+v, want %+v", r.Prefix, want)
	}
	if len(r.ByKind) != 2 || r.ByKind[0].Kind != "message/user" || r.ByKind[1] != (KindTotal{
		Kind: "function_call", ItemsBefore: 1, TokensBefore: 4, BytesBefore: int64(len(call("c1", "ls"))),
	}) {
		t.Errorf("by kind: %+v", r.ByKind)
	}
}

func TestInstructionsEndThePrefix(t *testing.T) {
	side := func(instructions string) Side {
		return Side{Instructions: instructions, Rows: rows(t, user("a"))}
	}
	if r := Compare(side("x"), side("y"), Options{}); r.SameInstructions || r.Prefix != (Prefix{}) || r.Equal() {
		t.Errorf("got %+v, same %v", r.Prefix, r.SameInstructions)
	}
	if r := Compare(side("x"), side("x"), Options{}); !r.Equal() || r.Prefix.Items != 1 {
		t.Errorf("got %+v", r)
	}
}

func TestKind(t *testing.T) {
	for raw, want := range map[string]string{
		user("hello"): "message/user",
		user(" <environment_context>x</environment_context>\n"):   KindContext,
		user(`<hook_prompt hook_run_id="h1">x</hook_prompt>`):     KindHookPrompt,
		developer("<Permissions Instructions> x"):                 KindContext,
		developer("<image_resize_notice>x</image_resize_notice>"): KindNotice,
		developer("plain"): "message/developer",
		assistant("<environment_context></environment_context>"): "message/assistant",
		`{"type":"message"}`:            "message/unknown",
		`{}`:                            "unknown",
		`{"type":"compaction_summary"}`: "compaction",
		`{"type":"brand_new"}`:          "brand_new",
		message("user", `"`+parse.PassthroughKey+`":{"content_item_kinds":["compaction.summary"]},`, textPart("s")): KindSummary,
	} {
		if got := Kind(rows(t, raw)[0].Item); got != want {
			t.Errorf("%s: got %s, want %s", raw, got, want)
		}
	}
}

func TestFragmentName(t *testing.T) {
	for text, want := range map[string]string{
		"<environment_context>\n x":                        "environment_context",
		"<external_Foo>a</external_Foo>":                   "external_foo",
		`<codex_internal_context source="goal">x`:          `codex_internal_context source="goal"`,
		`<hook_prompt hook_run_id="1">x`:                   "hook_prompt",
		"# AGENTS.md instructions for /a\n":                "# agents.md instructions",
		"Approved command prefix saved:\n- ls":             "approved command prefix",
		"Warning: apply_patch was requested via exec. Use": "warning: apply_patch was",
	} {
		if got := fragmentName(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestLargePayload(t *testing.T) {
	before, after := largePayloads(t, 5000)
	r := Compare(Side{Rows: before}, Side{Rows: after}, Options{})
	count := map[Op]int{}
	for _, c := range r.Changes {
		count[c.Op]++
	}
	// Of every 20 items: 1 dropped, 1 replaced by a new one, 2 with another text.
	if count[Keep] != 4000 || count[Drop] != 500 || count[Add] != 250 || count[Altered] != 500 || len(count) != 4 {
		t.Errorf("got %v", count)
	}
}
