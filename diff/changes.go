package diff

import "math"

// changes lists what became of every item, in the order of the after side. A
// dropped item comes before the next item that kept its place behind it.
func (c *comparison) changes(why reasoner) []Change {
	out := make([]Change, 0, max(len(c.before), len(c.after)))
	add := func(ch Change) {
		ch.Rule, ch.Reason = why.reason(c, ch)
		if c.opt.Explain != nil {
			if rule, reason, ok := c.opt.Explain(ch); ok {
				ch.Rule, ch.Reason = rule, reason
			}
		}
		out = append(out, ch)
	}
	next := 0
	dropUpTo := func(end int) {
		for ; next < end; next++ {
			if c.before[next].mate < 0 {
				add(c.change(Drop, next, -1))
			}
		}
	}
	place := c.places()
	for j := range c.after {
		i := c.after[j].mate
		if i < 0 {
			add(c.change(Add, -1, j))
			continue
		}
		stays := place[i].low < j && j < place[i].high
		if stays {
			dropUpTo(i)
		}
		add(c.change(c.op(i, j, stays), i, j))
	}
	dropUpTo(len(c.before))
	return out
}

// room is where after items may lie, both ends exclusive, to be in order with
// those that the alignment matched.
type room struct{ low, high int }

func (c *comparison) places() []room {
	out := make([]room, len(c.before))
	low := -1
	for i := range c.before {
		out[i].low = low
		if c.inOrder[i] {
			low = c.before[i].mate
		}
	}
	high := math.MaxInt
	for i := len(c.before) - 1; i >= 0; i-- {
		out[i].high = high
		if c.inOrder[i] {
			high = c.before[i].mate
		}
	}
	return out
}

func (c *comparison) op(i, j int, stays bool) Op {
	b, a := c.before[i], c.after[j]
	same := b.exact == a.exact
	if !same && !c.opt.IgnoreBookkeeping { // spellings of an item that is also there verbatim
		same = sameValue(b.row.Item.Raw, a.row.Item.Raw)
	}
	switch {
	case same && stays:
		return Keep
	case same:
		return Move
	case b.bare != a.bare && cutOf(b.row.Item, a.row.Item) != notCut:
		return Cut
	}
	return Altered
}

// change builds the entry of one pair; an index of -1 means that the side has none.
func (c *comparison) change(op Op, i, j int) Change {
	ch := Change{Op: op}
	if i >= 0 {
		e := c.before[i]
		ch.Before = &Ref{Index: i, Line: e.row.Line, Item: e.row.Item}
		ch.TokensBefore, ch.Kind = e.tokens, e.kind
	}
	if j >= 0 {
		e := c.after[j]
		ch.After = &Ref{Index: j, Line: e.row.Line, Item: e.row.Item}
		ch.TokensAfter, ch.Kind = e.tokens, e.kind
	}
	return ch
}
