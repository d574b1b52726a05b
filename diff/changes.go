package diff

import "math"

// changes lists what became of every item, in the order of the after side. A
// dropped item comes before whatever is new between the items that stayed around it.
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
	stays := c.staying()
	upTo := c.dropsBefore(stays)
	for j := range c.after {
		dropUpTo(upTo[j])
		if i := c.after[j].mate; i >= 0 {
			add(c.change(c.op(i, j, stays[j]), i, j))
		} else {
			add(c.change(Add, -1, j))
		}
	}
	dropUpTo(len(c.before))
	return out
}

// staying tells, for each after item, whether it has a mate and is in order with
// all that the alignment matched.
func (c *comparison) staying() []bool {
	out := make([]bool, len(c.after))
	place := c.places()
	for j, e := range c.after {
		out[j] = e.mate >= 0 && place[e.mate].low < j && j < place[e.mate].high
	}
	return out
}

// dropsBefore tells, for each after item, up to which before item the drops come
// first: up to the mate of the next item that stays.
func (c *comparison) dropsBefore(stays []bool) []int {
	out := make([]int, len(c.after))
	end := len(c.before)
	for j := len(c.after) - 1; j >= 0; j-- {
		if stays[j] {
			end = min(end, c.after[j].mate)
		}
		out[j] = end
	}
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
	if !same && (b.shared || a.shared) {
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
