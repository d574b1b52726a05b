package jsonraw

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Value holds the bytes of exactly one JSON value, without white space around it.
// A nil Value means that there is none (an absent member).
type Value []byte

// Kind is the first byte of a value: one of the constants below.
type Kind byte

// The kinds of JSON values. KindAbsent is the kind of a nil or empty Value.
const (
	KindAbsent Kind = 0
	KindNull   Kind = 'n'
	KindFalse  Kind = 'f'
	KindTrue   Kind = 't'
	KindString Kind = '"'
	KindNumber Kind = '0'
	KindObject Kind = '{'
	KindArray  Kind = '['
)

// Name is the kind in words, for messages.
func (k Kind) Name() string {
	switch k {
	case KindNull:
		return "null"
	case KindFalse, KindTrue:
		return "a boolean"
	case KindString:
		return "a string"
	case KindNumber:
		return "a number"
	case KindObject:
		return "an object"
	case KindArray:
		return "an array"
	}
	return "nothing"
}

// Kind reports the kind of v from its first byte alone.
func (v Value) Kind() Kind {
	if len(v) == 0 {
		return KindAbsent
	}
	switch c := v[0]; c {
	case 'n', 'f', 't', '"', '{', '[':
		return Kind(c)
	}
	return KindNumber
}

// IsNull reports whether v is the literal null (an absent value is not).
func (v Value) IsNull() bool { return v.Kind() == KindNull }

// Missing reports whether v is absent or null.
func (v Value) Missing() bool { k := v.Kind(); return k == KindAbsent || k == KindNull }

// Bool reports whether v is the literal true.
func (v Value) Bool() bool { return v.Kind() == KindTrue }

// Text returns the decoded string and true, or "" and false when v is no string.
func (v Value) Text() (string, bool) {
	if v.Kind() != KindString {
		return "", false
	}
	return string(v.Unquoted()), true
}

// Unquoted returns the decoded bytes of a string value. They alias v when the
// string holds no escape. It returns nil when v is no string.
func (v Value) Unquoted() []byte {
	if v.Kind() != KindString || len(v) < 2 {
		return nil
	}
	inner := v[1 : len(v)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	out, err := jsontext.AppendUnquote(nil, []byte(v))
	if err != nil {
		return inner
	}
	return out
}

// HasText reports whether v is a string that is not empty.
func (v Value) HasText() bool { return v.Kind() == KindString && len(v) > len(`""`) }

// TextLen is the length in bytes of the decoded string, 0 when v is no string.
// It allocates nothing.
func (v Value) TextLen() int {
	if v.Kind() != KindString || len(v) < 2 {
		return 0
	}
	inner := v[1 : len(v)-1]
	n := 0
	for {
		i := bytes.IndexByte(inner, '\\')
		if i < 0 {
			return n + len(inner)
		}
		n += i
		inner = inner[i:]
		if len(inner) < 2 {
			return n
		}
		if inner[1] != 'u' || len(inner) < 6 {
			n++
			inner = inner[2:]
			continue
		}
		r := hex4(inner[2:6])
		inner = inner[6:]
		switch {
		case r < 0x80:
			n++
		case r < 0x800:
			n += 2
		case r >= 0xd800 && r < 0xdc00 && len(inner) >= 6 && inner[0] == '\\' && inner[1] == 'u':
			n += 4
			inner = inner[6:]
		default:
			n += 3
		}
	}
}

func hex4(b []byte) (r uint32) {
	n, _ := strconv.ParseUint(string(b), 16, 32)
	return uint32(n)
}

// Uint64 returns the number when v is an integer literal from 0 to 2^64-1
// (no fraction, no exponent, no sign).
func (v Value) Uint64() (uint64, bool) {
	if v.Kind() != KindNumber {
		return 0, false
	}
	n, err := strconv.ParseUint(string(v), 10, 64)
	return n, err == nil
}

// Int64 returns the number when v is an integer literal in the range of int64.
func (v Value) Int64() (int64, bool) {
	if v.Kind() != KindNumber {
		return 0, false
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	return n, err == nil
}

// Quote returns s as a JSON string with the fewest escapes: the quote, the
// backslash and control characters only (format.md 1.4).
func Quote(s string) Value {
	return AppendQuote(make(Value, 0, len(s)+2), s)
}

// AppendQuote appends Quote(s) to dst.
func AppendQuote(dst Value, s string) Value {
	out, err := jsontext.AppendQuote([]byte(dst), s)
	if err != nil { // invalid UTF-8: the library has written U+FFFD in its place
		return Value(out)
	}
	return Value(out)
}

// Bool returns the literal true or false.
func Bool(b bool) Value {
	if b {
		return Value("true")
	}
	return Value("false")
}

// Int returns n as a number literal.
func Int(n int64) Value { return Value(strconv.AppendInt(nil, n, 10)) }

// Head returns the string value cut to at most limit bytes of JSON text between its
// quotes, never inside an escape or a character; v itself when it is short enough or
// no string.
func (v Value) Head(limit int) Value {
	if v.Kind() != KindString || len(v) <= limit+2 {
		return v
	}
	i := 1
	for {
		next := i + 1
		switch c := v[i]; {
		case c == '\\' && v[i+1] == 'u' && i+12 < len(v) && v[i+6] == '\\' && hex4(v[i+2:i+6])>>10 == 0xd800>>10:
			next = i + 12
		case c == '\\' && v[i+1] == 'u':
			next = i + 6
		case c == '\\':
			next = i + 2
		case c >= 0xf0:
			next = i + 4
		case c >= 0xe0:
			next = i + 3
		case c >= 0xc0:
			next = i + 2
		}
		if next > limit+1 {
			break
		}
		i = next
	}
	return append(append(make(Value, 0, i+1), v[:i]...), '"')
}
