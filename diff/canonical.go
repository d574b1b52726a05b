package diff

import (
	"bytes"
	"slices"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// bookkeeping reports whether a member of an item is left out when ids and
// passthrough do not count (compaction.md 6.5).
func bookkeeping(name string) bool { return name == "id" || name == parse.PassthroughKey }

// canonicaliser turns JSON into the one spelling that all equal values share: no
// white space, members sorted by name, of duplicates the last, fewest escapes,
// numbers as written. It may be used again but not from two goroutines.
type canonicaliser struct {
	scan jsonraw.Scanner
	full []byte // the last item
	bare []byte // the last item without bookkeeping
}

// maxDepth is how deep the JSON library lets items nest.
const maxDepth = 10_000

// item returns the canonical bytes of an item, with and without bookkeeping. They
// are valid until the next call. What is no well-formed object stands for itself.
func (c *canonicaliser) item(raw jsonraw.Value) (full, bare []byte) {
	c.scan.MaxDepth = maxDepth
	c.scan.Reset(raw)
	if c.scan.Next() != jsonraw.KindObject {
		return raw, raw
	}
	ms := c.members()
	if c.scan.Err() != nil {
		return raw, raw
	}
	c.full = appendMembers(c.full[:0], ms)
	kept := slices.DeleteFunc(ms, func(m member) bool { return bookkeeping(m.name) })
	c.bare = appendMembers(c.bare[:0], kept)
	return c.full, c.bare
}

// value returns the canonical bytes of any value, v itself if it is not well-formed.
func (c *canonicaliser) value(v jsonraw.Value) []byte {
	c.scan.MaxDepth = maxDepth
	c.scan.Reset(v)
	out := c.append(nil)
	if c.scan.Err() != nil {
		return v
	}
	return out
}

func canonical(v jsonraw.Value) []byte {
	var c canonicaliser
	return c.value(v)
}

// sameValue reports whether two values differ at most in spelling. Two absent
// values are the same.
func sameValue(a, b jsonraw.Value) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	switch {
	case bytes.Equal(a, b):
		return true
	case a.Kind() != b.Kind():
		return false
	case a.Kind() == jsonraw.KindString:
		return bytes.Equal(fewestEscapes(a), fewestEscapes(b))
	}
	return bytes.Equal(canonical(a), canonical(b))
}

type member struct {
	name  string
	value []byte // canonical
}

// members reads the object that the scanner has announced, sorted by name.
func (c *canonicaliser) members() []member {
	var ms []member
	c.scan.OpenObject()
	for name, ok := c.scan.Member(true); ok; name, ok = c.scan.Member(false) {
		m := member{name: string(name.Unquoted())}
		switch c.scan.Next() {
		case jsonraw.KindObject, jsonraw.KindArray:
			m.value = c.append(nil)
		default:
			m.value = c.scalar()
		}
		ms = append(ms, m)
	}
	slices.SortStableFunc(ms, func(a, b member) int { return strings.Compare(a.name, b.name) })
	out := ms[:0]
	for i, m := range ms {
		if i+1 == len(ms) || ms[i+1].name != m.name {
			out = append(out, m) // the last of its name
		}
	}
	return out
}

func appendMembers(dst []byte, ms []member) []byte {
	dst = append(dst, '{')
	for i, m := range ms {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonraw.AppendQuote(dst, m.name), ':')
		dst = append(dst, m.value...)
	}
	return append(dst, '}')
}

// append adds the canonical bytes of the scanner's next value to dst.
func (c *canonicaliser) append(dst []byte) []byte {
	switch c.scan.Next() {
	case jsonraw.KindObject:
		return appendMembers(dst, c.members())
	case jsonraw.KindArray:
		dst = append(dst, '[')
		c.scan.OpenArray()
		for first := true; c.scan.Element(first); first = false {
			if !first {
				dst = append(dst, ',')
			}
			dst = c.append(dst)
		}
		return append(dst, ']')
	}
	return append(dst, c.scalar()...)
}

// scalar reads a value that holds no others.
func (c *canonicaliser) scalar() []byte {
	v := c.scan.Skip()
	if v.Kind() != jsonraw.KindString {
		return v
	}
	return fewestEscapes(v)
}

// fewestEscapes spells a string as compact JSON does: v itself in most cases.
func fewestEscapes(v jsonraw.Value) []byte {
	for i := bytes.IndexByte(v, '\\'); i >= 0 && i < len(v); {
		n := shortEscape(v[i:])
		if n == 0 {
			return jsonraw.Quote(string(v.Unquoted()))
		}
		i += n
		next := bytes.IndexByte(v[i:], '\\')
		if next < 0 {
			break
		}
		i += next
	}
	return v
}

// shortEscape is the length of the escape that b starts with, 0 when it is not the
// shortest spelling of its character or not in small letters.
func shortEscape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
		return 2
	}
	if len(b) < 6 || string(b[:4]) != `\u00` {
		return 0
	}
	switch c := b[5]; {
	case b[4] == '0' && (c == '8' || c == '9' || c == 'a' || c == 'c' || c == 'd'):
		return 0 // \b \t \n \f \r
	case b[4] != '0' && b[4] != '1', c < '0' || c > '9' && c < 'a' || c > 'f':
		return 0
	}
	return 6
}

// compactLen is the length in bytes of v as compact JSON: without white space
// between tokens and with the fewest escapes.
func compactLen(v jsonraw.Value) int64 {
	n := len(v)
	for i := 0; i < len(v); {
		switch v[i] {
		case ' ', '\t', '\r', '\n':
			n--
		case '"':
			end, ok := textEnd(v, i)
			if !ok {
				return exactLen(v)
			}
			i = end
			continue
		}
		i++
	}
	return int64(n)
}

// textEnd is where the string at i ends; false when it has an escape that compact
// JSON would not have, or no end.
func textEnd(v []byte, i int) (int, bool) {
	i++
	quote := -1 // the next quote, escaped or not
	for {
		if quote < i {
			k := bytes.IndexByte(v[i:], '"')
			if k < 0 {
				return 0, false
			}
			quote = i + k
		}
		slash := bytes.IndexByte(v[i:quote], '\\')
		if slash < 0 {
			return quote + 1, true
		}
		i += slash
		n := shortEscape(v[i:])
		if n == 0 {
			return 0, false
		}
		i += n
	}
}

func exactLen(v jsonraw.Value) int64 {
	out, err := jsonraw.Compact(v)
	if err != nil {
		return int64(len(v))
	}
	return int64(len(out))
}
