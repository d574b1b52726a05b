package compaction

import (
	"slices"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// cutter collects what of a message's parts is within a budget.
type cutter struct {
	left int64 // tokens
	out  []history.KindedPart
}

// text takes a text part: whole while it fits, then one cut in the middle, then none
// (rule 39). Empty texts are never kept.
func (c *cutter) text(p history.KindedPart) {
	if c.left <= 0 || p.TextValue().TextLen() == 0 {
		return
	}
	if n := tokens.PartText(p.Part); n <= c.left {
		c.left -= n
	} else {
		p.Part = history.WithText(p.Part, tokens.TruncateTokens(p.Text(), uint64(c.left)))
		c.left = 0
	}
	c.out = append(c.out, p)
}

// cutText shortens a message front to back; media is free (rule 39). False when
// nothing is left.
func cutText(it parse.Item, budget int64) (parse.Item, bool) {
	c := cutter{left: budget}
	for _, p := range history.KindedContent(it) {
		if p.IsText() {
			c.text(p)
		} else {
			c.out = append(c.out, p)
		}
	}
	if len(c.out) == 0 {
		return it, false
	}
	return history.WithContent(it, c.out), true
}

// cutImages shortens a message whose images are charged, back to front: the first
// block that does not fit ends the budget; audio is free (rule 40). False when
// nothing is left.
func cutImages(it parse.Item, budget int64) (parse.Item, bool) {
	parts := history.KindedContent(it)
	c := cutter{left: budget}
	for end := len(parts); end > 0; {
		start := blockStart(parts[:end])
		block := parts[start:end]
		switch last := parts[end-1]; {
		case isImageBlock(block):
			if n := blockTokens(block); n <= c.left {
				c.left -= n
				for i := len(block) - 1; i >= 0; i-- {
					c.out = append(c.out, block[i])
				}
			} else {
				c.left = 0
			}
		case last.IsText():
			c.text(last)
		default:
			c.out = append(c.out, last)
		}
		end = start
	}
	if len(c.out) == 0 {
		return it, false
	}
	slices.Reverse(c.out)
	return history.WithContent(it, c.out), true
}
