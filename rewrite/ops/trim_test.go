package ops

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// sentence is what stands for a trimmed output (compaction.md 2.3).
const sentence = `"Output exceeded the available model context and was truncated"`

// checkTrimmed holds a trimmed file to the plan: the same rows, the same sidecars.
func checkTrimmed(t testing.TB, text, out string, window int64) {
	t.Helper()
	h, err := history.Load(open(t, text), history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	st, err := h.At(history.Point{})
	if err != nil {
		t.Fatal(err)
	}
	facts, err := h.Facts(h.Lines())
	if err != nil {
		t.Fatal(err)
	}
	plan := compaction.Trim(st.Rows, compaction.TrimOptions{Window: &window, Instructions: compaction.InstructionTokens(facts, st.Rows)})
	if diff := cmp.Diff(rowTexts(plan.Rows), rowsAtEnd(t, out)); diff != "" {
		t.Errorf("window %d: history (-plan +file):\n%s", window, diff)
	}
}

func TestRule29TrimWritten(t *testing.T) {
	big := `"` + strings.Repeat("x", 400) + `"` // 100 tokens
	list := `[{"type":"input_text","text":` + big + `}]`
	meta, ask := metaLine(""), itemLine(userItem("q"))
	side := `,"metadata":{"client_authored":false,"user_input_order":3}`
	tools := func(v string) string {
		return `{"type":"tool_search_output","call_id":"s","status":"completed","execution":"client","tools":` + v + `}`
	}
	custom := func(v string) string { return `{"type":"custom_tool_call_output","call_id":"d","output":` + v + `}` }
	tests := []struct {
		name   string
		window string
		in     []string
		want   map[int]string // lines that change; "" for one that goes
	}{
		{"it fits", "300", []string{meta, ask, itemLine(outputItem("c", big))}, nil},
		{"one", "50", []string{meta, ask, itemLine(callItem("c")), itemLine(outputItem("c", big))}, map[int]string{3: itemLine(outputItem("c", sentence))}},
		{"a list, with metadata and unknown members", "50", []string{meta, ask, itemLine(`{"x":1,"output": `+list+` ,"type":"function_call_output","call_id":"c"}`, side)},
			map[int]string{2: itemLine(`{"x":1,"output": `+sentence+` ,"type":"function_call_output","call_id":"c"}`, side)}},
		{"the last ones only", "180", []string{meta, ask, itemLine(outputItem("a", big)), itemLine(outputItem("b", big)), itemLine(outputItem("c", big))},
			map[int]string{3: itemLine(outputItem("b", sentence)), 4: itemLine(outputItem("c", sentence))}},
		{"not past another item", "50", []string{meta, ask, itemLine(outputItem("a", big)), itemLine(assistantItem("z")), itemLine(outputItem("c", big))},
			map[int]string{4: itemLine(outputItem("c", sentence))}},
		{"other families", "0", []string{meta, ask, itemLine(custom(big)), itemLine(tools(`[{"name":"a"}]`))},
			map[int]string{2: itemLine(custom(sentence)), 3: itemLine(tools(`[]`))}},
		{"with its notice", "50", []string{meta, ask, itemLine(outputItem("c", big)), itemLine(noticeItem())},
			map[int]string{2: itemLine(outputItem("c", sentence)), 3: ""}},
		{"a notice of another item stays", "50", []string{meta, ask, itemLine(noticeItem()), itemLine(outputItem("c", big))},
			map[int]string{3: itemLine(outputItem("c", sentence))}},
		{"lines that do not count between", "50", []string{meta, ask, eventLine(`{"type":"no_such_event"}`), itemLine(`{"type":"message"}`), itemLine(ghostItem), itemLine(`{"type":"other"}`), "{torn", "", itemLine(outputItem("c", big))},
			map[int]string{8: itemLine(outputItem("c", sentence))}},
		{"in a checkpoint", "50", []string{meta, ask, checkpointLine(`,"replacement_history_metadata":[{"user_input_order":1},{},{"client_authored":true},{"of":"notice"}]`,
			userItem("q"), ghostItem, outputItem("c", list), noticeItem()), itemLine(outputItem("d", big))},
			map[int]string{
				2: checkpointLine(`,"replacement_history_metadata":[{"user_input_order":1},{},{"client_authored":true}]`, userItem("q"), ghostItem, outputItem("c", sentence)),
				3: itemLine(outputItem("d", sentence)),
			}},
		{"the newest checkpoint only", "0", []string{meta, ask, checkpointLine("", userItem("q"), outputItem("c", big)), itemLine(assistantItem("a")), checkpointLine("", userItem("q"), outputItem("c", big))},
			map[int]string{4: checkpointLine("", userItem("q"), outputItem("c", sentence))}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var want []string
			for i, l := range tt.in {
				if now, changed := tt.want[i]; !changed {
					want = append(want, l)
				} else if now != "" {
					want = append(want, now)
				}
			}
			in := fileOf(tt.in...)
			out, res, err := run(t, in, rewrite.Options{}, operation(t, "trim", "context-window", tt.window))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(fileOf(want...), out); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if res.Edits() != len(tt.want) {
				t.Errorf("%d edits, want %d", res.Edits(), len(tt.want))
			}
			window, _ := strconv.ParseInt(tt.window, 10, 64)
			checkTrimmed(t, in, out, window)
			checkCured(t, in, operation(t, "trim", "context-window", tt.window))
		})
	}
}

func TestTrimReported(t *testing.T) {
	for name, window := range map[string]int64{"outputs-fill-the-window": 1000, "outputs-in-a-checkpoint": 500} {
		text := cureFixture(t, "trim", name)
		out := checkCured(t, text, operation(t, "trim", "context-window", strconv.FormatInt(window, 10)))
		checkTrimmed(t, text, out, window)
		if out == text {
			t.Errorf("%s: nothing was trimmed", name)
		}
	}
}

// In a paginated file a notice leaves a filler, and what other operations have dropped
// or added in the same pass does not shift what trim finds.
func TestTrimBehindOtherOperations(t *testing.T) {
	big := `"` + strings.Repeat("x", 400) + `"`
	for name, paginated := range map[string]bool{"legacy": false, "paginated": true} {
		meta, write := metaLine(""), fileOf
		if paginated {
			meta, write = metaLine(`,"history_mode":"paginated"`), withOrdinals
		}
		in := write(meta, itemLine(userItem("gone")), itemLine(userItem("q")), itemLine(outputItem("c", big)), itemLine(noticeItem()))
		gone := rewrite.Each("gone", func(r *rewrite.Record) rewrite.Edit {
			if strings.Contains(string(r.Bytes), `"gone"`) {
				return rewrite.Drop("gone")
			}
			if strings.Contains(string(r.Bytes), `"q"`) {
				return rewrite.Keep().After("more", []byte(itemLine(assistantItem("more"))), []byte(itemLine(outputItem("b", big))))
			}
			return rewrite.Keep()
		})
		out, _, err := run(t, in, rewrite.Options{}, gone, operation(t, "trim", "context-window", "50"))
		if err != nil {
			t.Fatal(err)
		}
		want := []string{userItem("q"), assistantItem("more"), outputItem("b", sentence), outputItem("c", sentence)}
		if diff := cmp.Diff(want, rowsAtEnd(t, out)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if found := codes(t, out); found["O001"]+found["O004"] > 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}

func TestTrimRefuses(t *testing.T) {
	base := `,"history_mode":"paginated","history_base":{"thread_id":"0199c0de-0000-7000-8000-000000000009","end_ordinal_exclusive":3,"end_byte_offset":900}`
	for name, c := range map[string]struct{ text, window, want string }{
		"generation 0":          {readText(t, "../../fixtures/demo/legacy-gen0.jsonl"), "0", "migrate it first"},
		"no window recorded":    {fileOf(metaLine(""), itemLine(userItem("q"))), "auto", "--context-window as a number"},
		"half of a history":     {fileOf(metaLine(base), itemLine(userItem("q"))), "0", "no file with that rollout id"},
		"an output of the base": {"", "0", "lies in the file that history_base names"},
	} {
		opt := rewrite.Options{}
		if c.text == "" {
			c.text, opt = forkEndingInOutput(t)
		}
		_, _, err := run(t, c.text, opt, operation(t, "trim", "context-window", c.window))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestTrimOptions(t *testing.T) {
	info, _ := Find("trim")
	for _, c := range []struct{ name, value, want string }{
		{"at", "line:3", "--at \"line:3\""},
		{"context-window", "many", "--context-window \"many\""},
		{"context-window", "-1", "--context-window \"-1\""},
		{"profile", "yesterday", "--profile \"yesterday\""},
		{"tool-output-token-limit", "-1", "--tool-output-token-limit -1"},
		{"instructions", "@no such file", "--instructions "},
	} {
		set := map[string][]string{"context-window": {"1"}}
		set[c.name] = []string{c.value}
		if _, err := info.New(Given(info.Options, set)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %s", c.name, c.value, err, c.want)
		}
	}
	if _, err := info.New(Defaults(info.Options)); err == nil || !strings.HasPrefix(err.Error(), "--context-window is needed") {
		t.Errorf("without a window: %v", err)
	}
}

// Instructions count (rule 29), also those that the user gives.
func TestRule29TrimCountsInstructions(t *testing.T) {
	in := fileOf(metaLine(`,"base_instructions":{"text":"`+strings.Repeat("i", 40)+`"}`), itemLine(userItem("q")),
		eventLine(`{"type":"task_started","turn_id":"t","model_context_window":60}`), itemLine(outputItem("c", `"`+strings.Repeat("x", 200)+`"`)))
	// 10 tokens for the instructions, 1 for q, ceil((200+1)/4) = 51 for the output and its
	// call_id (rule 25): 62 with the instructions, 52 without.
	for name, c := range map[string]struct {
		options []string
		edits   int
	}{
		"recorded, 10 tokens":   {[]string{"context-window", "61"}, 1},
		"fits with them":        {[]string{"context-window", "62"}, 0},
		"none":                  {[]string{"context-window", "61", "instructions", ""}, 0},
		"the window on record":  {[]string{"context-window", "auto"}, 1},
		"recorded, but ignored": {[]string{"context-window", "auto", "instructions", "abcd"}, 0},
	} {
		_, res, err := run(t, in, rewrite.Options{}, operation(t, "trim", c.options...))
		if err != nil || res.Edits() != c.edits {
			t.Errorf("%s: %d edits, %v; want %d", name, res.Edits(), err, c.edits)
		}
	}
}

// The written file shows the plan, whatever the history holds.
func TestTrimIsThePlan(t *testing.T) {
	item := rapid.SampledFrom([]string{
		userItem("q"), assistantItem("a"), callItem("c"), outputItem("c", `"`+strings.Repeat("x", 300)+`"`), outputItem("c", `"short"`),
		noticeItem(), outputItem("d", `[{"type":"input_text","text":"`+strings.Repeat("y", 100)+`"}]`),
		`{"type":"tool_search_output","call_id":"s","status":"completed","execution":"client","tools":[{"name":"z"}]}`, ghostItem, `{"type":"other"}`,
	})
	rapid.Check(t, func(rt *rapid.T) {
		lines := []string{metaLine(""), itemLine(userItem("start"))}
		for range rapid.IntRange(1, 8).Draw(rt, "records") {
			if rapid.IntRange(0, 5).Draw(rt, "kind") == 0 {
				lines = append(lines, checkpointLine("", rapid.SliceOfN(item, 0, 6).Draw(rt, "items")...))
			} else {
				lines = append(lines, itemLine(item.Draw(rt, "item")))
			}
		}
		window := rapid.Int64Range(0, 250).Draw(rt, "window")
		in := fileOf(lines...)
		op := operation(t, "trim", "context-window", strconv.FormatInt(window, 10))
		out, _, err := run(t, in, rewrite.Options{}, op)
		if err != nil {
			rt.Fatal(err)
		}
		checkTrimmed(t, in, out, window)
		if again, res, err := run(t, out, rewrite.Options{}, op); err != nil || again != out || res.Edits() > 0 {
			rt.Fatalf("%d edits the second time (%v)", res.Edits(), err)
		}
	})
}

func TestTrimOfVectors(t *testing.T) {
	for name, text := range vectorRollouts(t) {
		for _, window := range []int64{0, 100, 1000, 5000} {
			out, _, err := run(t, text, rewrite.Options{}, operation(t, "trim", "context-window", strconv.FormatInt(window, 10)))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			t.Run(name, func(t *testing.T) { checkTrimmed(t, text, out, window) })
		}
	}
}

// forkEndingInOutput is a file whose history ends with an output of the file that it
// starts in.
func forkEndingInOutput(t *testing.T) (string, rewrite.Options) {
	t.Helper()
	old := withOrdinals(metaLine(`,"history_mode":"paginated"`), itemLine(userItem("q")), itemLine(outputItem("c", `"`+strings.Repeat("x", 300)+`"`)))
	return fileOf(strings.Replace(metaLine(`,"history_mode":"paginated","history_base":`+string(baseOf(old, 3))), `"type":`, `"ordinal":3,"type":`, 1)), withBase(t, old)
}

// baseOf is a history_base that takes all of a text.
func baseOf(old string, ordinals int) jsonraw.Value {
	return jsonraw.Build(
		jsonraw.Pair{Name: "thread_id", Value: jsonraw.Quote(testThread)},
		jsonraw.Pair{Name: "end_ordinal_exclusive", Value: jsonraw.Int(int64(ordinals))},
		jsonraw.Pair{Name: "end_byte_offset", Value: jsonraw.Int(int64(len(old)))},
	)
}
