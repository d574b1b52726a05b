package accept

import (
	"bytes"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// TestMembersAreThoseOfTheLine holds what judging comes by to a split of the line.
func TestMembersAreThoseOfTheLine(t *testing.T) {
	c := NewChecker()
	seen := 0
	for _, tc := range readVerdicts(t, filepath.Join("testdata", "verdicts.jsonl")) {
		for _, line := range tc.lines(t) {
			if c.Line(line).Verdict != OK {
				continue
			}
			outer, payload, ok := c.Members()
			if !ok {
				continue // a duplicate made it look twice
			}
			seen++
			want, _ := jsonraw.SplitObject(bytes.TrimSpace(line))
			if !reflect.DeepEqual(outer.Members, want.Members) {
				t.Errorf("%s: members %v, want %v", tc.ID, outer.Members, want.Members)
			}
			inner, _ := jsonraw.SplitObject(want.Get("payload"))
			if len(payload.Members)+len(inner.Members) > 0 && !reflect.DeepEqual(payload.Members, inner.Members) {
				t.Errorf("%s: payload %v, want %v", tc.ID, payload.Members, inner.Members)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d lines were compared", seen)
	}
}
