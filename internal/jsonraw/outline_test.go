package jsonraw

import "testing"

// FuzzOutline holds what a scanner notes on its way to what a split gives.
func FuzzOutline(f *testing.F) {
	for _, s := range append(splitSeeds, `{"a":1,"p":{"x":[{"y":1}],"z":{"q":2}} ,"m":{"x":3}}`, ` { "p" : { } } `, `{"p":{"a":1},"p":{"b":2}}`, `{"p":3}`) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		s := Scanner{Outline: 2, MaxDepth: viewDepth}
		s.Reset(in)
		s.walk(s.Next())
		s.End()
		outer, nested, ok := s.Members("p")
		text := Value(in[skipSpace(in, 0):])
		want, err := ParseObject(text)
		if err != nil || len(want.Members) == 0 {
			if ok && s.Err() != nil {
				t.Errorf("%q: members of a text with an error", in)
			}
			return
		}
		if !ok || !sameMembers(outer.Members, want.Members) {
			t.Fatalf("%q: %v, want %v", in, outer.Members, want.Members)
		}
		inner, _ := SplitObject(want.Get("p"))
		if !sameMembers(nested.Members, inner.Members) {
			t.Errorf("%q: nested %v, want %v", in, nested.Members, inner.Members)
		}
	})
}

// walk reads a value member by member, as a checker does, reading some twice.
func (s *Scanner) walk(kind Kind) {
	switch kind {
	case KindObject:
		m := s.Mark()
		s.Skip()
		s.Rewind(m)
		s.OpenObject()
		for _, ok := s.Member(true); ok; _, ok = s.Member(false) {
			s.walk(s.Next())
		}
	case KindArray:
		s.OpenArray()
		for first := true; s.Element(first); first = false {
			s.walk(s.Next())
		}
	default:
		s.Skip()
	}
}
