package history_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollout-tool/rollout-tool/history"
)

// A walk gives at each compaction what a replay from the start gives.
func TestWalkIsAt(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
	}{
		{"local compactions", []string{
			legacyMeta(), user("a"), assistant("b"), compacted(""), user("c"), compacted(""), assistant("d"), user("e"), compacted(""), user("f"),
		}},
		{"checkpoints", []string{
			paginatedMeta(), user("a"), checkpoint("s1", `,"window_number":1`), user("b"), checkpoint("s2", `,"window_number":2`), user("c"), checkpoint("s3", `,"window_number":3`),
		}},
		{"checkpoints, then local ones", []string{
			legacyMeta(), user("a"), checkpoint("s1", ""), user("b"), compacted(""), user("c"), compacted(""), assistant("d"), compacted(""),
		}},
		{"a checkpoint that is rolled back", []string{
			legacyMeta(), started("t1"), user("a"), completed("t1"), started("t2"), user("b"), compacted(""), completed("t2"), started("t3"),
			user("c"), checkpoint("s1", ""), completed("t3"), rolledBack(1), started("t4"), user("d"), compacted(""), user("e"), compacted(""),
		}},
		{"rollbacks between local compactions", []string{
			legacyMeta(), started("t1"), user("a"), compacted(""), completed("t1"), started("t2"), user("b"), completed("t2"), rolledBack(1), compacted(""),
			started("t3"), user("c"), rolledBack(2), compacted(""),
		}},
		{"a compaction before the session_meta", []string{compacted(""), user("a"), paginatedMeta(), user("b"), compacted(""), user("c"), compacted("")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := load(t, file(tt.lines...), history.Options{})
			if r.Compactions() == 0 {
				t.Fatal("no compaction")
			}
			walk := r.Walk()
			for k := 1; k <= r.Compactions(); k++ {
				got, err := walk.Before(k)
				if err != nil {
					t.Fatal(err)
				}
				want, err := r.At(history.Point{Kind: history.BeforeCompaction, N: k})
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(raws(want), raws(got)); d != "" {
					t.Errorf("compaction %d: a walk differs (-want +got):\n%s", k, d)
				}
				if got.Line != want.Line || got.BaseLine != want.BaseLine {
					t.Errorf("compaction %d: line %d, base %d; want %d, %d", k, got.Line, got.BaseLine, want.Line, want.BaseLine)
				}
			}
			if _, err := walk.Before(r.Compactions() + 1); err == nil {
				t.Error("a compaction that is not there has a state")
			}
		})
	}
}

func raws(s history.State) []string {
	var out []string
	for _, r := range s.Rows {
		out = append(out, string(r.Item.Raw))
	}
	return out
}

func TestBaseOf(t *testing.T) {
	r := load(t, file(
		legacyMeta(), started("t1"), user("a"), checkpoint("s1", ""), completed("t1"), // line 4
		started("t2"), user("b"), checkpoint("s2", ""), completed("t2"), // line 8
		rolledBack(1), compacted(""), // lines 10, 11
	), history.Options{})
	for line, want := range map[int]int{3: 0, 4: 1, 7: 1, 8: 2, 9: 2, 10: 1, 11: 1} {
		if got := r.BaseOf(line); got != want {
			t.Errorf("the base at line %d is compaction %d, want %d", line, got, want)
		}
	}
}
