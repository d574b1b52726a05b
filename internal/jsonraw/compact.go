package jsonraw

import (
	"bytes"
	"strings"
)

// Compact returns v as Codex's serializer writes an opaque value again: no white
// space, fewest escapes, duplicate keys merged (first place, last value), number
// literals kept but for exponents ("1E3" is "1e+3") and "-0" ("0"), format.md 2.3.
// It fails when v is not well-formed.
func Compact(v Value) (Value, error) { return appendCompact(nil, v) }

func appendCompact(dst, v Value) (Value, error) {
	switch v.Kind() {
	case KindObject:
		o, err := ParseObject(v)
		if err != nil {
			return dst, err
		}
		return appendMembers(dst, o.lastWins())
	case KindArray:
		elems, err := Elements(v)
		if err != nil {
			return dst, err
		}
		dst = append(dst, '[')
		for i, e := range elems {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendCompact(dst, e); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	case KindString:
		if bytes.IndexByte(v, '\\') < 0 {
			return append(dst, v...), nil
		}
		return AppendQuote(dst, string(v.Unquoted())), nil
	case KindNumber:
		return append(dst, canonicalNumber(string(v))...), nil
	}
	return append(dst, v...), nil
}

func appendMembers(dst Value, members []Member) (Value, error) {
	var err error
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendQuote(dst, m.Name), ':')
		if dst, err = appendCompact(dst, m.Value); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// lastWins drops duplicates: the first place of a name with its last value.
func (o Object) lastWins() []Member {
	at := make(map[string]int, len(o.Members))
	out := make([]Member, 0, len(o.Members))
	for _, m := range o.Members {
		if i, ok := at[m.Name]; ok {
			out[i].Value = m.Value
			continue
		}
		at[m.Name] = len(out)
		out = append(out, m)
	}
	return out
}

func canonicalNumber(s string) string {
	if s == "-0" {
		return "0"
	}
	i := strings.IndexAny(s, "eE")
	if i < 0 {
		return s
	}
	exp := s[i+1:]
	if exp != "" && exp[0] != '+' && exp[0] != '-' {
		exp = "+" + exp
	}
	return s[:i] + "e" + exp
}
