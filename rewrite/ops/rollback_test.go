package ops

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// Every defect of a checkpoint itself is gone with it.
func TestRollbackCures(t *testing.T) {
	checkCodes(t, "rollback-checkpoint", nil, nil)
}

func TestRollbackCuresReported(t *testing.T) {
	for name, code := range map[string]string{
		"instructions-only": "C011", "two-items": "C001", "empty-item": "E003", "context-again": "C013", "larger": "C021",
	} {
		t.Run(name, func(t *testing.T) {
			text := cureFixture(t, "rollback-checkpoint", name)
			out := checkCured(t, text, operation(t, "rollback-checkpoint"), code)
			checkRolledBack(t, text, out)
		})
	}
}

// checkRolledBack holds the result to the promise: the history before the newest
// compaction, then what came after it.
func checkRolledBack(t *testing.T, text, out string) {
	t.Helper()
	before := rowsAt(t, text, history.Point{Kind: history.BeforeCompaction, N: -1})
	at := len(rowsAt(t, text, history.Point{Kind: history.AfterCompaction, N: -1}))
	want := slices.Concat(before, rowsAtEnd(t, text)[at:])
	if diff := cmp.Diff(want, rowsAtEnd(t, out)); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}

const compactionOf = `{"type":"compaction","encrypted_content":"`

func TestRollbackCheckpoint(t *testing.T) {
	meta := metaLine("")
	first, second := itemLine(userItem("a")), itemLine(assistantItem("b"))
	one := checkpointLine(`,"window_number":1`, userItem("a"), compactionOf+`x"}`)
	two := checkpointLine(`,"window_number":2,"compaction_response_id":"r2"`, userItem("a"), compactionOf+`y"}`)
	usage := func(id string) string { return recLine("token_usage_record", usagePayload(id)) }
	notice := eventLine(`{"type":"context_compacted"}`)
	start := eventLine(`{"type":"task_started","turn_id":"t","model_context_window":1}`)
	last := itemLine(userItem("c"))
	local := recLine("compacted", `{"message":"words"}`)
	rolledBack := eventLine(`{"type":"thread_rolled_back","num_turns":1}`)
	tests := []struct {
		name string
		in   []string
		drop []int // indexes of the lines that go
	}{
		{"none", []string{meta, first, second}, nil},
		{"only one", []string{meta, first, one, last}, []int{2}},
		{"the newer of two", []string{meta, first, one, second, two, last}, []int{4}},
		{"with its usage, of before and of behind", []string{meta, first, usage("r1"), second, usage("r2"), two, usage("r2"), last}, []int{4, 5, 6}},
		{"with its notice", []string{meta, first, two, notice, last}, []int{2, 3}},
		{"the notice of another compaction", []string{meta, first, one, notice, second, two, start, notice}, []int{5}},
		{"a turn item as notice", []string{meta, first, two, eventLine(compactionTurnItem), last}, []int{2, 3}},
		{"a summary without a history", []string{meta, first, one, second, local, last}, []int{4}},
		{"with one that was rolled back", []string{meta, first, one, start, last, two, rolledBack}, []int{2, 5}},
		{"not one that cannot be read", []string{meta, first, one, recLine("compacted", `{"message":1}`), last}, []int{2}},
		{"an empty one, of nothing", []string{meta, checkpointLine(``), last}, []int{1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var want []string
			for i, l := range tt.in {
				if !slices.Contains(tt.drop, i) {
					want = append(want, l)
				}
			}
			out, res, err := run(t, fileOf(tt.in...), rewrite.Options{}, operation(t, "rollback-checkpoint"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(fileOf(want...), out); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if res.Edits() != len(tt.drop) {
				t.Errorf("%d edits, want %d", res.Edits(), len(tt.drop))
			}
		})
	}
}

const compactionTurnItem = `{"type":"item_completed","thread_id":"` + testThread + `","turn_id":"t","item":{"type":"ContextCompaction","id":"i"}}`

func usagePayload(response string) string {
	const n = `{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1,"reasoning_output_tokens":0,"total_tokens":2}`
	return `{"thread_id":"` + testThread + `","turn_id":"t","session_id":"` + testThread + `","root_turn_id":"t","response_id":"` + response +
		`","usage":` + n + `,"turn_token_usage":` + n + `,"thread_token_usage":` + n + `}`
}

func TestRollbackTakesOneStepEachTime(t *testing.T) {
	op := operation(t, "rollback-checkpoint")
	text := fileOf(metaLine(""), itemLine(userItem("a")), checkpointLine("", userItem("a")), checkpointLine("", userItem("b")))
	for _, want := range []int{1, 1, 0} {
		out, res, err := run(t, text, rewrite.Options{}, op)
		if err != nil || res.Edits() != want {
			t.Fatalf("%d edits, %v; want %d", res.Edits(), err, want)
		}
		text = out
	}
	if want := fileOf(metaLine(""), itemLine(userItem("a"))); text != want {
		t.Errorf("%s", text)
	}
}

// A paginated file keeps its ordinals: what goes leaves a filler.
func TestRollbackInPaginatedFile(t *testing.T) {
	meta := metaLine(`,"history_mode":"paginated"`)
	cp := checkpointLine(`,"window_number":1`, userItem("a"))
	in := withOrdinals(meta, itemLine(userItem("a")), cp, itemLine(userItem("b")))
	filler := itemLine(`{"type":"other"}`)
	want := withOrdinals(meta, itemLine(userItem("a")), filler, itemLine(userItem("b")))
	out, _, err := run(t, in, rewrite.Options{}, operation(t, "rollback-checkpoint"))
	if err != nil || out != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
	checkRolledBack(t, in, out)
}

func TestRollbackRefuses(t *testing.T) {
	base := `,"history_mode":"paginated","history_base":{"thread_id":"0199c0de-0000-7000-8000-000000000009","end_ordinal_exclusive":3,"end_byte_offset":900}`
	for name, c := range map[string]struct{ text, want string }{
		"nothing before it":         {fileOf(metaLine(""), checkpointLine("", userItem("a"))), "nothing would be left"},
		"half a history is missing": {fileOf(metaLine(base), itemLine(userItem("a"))), "no file with that rollout id"},
	} {
		_, _, err := run(t, c.text, rewrite.Options{}, operation(t, "rollback-checkpoint"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// The history is what it would have been without the compaction.
func TestRollbackIsAsIfNothingHappened(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := []string{metaLine(""), itemLine(userItem("start"))}
		newest := 0
		for _, kind := range rapid.SliceOfN(rapid.SampledFrom([]string{"user", "assistant", "checkpoint", "local", "turn"}), 1, 12).Draw(rt, "records") {
			text := strconv.Itoa(len(lines))
			switch kind {
			case "user":
				lines = append(lines, itemLine(userItem(text)))
			case "assistant":
				lines = append(lines, itemLine(assistantItem(text)))
			case "checkpoint":
				newest = len(lines)
				lines = append(lines, checkpointLine("", userItem("kept "+text), compactionOf+text+`"}`))
			case "local":
				newest = len(lines)
				lines = append(lines, recLine("compacted", `{"message":"summary `+text+`"}`))
			case "turn":
				lines = append(lines, eventLine(`{"type":"task_started","turn_id":"`+text+`","model_context_window":1}`))
			}
		}
		out, _, err := run(t, fileOf(lines...), rewrite.Options{}, operation(t, "rollback-checkpoint"))
		if err != nil {
			rt.Fatal(err)
		}
		if newest > 0 {
			lines = slices.Delete(lines, newest, newest+1)
		}
		if want := fileOf(lines...); out != want {
			rt.Fatalf("got\n%s\nwant\n%s", out, want)
		}
	})
}
