package ops

import (
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// neededSet says which windows of a session a request still needs. Window k is the readable
// compaction k, from 1, with the records behind it up to the next one; window 0 is what
// comes before the first.
type neededSet struct {
	base  int          // the window that the next request starts from (rules 10 to 14)
	last  int          // the last one
	marks map[int]bool // those that other files go on from (rule 15)
	below int          // all up to this one are needed; -1 for none
}

// neededWindows finds them.
func neededWindows(in *rewrite.Input) (*neededSet, error) {
	h, err := in.History(history.Options{})
	if err != nil {
		return nil, err
	}
	defer h.Close()
	w := &neededSet{base: h.BaseOf(h.Lines()), last: h.Compactions(), below: -1}
	if len(in.Marks) > 0 {
		err = w.mark(in)
	}
	return w, err
}

// mark notes the windows in which other files take over. Where a window there does not
// start from a checkpoint that counts without a look at others (rule 10), all before it
// are needed.
func (w *neededSet) mark(in *rewrite.Input) error {
	w.marks = map[int]bool{}
	at := make([]int, len(in.Marks))
	bounded := make([]bool, len(in.Marks))
	k := 0
	err := in.Records(false, func(r *rewrite.Record) error {
		if r.Type != parse.RecordCompacted || !r.Accepted() {
			return nil
		}
		k++
		for i, end := range in.Marks {
			if r.Offset < end {
				at[i], bounded[i] = k, countsAlone(r, in.Header.Paginated)
			}
		}
		return nil
	})
	for i, k := range at {
		if w.marks[k] = true; !bounded[i] {
			w.below = max(w.below, k)
		}
	}
	return err
}

// countsAlone reports whether a compacted record is the one that a replay starts from
// wherever it is the newest (rule 10).
func countsAlone(r *rewrite.Record, paginated bool) bool {
	f := r.Fields()
	return !f.Get(historyKey).Missing() && history.HasWindowNumber(f) && (paginated || !f.Get("resume_metadata").Missing())
}

// needed reports whether a request needs window k.
func (w *neededSet) needed(k int) bool { return k >= w.base || k <= w.below || w.marks[k] }

// counter follows the windows in a pass.
type counter struct{ k int }

// next is the window of a record.
func (c *counter) next(r *rewrite.Record) int {
	if r.Type == parse.RecordCompacted && r.Accepted() {
		c.k++
	}
	return c.k
}
