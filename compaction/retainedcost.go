package compaction

import (
	"hash/maphash"

	"github.com/rollout-tool/rollout-tool/history"
)

// RetainedCost is what the retained items of a stored checkpoint cost by rule 37, in
// tokens: all that any feature switch could have retained, images not charged. A
// remote compaction keeps it within its budget, but for the markers of what was cut.
// What stands behind the compaction item was put there later and does not count.
func RetainedCost(rows []history.Row) int64 {
	opt := Defaults()
	opt.RetainClientDeveloper, opt.RetainClientToolOutputs = true, true
	c, kept := retainable(withoutGoalEdits(rows), opt)
	return c.costOf(kept)
}

// KeepsAll reports whether the checkpoint holds just what rule 36 retains of the history
// and the budget leaves whole. Then Explain would find it to be what the rules give; this
// answers without looking into images, which can take long.
func (r Recorded) KeepsAll() bool {
	a := r.withProfile(r.Date)
	if r.Local || a.opt.Profile.Mode() != RemoteV2 || r.Options.Modalities != history.AllModalities || r.Options.Window != nil {
		return false
	}
	c, kept := retainable(r.Before, a.opt)
	seed := maphash.MakeSeed()
	stored := essences(seed, withoutGoalEdits(r.After))
	if !sameOrder(essences(seed, rowsOf(kept)), stored) {
		return false
	}
	return c.costOf(kept) <= max(a.opt.Budget, 0)
}

// retainable filters rows by rule 36. No item is estimated unless the rule asks for it.
func retainable(rows []history.Row, opt Options) (*compactor, []entry) {
	l := &ledger{est: opt.Estimator, tracks: make([]track, len(rows)), inputs: len(rows)}
	in := make([]entry, len(rows))
	for i, r := range rows {
		in[i] = entry{row: r, track: i, changed: true} // changed: the ledger has no estimate
	}
	c := &compactor{ledger: l, opt: opt}
	return c, c.filter(in, RemoteV2)
}

// costOf is what kept entries cost by rule 37 when images are not charged.
func (c *compactor) costOf(kept []entry) int64 {
	free := *c
	free.opt.NoImageBudget = true
	s := spender{compactor: &free}
	var sum int64
	for _, g := range groupRows(kept, c.opt.Profile.since(attachesNotices()), true) {
		k := s.cost(kept, g)
		sum += k.source + k.notice
	}
	return sum
}
