package compaction

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/tokens"
)

const trimmed = "Output exceeded the available model context and was truncated"

func window(n int64) TrimOptions { return TrimOptions{Window: &n} }

func trim(t *testing.T, in []history.Row, opt TrimOptions) TrimPlan {
	t.Helper()
	p := Trim(in, opt)
	checkDecisions(t, in, p.Rows, p.Decisions)
	return p
}

func TestRule28NoWindow(t *testing.T) {
	in := rows(call("c1"), output("c1", strings.Repeat("x", 4000)))
	p := trim(t, in, TrimOptions{Instructions: 1 << 40})
	checkItems(t, p.Rows, string(in[0].Item.Raw), string(in[1].Item.Raw))
	if p.Rewritten != 0 || p.DeletedTokens != 0 {
		t.Errorf("rewritten %d, deleted %d without a window", p.Rewritten, p.DeletedTokens)
	}
	checkReason(t, decisionFor(t, p.Decisions, 1), Kept, 28, "no window given")
}

func TestRule28Groups(t *testing.T) {
	n, big := notice("n"), strings.Repeat("x", 4000)
	clientNotice := row(notice("c"), client)
	for _, c := range []struct {
		name string
		in   []history.Row
		want []string
	}{
		{"the notice goes with its output",
			rows(call("c"), output("c", big), n), []string{call("c"), output("c", trimmed)}},
		{"authorship does not matter",
			append(rows(output("c", big)), clientNotice), []string{output("c", trimmed)}},
		{"only one notice: the second is a source, which stops",
			rows(output("c", big), n, n), []string{output("c", big), n, n}},
		{"a notice in front belongs to itself",
			rows(n, n, output("c", big)), []string{n, n, output("c", trimmed)}},
		{"case and space do not matter",
			rows(output("c", big), developer(" <IMAGE_RESIZE_NOTICE>x</image_resize_notice>\n")), []string{output("c", trimmed)}},
		{"two parts are no notice",
			rows(output("c", big), message("developer", text("<image_resize_notice>x</image_resize_notice>"), text("x"))),
			[]string{output("c", big), message("developer", text("<image_resize_notice>x</image_resize_notice>"), text("x"))}},
	} {
		t.Run(c.name, func(t *testing.T) { checkItems(t, trim(t, c.in, window(0)).Rows, c.want...) })
	}
}

func TestRule29Shapes(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"everything but the body stays",
			`{"type":"function_call_output","id":"fco_1","call_id":"c","name":"t","namespace":"n","output":"a","x":1,"internal_chat_message_metadata_passthrough":{"turn_id":"t1"}}`,
			`{"type":"function_call_output","id":"fco_1","call_id":"c","name":"t","namespace":"n","output":"` + trimmed + `","x":1,"internal_chat_message_metadata_passthrough":{"turn_id":"t1"}}`},
		{"a list becomes a text",
			`{"type":"custom_tool_call_output","call_id":"c","output":[` + text("a") + `,` + image + `]}`,
			`{"type":"custom_tool_call_output","call_id":"c","output":"` + trimmed + `"}`},
		{"tools become an empty list",
			`{"type":"tool_search_output","call_id":"c","status":"completed","execution":"client","tools":[{"a":1}]}`,
			`{"type":"tool_search_output","call_id":"c","status":"completed","execution":"client","tools":[]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := []history.Row{row(c.in, client)}
			in[0].Line = 7
			p := trim(t, in, window(0))
			checkItems(t, p.Rows, c.want)
			if p.Rows[0].Line != 7 || string(p.Rows[0].Meta.Raw) != client {
				t.Errorf("line %d, sidecar %s", p.Rows[0].Line, p.Rows[0].Meta.Raw)
			}
			if string(in[0].Item.Raw) != c.in {
				t.Error("the input row was modified")
			}
		})
	}
}

// The items of compaction.md 2.4 #1: an output of 12,000 bytes with an 18 byte call id
// costs 3,005 tokens, rewritten 20; the call costs 6.
func TestRule29StopsWhenItFits(t *testing.T) {
	const id = "first-trimmed-call"
	big := output(id, strings.Repeat("x", 12_000))
	in := rows(user("1234"), call(id), big, big) // 1 + 6 + 3005 + 3005
	for _, c := range []struct {
		window, instructions int64
		rewritten            int
		deleted              int64
	}{
		{6017, 0, 0, 0},
		{6017, 1, 1, 2985},
		{6016, 0, 1, 2985},
		{3032, 0, 1, 2985}, // 1 + 6 + 3005 + 20
		{3031, 0, 2, 5970},
		{0, 0, 2, 5970}, // the call stops it
	} {
		opt := window(c.window)
		opt.Instructions = c.instructions
		p := trim(t, in, opt)
		if p.Rewritten != c.rewritten || p.DeletedTokens != c.deleted {
			t.Errorf("window %d, instructions %d: rewritten %d, deleted %d, want %d and %d",
				c.window, c.instructions, p.Rewritten, p.DeletedTokens, c.rewritten, c.deleted)
		}
	}
	p := trim(t, in, window(0))
	checkReason(t, decisionFor(t, p.Decisions, 0), Kept, 29, "older than")
	checkReason(t, decisionFor(t, p.Decisions, 1), Kept, 29, "trimming stops here")
	checkReason(t, decisionFor(t, p.Decisions, 2), Rewritten, 29, "3032 tokens are over the window of 0")
	if d := decisionFor(t, p.Decisions, 3); d.TokensBefore != 3005 || d.TokensAfter != 20 {
		t.Errorf("tokens %d to %d, want 3005 to 20", d.TokensBefore, d.TokensAfter)
	}
}

// compaction.md 2.4 #2 and #3: the effective windows of 2,000 and 12,000 tokens.
func TestRule29WorkedExamples(t *testing.T) {
	o := func(n int) string { return output("12345678", strings.Repeat("x", n)) }
	done := output("12345678", trimmed)
	for _, c := range []struct {
		name                 string
		window, instructions int64
		in, want             []string
	}{
		{"#2: the older output survives behind a call", 1900, 4007,
			[]string{o(20), call("c"), call("c"), o(12_000), o(12_000)},
			[]string{o(20), call("c"), call("c"), done, done}},
		{"#3: 4,007 + 3,002 fit", 11_400, tokens.Instructions(strings.Repeat("b", 16_026)),
			[]string{o(12_000)}, []string{o(12_000)}},
		{"#3: 10,007 + 3,002 do not", 11_400, tokens.Instructions(strings.Repeat("b", 40_026)),
			[]string{o(12_000)}, []string{done}},
	} {
		t.Run(c.name, func(t *testing.T) {
			opt := window(c.window)
			opt.Instructions = c.instructions
			checkItems(t, trim(t, rows(c.in...), opt).Rows, c.want...)
		})
	}
}

func TestRule29StopsAtTheFirstOther(t *testing.T) {
	big := output("c", strings.Repeat("x", 4000))
	for _, last := range []string{
		user("u"), assistant("a"), developer("d"), call("c"), summary("s"), agent("/root", "/root/a", text("x")),
		`{"type":"reasoning","summary":[]}`, `{"type":"web_search_call"}`, `{"type":"image_generation_call","id":"i","status":"s","result":"r"}`,
	} {
		in := rows(big, last)
		p := trim(t, in, window(0))
		checkItems(t, p.Rows, big, last)
		checkReason(t, decisionFor(t, p.Decisions, 0), Kept, 29, "older than the item where trimming stopped")
	}
}

func TestRule29ClientOutputs(t *testing.T) {
	big := output("c", strings.Repeat("x", 4000))
	retained := clientOutput("mine")
	raw := string(retained.Item.Raw)
	gone := `{"type":"function_call_output","name":"t","output":"` + trimmed + `"}`
	in := append(rows(big), retained, row(big))

	checkItems(t, trim(t, in, window(0)).Rows, output("c", trimmed), gone, output("c", trimmed))
	opt := window(0)
	opt.RetainClientToolOutputs = true
	p := trim(t, in, opt)
	checkItems(t, p.Rows, big, raw, output("c", trimmed))
	checkReason(t, decisionFor(t, p.Decisions, 1), Kept, 29, "a client asked to retain")

	for _, other := range []history.Row{
		row(raw), // not client-authored
		row(`{"type":"function_call_output","call_id":"c","name":"t","output":"x"}`, client),
		row(`{"type":"function_call_output","output":"x"}`, client),
		row(`{"type":"custom_tool_call_output","call_id":"c","name":"t","output":"x"}`, client),
	} {
		if p := trim(t, []history.Row{other}, opt); p.Rewritten != 1 {
			t.Errorf("not rewritten: %s", other.Item.Raw)
		}
	}
	null := row(`{"type":"function_call_output","call_id":null,"name":"t","output":"x"}`, client)
	if p := trim(t, []history.Row{null}, opt); p.Rewritten != 0 {
		t.Error("a null call_id counts as a call")
	}
}

func TestRule30Counts(t *testing.T) {
	again := rows(output("c", trimmed))
	if p := trim(t, again, window(0)); p.Rewritten != 1 || p.DeletedTokens != 0 {
		t.Errorf("unchanged output: rewritten %d, deleted %d, want 1 and 0", p.Rewritten, p.DeletedTokens)
	}
	// "x" and call id "c" are 2 bytes, 1 token; the replacement 62 bytes, 16 tokens.
	if p := trim(t, rows(output("c", "x")), window(0)); p.DeletedTokens != -15 {
		t.Errorf("short output: deleted %d, want -15", p.DeletedTokens)
	}
}

func TestRule30Instructions(t *testing.T) {
	f := history.Facts{BaseInstructions: "12345", HasBase: true}
	if n := InstructionTokens(f, rows(user("u"))); n != 2 {
		t.Errorf("%d tokens, want 2", n)
	}
	recorded := `{"type":"message","role":"developer","content":[],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["model.base_instructions"]}}`
	if n := InstructionTokens(f, rows(recorded)); n != 0 {
		t.Errorf("%d tokens with recorded instructions, want 0", n)
	}
}
