package ops

import (
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// slimming edits one file in one pass.
type slimming struct {
	*slimPlan
	seen int // checkpoints so far
}

func (s *slimming) Edit(r *rewrite.Record) rewrite.Edit {
	switch r.Type {
	case parse.RecordResponseItem:
		if s.ghosts && isGhost(r) {
			return rewrite.Drop("ghost snapshot taken out")
		}
		if s.outputs == nil || !s.before(s.seen) || !r.Accepted() {
			return rewrite.Keep()
		}
		e := r.Change()
		s.cut(e, r.Item())
		return e.Done("tool output cut").Lossy()
	case parse.RecordCompacted:
		return s.checkpoint(r)
	}
	return rewrite.Keep()
}

// checkpoint edits a compacted record. One that cannot be read is no checkpoint, and not
// counted (rule 4).
func (s *slimming) checkpoint(r *rewrite.Record) rewrite.Edit {
	if !r.Accepted() {
		return rewrite.Keep()
	}
	s.seen++
	items := r.Fields().Get(historyKey)
	if items.Missing() {
		return rewrite.Keep()
	}
	if s.superseded(s.seen) {
		// A null tells a checkpoint that was emptied from a compaction that never had one.
		return r.Change().Replace(items, []byte("null")).Remove(r.Payload, sidecarKey).Done("superseded checkpoint emptied").Lossy()
	}
	e, reason := r.Change(), "ghost snapshots taken out of a checkpoint"
	if s.ghosts {
		checkpointGhosts(r, e, &change{})
	}
	return e.Done(reason).Lossy()
}

// cut shortens the texts of a tool output to the limit, each for itself (rule 27). A text
// that was cut to it before stays: the marker is not charged.
func (s *slimming) cut(e *rewrite.Editing, it parse.Item) {
	if !it.IsToolOutput() {
		return
	}
	out := it.Output()
	if out.IsText {
		s.cutText(e, out.Raw)
		return
	}
	for _, p := range out.Parts() {
		if p.Type == parse.PartInputText {
			s.cutText(e, p.TextValue())
		}
	}
}

// roomForMarker bounds the bytes that a marker adds to a cut text.
const roomForMarker = 64

func (s *slimming) cutText(e *rewrite.Editing, v jsonraw.Value) {
	size := uint64(v.TextLen())
	budget := tokens.ToBytes(*s.outputs)
	if size <= budget {
		return
	}
	text, _ := v.Text()
	if size <= budget+roomForMarker && tokens.IsCutInTheMiddle(text) {
		return
	}
	if now := tokens.TruncateTokens(text, *s.outputs); len(now) < len(text) {
		e.Replace(v, jsonraw.Quote(now))
	}
}
