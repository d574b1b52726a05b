package ops

import (
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// slimPlan says which checkpoints of a file are still needed. Checkpoints are counted from
// 1 in file order, readable ones only.
type slimPlan struct {
	*slim
	needs *neededSet
	// kept are superseded checkpoints that stay.
	kept map[int]bool
}

// look replays to the end, and to where others branch off (rules 10 to 15).
func (p *slimPlan) look(in *rewrite.Input) error {
	var err error
	if p.needs, err = neededWindows(in); err != nil || !p.checkpoints || p.needs.base == 0 {
		return err
	}
	return p.keepNewest(in)
}

// keepNewest finds the superseded checkpoints that stay.
func (p *slimPlan) keepNewest(in *rewrite.Input) error {
	if p.keep == 0 {
		return nil
	}
	h, err := in.History(history.Options{})
	if err != nil {
		return err
	}
	defer h.Close()
	p.kept = map[int]bool{}
	for k, left := p.needs.base-1, p.keep; k > 0 && left > 0; k-- {
		rec, err := h.CompactionRecord(k)
		if err != nil {
			return err
		}
		if !rec.Fields().Get(historyKey).Missing() {
			p.kept[k] = true
			left--
		}
	}
	return nil
}

// superseded reports whether checkpoint k does not count any more.
func (p *slimPlan) superseded(k int) bool {
	return p.checkpoints && !p.needs.needed(k) && !p.kept[k]
}

// before reports whether what stands behind checkpoint k (0 for none) is stood for by the
// one that seeds the history.
func (p *slimPlan) before(k int) bool { return p.everywhere || !p.needs.needed(k) }
