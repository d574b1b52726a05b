package jsonraw

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestScannerNameIs(t *testing.T) {
	const written = `"role":`
	for _, c := range []struct {
		text string
		is   bool
		rest string // of the text when the name has been taken
	}{
		{`{"role":1}`, true, "1}"},
		{`{ "role": 1}`, true, " 1}"},
		{`{"role" :1}`, false, ""}, // that name, written otherwise
		{`{"rol\u0065":1}`, false, ""},
		{`{"roles":1}`, false, ""},
		{`{"rol":1}`, false, ""},
		{`{"`, false, ""},
		{`{"role"`, false, ""},
	} {
		s := Scanner{Outline: 1}
		s.Reset([]byte(c.text))
		s.Next()
		s.OpenObject()
		if !s.ToName(true) {
			t.Errorf("%s: no name", c.text)
		}
		before := s.Offset()
		if got := s.NameIs(written); got != c.is || s.Offset() != before {
			t.Errorf("%s: %v, at byte %d", c.text, got, s.Offset())
		}
		if !c.is {
			continue
		}
		s.TakeName(written)
		if got := c.text[s.Offset():]; got != c.rest || s.NameOffset() != before {
			t.Errorf("%s: goes on with %q, the name is at byte %d", c.text, got, s.NameOffset())
		}
		s.Skip()
		if s.ToName(false) || s.Err() != nil {
			t.Errorf("%s: %v", c.text, s.Err())
		}
		if o, _, ok := s.Members(""); !ok || len(o.Members) != 1 || o.Members[0].Name != "role" || string(o.Members[0].Value) != "1" {
			t.Errorf("%s: members %v", c.text, o.Members)
		}
	}
}

// What is checked in larger steps is what utf8 says.
func TestValidUTF8(t *testing.T) {
	check := func(b []byte) {
		if got, want := validUTF8(b), utf8.Valid(b); got != want {
			t.Fatalf("%q: %v, want %v", b, got, want)
		}
	}
	ends := []byte{0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0}
	for _, around := range []string{"", "abcdefg", "漢字"} {
		for first := range 256 {
			for _, second := range ends {
				for _, third := range ends {
					all := []byte{byte(first), second, third, 0x80}
					for n := range len(all) + 1 {
						check([]byte(around + string(all[:n]) + around))
					}
				}
			}
		}
	}
	check([]byte(strings.Repeat("naïve ", 100)))
}

// A string of any length ends at its quote, wherever it starts.
func TestStringLengths(t *testing.T) {
	for n := range 40 {
		for _, c := range []string{"x", "é"} {
			text := `["` + strings.Repeat("y", n) + `","` + strings.Repeat(c, n) + `\n` + strings.Repeat(c, n) + `"]`
			for _, bad := range []string{"", "\x01", "\xff"} {
				at := strings.LastIndex(text, `"`)
				err := scanAll([]byte(text[:at] + bad + text[at:]))
				if (err == nil) != (bad == "") {
					t.Errorf("%q with %q: %v", text, bad, err)
				}
			}
		}
	}
}
