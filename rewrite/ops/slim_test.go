package ops

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// twoCheckpoints is a session with two checkpoints, the first one superseded. pad makes
// the items of the checkpoints as long as a finding asks for.
func twoCheckpoints(pad string) (text, emptied string) {
	first := func(more string) string {
		return recLine("compacted", `{"message":"first",`+more+`"window_number":1,"x":1}`)
	}
	lines := []string{
		metaLine(""), itemLine(userItem("one " + pad)), eventLine(`{"type":"user_message","message":"one","images":[]}`),
		first(`"replacement_history":[` + userItem("one "+pad) + `,{"type":"compaction","encrypted_content":"gAAA"}], "replacement_history_metadata" : [{"client_authored":false},{"client_authored":false}] ,`),
		itemLine(userItem("two " + pad)),
		recLine("compacted", `{"message":"","replacement_history":[`+userItem("one "+pad)+`,`+userItem("two "+pad)+`,{"type":"compaction","encrypted_content":"gBBB"}],"window_number":2}`),
		itemLine(userItem("three")),
	}
	text = fileOf(lines...)
	lines[3] = first(`"replacement_history":null, `)
	return text, fileOf(lines...)
}

func TestSlimCheckpoints(t *testing.T) {
	text, want := twoCheckpoints("")
	out, res, err := run(t, text, rewrite.Options{}, operation(t, "slim"))
	if err != nil || out != want {
		t.Fatalf("%v\n%s\nwant\n%s", err, out, want)
	}
	if d := res.Operations[0]; d.Changed != 1 || d.Reasons[0].Text != "superseded checkpoint emptied" {
		t.Errorf("%+v", d)
	}
	if a, b := rowsAtEnd(t, text), rowsAtEnd(t, out); !slices.Equal(a, b) {
		t.Errorf("the history at the end:\n%q\nwas\n%q", b, a)
	}
	for name, options := range map[string][]string{"kept": {"keep", "1"}, "not asked for": {"checkpoints", "false"}} {
		if out, _, err := run(t, text, rewrite.Options{}, operation(t, "slim", options...)); err != nil || out != text {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// The newest checkpoint is rolled back: the first one seeds the history, and stays.
func TestSlimKeepsWhatARollbackBringsBack(t *testing.T) {
	text, _ := twoCheckpoints("")
	text = strings.Replace(text, `"window_number":1,`, "", 1) // not taken by rule 10
	text = strings.Replace(text, `,"window_number":2`, "", 1)
	text += eventLine(`{"type":"thread_rolled_back","num_turns":2}`) + "\n"
	rows := rowsAtEnd(t, text)
	out, _, err := run(t, text, rewrite.Options{}, operation(t, "slim"))
	if err != nil {
		t.Fatal(err)
	}
	if got := rowsAtEnd(t, out); !slices.Equal(got, rows) {
		t.Errorf("the history at the end:\n%q\nwas\n%q", got, rows)
	}
}

// Another file branches off before the second checkpoint: it needs the first one.
func TestSlimKeepsWhatForksNeed(t *testing.T) {
	text, want := twoCheckpoints("")
	lines := strings.SplitAfter(text, "\n")
	at := func(n int) int64 { return int64(len(strings.Join(lines[:n], ""))) }
	for n, needed := range map[int]bool{3: false, 4: true, 5: true, 6: false} {
		out, _, err := run(t, text, rewrite.Options{Marks: []int64{at(n)}}, operation(t, "slim"))
		if err != nil || (out == text) != needed || !needed && out != want {
			t.Errorf("branch behind line %d: %v\n%s", n, err, out)
		}
	}
}

func TestSlimGhosts(t *testing.T) {
	in := fileOf(metaLine(""), itemLine(userItem("a")), itemLine(ghostItem),
		checkpointLine(`,"replacement_history_metadata":[{"client_authored":false},{},{}]`, userItem("a"), ghostItem, userItem("b")))
	want := fileOf(metaLine(""), itemLine(userItem("a")),
		checkpointLine(`,"replacement_history_metadata":[{"client_authored":false},{}]`, userItem("a"), userItem("b")))
	if out, _, err := run(t, in, rewrite.Options{}, operation(t, "slim")); err != nil || out != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
	if out, _, err := run(t, in, rewrite.Options{}, operation(t, "slim", "ghosts", "false")); err != nil || out != in {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestSlimOutputs(t *testing.T) {
	long := strings.Repeat("0123456789", 20) // 200 bytes, 50 tokens
	// Rule 27: ten tokens are 40 bytes, half of them at each end; 160 bytes are 40 tokens.
	cut := long[:20] + "…40 tokens truncated…" + long[180:]
	if got := tokens.TruncateTokens(long, 10); got != cut {
		t.Fatalf("rule 27 gives %q", got)
	}
	parts := func(text string) string {
		rest := "short"
		if text != long {
			rest = "[omitted 1 text items ...]" // one budget for the list (rule 22)
		}
		return `{"type":"custom_tool_call_output","call_id":"c","output":[{"type":"input_text","text":"` + text + `"},{"type":"input_image","image_url":"data:image/png;base64,AA=="},{"type":"input_text","text":"` + rest + `"}]}`
	}
	file := func(before, after string, list string) string {
		return fileOf(metaLine(""), itemLine(callItem("c")), itemLine(outputItem("c", `"`+before+`"`)), itemLine(parts(list)),
			checkpointLine("", userItem("a")), itemLine(callItem("d")), itemLine(outputItem("d", `"`+after+`"`)))
	}
	in := file(long, long, long)
	for name, c := range map[string]struct {
		options []string
		want    string
	}{
		"none asked for":        {nil, in},
		"before the checkpoint": {[]string{"outputs", "10"}, file(cut, long, cut)},
		"everywhere":            {[]string{"outputs", "10", "everywhere", "true"}, file(cut, cut, cut)},
		"those that fit stay":   {[]string{"outputs", "52", "everywhere", "true"}, in},
	} {
		out, _, err := run(t, in, rewrite.Options{}, operation(t, "slim", c.options...))
		if err != nil || out != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, out, c.want)
		}
		again, _, err := run(t, out, rewrite.Options{}, operation(t, "slim", c.options...))
		if err != nil || again != out {
			t.Errorf("%s: the second time differs (%v)", name, err)
		}
	}
}

func TestSlimOptions(t *testing.T) {
	info, _ := Find("slim")
	for name, set := range map[string]map[string][]string{
		"keep": {"keep": {"-1"}}, "outputs": {"outputs": {"-1"}}, "everywhere": {"everywhere": {"true"}},
	} {
		if _, err := info.New(Given(info.Options, set)); err == nil || !strings.Contains(err.Error(), "--"+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What validate says about size is gone afterwards. The files are larger than what a
// fixture should have.
func TestSlimCures(t *testing.T) {
	mib := strings.Repeat("x", 1<<20)
	superseded, _ := twoCheckpoints(mib)
	bigGhost := strings.Replace(ghostItem, `"preexisting_untracked_files":[]`, `"preexisting_untracked_files":["`+mib+`"]`, 1)
	for code, c := range map[string]struct {
		text    string
		options []string
	}{
		"B012": {superseded, nil},
		"B013": {fileOf(metaLine(""), itemLine(userItem("a")), itemLine(bigGhost)), nil},
		"B014": {fileOf(metaLine(""), itemLine(userItem("a")), itemLine(callItem("c")), itemLine(outputItem("c", `"`+mib+`"`))), []string{"outputs", "10000", "everywhere", "true"}},
		"L015": {fileOf(metaLine(""), itemLine(userItem("a")), itemLine(ghostItem)), nil},
		"M005": {fileOf(metaLine(""), itemLine(userItem("a")), checkpointLine(`,"replacement_history_metadata":null`, userItem("a"), ghostItem, `{"type":"compaction","encrypted_content":"gAAA"}`)), nil},
	} {
		t.Run(code, func(t *testing.T) {
			out := checkCured(t, c.text, operation(t, "slim", c.options...), code)
			if code != "B014" && code != "M005" { // there the history holds what goes
				if a, b := rowsAtEnd(t, c.text), rowsAtEnd(t, out); !slices.Equal(a, b) {
					t.Errorf("the history at the end has changed: %s", fmt.Sprint(len(a), len(b)))
				}
			}
		})
	}
}
