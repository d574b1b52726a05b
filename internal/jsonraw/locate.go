package jsonraw

import (
	"strconv"
	"strings"
)

// Pointer returns the JSON pointer (RFC 6901) of the innermost value of text
// that starts at byte offset off or lies around it. It returns "" for the whole
// text, and goes no further than text is well-formed for a Scanner.
func Pointer(text []byte, off int) string {
	var s Scanner
	s.Reset(text)
	var out strings.Builder
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for kind := s.Next(); s.Offset() < off; kind = s.Next() {
		step, ok := enter(&s, kind, off)
		if !ok {
			break
		}
		out.WriteByte('/')
		out.WriteString(escape.Replace(step))
	}
	return out.String()
}

// enter goes to the start of the member or element around off and returns its
// name or index.
func enter(s *Scanner, kind Kind, off int) (string, bool) {
	around := func() bool {
		s.Next()
		m := s.Mark()
		s.Skip()
		if s.Err() != nil || off >= s.Offset() {
			return false
		}
		s.Rewind(m)
		return true
	}
	switch kind {
	case KindObject:
		s.OpenObject()
		for name, ok := s.Member(true); ok; name, ok = s.Member(false) {
			if around() {
				return string(name.Unquoted()), true
			}
		}
	case KindArray:
		s.OpenArray()
		for i := 0; s.Element(i == 0); i++ {
			if around() {
				return strconv.Itoa(i), true
			}
		}
	}
	return "", false
}

// Overridden returns the byte offsets of those member names in text, at any
// depth, that a later member with the same name in the same object overrides.
// It is nil when there are none, or when text is not well-formed for a Scanner.
// Memory grows with the number of members of open objects, not with the text.
func Overridden(text []byte) map[int]bool {
	var s Scanner
	s.Reset(text)
	var open []map[string]int // name offsets by name; nil for an array
	var out map[int]bool
	for s.Err() == nil {
		first := true
		switch s.Next() {
		case KindObject:
			s.OpenObject()
			open = append(open, map[string]int{})
		case KindArray:
			s.OpenArray()
			open = append(open, nil)
		default:
			s.Skip()
			first = false
		}
		for more := false; !more && s.Err() == nil; first = false {
			if len(open) == 0 {
				return out
			}
			names := open[len(open)-1]
			if names == nil {
				more = s.Element(first)
			} else {
				var name Value
				if name, more = s.Member(first); more {
					key := string(name.Unquoted())
					if old, dup := names[key]; dup {
						if out == nil {
							out = map[int]bool{}
						}
						out[old] = true
					}
					names[key] = s.NameOffset()
				}
			}
			if !more {
				open = open[:len(open)-1]
			}
		}
	}
	return nil
}
