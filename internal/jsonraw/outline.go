package jsonraw

import "slices"

// outlined is a member of one of the first levels of a text.
type outlined struct {
	depth      int // 1 for the text's own members
	name       Value
	known      string // the name decoded, by Named; "" when it did not say
	start, end int    // of the value; end is 0 while it is being read
}

// closeMark ends the value of the newest member of the open object.
func (s *Scanner) closeMark() {
	for i := len(s.marks) - 1; i >= 0; i-- {
		if m := &s.marks[i]; m.depth == s.depth {
			if m.end == 0 {
				m.end = s.pos
			}
			return
		}
	}
}

// unmark forgets what lies behind a mark.
func (s *Scanner) unmark(m Mark) {
	n := len(s.marks)
	for n > 0 && (s.marks[n-1].start > m.pos || s.marks[n-1].start == m.pos && s.marks[n-1].depth > m.depth) {
		n--
	}
	s.marks = s.marks[:n]
	for i := range s.marks {
		if s.marks[i].end > m.pos {
			s.marks[i].end = 0
		}
	}
}

// Members returns the members of the text, and those of its member called inner, as
// SplitObject would: what a Scanner with Outline 2 noted while it read the text. It is
// false when the text was not read to its end without an error, or is no object.
func (s *Scanner) Members(inner string) (outer, nested Object, ok bool) {
	return s.MembersIn(inner, nil)
}

// MembersIn is Members with memory for them, which grows as needed; nil for new memory.
func (s *Scanner) MembersIn(inner string, buf *[]Member) (outer, nested Object, ok bool) {
	if s.err != nil || len(s.marks) == 0 || s.depth != 0 {
		return Object{}, Object{}, false
	}
	var all []Member
	if buf != nil {
		all = slices.Grow((*buf)[:0], len(s.marks))
		*buf = all
	} else {
		all = make([]Member, 0, len(s.marks))
	}
	for i := range s.marks {
		if m := &s.marks[i]; m.depth == 1 {
			all = append(all, s.member(m, 0))
		}
	}
	start := skipSpace(s.buf, 0)
	outer = Object{Raw: Value(s.buf[start:]), Members: all}
	for i := range all {
		all[i].Off -= start
	}
	in := outer.at(inner)
	if in == nil || in.Value.Kind() != KindObject {
		return outer, Object{}, true
	}
	from, to := start+in.Off, start+in.Off+len(in.Value)
	first := len(all)
	for i := range s.marks {
		if m := &s.marks[i]; m.depth == 2 && from <= m.start && m.end <= to {
			all = append(all, s.member(m, from))
		}
	}
	outer.Members = all[:first:first]
	return outer, Object{Raw: in.Value, Members: all[first:]}, true
}

// Named says what the name is that Member returned last, decoded: a caller that knows it
// spares Members the search for a string.
func (s *Scanner) Named(name string) {
	if s.depth <= s.Outline && len(s.marks) > 0 {
		s.marks[len(s.marks)-1].known = name
	}
}

func (s *Scanner) member(m *outlined, base int) Member {
	name := m.known
	if name == "" {
		name = nameOf(m.name.Unquoted())
	}
	return Member{Name: name, Value: s.buf[m.start:m.end:m.end], Off: m.start - base}
}

// at is the last member called name, nil for none.
func (o Object) at(name string) *Member {
	for i := len(o.Members) - 1; i >= 0; i-- {
		if o.Members[i].Name == name {
			return &o.Members[i]
		}
	}
	return nil
}
