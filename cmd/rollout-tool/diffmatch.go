package main

import (
	"bytes"
	"slices"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// pointOf finds where in a rollout a captured request was made: the line of its last
// item, in the history that has as many items if there is one. It looks at the end and
// before each compaction, from the newest; false when no history has that item.
func pointOf(s *session, e *capture.Exchange) (history.Point, bool, error) {
	items := withoutTrigger(e.Request.Input)
	if len(items) == 0 {
		return beforeFirstItem(s)
	}
	var found history.Point
	ok := false
	for k := s.Compactions() + 1; k > 0; k-- {
		at := history.Point{Kind: history.BeforeCompaction, N: k}
		if k > s.Compactions() {
			at = history.Point{}
		}
		st, err := s.At(at)
		if err != nil {
			return found, false, err
		}
		for i := len(st.Rows) - 1; i >= 0; i-- {
			if !endsHistory(st, i) || !sameItem(st.Rows[i].Item, items[len(items)-1]) {
				continue
			}
			here := history.Point{Kind: history.AtLine, N: st.Rows[i].Line}
			if i+1 == len(items) {
				return here, true, nil
			}
			if !ok {
				found, ok = here, true
			}
		}
	}
	return found, ok, nil
}

// beforeFirstItem is the line before the first item of the rollout: what the records say
// by then holds for a request without input, which warms the connection up.
func beforeFirstItem(s *session) (history.Point, bool, error) {
	var first history.Point
	if s.Compactions() > 0 {
		first = history.Point{Kind: history.BeforeCompaction, N: 1}
	}
	st, err := s.At(first)
	if err != nil || len(st.Rows) == 0 {
		return history.Point{}, err == nil, err
	}
	return history.Point{Kind: history.AtLine, N: max(st.Rows[0].Line-1, 0)}, true, nil
}

func withoutTrigger(items []parse.Item) []parse.Item {
	return slices.DeleteFunc(slices.Clone(items), func(it parse.Item) bool { return it.Type == parse.ItemCompactionTrigger })
}

// endsHistory reports whether row i is the last of the history at its line: a
// checkpoint's items all come from one line.
func endsHistory(st history.State, i int) bool {
	r := st.Rows[i]
	if r.Line == 0 || r.File != len(st.Files)-1 {
		return false
	}
	return i+1 == len(st.Rows) || st.Rows[i+1].Line > r.Line
}

// sameItem tells an item by its id, by its call, or by all that it holds.
func sameItem(a, b parse.Item) bool {
	if a.Type != b.Type {
		return false
	}
	if x, y := a.ID(), b.ID(); x != "" && y != "" {
		return x == y
	}
	if x, ok := a.CallID(); ok {
		y, _ := b.CallID()
		return x == y
	}
	for _, name := range [...]string{"role", "content", "encrypted_content", "author", "recipient", "summary"} {
		if !sameJSON(a.Fields.Get(name), b.Fields.Get(name)) {
			return false
		}
	}
	return true
}

// sameJSON compares two values that may be spaced and escaped in other ways.
func sameJSON(a, b jsonraw.Value) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	x, errX := jsonraw.Compact(a)
	y, errY := jsonraw.Compact(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
