package compaction

import "github.com/rollout-tool/rollout-tool/history"

// RetainedCost is what the retained items of a stored checkpoint cost by rule 37, in
// tokens: all that any feature switch could have retained, images not charged. A
// remote compaction keeps it within its budget, but for the markers of what was cut.
// What stands behind the compaction item was put there later and does not count.
func RetainedCost(rows []history.Row) int64 {
	opt := Defaults()
	opt.RetainClientDeveloper, opt.RetainClientToolOutputs, opt.NoImageBudget = true, true, true
	l, in := open(withoutGoalEdits(rows), opt.Estimator)
	c := compactor{ledger: l, opt: opt}
	kept := c.filter(in, RemoteV2)
	s := spender{compactor: &c}
	var sum int64
	for _, g := range groupRows(kept, true, true) {
		k := s.cost(kept, g)
		sum += k.source + k.notice
	}
	return sum
}
