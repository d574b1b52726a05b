package accept

import (
	"fmt"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// node is a typ compiled for one profile: rows of other times are gone, tagged
// variants have the common fields mixed in, names are indexed.
type node struct {
	*typ
	keys     *node
	elem     *node
	elems    []*node
	rows     []row
	index    map[string]int // names and aliases to rows
	required uint64         // rows that must be there
	either   uint64         // rows of which one must fit
	words    map[string]bool
	variants map[string]*node // by tag or key, aliases included
	rest     *node            // body of a variant that is not in the table
	kinds    map[jsonraw.Kind]*node
	ghost    bool
	label    string // written name of the variant
	// tagWritten is the tag as Scanner.NameIs takes it.
	tagWritten string
}

// row is a field compiled: what the checker needs for each member.
type row struct {
	*field
	node    *node
	tag     bool
	plain   bool   // any string will do
	written string // the name as Scanner.NameIs takes it
}

// written is a name as Scanner.NameIs takes it.
func written(name string) string { return string(jsonraw.Quote(name)) + ":" }

type compiler struct {
	profile Profile
	windows bool // the reader runs on Windows
	done    map[*typ]*node
}

// compile builds the graph of nodes below t. It panics on a table that cannot be
// interpreted, which a test of all tables excludes.
func (c *compiler) compile(t *typ) *node {
	if n := c.done[t]; n != nil {
		return n
	}
	n := &node{typ: t, tagWritten: written(t.tag)}
	c.done[t] = n
	if t == absPath && c.windows {
		n.typ = windowsPath
	}
	if t.keys != nil {
		n.keys = c.compile(t.keys)
	}
	if t.elem != nil {
		n.elem = c.compile(t.elem)
	}
	for _, e := range t.elems {
		n.elems = append(n.elems, c.compile(e))
	}
	switch t.form {
	case formObject:
		c.rows(n, t.fields)
	case formTagged:
		c.tagged(n)
	case formExternal:
		n.variants = map[string]*node{}
		for _, x := range t.variants {
			if x.window.covers(c.profile) {
				n.variants[x.name] = c.compile(x.typ)
			}
		}
	case formByKind:
		n.kinds = map[jsonraw.Kind]*node{}
		for _, e := range n.elems {
			if k := e.kindOf(); n.kinds[k] == nil {
				n.kinds[k] = e
			}
		}
	}
	if len(t.values) > 0 {
		n.words = map[string]bool{}
		for _, w := range t.values {
			if w.window.covers(c.profile) {
				n.words[w.name] = true
			}
		}
	}
	return n
}

func (c *compiler) tagged(n *node) {
	body := func(t *typ, x variant) *node {
		b := &node{typ: t, ghost: x.ghost, label: x.name}
		fields := append([]field{req(n.tag, text)}, n.fields...)
		c.rows(b, append(fields, x.fields...))
		b.rows[0].tag = true
		return b
	}
	n.variants = map[string]*node{}
	for _, x := range n.typ.variants {
		if !x.window.covers(c.profile) {
			continue
		}
		if x.typ != nil {
			n.variants[x.name] = c.compile(x.typ)
			continue
		}
		t := &typ{form: formObject, name: "struct " + x.name, source: n.source, strict: x.strict, finish: n.finish}
		b := body(t, x)
		n.variants[x.name] = b
		if x.alias != "" {
			n.variants[x.alias] = b
		}
	}
	if n.open == openTags {
		n.rest = body(&typ{form: formObject, name: n.name, source: n.source}, variant{})
	}
}

func (c *compiler) rows(n *node, fields []field) {
	n.index = map[string]int{}
	for i := range fields {
		f := &fields[i]
		if !f.window.covers(c.profile) {
			continue
		}
		at := len(n.rows)
		for _, name := range []string{f.name, f.alias} {
			if _, dup := n.index[name]; dup {
				panic(fmt.Sprintf("%s: two rows for %q", n.name, name))
			}
			if name != "" {
				n.index[name] = at
			}
		}
		if at >= 64 {
			panic(n.name + ": more than 64 rows")
		}
		switch f.is {
		case required:
			n.required |= 1 << at
		case either:
			n.either |= 1 << at
		}
		value := c.compile(f.typ)
		plain := value.form == formScalar && value.scalar == scalarText && f.keep == keepNothing && f.is != forbidden && f.is != either
		n.rows = append(n.rows, row{field: f, node: value, plain: plain, written: written(f.name)})
	}
}

// kindOf is the kind of JSON that the type is written as.
func (n *node) kindOf() jsonraw.Kind {
	switch n.form {
	case formScalar:
		return n.scalar.kindOf()
	case formEnum:
		return jsonraw.KindString
	case formList, formTuple:
		return jsonraw.KindArray
	case formNull:
		return jsonraw.KindNull
	}
	return jsonraw.KindObject
}
