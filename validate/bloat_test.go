package validate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// measured is a line as the totals see it.
type measured struct {
	size int64
	kind string // record type, "" for none
	drop bool
	note *bloatNote
}

// addUp feeds lines to the totals and lists the findings.
func addUp(lines ...measured) []string {
	got := []string{}
	out := &sink{func(f Finding) { got = append(got, fmt.Sprintf("%s %d", f.Code, f.Line)) }}
	b := &bloat{images: map[imageKey]*imageCopies{}}
	offset := int64(0)
	for i, m := range lines {
		l := &Looked{Number: i + 1, Offset: offset, Size: m.size, Type: m.kind}
		if m.drop {
			l.Verdict = accept.Dropped
		}
		offset += m.size
		if m.note == nil {
			b.Take(l, nil, out)
		} else {
			b.Take(l, m.note, out)
		}
	}
	b.End(&fileView{}, out)
	slices.Sort(got)
	return got
}

func TestSizes(t *testing.T) {
	const mib = 1 << 20
	images := func(checkpoint bool, keys ...imageKey) *bloatNote {
		return &bloatNote{checkpoint: checkpoint, images: keys}
	}
	one, two := imageKey{1, mib / 2}, imageKey{2, 100}
	compacted := func(size int64, note *bloatNote) measured {
		return measured{size: size, kind: parse.RecordCompacted, note: note}
	}
	tests := []struct {
		name  string
		lines []measured
		want  []string
	}{
		{"16 MiB and the newline", []measured{{size: 16*mib + 1}}, nil},
		{"a byte more", []measured{{size: 10}, {size: 16*mib + 2}}, []string{"B001 2"}},
		{"512 MiB", slices.Repeat([]measured{{size: 16 * mib}}, 32), nil},
		{"a byte more than 512 MiB", append(slices.Repeat([]measured{{size: 16 * mib}}, 32), measured{size: 1}), []string{"B002 0"}},
		{"three of an image", slices.Repeat([]measured{{note: images(false, one)}}, 3), nil},
		{"four of an image", slices.Repeat([]measured{{note: images(false, one)}}, 4), []string{"B011 2"}},
		{"on one line", []measured{{note: images(false, two, one)}, {note: images(false, one, one, one)}}, []string{"B011 2"}},
		{"many of a small image", slices.Repeat([]measured{{note: images(false, two)}}, 1000), nil},
		{"images of the same length", []measured{{note: images(false, imageKey{3, mib}, imageKey{4, mib}, imageKey{5, mib}, imageKey{6, mib})}}, nil},
		{"half of the checkpoints", []measured{compacted(2*mib, images(true, one, imageKey{7, mib / 2}))}, []string{"B010 1", "B012 1"}},
		{"less than half", []measured{compacted(2*mib+1, images(true, one, imageKey{7, mib / 2}))}, []string{"B012 1"}},
		{"less than 1 MiB of images", []measured{compacted(mib-1, images(true, one))}, nil},
		{"images that are in no checkpoint", []measured{{size: 2 * mib, note: images(false, one, imageKey{7, mib / 2})}}, nil},
		{"ghosts", []measured{{size: mib / 2, drop: true}, compacted(9, &bloatNote{checkpoint: true, ghosts: mib / 2})}, []string{"B013 1"}},
		{"fewer ghosts", []measured{{size: mib / 2, drop: true}, compacted(9, &bloatNote{checkpoint: true, ghosts: mib/2 - 1})}, nil},
		{"outputs: at the largest", []measured{{note: &bloatNote{output: 12_001}}, {note: &bloatNote{output: 20_000}}, {note: &bloatNote{output: 13_000}}},
			[]string{"B014 2"}},
	}
	for _, tt := range tests {
		if tt.want == nil {
			tt.want = []string{}
		}
		if d := cmp.Diff(tt.want, addUp(tt.lines...)); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// The checkpoint that seeds the history is not superseded, be it the last or not.
func TestRule14SupersededCheckpoints(t *testing.T) {
	long := `{"type":"compaction","encrypted_content":"` + strings.Repeat("A", 1<<20) + `"}`
	session := func(last ...string) []string {
		lines := []string{metaLine(""), startLine("a"), itemLine(userItem("q")), checkpointLine(userItem("q"), long), completeLine("a"),
			startLine("b"), itemLine(userItem("r")), checkpointLine(userItem("q"), summaryItem), completeLine("b")}
		return append(lines, last...)
	}
	checkFamilies(t, "B", session(), "B012 4")
	checkFamilies(t, "B", session(rollbackLine(1))) // now the first counts again
}

func TestLargeOutputs(t *testing.T) {
	text := func(n int) string { return `"` + strings.Repeat("a", n) + `"` }
	tests := []struct {
		output string
		want   int64
	}{
		{text(48_000), 0},
		{text(48_001), 12_001},
		{`"` + strings.Repeat(`\n`, 30_000) + `"`, 0}, // 60,000 bytes of JSON, 30,000 of text
		{`[{"type":"input_text","text":` + text(24_000) + `},{"type":"input_text","text":` + text(24_000) + `}]`, 0},
		{`[{"type":"input_text","text":` + text(24_001) + `},{"type":"input_text","text":` + text(24_003) + `}]`, 12_001},
		{`[{"type":"input_image","image_url":` + text(100_000) + `}]`, 0},
	}
	for _, tt := range tests {
		it, err := parse.ViewItem(jsonraw.Value(`{"type":"custom_tool_call_output","call_id":"c","output":` + tt.output + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := largeOutput(it); got != tt.want {
			t.Errorf("%.60s: %d, want %d", tt.output, got, tt.want)
		}
	}
}

// One picture of 400 kB in each of these places: the copies make a finding together.
func TestPlacesOfImages(t *testing.T) {
	data := strings.Repeat("A", 400_000)
	url := `"data:image/png;base64,` + data + `"`
	part := `{"type":"input_image","image_url":` + url + `}`
	message := `{"type":"message","role":"user","content":[` + part + `]}`
	places := map[string]string{
		"message":       itemLine(message),
		"output":        itemLine(`{"type":"function_call_output","name":"n","output":[` + part + `]}`),
		"checkpoint":    checkpointLine(message),
		"generation":    itemLine(`{"type":"image_generation_call","status":"completed","result":"` + data + `"}`),
		"its event":     eventRecord(`{"type":"image_generation_end","call_id":"c","status":"completed","result":"` + data + `"}`),
		"its item":      eventRecord(`{"type":"item_completed","thread_id":"0199aaaa-0000-7000-8000-000000000001","turn_id":"t","item":{"type":"ImageGeneration","id":"i","status":"completed","result":"` + data + `"}}`),
		"a user's item": eventRecord(`{"type":"item_completed","thread_id":"0199aaaa-0000-7000-8000-000000000001","turn_id":"t","item":{"id":"i","type":"UserMessage","content":[{"type":"image","image_url":` + url + `}]}}`),
		"user message":  eventRecord(`{"type":"user_message","message":"m","images":[` + url + `]}`),
	}
	for name, line := range places {
		lines := []string{metaLine(""), itemLine(message), itemLine(message), itemLine(message)}
		t.Run(name, func(t *testing.T) {
			checkFamilies(t, "R", append(lines, line))
			_, found := validateLines(t, 1, append(lines, line)...)
			if got := ofFamily(found, "B"); len(got) != 1 || got[0].Code != "B011" || got[0].Line != 3 {
				t.Errorf("%v, want B011 on line 3", got)
			}
		})
	}
	other := eventRecord(`{"type":"item_completed","thread_id":"0199aaaa-0000-7000-8000-000000000001","turn_id":"t","item":{"type":"Plan","id":"i","text":` + url + `}}`)
	checkFamilies(t, "B", []string{metaLine(""), itemLine(message), itemLine(message), itemLine(message), other})
}

func TestGhostBytes(t *testing.T) {
	ghost := `{"type":"ghost_snapshot","ghost_commit":{"id":"a"}}` // 51 bytes
	if got := ghostBytes(jsonraw.Value("[" + ghost + "," + userItem("ghost_snapshot") + "," + ghost + "]")); got != 102 {
		t.Errorf("%d bytes, want 102", got)
	}
	if got := ghostBytes(nil); got != 0 {
		t.Errorf("%d bytes in nothing", got)
	}
}
