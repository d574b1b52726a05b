package compaction

import (
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
)

// group is an item and the image resize notice behind it (rule 28): indexes into
// a list of entries.
type group struct {
	source int
	notice int // noNotice when there is none
}

const noNotice = -1

// groupRows pairs each item with the notice behind it, greedily from the front, so
// that a notice behind a notice is a source (rule 28). With detach a notice that is
// a client's developer message becomes a group of its own, which takes no notice
// (rule 35). Without attach every item is a group: generations before C2e.
func groupRows(entries []entry, attach, detach bool) []group {
	groups := make([]group, 0, len(entries))
	for i := 0; i < len(entries); i++ {
		g := group{source: i, notice: noNotice}
		if next := i + 1; attach && next < len(entries) && history.IsResizeNotice(entries[next].row.Item) {
			i = next
			if detach && isClientDeveloper(entries[next].row) {
				groups = append(groups, g)
				g = group{source: next, notice: noNotice}
			} else {
				g.notice = next
			}
		}
		groups = append(groups, g)
	}
	return groups
}

// isClientDeveloper reports whether a client wrote this developer message (rule 36).
func isClientDeveloper(r history.Row) bool {
	return r.Item.IsMessage("developer") && r.Meta.ClientAuthored()
}

// isClientOutput reports whether a client asked to retain this tool output: a
// function_call_output of its own without a call, but with a name (rule 29).
func isClientOutput(r history.Row) bool {
	if r.Item.Type != parse.ItemFunctionOutput || !r.Meta.ClientAuthored() {
		return false
	}
	_, hasCall := r.Item.CallID()
	_, hasName := r.Item.Fields.Get("name").Text()
	return !hasCall && hasName
}
