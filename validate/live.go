package validate

import (
	"time"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
)

// retentionLook adds up what retention compares.
type retentionLook struct{}

// liveRow is noted of a record that adds a row to the history, liveBreak of one that
// changes rows that are there.
type (
	liveRow   compaction.Brief
	liveBreak struct{ emptied bool } // a compacted record whose history a rewrite has taken out
)

// liveGap is noted of what stands for a record that a rewrite has taken out.
type liveGap struct{}

// liveCheckpoint is noted of a compacted record with a replacement history.
type liveCheckpoint struct {
	history compaction.Total       // to go on from
	stored  compaction.StoredTotal // to compare with
	// clean: a replay is needed only when the history before it leaves something open.
	clean bool
	// chosen: the server chose what to keep.
	chosen bool
	date   time.Time
}

func (retentionLook) Look(v *lineView) any {
	if !v.OK() {
		return nil
	}
	switch v.Record.Type {
	case parse.RecordResponseItem, parse.RecordInterAgent:
		row, ok := history.RowOf(v.Record, nil)
		switch {
		case !ok && v.looked.Kind == parse.ItemOther && isFiller(v.Record.Item()):
			return liveGap{}
		case !ok:
			return nil
		case row.Item.Type == parse.ItemMessage && row.Item.Role() != "assistant": // a checkpoint may hold it again
			f, _ := v.memo.of(row.Item.Raw, row.Meta.Raw)
			return liveRow(f.brief)
		}
		return liveRow(v.memo.briefer.Brief(row))
	case parse.RecordCompacted:
		s, ok := v.stored()
		if !ok {
			return liveBreak{emptied: history.IsEmptied(s.fields)}
		}
		return sumUp(s)
	case parse.RecordEvent:
		if v.looked.Kind == "thread_rolled_back" {
			return liveBreak{}
		}
	}
	return nil
}

// sumUp is the note of a checkpoint.
func sumUp(s *stored) any {
	if s.ghosts != nil {
		return liveBreak{} // whether they stay depends
	}
	note := &liveCheckpoint{date: s.date}
	for _, it := range s.items {
		note.history.Add(it.brief)
		note.stored.Add(it.brief)
	}
	note.clean = s.free() || note.stored.RetainedCost() <= compaction.DefaultBudget+markerSlack
	note.chosen = s.chosen()
	return note
}

// live follows the history from checkpoint to checkpoint as far as it needs no replay: it
// keeps sums only. Records that change what is there end it until the next checkpoint.
type live struct {
	broken  bool
	gap     bool // records were taken out since the last compaction
	history compaction.Total
	words   bool // a user or an agent said something since the last compaction
	found   []known
}

// known is what is known of a compaction without a replay.
type known struct {
	// sound: nothing is wrong with it, provided that the checkpoint before it, or the
	// start of the file for the first, is what a replay starts from.
	sound bool
	step  step
	// emptied: a rewrite has taken its history out; gap: some of what it replaced.
	emptied, gap bool
}

func (h *live) Take(l *Looked, note any, _ *sink) {
	if !isAccepted(l) {
		return
	}
	switch n := note.(type) {
	case liveRow:
		b := compaction.Brief(n)
		h.history.Add(b)
		h.words = h.words || b.Words || b.Agent()
	case liveGap:
		h.gap = true
	case *liveCheckpoint:
		found := h.judge(l, n)
		found.gap = h.gap
		h.found = append(h.found, found)
		*h = live{history: n.history, found: h.found}
	case liveBreak:
		h.broken = true
		if l.Type == parse.RecordCompacted {
			h.found, h.words, h.gap = append(h.found, known{emptied: n.emptied, gap: h.gap}), false, false
		}
	}
}

func (h *live) judge(l *Looked, n *liveCheckpoint) known {
	lost := h.history.Words > 0 && n.stored.Words == 0
	if h.broken || !n.clean || lost || !n.chosen && !compaction.KeepsAll(h.history, n.stored, n.date) {
		return known{}
	}
	step := newStep(l.Number, h.history.Tokens, n.stored.Tokens, h.words, func(code, message string) Finding {
		return at(l, code, message)
	})
	// Where something is to be said of the size, or of a loop, a replay has to tell whether
	// the history was thinned since.
	return known{sound: step.finding == nil && (step.words || !step.savedLittle()), step: step}
}

func (*live) End(*fileView, *sink) {}
