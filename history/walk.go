package history

import "slices"

// Walk replays a rollout to its compactions, one after the other in rising order, and
// reads no record twice where it can go on from the compaction before: a session of
// local compactions has no checkpoint to start from.
type Walk struct {
	r *Rollout
	// Where the last replay stopped: just before a compaction. It holds once begun.
	last   State
	base   *checkpoint
	oldest int
	offset int64 // of the line behind last.Line
	begun  bool
}

// Walk starts before the first compaction.
func (r *Rollout) Walk() *Walk { return &Walk{r: r} }

// Before is what At gives for BeforeCompaction k (from 1).
func (w *Walk) Before(k int) (State, error) {
	line, err := w.r.Resolve(Point{Kind: BeforeCompaction, N: k})
	if err != nil {
		return State{}, err
	}
	limit := position{w.r.self(), line}
	base, oldest := w.r.base(limit), w.r.oldest(limit)
	var s State
	if w.begun && base == w.base && oldest == w.oldest && line >= w.last.Line {
		s, err = w.resume(limit)
	} else {
		w.last = State{} // so that two histories are not kept at once
		s, err = w.r.AtLine(line)
	}
	if err != nil {
		return s, err
	}
	w.last, w.base, w.oldest, w.begun = s, base, oldest, true
	w.offset = w.r.own().checkpoints[k-1].offset
	return s, nil
}

// resume goes on from where the last replay stopped, to a later line with the same base.
func (w *Walk) resume(limit position) (State, error) {
	x := w.r.own()
	rp := replay{rows: slices.Clone(w.last.Rows), file: w.r.self(), limit: w.r.opt.ToolOutputLimit,
		digester: digester{checker: w.r.opt.Checkers[0], bare: x.bare}}
	s := w.last
	err := rp.run(x, w.last.Line, w.offset, limit)
	s.Rows, s.Line = rp.rows, limit.line
	return s, err
}

// BaseOf is the compaction of this file, from 1, that seeds a replay to a line; 0 when
// none does, or one of an ancestor.
func (r *Rollout) BaseOf(line int) int {
	cp := r.base(position{r.self(), line})
	if cp == nil || cp.file != r.self() {
		return 0
	}
	for i := range r.own().checkpoints {
		if r.own().checkpoints[i].line == cp.line {
			return i + 1
		}
	}
	return 0
}

// Longest is about the length of the longest line of the rollout itself, in bytes, and
// never less.
func (r *Rollout) Longest() int64 { return r.own().longest }
