package compaction

import (
	"fmt"
	"slices"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// cost is what a group takes of the budget, in tokens (rule 37).
type cost struct {
	source int64
	notice int64
	// text is the part of source that cutting can save: texts, and images that are
	// charged.
	text int64
	// images: the source has images and they are charged.
	images bool
}

// spender walks the retained groups newest first with the budget (rules 37, 38).
type spender struct {
	*compactor
	left  int64
	spent string // why nothing is left
}

// spend keeps what the budget allows, in the original order.
func (c *compactor) spend(in []entry) []entry {
	s := spender{compactor: c, left: max(c.opt.Budget, 0)}
	s.pay(0)
	groups := groupRows(in, c.opt.Profile.since(attachesNotices()), true)
	kept := make([]entry, 0, len(in)) // newest first
	for i := len(groups) - 1; i >= 0; i-- {
		g := groups[i]
		source, ok := s.take(in, g)
		if !ok {
			continue
		}
		if g.notice != noNotice {
			kept = append(kept, in[g.notice])
		}
		kept = append(kept, source)
	}
	slices.Reverse(kept)
	c.left = s.left
	return kept
}

// take decides on one group. It returns the source, cut if need be, and whether the
// group stays.
func (s *spender) take(in []entry, g group) (entry, bool) {
	source := in[g.source]
	if s.left == 0 {
		return s.skip(in, g, 37, "past the budget: "+s.spent)
	}
	k := s.cost(in, g)
	left := s.left
	if k.source+k.notice <= s.left {
		s.pay(k.source + k.notice)
		s.note(source, 37, "costs %d, its notice %d: fits into the %d tokens left, %d remain", k.source, k.notice, left, s.left)
		return source, true
	}
	s.note(source, 37, "costs %d, its notice %d: does not fit into the %d tokens left", k.source, k.notice, left)
	if source.row.Item.Type != parse.ItemMessage {
		if source.row.Item.IsToolOutput() {
			s.end("a retained tool output that did not fit ended the walk")
		}
		return s.skip(in, g, 38, fmt.Sprintf("does not fit: %d tokens, %d of %d left; it cannot be cut", k.source+k.notice, left, s.opt.Budget))
	}
	room := s.left - k.notice
	if k.images {
		s.end("images that did not fit took what was left")
	}
	if room <= 0 {
		return s.skip(in, g, 38, fmt.Sprintf("does not fit: its resize notice alone takes %d tokens, %d of %d left", k.notice, left, s.opt.Budget))
	}
	out, rule, ok := s.cut(source, k, room)
	if !ok {
		return s.skip(in, g, 38, fmt.Sprintf("does not fit: nothing of it is left when cut to %d tokens", room))
	}
	s.end(fmt.Sprintf("0 of %d tokens left", s.opt.Budget))
	s.note(out, rule, "cut to %d tokens: %d by the estimate now, the budget is spent", room, s.tokens(out))
	s.decide(out, Cut, rule, fmt.Sprintf("cut to the %d tokens that were left", room))
	return out, true
}

// pay takes n tokens off.
func (s *spender) pay(n int64) {
	if s.left -= n; s.left == 0 {
		s.end(fmt.Sprintf("0 of %d tokens left", s.opt.Budget))
	}
}

// end leaves nothing for older groups.
func (s *spender) end(why string) { s.left, s.spent = 0, why }

// skip drops a group.
func (s *spender) skip(in []entry, g group, rule int, why string) (entry, bool) {
	s.note(in[g.source], rule, "dropped; %d tokens left", s.left)
	s.decide(in[g.source], Dropped, rule, why)
	if g.notice != noNotice {
		s.note(in[g.notice], rule, "dropped with the item in front of it; %d tokens left", s.left)
		s.decide(in[g.notice], Dropped, rule, "resize notice of an item that did not fit")
	}
	return entry{}, false
}

// cost is rule 37.
func (s *spender) cost(in []entry, g group) cost {
	var k cost
	source := in[g.source]
	if g.notice != noNotice {
		k.notice = max(1, textTokens(in[g.notice].row.Item.Content()))
	}
	if source.row.Item.Type != parse.ItemMessage {
		k.source = max(1, s.tokens(source))
		return k
	}
	parts := source.row.Item.Content()
	k.text = textTokens(parts)
	if isClientDeveloper(source.row) {
		k.source = s.tokens(source)
		return k
	}
	if s.chargesImages() {
		for _, p := range parts {
			if p.Type == parse.PartInputImage {
				k.images = true
				k.text += tokens.Image(p)
			}
		}
	}
	k.source = max(1, k.text)
	return k
}

func (s *spender) chargesImages() bool {
	return !s.opt.NoImageBudget && s.opt.Profile.since(chargesImages())
}

// textTokens sums the texts, each rounded up on its own (rule 37).
func textTokens(parts []parse.Part) int64 {
	var n int64
	for _, p := range parts {
		n += tokens.PartText(p)
	}
	return n
}

// cut shortens a message to room tokens by rule 39, 40 or 41; false when nothing is
// left of it.
func (s *spender) cut(source entry, k cost, room int64) (entry, int, bool) {
	rule := 39
	var it parse.Item
	var ok bool
	switch {
	case isClientDeveloper(source.row):
		rule = 41
		it, ok = s.cutClientDeveloper(source.row.Item, k, room)
	case k.images:
		rule = 40
		it, ok = cutImages(source.row.Item, room)
	default:
		it, ok = cutText(source.row.Item, room)
	}
	if !ok {
		return source, rule, false
	}
	source.row = history.Row{Line: source.row.Line, File: source.row.File, Item: it, Meta: markCut(source.row.Meta)}
	source.changed = true
	return source, rule, true
}
