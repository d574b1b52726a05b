package accept

import (
	"math/bits"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// value reads the value that Next has announced as n says.
func (c *Checker) value(n *node, kind jsonraw.Kind) {
	switch n.form {
	case formAny, formNull:
		c.ignore(kind)
	case formScalar:
		c.scalar(n, kind)
	case formEnum:
		c.enum(n, kind)
	case formList:
		c.list(n, kind)
	case formTuple:
		c.tuple(n, kind)
	case formMap:
		c.dict(n, kind)
	case formObject:
		c.object(n, kind)
	case formTagged:
		c.tagged(n, kind)
	case formExternal:
		c.external(n, kind)
	case formByKey:
		at := 0
		if !c.hasKey(n, kind) {
			at = 1
		}
		c.value(n.elems[at], kind)
	case formByKind:
		if k := n.kinds[kind]; k != nil {
			c.value(k, kind)
		} else {
			c.mismatch(n)
		}
	}
}

// mismatch rejects the next value, which is of the wrong kind, and skips it.
func (c *Checker) mismatch(n *node) {
	kind := c.scan.Next()
	off := c.scan.Offset()
	lit := c.scan.Skip()
	if c.scan.Err() == nil && c.err.none() && c.muted == 0 {
		c.fail(off, "invalid type: "+describe(kind, lit)+", expected "+n.name)
	}
}

// describe names a value as Codex's decoder does.
func describe(kind jsonraw.Kind, lit jsonraw.Value) string {
	const most = 64
	short := lit
	if len(short) > most {
		short = nil
	}
	switch kind {
	case jsonraw.KindNull:
		return "null"
	case jsonraw.KindTrue, jsonraw.KindFalse:
		return "boolean `" + string(lit) + "`"
	case jsonraw.KindString:
		return "string " + string(short)
	case jsonraw.KindNumber:
		return "number `" + string(short) + "`"
	case jsonraw.KindArray:
		return "sequence"
	}
	return "map"
}

func (c *Checker) scalar(n *node, kind jsonraw.Kind) {
	want := n.scalar.kindOf()
	off := c.scan.Offset()
	var lit jsonraw.Value
	switch {
	case want == jsonraw.KindString && kind == want:
		lit = c.scan.String()
	case want == jsonraw.KindNumber && kind == want:
		lit = c.scan.Number()
	case want == jsonraw.KindTrue && (kind == want || kind == jsonraw.KindFalse):
		lit = c.scan.Literal()
	default:
		c.mismatch(n)
		return
	}
	if n.scalar == scalarText || n.scalar == scalarBool || c.scan.Err() != nil {
		return
	}
	if msg := n.badScalar(lit); msg != "" {
		c.fail(off, msg)
	}
}

func (c *Checker) enum(n *node, kind jsonraw.Kind) {
	if kind != jsonraw.KindString {
		c.mismatch(n)
		return
	}
	off := c.scan.Offset()
	word := c.scan.Text(c.scan.String())
	if c.scan.Err() == nil && !n.words[string(word)] {
		c.fail(off, "unknown variant `"+clip(word)+"`, expected a "+n.name)
	}
}

// clip shortens a name for a message.
func clip(s []byte) string {
	const most = 64
	if len(s) > most {
		return string(s[:most]) + "..."
	}
	return string(s)
}

func (c *Checker) tuple(n *node, kind jsonraw.Kind) {
	if kind != jsonraw.KindArray {
		c.mismatch(n)
		return
	}
	off := c.scan.Offset()
	count := 0
	c.scan.OpenArray()
	for ; c.scan.Element(count == 0); count++ {
		if count < len(n.elems) {
			c.value(n.elems[count], c.scan.Next())
		} else {
			c.scan.Skip()
		}
	}
	if count != len(n.elems) {
		c.fail(off, "invalid length, expected "+n.name)
	}
}

func (c *Checker) dict(n *node, kind jsonraw.Kind) {
	if kind != jsonraw.KindObject {
		c.mismatch(n)
		return
	}
	c.scan.OpenObject()
	for name, ok := c.scan.Member(true); ok; name, ok = c.scan.Member(false) {
		if c.overridden() {
			continue
		}
		if n.keys != nil {
			if msg := n.keys.badScalar(name); msg != "" {
				c.fail(c.scan.NameOffset(), msg)
			}
		}
		c.value(n.elem, c.scan.Next())
	}
}

// overridden skips the value of the current member if a later member of the
// same name counts instead.
func (c *Checker) overridden() bool {
	if c.skip == nil || !c.skip[c.scan.NameOffset()] {
		return false
	}
	c.muted++
	c.scan.Skip()
	c.muted--
	return true
}

// ignore reads a value that is kept opaque or not known: all that counts in it are
// numbers out of range, and those not in members that are overridden.
func (c *Checker) ignore(kind jsonraw.Kind) {
	switch {
	case c.skip == nil:
		c.scan.Skip()
	case kind == jsonraw.KindObject:
		c.scan.OpenObject()
		for _, ok := c.scan.Member(true); ok; _, ok = c.scan.Member(false) {
			if !c.overridden() {
				c.ignore(c.scan.Next())
			}
		}
	case kind == jsonraw.KindArray:
		c.scan.OpenArray()
		for first := true; c.scan.Element(first); first = false {
			c.ignore(c.scan.Next())
		}
	default:
		c.scan.Skip()
	}
}

// object reads an object by its rows.
func (c *Checker) object(n *node, kind jsonraw.Kind) {
	if kind != jsonraw.KindObject {
		c.mismatch(n)
		return
	}
	start := c.scan.Offset()
	var seen, aliased, fits uint64
	next := 0
	c.scan.OpenObject()
	for more := c.scan.ToName(true); more; more = c.scan.ToName(false) {
		at, byAlias := c.expected(n, next), false
		var name []byte
		if at < 0 {
			raw, ok := c.scan.Name()
			if !ok {
				break
			}
			name = c.scan.Text(raw)
			if at, ok = n.index[string(name)]; !ok {
				at = -1
			}
		}
		if c.skip != nil && c.overridden() {
			continue
		}
		if at < 0 {
			if n.strict {
				c.fail(c.scan.Offset(), "unknown field `"+clip(name)+"`")
			}
			c.ignore(c.scan.Next())
			continue
		}
		next = at + 1
		r, bit := &n.rows[at], uint64(1)<<at
		if name != nil {
			if byAlias = string(name) != r.name; !byAlias {
				c.scan.Named(r.name)
			}
		}
		if seen&bit != 0 {
			if byAlias != (aliased&bit != 0) {
				c.fail(c.scan.NameOffset(), "duplicate field `"+r.name+"`")
			}
			c.duplicate = true
		}
		seen |= bit
		if byAlias {
			aliased |= bit
		}
		if c.member(r) {
			fits |= bit
		}
	}
	if c.scan.Err() != nil {
		return
	}
	if missing := n.required &^ seen; missing != 0 {
		c.fail(start, "missing field `"+n.rows[bits.TrailingZeros64(missing)].name+"`")
	}
	if n.either != 0 && n.either&fits == 0 {
		c.fail(start, "data did not match any variant of "+n.name)
	}
	c.finish(n.typ.finish, start)
}

// expected reads the name ahead if it is that of one of the next rows, and returns
// the row; -1 when it is not. Writers keep the order of the table and leave rows out.
func (c *Checker) expected(n *node, next int) int {
	const ahead = 4
	for at := next; at < len(n.rows) && at < next+ahead; at++ {
		if written := n.rows[at].written; c.scan.NameIs(written) {
			c.scan.TakeName(written)
			return at
		}
	}
	return -1
}

// member reads the value of a known member. For an "either" row it reports
// whether the value fits; other rows fail on their own.
func (c *Checker) member(r *row) bool {
	kind := c.scan.Next()
	if r.plain && kind == jsonraw.KindString {
		c.scan.String()
		return false
	}
	start := c.scan.Offset()
	fits := false
	switch {
	case r.is == forbidden:
		c.fail(start, "unexpected field `"+r.name+"`")
		c.scan.Skip()
	case r.is == either:
		fits = kind == r.node.scalar.kindOf()
		c.ignore(kind)
	case r.is == optional && kind == jsonraw.KindNull:
		c.scan.Literal()
		return false
	case r.keep == keepHistory:
		c.tracked(r.node, kind, &c.history, (*Checker).historyEntry)
	case r.keep == keepSidecar:
		c.tracked(r.node, kind, &c.sidecar, (*Checker).sidecarEntry)
	default:
		c.value(r.node, kind)
	}
	if r.keep != keepNothing && c.scan.Err() == nil {
		c.kept[r.keep] = c.line[start:c.scan.Offset()]
	}
	return fits
}

func (c *Checker) list(n *node, kind jsonraw.Kind) {
	if kind != jsonraw.KindArray {
		c.mismatch(n)
		return
	}
	start := c.scan.Offset()
	side := -1
	c.scan.OpenArray()
	for i := 0; c.scan.Element(i == 0); i++ {
		if n.uniform == "" {
			c.value(n.elem, c.scan.Next())
			continue
		}
		at, kind := 0, c.scan.Next()
		if !c.hasKey(n.elem, kind) {
			at = 1
		}
		if side < 0 {
			side = at
		}
		if at != side {
			c.fail(start, n.uniform)
		}
		c.value(n.elem.elems[at], kind)
	}
}
