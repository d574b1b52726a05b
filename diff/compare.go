package diff

import (
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// entry is one item while it is compared.
type entry struct {
	row    *history.Row
	exact  int32 // equal items have equal classes, on either side
	bare   int32 // the same without bookkeeping
	shared bool  // the same bytes are on both sides: not compared with other spellings
	kind   string
	tokens int64
	bytes  int64
	mate   int // index on the other side, -1 for none
}

// comparison is the working state of Compare.
type comparison struct {
	opt           Options
	before, after []entry
	classes       int    // exclusive bound of all exact and bare classes
	inOrder       []bool // per index of before: matched by the alignment
}

// Compare aligns two payloads. It never fails: what is no well-formed item is
// compared byte by byte. Time grows with the bytes of both sides and, for repeated
// items in another order, with their number times the edits.
func Compare(before, after Side, opt Options) Result {
	c := &comparison{opt: opt, before: entries(before.Rows), after: entries(after.Rows)}
	c.classify()
	c.alignExact()
	c.pairRest()
	r := Result{Before: c.summary(before, c.before), After: c.summary(after, c.after)}
	r.Changes = c.changes(compacts(before, after, c))
	r.ByKind = c.byKind()
	r.compareRequests(before, after, opt)
	r.InputPrefix = c.prefix()
	r.breaks(c)
	return r
}

func entries(rows []history.Row) []entry {
	out := make([]entry, len(rows))
	for i := range rows {
		out[i] = entry{row: &rows[i], mate: -1}
	}
	return out
}

// classify measures each distinct item once and gives equal items equal classes.
// Bytes that stand on both sides are equal without a closer look.
func (c *comparison) classify() {
	sides := [2][]entry{c.before, c.after}
	hash := newHasher()
	distinct := newNumbers(len(c.before) + len(c.after))
	raws := [2][]int32{make([]int32, len(c.before)), make([]int32, len(c.after))}
	var items []*item
	for s, side := range sides {
		for i := range side {
			k := distinct.of(hash.sum(side[i].row.Item.Raw))
			if int(k) == len(items) {
				items = append(items, &item{first: &side[i]})
			}
			items[k].on[s] = true
			raws[s][i] = k
		}
	}
	parallel(len(items), func(lo, hi int) {
		var can canonicaliser
		for _, it := range items[lo:hi] {
			c.measure(it.first)
			if it.on != [2]bool{true, true} || c.opt.IgnoreBookkeeping {
				full, bare := can.item(it.first.row.Item.Raw)
				it.full, it.bare, it.hashed = hash.sum(full), hash.sum(bare), true
			}
		}
	})
	c.number(items)
	for s, side := range sides {
		for i := range side {
			e, from := &side[i], items[raws[s][i]].first
			e.exact, e.bare, e.shared = from.exact, from.bare, from.shared
			e.kind, e.tokens, e.bytes = from.kind, from.tokens, from.bytes
		}
	}
}

// item is one of the distinct items of both sides.
type item struct {
	first      *entry  // where it is met first
	on         [2]bool // the sides that have it
	full, bare digest  // of the canonical bytes
	hashed     bool
}

func (c *comparison) measure(e *entry) {
	e.kind = Kind(e.row.Item)
	e.tokens = c.opt.Estimator.Item(e.row.Item)
	e.bytes = compactLen(e.row.Item.Raw)
}

// number turns digests into classes. An item without them is a class of its own.
func (c *comparison) number(items []*item) {
	classes := newNumbers(len(items))
	for _, it := range items {
		e := it.first
		switch {
		case !it.hashed:
			e.exact, e.shared = classes.fresh(), true
			e.bare = e.exact
		case c.opt.IgnoreBookkeeping:
			e.exact = classes.of(it.bare)
			e.bare = e.exact
		default:
			e.exact, e.bare = classes.of(it.full), classes.of(it.bare)
		}
	}
	c.classes = int(classes.next)
}

// parallel runs do over parts of 0..n on all processors.
func parallel(n int, do func(lo, hi int)) {
	workers := min(runtime.GOMAXPROCS(0), 1+n/64)
	if workers == 1 {
		do(0, n)
		return
	}
	const part = 32
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		lo := next
		next += part
		return lo
	}
	for range workers {
		wg.Go(func() {
			for lo := take(); lo < n; lo = take() {
				do(lo, min(lo+part, n))
			}
		})
	}
	wg.Wait()
}

func (c *comparison) alignExact() {
	a, b := make([]int32, len(c.before)), make([]int32, len(c.after))
	for i, e := range c.before {
		a[i] = e.exact
	}
	for j, e := range c.after {
		b[j] = e.exact
	}
	c.inOrder = make([]bool, len(a))
	align(a, b, c.classes, func(i, j int) {
		c.mate(i, j)
		c.inOrder[i] = true
	})
}

func (c *comparison) mate(i, j int) { c.before[i].mate, c.after[j].mate = j, i }

func (c *comparison) summary(s Side, es []entry) Summary {
	out := Summary{Point: s.Point, File: s.File, Items: len(es), Tokens: tokens.Instructions(s.Instructions)}
	for _, e := range es {
		out.Tokens += e.tokens
		out.Bytes += e.bytes
	}
	return out
}

func (c *comparison) prefix() Prefix {
	var p Prefix
	for k := 0; k < len(c.before) && k < len(c.after) && c.before[k].exact == c.after[k].exact; k++ {
		p.Items++
		p.Bytes += c.after[k].bytes
		p.Tokens += c.after[k].tokens
	}
	return p
}

func (c *comparison) byKind() []KindTotal {
	at := map[string]int{}
	var out []KindTotal
	total := func(kind string) *KindTotal {
		k, ok := at[kind]
		if !ok {
			k = len(out)
			at[kind] = k
			out = append(out, KindTotal{Kind: kind})
		}
		return &out[k]
	}
	for _, e := range c.before {
		t := total(e.kind)
		t.ItemsBefore++
		t.TokensBefore += e.tokens
		t.BytesBefore += e.bytes
	}
	for _, e := range c.after {
		t := total(e.kind)
		t.ItemsAfter++
		t.TokensAfter += e.tokens
		t.BytesAfter += e.bytes
	}
	rank := func(kind string) int {
		if k := slices.Index(kindOrder, kind); k >= 0 {
			return k
		}
		return len(kindOrder)
	}
	slices.SortFunc(out, func(a, b KindTotal) int {
		if d := rank(a.Kind) - rank(b.Kind); d != 0 {
			return d
		}
		return strings.Compare(a.Kind, b.Kind)
	})
	return out
}

// raw is a shorthand for a member of the entry's item.
func (e entry) raw(name string) jsonraw.Value { return e.row.Item.Fields.Get(name) }
