package ops

import (
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// suffix leaves of a session what a resume needs: session_metas, the checkpoint that
// counts, what follows it, and what other files go on from. Checkpoints in front of it
// are empty by now; they stay, because window numbers count up from the first.
type suffix struct{}

func (suffix) Name() string { return "rescue" }

func (suffix) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	if in.Header.Bare {
		return func() rewrite.Editor { return keepAll{} }, nil
	}
	w, err := neededWindows(in)
	if err != nil {
		return nil, err
	}
	context := 0
	if context, err = lastContext(in, w); err != nil {
		return nil, err
	}
	return func() rewrite.Editor {
		return &suffixEditor{windows: w, context: context, paginated: in.Header.Paginated}
	}, nil
}

// lastContext is the place, from 1, of the turn_context in front of the needed windows
// that is in force where they start, 0 when they have one of their own: the model and its
// settings come from the newest one.
func lastContext(in *rewrite.Input, w *neededSet) (int, error) {
	var c counter
	n, last, own := 0, 0, false
	err := in.Records(false, func(r *rewrite.Record) error {
		n++
		k := c.next(r)
		if r.Type == parse.RecordTurnContext && r.Accepted() {
			if w.needed(k) {
				own = true
			} else {
				last = n
			}
		}
		return nil
	})
	if own {
		return 0, err
	}
	return last, err
}

// suffixEditor is one pass.
type suffixEditor struct {
	windows   *neededSet
	context   int // place of the turn_context that stays, from 1
	paginated bool
	counter
	n      int
	filled bool // a legacy file has its filler
}

func (e *suffixEditor) Edit(r *rewrite.Record) rewrite.Edit {
	e.n++
	k := e.next(r)
	filler := isFillerRecord(r) && (e.paginated || !e.filled)
	switch {
	case e.windows.needed(k), r.Type == parse.RecordCompacted, r.Type == parse.RecordSessionMeta, e.n == e.context, filler:
		e.filled = e.filled || filler
		return rewrite.Keep()
	case !e.paginated && !e.filled:
		// One filler says that the session did not begin with a checkpoint.
		e.filled = true
		return rewrite.Line(fillerLine(r.Envelope.Get("timestamp"), r, nil), reasonSuffix).Lossy()
	}
	return rewrite.Drop(reasonSuffix)
}

const reasonSuffix = "record before the checkpoint that counts dropped"

// isFillerRecord reports whether a record stands for one that was taken out.
func isFillerRecord(r *rewrite.Record) bool {
	return r.Broken == nil && r.Type == parse.RecordResponseItem && r.Kind() == rewrite.FillerType && len(r.Fields().Members) == 1
}
