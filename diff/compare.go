package diff

import (
	"bytes"
	"hash/maphash"
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
	row    history.Row
	exact  int32 // equal items have equal classes, on either side
	bare   int32 // the same without bookkeeping
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
	r := Result{
		Before:           c.summary(before, c.before),
		After:            c.summary(after, c.after),
		SameInstructions: before.Instructions == after.Instructions,
	}
	r.Changes = c.changes(compacts(before, after, c))
	r.ByKind = c.byKind()
	if r.SameInstructions {
		r.Prefix = c.prefix()
	}
	return r
}

func entries(rows []history.Row) []entry {
	out := make([]entry, len(rows))
	for i, row := range rows {
		out[i] = entry{row: row, mate: -1}
	}
	return out
}

// classify measures each distinct item once and gives equal items equal classes.
// Bytes that stand on both sides are equal without a closer look.
func (c *comparison) classify() {
	var pool interner
	raws := make([][]int32, 2)
	for s, side := range [][]entry{c.before, c.after} {
		raws[s] = make([]int32, len(side))
		for i, e := range side {
			raws[s][i] = pool.intern(e.row.Item.Raw)
		}
	}
	onSide := make([][2]bool, len(pool.values))
	samples := make([]*entry, len(pool.values))
	for s, side := range [][]entry{c.before, c.after} {
		for i := range side {
			onSide[raws[s][i]][s] = true
			samples[raws[s][i]] = &side[i]
		}
	}
	spelled := make([]spelling, len(samples))
	parallel(len(samples), func(lo, hi int) {
		var can canonicaliser
		for k := lo; k < hi; k++ {
			c.measure(samples[k])
			if onSide[k] != [2]bool{true, true} || c.opt.IgnoreBookkeeping {
				full, bare := can.item(samples[k].row.Item.Raw)
				spelled[k] = spelling{slices.Clone(full), slices.Clone(bare)}
			}
		}
	})
	exact, bare := c.number(spelled)
	for s, side := range [][]entry{c.before, c.after} {
		for i := range side {
			e, k := &side[i], raws[s][i]
			e.exact, e.bare = exact[k], bare[k]
			e.kind, e.tokens, e.bytes = samples[k].kind, samples[k].tokens, samples[k].bytes
		}
	}
}

func (c *comparison) measure(e *entry) {
	e.kind = Kind(e.row.Item)
	e.tokens = c.opt.Estimator.Item(e.row.Item)
	e.bytes = compactLen(e.row.Item.Raw)
}

// spelling holds an item's canonical bytes; nil when they were not needed.
type spelling struct{ full, bare []byte }

// number turns canonical bytes into classes. An item without them is a class of
// its own.
func (c *comparison) number(spelled []spelling) (exact, bare []int32) {
	var pool interner
	exact, bare = make([]int32, len(spelled)), make([]int32, len(spelled))
	for k, s := range spelled {
		if s.full == nil {
			exact[k] = pool.fresh()
			bare[k] = exact[k]
			continue
		}
		bare[k] = pool.intern(append([]byte{'-'}, s.bare...)) // never equal to a full one
		exact[k] = bare[k]
		if !c.opt.IgnoreBookkeeping {
			exact[k] = pool.intern(s.full)
		}
	}
	c.classes = len(pool.values)
	return exact, bare
}

// interner numbers distinct byte strings. The zero value is empty.
type interner struct {
	seed   maphash.Seed
	first  map[uint64]int32
	next   []int32 // of the values with the same hash, -1 at the end
	values [][]byte
}

func (p *interner) intern(b []byte) int32 {
	if p.first == nil {
		p.seed, p.first = maphash.MakeSeed(), map[uint64]int32{}
	}
	h := maphash.Bytes(p.seed, b)
	head, ok := p.first[h]
	if !ok {
		head = -1
	}
	for k := head; k >= 0; k = p.next[k] {
		if bytes.Equal(p.values[k], b) {
			return k
		}
	}
	id := p.fresh()
	p.values[id], p.next[id], p.first[h] = b, head, id
	return id
}

// fresh is a number that no byte string has.
func (p *interner) fresh() int32 {
	p.values, p.next = append(p.values, nil), append(p.next, -1)
	return int32(len(p.values) - 1)
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
