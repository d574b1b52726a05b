package history

import (
	"slices"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// rollBack drops the last n turns (rule 16). rows may be changed in place.
func rollBack(rows []Row, n uint64, agents *accept.Checker) []Row {
	if n == 0 {
		return rows
	}
	var boundaries []int
	for i, r := range rows {
		if IsBoundary(r.Item, agents) {
			boundaries = append(boundaries, i)
		}
	}
	if len(boundaries) == 0 {
		return rows
	}
	first, at := boundaries[0], boundaries[0]
	if n < uint64(len(boundaries)) {
		at = boundaries[uint64(len(boundaries))-n]
	}
	cut := at
	for cut > first && hasContextualPart(rows[cut-1].Item) {
		cut--
	}
	boundary := rows[at]
	left := rows[:cut:cut]
	if order, ok := acceptanceOrder(boundary.Meta); ok {
		left = slices.DeleteFunc(slices.Clone(left), func(r Row) bool {
			own, ok := acceptanceOrder(r.Meta)
			ordered := r.Item.IsMessage("assistant") || r.Item.Type == parse.ItemFunctionCall
			return ordered && ok && own >= order
		})
	}
	if turn := boundary.Item.Passthrough().TurnID(); cut == first && turn != "" {
		left = dropSwitches(left, turn)
	}
	return left
}

// acceptanceOrder is the order that rollbacks compare; inherited items have none.
func acceptanceOrder(meta parse.Sidecar) (uint64, bool) {
	if meta.InheritedUserMessage() {
		return 0, false
	}
	return meta.UserInputOrder()
}

// dropSwitches takes the model switch and persistent mode texts of the undone turn
// out of its developer messages. A message that keeps anything gets its kinds
// rewritten even when nothing was taken out.
func dropSwitches(rows []Row, turn string) []Row {
	out := make([]Row, 0, len(rows))
	for _, r := range rows {
		if !r.Item.IsMessage("developer") || r.Item.Passthrough().TurnID() != turn {
			out = append(out, r)
			continue
		}
		parts := slices.DeleteFunc(KindedContent(r.Item), func(p KindedPart) bool {
			if p.Type != parse.PartInputText {
				return false
			}
			t := p.Text()
			return modelSwitch.matches(t) || persistentMode.matches(t)
		})
		if len(parts) == 0 {
			continue
		}
		r.Item = WithContent(r.Item, parts)
		out = append(out, r)
	}
	return out
}
