package diff

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/parse"
)

// pairRest pairs what the alignment has left, the surest signs first. Later steps
// only see what the earlier ones did not pair.
func (c *comparison) pairRest() {
	exact := func(e entry) string { return classKey(e.exact) }
	bare := func(e entry) string { return classKey(e.bare) }
	c.pairByKey(exact, forwards) // moved
	c.pairByKey(idKey, forwards)
	c.pairByKey(callKey, forwards)
	c.alignBare()
	c.pairByKey(bare, forwards)
	// Of several injected contexts of one kind the newest is the one that is still
	// there, so they pair from the end.
	c.pairByKey(contextKey, backwards)
	c.pairByKey(firstFragment, backwards)
	c.pairShortened()
	c.pairSimilar(c.rest())
}

// rest are the indexes without a mate on either side.
func (c *comparison) rest() (before, after []int) {
	return unpaired(c.before), unpaired(c.after)
}

func unpaired(es []entry) []int {
	var out []int
	for i, e := range es {
		if e.mate < 0 {
			out = append(out, i)
		}
	}
	return out
}

type direction bool

const (
	forwards  direction = false
	backwards direction = true
)

// pairByKey pairs items with the same key, the first with the first or the last
// with the last. An empty key pairs with none.
func (c *comparison) pairByKey(key func(entry) string, dir direction) {
	before, after := c.rest()
	if len(before) == 0 || len(after) == 0 {
		return
	}
	places := map[string][]int{}
	for _, i := range before {
		if k := key(c.before[i]); k != "" {
			places[k] = append(places[k], i)
		}
	}
	for n := range after {
		j := after[n]
		if dir == backwards {
			j = after[len(after)-1-n]
		}
		k := key(c.after[j])
		left := places[k]
		if k == "" || len(left) == 0 {
			continue
		}
		if dir == backwards {
			c.mate(left[len(left)-1], j)
			places[k] = left[:len(left)-1]
		} else {
			c.mate(left[0], j)
			places[k] = left[1:]
		}
	}
}

func classKey(class int32) string {
	return string([]byte{byte(class), byte(class >> 8), byte(class >> 16), byte(class >> 24)})
}

func idKey(e entry) string {
	if id := e.row.Item.ID(); id != "" {
		return e.row.Item.Type + "\x00" + id
	}
	return ""
}

func callKey(e entry) string {
	if id, ok := e.row.Item.CallID(); ok {
		return e.row.Item.Type + "\x00" + id
	}
	return ""
}

// contextKey is the role and all fragments of an injected context.
func contextKey(e entry) string {
	if e.kind != KindContext {
		return ""
	}
	return e.row.Item.Role() + "\x00" + strings.Join(fragments(e.row.Item), "\x00")
}

func firstFragment(e entry) string {
	if e.kind != KindContext {
		return ""
	}
	if names := fragments(e.row.Item); len(names) > 0 {
		return e.row.Item.Role() + "\x00" + names[0]
	}
	return ""
}

// alignBare aligns what is left by content alone.
func (c *comparison) alignBare() {
	before, after := c.rest()
	if len(before) == 0 || len(after) == 0 {
		return
	}
	a, b := make([]int32, len(before)), make([]int32, len(after))
	for k, i := range before {
		a[k] = c.before[i].bare
	}
	for k, j := range after {
		b[k] = c.after[j].bare
	}
	align(a, b, c.classes, func(k, l int) { c.mate(before[k], after[l]) })
}

// maxCutTries bounds the search for the source of texts with a marker: more than
// one such text without an id is rare (rule 38 spends the budget on one).
const maxCutTries = 200_000

// pairShortened finds the source of messages that hold a truncation marker. The
// newest source is tried first: retention starts there.
func (c *comparison) pairShortened() {
	before, after := c.rest()
	tries := 0
	for _, j := range after {
		it := c.after[j].row.Item
		if it.Type != parse.ItemMessage || !hasMarker(it) {
			continue
		}
		for k := len(before) - 1; k >= 0 && tries < maxCutTries; k-- {
			i := before[k]
			if c.before[i].mate >= 0 || c.before[i].row.Item.Type != it.Type || !c.compatible(i, j) {
				continue
			}
			tries++
			if cutOf(c.before[i].row.Item, it) == shortened {
				c.mate(i, j)
				break
			}
		}
	}
}

func hasMarker(it parse.Item) bool {
	for _, p := range it.Content() {
		if from, _ := nextMarker(p.Text(), 0); from >= 0 {
			return true
		}
	}
	return false
}
