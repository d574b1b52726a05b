package compaction

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
)

func TestRule35TrimAndNormaliseFirst(t *testing.T) {
	w := int64(0)
	opt := budget(DefaultBudget)
	opt.Window = &w
	in := rows(user("u"), call("c1"), output("gone", "x"), call("c2"), output("c2", "y"), notice("n"))
	p := compact(t, in, opt)
	checkItems(t, p.Items, user("u"), summary("S"))
	if p.TrimmedOutputs != 1 {
		t.Errorf("%d outputs trimmed, want 1", p.TrimmedOutputs)
	}
	checkReason(t, decisionFor(t, p.Decisions, 2), Dropped, 33, "without its call")
	checkReason(t, decisionFor(t, p.Decisions, 4), Dropped, 36, "before: trailing tool output trimmed")
	checkReason(t, decisionFor(t, p.Decisions, 5), Dropped, 29, "resize notice of a trimmed tool output")

	// The synthetic output of c1 stands behind its call: input 1, then the added one.
	d := p.Decisions[2]
	if d.Index != -1 || d.Line != 0 || d.TokensBefore != 0 || d.Kind != "function_call_output" {
		t.Errorf("third decision is %+v, want the added output", d)
	}
	checkReason(t, d, Dropped, 36, "before: output added for a call without one (rule 31)")
}

func TestRule35Modalities(t *testing.T) {
	opt := budget(DefaultBudget)
	opt.Modalities = history.Modalities{Image: true}
	p := compact(t, rows(user("u"), assistant("a"), message("user", audio, smallImage)), opt)
	note := text("audio content omitted because you do not support audio input")
	checkItems(t, p.Items, cutMessage("user", text("u")),
		strings.Replace(cutMessage("user", note, smallImage), "unknown", "audio.unsupported", 1), summary("S"))
	checkReason(t, decisionFor(t, p.Decisions, 0), Rewritten, 34, "user message, content kinds listed")
	checkReason(t, decisionFor(t, p.Decisions, 1), Dropped, 36, "assistant message: only")
	checkReason(t, decisionFor(t, p.Decisions, 2), Rewritten, 34, "user message, media that the model does not take replaced by a note")
}

// The unit row preserves_retained_metadata_sidecar of compaction.md 8, and the groups
// around it.
func TestRule35Detach(t *testing.T) {
	clientNotice := row(notice("c"), client)
	generated := notice("g")
	harness := row(developer("h"), `{}`)
	noticed := row(user("u"), `{}`)
	in := []history.Row{harness, clientNotice, noticed, row(generated)}

	off := compact(t, in, budget(DefaultBudget))
	checkItems(t, off.Items, user("u"), generated, summary("S"))
	opt := budget(DefaultBudget)
	opt.RetainClientDeveloper = true
	on := compact(t, in, opt)
	checkItems(t, on.Items, notice("c"), user("u"), generated, summary("S"))
	checkMetadata(t, off, `{"client_authored":false}`, `{"client_authored":false}`, `{"client_authored":false}`)
	checkMetadata(t, on, client, `{"client_authored":false}`, `{"client_authored":false}`, `{"client_authored":false}`)

	for _, c := range []struct {
		name string
		in   []history.Row
		want []string
	}{
		{"detached from a message that stays", []history.Row{row(user("u")), clientNotice},
			[]string{user("u"), notice("c"), summary("S")}},
		{"detached from a message that goes", []history.Row{row(assistant("a")), clientNotice},
			[]string{notice("c"), summary("S")}},
		{"what was detached takes no notice", []history.Row{row(user("u")), clientNotice, row(generated)},
			[]string{user("u"), notice("c"), summary("S")}},
	} {
		t.Run(c.name, func(t *testing.T) { checkItems(t, compact(t, c.in, opt).Items, c.want...) })
	}
}

func checkMetadata(t *testing.T, p Plan, want ...string) {
	t.Helper()
	if len(p.Metadata) != len(want) {
		t.Fatalf("%d sidecars, want %d", len(p.Metadata), len(want))
	}
	for i, w := range want {
		if string(p.Metadata[i]) != w {
			t.Errorf("sidecar %d is %s, want %s", i, p.Metadata[i], w)
		}
	}
}

func TestRule36KeepTest(t *testing.T) {
	const env = "<environment_context>x</environment_context>"
	long := agent("/root", "/root/a", text(strings.Repeat("x", 40_000-12)))   // 5 + 7 + text: 10,000 tokens
	longer := agent("/root", "/root/a", text(strings.Repeat("x", 40_000-11))) // one byte more
	for _, c := range []struct {
		name, item string
		keep       bool
		reason     string
	}{
		{"user", user("u"), true, "user message"},
		{"empty user", message("user"), true, "user message"},
		{"only an image", message("user", smallImage), true, "user message"},
		{"local summary", user(summaryPrefix + "\ns"), true, "user message"},
		{"hook prompt", user(hookPrompt("x")), true, "hook prompt"},
		{"hook prompt and context", message("user", text(hookPrompt("x")), text(env)), true, "hook prompt"},
		{"hook prompt and real text", message("user", text(hookPrompt("x")), text("u")), false, "context message"},
		{"hook prompt and image", message("user", text(hookPrompt("x")), smallImage), false, "context message"},
		{"context", user(env), false, "context message"},
		{"context and real text", message("user", text("u"), text(env)), false, "context message"},
		{"assistant", assistant("a"), false, "assistant message: only user and agent messages are retained"},
		{"system", message("system", text("s")), false, "system message"},
		{"developer", developer("d"), false, "developer message"},
		{"notice", notice("n"), false, "resize notice without an item"},
		{"call output", output("c", "x"), false, "without its call"},
		{"reasoning", `{"type":"reasoning","summary":[]}`, false, "reasoning"},
		{"older compaction", summary("old"), false, "older summary"},
		{"context compaction", `{"type":"context_compaction","encrypted_content":"x"}`, false, "older summary"},
		{"unknown", `{"type":"novel"}`, false, "novel"},

		{"agent", agent("/root", "/root/a", text("x")), true, "agent message"},
		{"agent without content", agent("/root", "/root/a"), true, "agent message"},
		{"final answer", agent("/root", "/root/a", text("Message Type: FINAL_ANSWER\nx")), false, "final answers"},
		{"final answer in the second part", agent("/root", "/root/a", text(""), text("Message Type: FINAL_ANSWER\n")), true, "agent"},
		{"final answer without its newline", agent("/root", "/root/a", text("Message Type: FINAL_ANSWER")), true, "agent"},
		{"progress", agent("/root/a/b", "/root/a", text("Message Type: MESSAGE\nx")), false, "progress of a descendant"},
		{"channel post", agent("/root/a/b", "/root/a", text("Message Type: CHANNEL_POST\nx")), false, "progress"},
		{"new task from below", agent("/root/a/b", "/root/a", text("Message Type: NEW_TASK\nx")), true, "agent"},
		{"message from above", agent("/root/a", "/root/a/b", text("Message Type: MESSAGE\nx")), true, "agent"},
		{"message from itself", agent("/root/a", "/root/a", text("Message Type: MESSAGE\nx")), true, "agent"},
		{"message from a namesake", agent("/root/ab", "/root/a", text("Message Type: MESSAGE\nx")), true, "agent"},
		{"encrypted message from below", agent("/root/a/b", "/root/a", `{"type":"encrypted_content","encrypted_content":"Message Type: MESSAGE\n"}`), true, "agent"},
		{"10,000 tokens", long, true, "agent"},
		{"10,001 tokens", longer, false, "its 10001 tokens are over the limit of 10000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := compact(t, rows(c.item), budget(DefaultBudget))
			if c.keep {
				checkItems(t, p.Items, c.item, summary("S"))
			} else {
				checkItems(t, p.Items, summary("S"))
			}
			if d := p.Decisions[0]; !strings.Contains(d.Reason, c.reason) {
				t.Errorf("reason %q, want %q", d.Reason, c.reason)
			}
		})
	}
}

// compaction.md 3.1: with the 70 byte header of a task from /root to /root/worker the
// largest ciphertext that is retained has 70,956 characters.
func TestRule36AgentCiphertext(t *testing.T) {
	header := "Message Type: NEW_TASK\nTask name: /root/worker\nSender: /root\nPayload:\n"
	if len(header) != 70 {
		t.Fatalf("header of %d bytes", len(header))
	}
	for n, keep := range map[int]bool{40_022: true, 70_956: true, 70_957: false} {
		it := agent("/root", "/root/worker", text(header),
			`{"type":"encrypted_content","encrypted_content":"`+strings.Repeat("x", n)+`"}`)
		if got := len(compact(t, rows(it), budget(DefaultBudget)).Items) == 2; got != keep {
			t.Errorf("%d characters: retained %v, want %v", n, got, keep)
		}
	}
}

func TestRule36OnRequest(t *testing.T) {
	dev, out := row(developer("d"), client), clientOutput("o")
	custom := row(`{"type":"custom_tool_call_output","name":"t","output":"x"}`, client)
	in := []history.Row{dev, out, custom}
	p := compact(t, in, budget(DefaultBudget))
	checkItems(t, p.Items, summary("S"))
	checkReason(t, decisionFor(t, p.Decisions, 0), Dropped, 36, "not retained unless asked for")
	checkReason(t, decisionFor(t, p.Decisions, 1), Dropped, 36, "not retained unless asked for")

	opt := budget(DefaultBudget)
	opt.RetainClientDeveloper = true
	checkItems(t, compact(t, in, opt).Items, developer("d"), summary("S"))
	opt = budget(DefaultBudget)
	opt.RetainClientToolOutputs = true
	checkItems(t, compact(t, in, opt).Items, string(out.Item.Raw), summary("S"))
}

// The unit row filters_to_installed_retention_shape of compaction.md 8.
func TestRule36RetentionShape(t *testing.T) {
	hook := user(hookPrompt("x"))
	p := compact(t, rows(developer("d"), message("system", text("s")), user("u"), hook,
		assistant("a"), assistant("b"), call("c"), summary("old")), budget(DefaultBudget))
	checkItems(t, p.Items, user("u"), hook, summary("S"))
}

func TestRule42Cut(t *testing.T) {
	source := `{"id":{"message_id":"m","turn_id":"t","role":"user"},"revision":"r","complete":true}`
	cutSource := strings.Replace(source, "true", "false", 1)
	meta := `{"guardian_sources":[` + source + `,` + source + `],"guardian_review_ids":["a"],"guardian_source_order_guidance":true,` +
		`"guardian_retained_omissions":{"user_instructions":true,"assistant_context":true},"retained_source":` + source +
		`,"client_authored":false,"user_input_order":3,"novel":null}`
	item := `{"type":"message","id":"msg_1","role":"user","content":[` + text("abcdefghi") + `,` + smallImage + `],"phase":"x",` +
		`"internal_chat_message_metadata_passthrough":{"turn_id":"t","content_item_kinds":["user.text","image","surplus"],"create_time":1.50}}`
	opt := budget(2)
	opt.NoImageBudget = true
	in := []history.Row{row(item, meta)}
	p := compact(t, in, opt)
	checkItems(t, p.Items,
		`{"type":"message","id":"msg_1","role":"user","content":[`+text("abcd…1 tokens truncated…fghi")+`,`+smallImage+`],"phase":"x",`+
			`"internal_chat_message_metadata_passthrough":{"turn_id":"t","content_item_kinds":["user.text","image"],"create_time":1.50}}`,
		summary("S"))
	checkMetadata(t, p,
		`{"guardian_sources":[`+cutSource+`,`+cutSource+`],"retained_source":`+cutSource+`,"client_authored":false,"user_input_order":3,"novel":null}`,
		`{"client_authored":false}`)
	checkReason(t, decisionFor(t, p.Decisions, 0), Cut, 39, "cut to the 2 tokens that were left")
	if string(in[0].Item.Raw) != item || string(in[0].Meta.Raw) != meta {
		t.Error("the input row was modified")
	}

	// Whole messages are left alone, a missing sidecar is not made up.
	p = compact(t, []history.Row{row(user("abcdefghi"))}, budget(2))
	checkItems(t, p.Items, cutMessage("user", text("abcd…1 tokens truncated…fghi")), summary("S"))
	if p.Metadata != nil {
		t.Errorf("sidecars %s", p.Metadata)
	}
}

func TestRule43Result(t *testing.T) {
	opt := budget(DefaultBudget)
	opt.Summary = "“\"x\"”\n"
	opt.RetainClientToolOutputs = true
	out := row(`{"type":"function_call_output","name":"t","output":[`+text("x")+`,`+smallImage+`]}`, client)
	twoImages := message("user", smallImage, text("t"), image)
	p := compact(t, []history.Row{row(user("a")), row(message("assistant", smallImage)), row(twoImages), out, row(user("b"))}, opt)
	checkItems(t, p.Items, user("a"), twoImages, string(out.Item.Raw), user("b"),
		`{"type":"compaction","encrypted_content":"“\"x\"”\n"}`)
	if p.RetainedImages != 3 {
		t.Errorf("%d images retained, want 3", p.RetainedImages)
	}
	last := p.Decisions[len(p.Decisions)-1]
	if last.Action != Added || last.Rule != 43 || last.OutputIndex != 4 || last.Index != -1 || last.Line != 0 {
		t.Errorf("the summary's decision is %+v", last)
	}
	if p := compact(t, nil, opt); len(p.Items) != 1 || p.Metadata != nil || p.RetainedImages != 0 {
		t.Errorf("empty history: %+v", p)
	}
}

func TestStory(t *testing.T) {
	in := rows(user("abcdefghi"), assistant("a"), user("bcd"))
	in[1].Line = 1 // as if both came from one checkpoint
	p := compact(t, in, budget(3))
	got := strings.Join(p.Story(1), "\n")
	for _, want := range []string{
		"item 0, user message, line 1: 3 tokens",
		"rule 37: costs 3, its notice 0: does not fit into the 2 tokens left",
		"rule 39: cut to 2 tokens",
		"result: cut by rule 39: cut to the 2 tokens that were left (item 0 of the result,",
		"item 1, assistant message, line 1: 1 tokens",
		"result: dropped by rule 36",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Index(got, "item 0") > strings.Index(got, "item 1") || strings.Contains(got, "item 2") {
		t.Errorf("wrong items in\n%s", got)
	}
	if s := p.Story(2); s != nil {
		t.Errorf("story of a line without items: %q", s)
	}
	if s := p.Story(0); s != nil {
		t.Errorf("story of line 0: %q", s)
	}
	if s := (Plan{}).Story(1); s != nil {
		t.Errorf("story of no plan: %q", s)
	}
	w := int64(0)
	tp := trim(t, rows(output("c", "x")), TrimOptions{Window: &w})
	if got := strings.Join(tp.Story(1), "\n"); !strings.Contains(got, "rule 29: total 1 over the window of 0") {
		t.Errorf("story of a trim:\n%s", got)
	}
}

// The options hold rows that alias the input: nothing may be written through them.
func TestInputRowsStay(t *testing.T) {
	in := rows(user("a"), call("c"), output("c", "x"), message("user", smallImage), user(strings.Repeat("y", 400)))
	before := make([]string, len(in))
	for i, r := range in {
		before[i] = string(r.Item.Raw)
	}
	w := int64(1)
	opt := Options{TrimOptions: TrimOptions{Window: &w}, Budget: 50}
	compact(t, in, opt)
	LocalCompact(in, opt)
	for i, r := range in {
		if string(r.Item.Raw) != before[i] || r.Meta.Present() {
			t.Errorf("row %d changed", i)
		}
	}
}
