package compaction

import "github.com/rollout-tool/rollout-tool/parse"

// cutClientDeveloper shortens a client's developer message, whose cost is its item
// estimate (rule 41): its texts get what the rest of the item leaves of the room. If
// the markers carry it over again, the already cut message is cut once more.
func (s *spender) cutClientDeveloper(it parse.Item, k cost, room int64) (parse.Item, bool) {
	budget := max(0, room-max(0, k.source-k.text))
	out, ok := cutText(it, budget)
	if !ok {
		return it, false
	}
	if n := s.est.Item(out); n > room {
		if out, ok = cutText(out, max(0, budget-(n-room)-1)); !ok || s.est.Item(out) > room {
			return it, false
		}
	}
	return out, true
}
