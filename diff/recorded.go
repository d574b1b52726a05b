package diff

import (
	"fmt"

	rules "github.com/rollout-tool/rollout-tool/compaction"
)

// Explanation says how well the rules give a stored checkpoint. Its Reason is a hook
// for Options.
type Explanation struct{ rules.Explanation }

// Reason names the rule and the reason of a change between the normalised input
// before the compaction and the checkpoint; see Options.Explain.
func (e Explanation) Reason(ch Change) (rule int, reason string, ok bool) {
	switch {
	case ch.Before == nil:
		return addedReason(ch)
	case ch.After != nil && ch.Kind == KindContext:
		return 0, "context refreshed", true
	case ch.Before.Index >= len(e.Source):
		return 0, "", false
	}
	at := e.Source[ch.Before.Index]
	if at < 0 {
		return 31, "output added to the request for a call without one; not retained", true
	}
	d := e.Decision(at)
	if d == nil {
		return 0, "", false
	}
	if agrees(ch.Op, d.Action) {
		if ch.Op == Altered {
			return d.Rule, d.Reason + "; ids or bookkeeping differ", true
		}
		return d.Rule, d.Reason, true
	}
	return 0, fmt.Sprintf("not explained by the rules: rule %d gives %s (%s)", d.Rule, d.Action, d.Reason), true
}

func addedReason(ch Change) (int, string, bool) {
	switch {
	case isSummary(ch.Kind):
		return 43, "summary of this compaction", true
	case ch.Kind == KindContext:
		return 0, "context refreshed", true
	}
	return 0, "not explained by the rules: no item before the compaction gives this one", true
}

// agrees reports whether what happened to an item is what the rules decided.
func agrees(op Op, a rules.Action) bool {
	switch op {
	case Keep, Move, Altered:
		return a == rules.Kept || a == rules.Rewritten
	case Cut:
		return a == rules.Cut || a == rules.Rewritten
	case Drop:
		return a == rules.Dropped
	}
	return false
}
