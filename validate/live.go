package validate

import (
	"hash/maphash"
	"sync"
	"time"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
)

// briefs are the briefs of rows by their bytes. Each checkpoint holds again most of what
// the one before held, and to look into an item costs much more than to hash it.
type briefs struct {
	of   compaction.Briefer
	seed maphash.Seed

	mu    sync.Mutex
	known map[briefKey]compaction.Brief
}

type briefKey struct {
	sum    uint64
	size   int
	client bool
}

// maxBriefs bounds what is remembered; 100 bytes each.
const maxBriefs = 1 << 16

func newBriefs() *briefs {
	return &briefs{of: compaction.NewBriefer(), seed: maphash.MakeSeed(), known: map[briefKey]compaction.Brief{}}
}

// brief is the brief of a row that checkpoints may hold.
func (b *briefs) brief(row history.Row) compaction.Brief {
	key := briefKey{maphash.Bytes(b.seed, row.Item.Raw), len(row.Item.Raw), row.Meta.ClientAuthored()}
	b.mu.Lock()
	out, ok := b.known[key]
	b.mu.Unlock()
	if ok {
		return out
	}
	out = b.of.Brief(row)
	b.mu.Lock()
	if len(b.known) == maxBriefs {
		clear(b.known)
	}
	b.known[key] = out
	b.mu.Unlock()
	return out
}

// retentionLook adds up what retention compares.
type retentionLook struct{ briefs *briefs }

// liveRow is noted of a record that adds a row to the history, liveBreak of one that
// changes rows that are there.
type (
	liveRow   compaction.Brief
	liveBreak struct{}
)

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

func (r retentionLook) Look(v *lineView) any {
	if !v.OK() {
		return nil
	}
	switch v.Record.Type {
	case parse.RecordResponseItem, parse.RecordInterAgent:
		row, ok := history.RowOf(v.Record, nil)
		switch {
		case !ok:
			return nil
		case row.Item.Type == parse.ItemMessage:
			return liveRow(r.briefs.brief(row))
		}
		return liveRow(r.briefs.of.Brief(row))
	case parse.RecordCompacted:
		s, ok := v.stored()
		if !ok {
			return liveBreak{}
		}
		return r.checkpoint(s, v.Record)
	case parse.RecordEvent:
		if v.looked.Kind == "thread_rolled_back" {
			return liveBreak{}
		}
	}
	return nil
}

func (r retentionLook) checkpoint(s stored, rec *parse.Record) any {
	if s.ghosts {
		return liveBreak{} // whether they stay depends
	}
	note := &liveCheckpoint{date: s.date}
	for _, row := range s.rows {
		b := r.briefs.brief(row)
		note.history.Add(b)
		note.stored.Add(b)
	}
	c := compacted{stored: s, rec: rec}
	note.clean = c.free() || note.stored.RetainedCost() <= compaction.DefaultBudget+markerSlack
	note.chosen = c.chosen()
	return note
}

// live follows the history from checkpoint to checkpoint as far as it needs no replay: it
// keeps sums only. Records that change what is there end it until the next checkpoint.
type live struct {
	broken  bool
	history compaction.Total
	words   bool // a user or an agent said something since the last compaction
	line    int  // of the last compaction
	found   []known
}

// known is what is known of a compaction without a replay.
type known struct {
	// sound: nothing is wrong with it, provided that the checkpoint before it, or the
	// start of the file for the first, is what a replay starts from.
	sound bool
	step  step
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
	case *liveCheckpoint:
		h.found = append(h.found, h.judge(l, n))
		*h = live{history: n.history, found: h.found}
	case liveBreak:
		h.broken = true
		if l.Type == parse.RecordCompacted {
			h.found, h.words = append(h.found, known{}), false
		}
	}
}

func (h *live) judge(l *Looked, n *liveCheckpoint) known {
	lost := h.history.Words > 0 && n.stored.Words == 0
	if h.broken || !n.clean || lost || !n.chosen && !compaction.KeepsAll(h.history, n.stored, n.date) {
		return known{}
	}
	return known{true, newStep(l.Number, h.history.Tokens, n.stored.Tokens, h.words, func(code, message string) Finding {
		return at(l, code, message)
	})}
}

func (*live) End(*fileView, *sink) {}
