package ops

import (
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// slimPlan says which checkpoints of a file are still needed. Checkpoints are counted from
// 1 in file order, readable ones only.
type slimPlan struct {
	*slim
	// seed is the checkpoint that seeds the history at the end, 0 when none of the file does.
	seed int
	// needed are those that seed the history where another file branches off.
	needed map[int]bool
}

// look replays to the end, and to where others branch off (rules 10 to 15).
func (p *slimPlan) look(in *rewrite.Input) error {
	r, err := in.History(history.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	if err := r.ReadError(); err != nil {
		return err
	}
	p.seed = r.BaseOf(r.Lines())
	p.needed = map[int]bool{}
	lines, err := in.BranchLines()
	for _, line := range lines {
		p.needed[r.BaseOf(line)] = true
	}
	return err
}

// superseded reports whether checkpoint k does not count any more.
func (p *slimPlan) superseded(k int) bool {
	return p.checkpoints && k < p.seed && k < p.seed-int(p.keep) && !p.needed[k]
}

// before reports whether what stands behind checkpoint k (0 for none) is stood for by the
// one that seeds the history.
func (p *slimPlan) before(k int) bool { return p.everywhere || k < p.seed }
