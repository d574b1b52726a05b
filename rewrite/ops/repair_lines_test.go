package ops

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/rewrite"
)

func TestRepairLines(t *testing.T) {
	a, b := said("02", "a"), said("03", "b")
	again := said("04", "a")
	none := `{"timestamp":"2026-11-02T09:00:02.000Z","type":"response_item"}`
	tests := []struct {
		name     string
		in, want []string
		options  []string
	}{
		{"blank lines", []string{"", a, " \t", "\u00a0", b}, []string{a, b}, nil},
		{"cut off and written again", []string{a[:len(a)-9], again, b}, []string{again, b}, nil},
		{"cut off and another record", []string{a[:len(a)-4], b}, []string{a[:len(a)-4], b}, nil},
		{"cut off, dropped on request", []string{a[:len(a)-4], b, "[1]", none}, []string{b}, []string{"drop-unreadable", "true"}},
		{"records of unknown types stay", []string{stamped("02", `"type":"session_state","payload":null`)}, []string{stamped("02", `"type":"session_state","payload":null`)}, []string{"drop-unreadable", "true"}},
		{"repeated", []string{a, a, a, b, a}, []string{a, b, a}, nil},
		{"the same at another time", []string{a, again}, []string{a, again}, nil},
		{"skipped", []string{"", a, a}, []string{"", a, a}, []string{"skip", "blank,repeated"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkRepair(t, tt.in, tt.want, tt.options...) })
	}
}

func TestRepairEndOfFile(t *testing.T) {
	a := said("02", "a")
	for _, tt := range []struct{ name, end, want string }{
		{"no newline", a, a + "\n"},
		{"torn", a + "\n" + a[:70], a + "\n"},
		{"torn and ended by a resume", a + "\n" + a[:70] + "\n", a + "\n" + a[:70] + "\n"},
		{"torn inside a character", a + "\n" + said("03", "\xc3\xa4")[:len(said("03", ""))-4] + "\xc3", a + "\n"},
		{"blank without newline", a + "\n  ", a + "\n"},
		{"crlf without newline", a + "\r", a + "\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := run(t, repairMeta+"\n"+tt.end, rewrite.Options{}, operation(t, "repair"))
			if tt.name == "crlf without newline" { // the return is JSON white space as long as no newline follows
				again, _, _ := run(t, got, rewrite.Options{}, operation(t, "repair"))
				got, tt.want = again, strings.Replace(tt.want, "\r", "", 1)
			}
			if err != nil || got != repairMeta+"\n"+tt.want {
				t.Errorf("%v\n%q", err, got)
			}
		})
	}
}

// A quarantine is told of what is taken away, and not of what is only spelled anew.
func TestRepairTellsWhatIsLost(t *testing.T) {
	a := said("02", "a")
	count := func(lines ...string) int {
		n := 0
		src := open(t, repairMeta+"\n"+strings.Join(lines, "\n")+"\n")
		rw, err := rewrite.Prepare(t.Context(), src, []rewrite.Operation{operation(t, "repair")}, rewrite.Options{Lost: func(rewrite.Lost) error { n++; return nil }})
		if err != nil {
			t.Fatal(err)
		}
		defer rw.Close()
		if _, err := rw.Commit(t.Context(), &strings.Builder{}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, tt := range []struct {
		name string
		line string
		want int
	}{
		{"bom", "\ufeff" + a, 0}, {"two records", a + said("03", "b"), 0}, {"number", scores("0.50"), 0},
		{"characters behind", a + "x", 1}, {"start in front", a[:60] + a, 1}, {"utf-8", said("02", "\xff"), 1},
	} {
		if got := count(tt.line); got != tt.want {
			t.Errorf("%s: %d lost, want %d", tt.name, got, tt.want)
		}
	}
}
