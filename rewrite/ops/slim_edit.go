package ops

import (
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// slimming edits one file in one pass.
type slimming struct {
	*slimPlan
	counter
}

func (s *slimming) Edit(r *rewrite.Record) rewrite.Edit {
	k := s.next(r)
	switch r.Type {
	case parse.RecordResponseItem:
		switch {
		case s.ghosts && isGhost(r):
			return rewrite.Drop("ghost snapshot taken out")
		case s.outputs == nil || !s.before(k) || !r.Accepted():
			return rewrite.Keep()
		}
		return s.cut(r)
	case parse.RecordCompacted:
		return s.checkpoint(r, k)
	}
	return rewrite.Keep()
}

// checkpoint edits a compacted record. One that cannot be read is no checkpoint (rule 4).
func (s *slimming) checkpoint(r *rewrite.Record, k int) rewrite.Edit {
	items := r.Fields().Get(historyKey)
	if items.Missing() || !r.Accepted() {
		return rewrite.Keep()
	}
	e := r.Change()
	if s.superseded(k) {
		// A null tells a checkpoint that was emptied from a compaction that never had one.
		// The window's number and ids stay: those behind it go on from them.
		return e.Replace(items, []byte("null")).Remove(r.Payload, sidecarKey).Remove(r.Payload, "guardian_history").
			Done("superseded checkpoint emptied").Lossy()
	}
	if s.ghosts {
		checkpointGhosts(r, e, &change{})
	}
	return e.Done("ghost snapshots taken out of a checkpoint").Lossy()
}

// cut shortens a tool output to the limit.
func (s *slimming) cut(r *rewrite.Record) rewrite.Edit {
	it := r.Item()
	if !it.IsToolOutput() {
		return rewrite.Keep()
	}
	now, cut := history.CutOutput(it, *s.outputs)
	if old := it.Fields.Get("output"); cut && len(now) < len(old) {
		return r.Change().Replace(old, now).Done("tool output cut").Lossy()
	}
	return rewrite.Keep()
}
