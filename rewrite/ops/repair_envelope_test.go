package ops

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// text puts lines together.
func text(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// checkWhole runs a repair on a whole file, twice.
func checkWhole(t *testing.T, in, want string, options ...string) {
	t.Helper()
	got, _, err := run(t, in, rewrite.Options{}, operation(t, "repair", options...))
	if err != nil || got != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
	if again, res, err := run(t, got, rewrite.Options{}, operation(t, "repair", options...)); err != nil || again != got || res.Edits() > 0 {
		t.Errorf("second time: %d edits, %v\n%s", res.Edits(), err, again)
	}
}

func TestRepairEnvelope(t *testing.T) {
	const body = `"type":"response_item","payload":{"type":"message","role":"user","content":[]}}`
	a := said("05", "a")
	mode := func(m string) string { return strings.Replace(repairMeta, `"cwd"`, `"history_mode":`+m+`,"cwd"`, 1) }
	tests := []struct{ name, in, want string }{
		{"timestamp of the record before", text(repairMeta, a, `{`+body), text(repairMeta, a, `{"timestamp":"2026-11-02T09:00:05.000Z",`+body)},
		{"timestamp that is a number", text(repairMeta, a, `{"timestamp":1,`+body), text(repairMeta, a, `{"timestamp":"2026-11-02T09:00:05.000Z",`+body)},
		{
			"timestamp of the session_meta from within",
			text(strings.Replace(repairMeta, `"timestamp":"2026-11-02T09:00:00.000Z","type"`, `"type"`, 1), a),
			text(repairMeta, a),
		},
		{"a line without an envelope stays", text(repairMeta, `{"type":"message","role":"user","content":[]}`), text(repairMeta, `{"type":"message","role":"user","content":[]}`)},
		{"ordinal of the wrong form", text(repairMeta, `{"timestamp":"x","ordinal":"3",`+body), text(repairMeta, `{"timestamp":"x",`+body)},
		{"history_mode of a legacy file", text(mode(`"segmented"`), a), text(repairMeta, a)},
		{"history_mode null", text(mode(`null`), a), text(repairMeta, a)},
		{"session_meta behind", text(a, said("06", "b"), repairMeta, said("07", "c")), text(repairMeta, a, said("06", "b"), said("07", "c"))},
		{"session_meta behind what stays broken", text("x", "", a, repairMeta), text(repairMeta, "x", a)},
		{"later session_metas stay", text(repairMeta, a, repairMeta), text(repairMeta, a, repairMeta)},
		{"no session_meta", text(a, "x"), text(a, "x")},
		{"byte order mark in front of the session_meta", text("\ufeff"+repairMeta, a), text(repairMeta, a)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkWhole(t, tt.in, tt.want) })
	}
}

// numbered makes a paginated file: the ordinals of a session_meta and of messages behind
// it; "" for none, "!" for a line that is no record.
func numbered(metaMore string, ordinals ...string) string {
	var b strings.Builder
	for i, n := range ordinals {
		if n == "!" {
			b.WriteString("!\n")
			continue
		}
		if n != "" {
			n = `"ordinal":` + n + `,`
		}
		rest := fmt.Sprintf(`"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"%d"}]}}`, i)
		if i == 0 {
			rest = `"type":"session_meta","payload":{"id":"0199b001-0000-7000-8000-000000000001","timestamp":"2026-11-02T09:00:00.000Z","cwd":"/srv","originator":"o","cli_version":"0.160.0","history_mode":"paginated"` + metaMore + `}}`
		}
		b.WriteString(`{"timestamp":"2026-11-02T09:00:00.000Z",` + n + rest + "\n")
	}
	return b.String()
}

// ordinalsOf are the ordinals in a text, "!" for lines that are no record.
func ordinalsOf(text string) []string {
	var out []string
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		o, err := jsonraw.ParseObject(jsonraw.Value(l))
		if err != nil {
			out = append(out, "!")
			continue
		}
		out = append(out, string(o.Get("ordinal")))
	}
	return out
}

// format.md 1.10: the session_meta has 0 or what its base says, each later line one more;
// lines that cannot be read account for gaps.
func TestRepairOrdinals(t *testing.T) {
	const base = `,"history_base":{"thread_id":"0199b001-0000-7000-8000-00000000000a","end_ordinal_exclusive":7,"end_byte_offset":1710}`
	tests := []struct{ name, meta, in, want string }{
		{"right", "", "0 1 2 3", "0 1 2 3"},
		{"gap", "", "0 1 3 4", "0 1 2 3"},
		{"twice", "", "0 1 1 2", "0 1 2 3"},
		{"backwards", "", "0 1 2 1 2", "0 1 2 3 4"},
		{"one wrong", "", "0 1 7 3 4", "0 1 2 3 4"},
		{"changed places", "", "0 2 1 3", "0 1 2 3"},
		{"first wrong", "", "3 4 5", "0 1 2"},
		{"end without", "", "0 1 - -", "0 1 2 3"},
		{"missing inside", "", "0 - - 3", "0 1 2 3"},
		{"all without", "", "- - -", "0 1 2"},
		{"null", "", "0 null 2", "0 1 2"},
		{"used up", "", "0 18446744073709551614 18446744073709551615", "0 1 2"},
		{"base", base, "0 1 2", "7 8 9"},
		{"gap that a broken line explains", "", "0 1 ! 3", "0 1 ! 3"},
		{"gap that it does not", "", "0 1 ! 4", "0 1 ! 2"},
		{"no gap at a broken line", "", "0 1 ! 2", "0 1 ! 2"},
		{"explained behind a wrong one", "", "0 5 ! 7", "0 1 ! 3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := numbered(tt.meta, strings.Split(strings.ReplaceAll(tt.in, "-", ""), " ")...)
			want := numbered(tt.meta, strings.Split(tt.want, " ")...)
			checkWhole(t, in, want, "only", "ordinals")
		})
	}
}

// Records that are split off, moved, dropped and added keep the count right.
func TestRepairOrdinalsOfAddedRecords(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(numbered("", "0", "1", "2", "3", "4"), "\n"), "\n")
	tests := []struct {
		name string
		in   []string
		want string
	}{
		{"joined", []string{lines[0], lines[1] + lines[2], lines[3], lines[4]}, "0 1 2 3 4"},
		{"joined twice", []string{lines[0], lines[1] + lines[2] + lines[3], lines[4]}, "0 1 2 3 4"},
		{"session_meta behind", []string{lines[1], lines[2], lines[0], lines[3]}, "0 1 2 3"},
		{"byte order mark", []string{"\ufeff" + lines[0], lines[1] + lines[2], lines[3]}, "0 1 2 3"},
		{"repeated", []string{lines[0], lines[1], lines[1], lines[2]}, "0 1 2"},
		{"retried", []string{lines[0], lines[1], lines[2][:len(lines[2])-4], lines[2], lines[3]}, "0 1 2 3"},
		{"torn end", []string{lines[0], lines[1], lines[2][:50]}, "0 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := strings.Join(tt.in, "\n")
			if tt.name != "torn end" {
				in += "\n"
			}
			got, _, err := run(t, in, rewrite.Options{}, operation(t, "repair"))
			if err != nil || strings.Join(ordinalsOf(got), " ") != tt.want {
				t.Errorf("%v: %v, want %s\n%s", err, ordinalsOf(got), tt.want, got)
			}
			checkWhole(t, in, got)
		})
	}
}

func TestRepairSubagentStart(t *testing.T) {
	got, _, err := run(t, numbered(`,"subagent_history_start_ordinal":3`, "0", "2", "3", "4"), rewrite.Options{}, operation(t, "repair"))
	if want := numbered(`,"subagent_history_start_ordinal":2`, "0", "1", "2", "3"); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestRepairPaginatedMode(t *testing.T) {
	want := numbered("", "0", "1", "2")
	checkWhole(t, strings.Replace(want, `"paginated"`, `"pages"`, 1), want)
	lines := strings.SplitAfter(want, "\n")
	checkWhole(t, strings.Replace(lines[1]+lines[0]+lines[2], `"paginated"`, `"pages"`, 1), want)
}
