package ops

import (
	"slices"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// neededSet says which windows of a session a request still needs. Window k is the readable
// compaction k, from 1, with the records behind it up to the next one; window 0 is what
// comes before the first.
type neededSet struct {
	base  int      // the window that the next request starts from (rules 10 to 14)
	last  int      // the last one
	spans [][2]int // windows that the histories of other files start from and go on to (rule 15)
}

// neededWindows finds them.
func neededWindows(in *rewrite.Input) (*neededSet, error) {
	h, err := in.History(history.Options{})
	if err != nil {
		return nil, err
	}
	defer h.Close()
	defer h.Source().Close() // what it has read ahead is not needed any more
	w := &neededSet{base: h.BaseOf(h.Lines()), last: h.Compactions()}
	if len(in.Marks) == 0 {
		return w, nil
	}
	at, err := windowsAt(in)
	for _, k := range at {
		// Rollbacks may stand before and behind the place itself.
		behind := h.Lines()
		if k < w.last {
			behind = h.CompactionLine(k+1) - 1
		}
		w.spans = append(w.spans, [2]int{min(h.BaseOf(behind), h.BaseOf(h.CompactionLine(k))), k})
	}
	return w, err
}

// windowsAt are the windows in which other files take over.
func windowsAt(in *rewrite.Input) ([]int, error) {
	at := make([]int, len(in.Marks))
	var c counter
	err := in.Records(false, func(r *rewrite.Record) error {
		k := c.next(r)
		for i, end := range in.Marks {
			if r.Offset < end {
				at[i] = k
			}
		}
		return nil
	})
	return at, err
}

// needed reports whether a request needs window k.
func (w *neededSet) needed(k int) bool {
	return k >= w.base || slices.ContainsFunc(w.spans, func(s [2]int) bool { return s[0] <= k && k <= s[1] })
}

// counter follows the windows in a pass.
type counter struct{ k int }

// next is the window of a record.
func (c *counter) next(r *rewrite.Record) int {
	if r.Type == parse.RecordCompacted && r.Accepted() {
		c.k++
	}
	return c.k
}
