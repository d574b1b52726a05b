package validate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tokensOf is a text of n tokens.
func tokensOf(n int) string { return strings.Repeat("word", n) }

func TestRetention(t *testing.T) {
	question, answer := itemLine(userItem("q")), itemLine(assistantItem("a"))
	tests := []struct {
		name  string
		lines []string
		want  []string
	}{
		{"as the rules say", []string{question, answer, checkpointLine(userItem("q"), summaryItem)}, nil},
		{"context does not count", []string{itemLine(userItem(environmentText)), question, checkpointLine(developerItem("<tools>"), userItem("q"), summaryItem)}, nil},
		{"one is missing", []string{question, itemLine(userItem("r")), checkpointLine(userItem("r"), summaryItem)}, []string{"C025 4 " + listPointer}},
		{"one is too many", []string{question, checkpointLine(userItem("q"), userItem("x"), summaryItem)}, []string{"C025 3 " + listPointer}},
		{"a goal edit", []string{question, checkpointLine(userItem("q"), summaryItem, userItem("x"))}, nil},
		{"no user message", []string{question, checkpointLine(summaryItem)}, []string{"C020 3 " + listPointer}},
		{"no user message, but an agent's", []string{question, itemLine(agentItem), checkpointLine(agentItem, summaryItem)}, []string{"C020 4 " + listPointer}},
		{"only agents", []string{itemLine(agentItem), checkpointLine(agentItem, summaryItem)}, nil},
		{"only context", []string{itemLine(userItem(environmentText)), checkpointLine(summaryItem)}, nil},
		{"a finding of its own", []string{question, checkpointLine(reasoningItem, summaryItem)}, []string{"C007 3 " + listPointer + "/0"}},
		{"the server chose", []string{question, answer, itemLine(userItem("r")), compactedOn(endpointDay, "", userItem("r"), assistantItem("a"), summaryItem)}, nil},
		{"a rejected line between", []string{recordLine("no_such_type", "{}"), question, checkpointLine(userItem("q"), userItem("x"), summaryItem)}, nil},
		{
			"a rejected line before the checkpoint that counts",
			[]string{recordLine("no_such_type", "{}"), question, checkpointLine(userItem("q"), summaryItem), itemLine(developerItem("d")), checkpointLine(userItem("q"), userItem("x"), summaryItem)},
			[]string{"C025 6 " + listPointer},
		},
		{
			"a client's output, retained",
			[]string{itemWith(clientTool, `{"client_authored":true}`), question,
				compactedOn(newDay, `,"resume_metadata":{},"replacement_history_metadata":[{"client_authored":true},{},{}]`, clientTool, userItem("q"), summaryItem)},
			nil,
		},
		{"rebuilt from a message", []string{question, answer, recordLine("compacted", `{"message":"s"}`)}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkFamilies(t, "C", append([]string{metaLine("")}, tt.lines...), tt.want...)
		})
	}
}

// The message names what was tried: only switches that the history can feel.
func TestRetentionNamesWhatWasTried(t *testing.T) {
	picture := `{"type":"message","role":"user","content":[{"type":"input_image","file_id":"file_1"}]}`
	found := checkFamilies(t, "C", []string{metaLine(""), itemLine(picture), itemLine(userItem("q")), checkpointLine(userItem("q"), summaryItem)}, "C025 4 "+listPointer)
	const want = "items that the rules retain and the checkpoint lacks: 1, that they do not retain: 0; closest: rules of generation C4; " +
		"tried: rules of generation C4; rules of generation C4, no image budget; rules of generation C4, text only; " +
		"rules of generation C4, no image budget, text only"
	if len(found) == 1 && found[0].Message != want {
		t.Errorf("message %q, want %q", found[0].Message, want)
	}
}

func TestMissingBaseIsNotCompared(t *testing.T) {
	meta := metaLine(`,"history_mode":"paginated","history_base":{"thread_id":"0199aaaa-0000-7000-8000-000000000009","end_ordinal_exclusive":1,"end_byte_offset":1}`)
	checkFamilies(t, "C", []string{meta, itemLine(userItem("q")), checkpointLine(userItem("older"), userItem("q"), summaryItem)})
}

func TestIgnoredCheckpoint(t *testing.T) {
	cp := compactedOn(newDay, "", userItem("q"), summaryItem)
	question := itemLine(userItem("q"))
	tests := []struct {
		name  string
		lines []string
		want  []string
	}{
		{"rolled back", []string{startLine("t1"), question, cp, completeLine("t1"), rollbackLine(1)}, []string{"C031 4"}},
		{"another turn rolled back", []string{startLine("t1"), question, cp, completeLine("t1"), startLine("t2"), question, completeLine("t2"), rollbackLine(1)}, nil},
		{"rolled back before the next", []string{startLine("t1"), question, cp, completeLine("t1"), rollbackLine(1), startLine("t2"), question, cp}, []string{"C031 4"}},
		{"superseded", []string{startLine("t1"), question, cp, completeLine("t1"), startLine("t2"), cp}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkFamilies(t, "C", append([]string{metaLine("")}, tt.lines...), tt.want...)
		})
	}
}

func TestBudget(t *testing.T) {
	over := userItem(tokensOf(64_017))
	tests := []struct {
		name   string
		before string
		record string
		want   []string
	}{
		{"over", over, checkpointLine(over, summaryItem), []string{"C024 4 " + listPointer}},
		{"over, older endpoint", over, compactedOn(endpointDay, "", over, summaryItem), nil},
		{"marker", userItem(tokensOf(64_016)), checkpointLine(userItem(tokensOf(64_016)), summaryItem), []string{"C025 4 " + listPointer}},
		{"exact", userItem(tokensOf(64_000)), checkpointLine(userItem(tokensOf(64_000)), summaryItem), nil},
		{"a text behind the summary", userItem("q"), checkpointLine(userItem("q"), summaryItem, over), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer := itemLine(assistantItem(tokensOf(80_000))) // so that enough is saved
			checkFamilies(t, "C", []string{metaLine(""), itemLine(tt.before), answer, tt.record}, tt.want...)
		})
	}
}

func TestSize(t *testing.T) {
	tests := []struct {
		name          string
		before, after int // tokens of the question and of the question in the checkpoint
		want          []string
	}{
		{"small histories are not judged", 999, 999, nil},
		{"nothing saved", 1000, 1000, []string{"C022 3"}},
		{"grown", 1000, 1001, []string{"C021 3", "C025 3 " + listPointer}},
		{"less than 5 %", 1000, 951, []string{"C022 3", "C025 3 " + listPointer}},
		{"5 %", 1000, 950, []string{"C025 3 " + listPointer}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkFamilies(t, "C", []string{metaLine(""), itemLine(userItem(tokensOf(tt.before))), checkpointLine(userItem(tokensOf(tt.after)), summaryItem)}, tt.want...)
		})
	}
}

func TestLoop(t *testing.T) {
	type compaction struct {
		before, after int64
		words         bool
		size          bool // has a finding about its size
	}
	tests := []struct {
		name string
		runs []compaction
		want []string
	}{
		{"three", []compaction{{1000, 800, true, false}, {1000, 800, false, false}, {1000, 800, false, false}}, []string{"loop 3"}},
		{"two", []compaction{{1000, 800, true, false}, {1000, 800, false, false}}, nil},
		{"four are one", []compaction{{1000, 800, false, false}, {1000, 800, false, false}, {1000, 800, false, false}, {1000, 750, false, false}}, []string{"loop 4"}},
		{"words between", []compaction{{1000, 800, false, false}, {1000, 800, false, false}, {1000, 800, true, false}, {1000, 800, false, false}}, nil},
		{"one that saved enough", []compaction{{1000, 800, false, false}, {1000, 800, false, false}, {1000, 749, false, false}, {1000, 800, false, false}}, nil},
		{"small", []compaction{{999, 999, false, false}, {999, 999, false, false}, {999, 999, false, false}}, nil},
		{"a loop speaks for the sizes", []compaction{{1000, 1000, false, true}, {1000, 1000, false, true}, {1000, 800, false, false}}, []string{"loop 3"}},
		{"no loop, so the sizes", []compaction{{1000, 1000, false, true}, {1000, 100, false, false}, {1000, 1000, false, true}}, []string{"size 1", "size 3"}},
		{
			"two loops",
			[]compaction{{1000, 800, false, false}, {1000, 800, false, false}, {1000, 800, false, false}, {1000, 800, true, false}, {1000, 800, false, false}, {1000, 800, false, false}},
			[]string{"loop 3", "loop 6"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			out := &sink{func(f Finding) { got = append(got, fmt.Sprintf("%s %d", f.Code, f.Line)) }}
			var l loop
			for i, c := range tt.runs {
				s := step{line: i + 1, before: c.before, after: c.after, words: c.words, loop: Finding{Code: "loop", Line: i + 1}}
				if c.size {
					s.finding = &Finding{Code: "size", Line: i + 1}
				}
				l.take(s, out)
			}
			l.end(out)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
		})
	}
}

// A local compaction of the first generations leaves the questions and the summary: here
// about 2,000 of 2,200 tokens.
func TestLoopOfLocalCompactions(t *testing.T) {
	lines := []string{metaLine(""), itemLine(userItem(tokensOf(2000)))}
	for range 3 {
		lines = append(lines, itemLine(assistantItem(tokensOf(200))), recordLine("compacted", `{"message":"s"}`))
	}
	checkFamilies(t, "C", lines, "C023 8")
	checkFamilies(t, "C", slices.Insert(lines, 6, itemLine(userItem("go on"))))
}
