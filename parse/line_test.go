package parse

import (
	"strings"
	"testing"
)

// format.md 2.3: blank is what holds only Unicode White_Space; NUL and a byte
// order mark are not.
func TestRule01BlankLines(t *testing.T) {
	for line, want := range map[string]bool{
		"":                        true,
		" \t\r":                   true,
		"\v\f":                    true,
		"\u00a0":                  true,
		"\u3000 \u2028\u2029":     true,
		"\u0085":                  true,
		"\u1680\u2000\u200a":      true,
		"\u202f\u205f":            true,
		"\u200b":                  false, // zero width space: category Cf
		"\ufeff":                  false,
		"\x00\x00":                false,
		"\x85":                    false, // a lone byte is no U+0085
		"\xa0":                    false,
		"\x1c":                    false, // white to other tools, not to Unicode
		" {":                      false,
		strings.Repeat(" ", 9999): true,
	} {
		if got := IsBlank([]byte(line)); got != want {
			t.Errorf("%.20q: %v", line, got)
		}
	}
}

func TestRule01LineDefects(t *testing.T) {
	for _, tt := range []struct {
		bytes      string
		terminated bool
		wellFormed bool
		want       Defect
	}{
		{`{"a":1}`, true, true, 0},
		{`{"a":1}`, false, true, 0}, // complete but without a newline: valid (format.md 1.4)
		{`{"a":`, false, false, DefectTorn},
		{`{"a":`, true, false, 0}, // torn earlier, then closed by a newline: plain garbage
		{"\xef\xbb\xbf{}", true, false, DefectBOM},
		{"{}\xef\xbb\xbf", true, false, 0}, // only at the start
		{"\xef\xbb{}", true, false, DefectInvalidUTF8},
		{"\x00\x00", true, false, DefectNUL},
		{"{\"a\":\"\xe9\"}", true, false, DefectInvalidUTF8},
		{"\xed\xa0\x80", true, false, DefectInvalidUTF8}, // a surrogate in UTF-8
		{`{"a":"\u0000"}`, true, true, 0},
		{"\xef\xbb\xbf\x00\xff", false, false, DefectBOM | DefectNUL | DefectInvalidUTF8 | DefectTorn},
	} {
		l := Line{Bytes: []byte(tt.bytes), Terminated: tt.terminated}
		if got := l.Defects(tt.wellFormed); got != tt.want {
			t.Errorf("%q: %b, want %b", tt.bytes, got, tt.want)
		}
	}
}

func TestLineEnds(t *testing.T) {
	for _, tt := range []struct {
		line Line
		size int64
		crlf bool
	}{
		{Line{Bytes: []byte("ab"), Terminated: true}, 3, false},
		{Line{Bytes: []byte("ab\r"), Terminated: true}, 4, true},
		{Line{Bytes: []byte("ab\r"), Terminated: false}, 3, false},
		{Line{Terminated: true}, 1, false},
	} {
		if tt.line.Size() != tt.size || tt.line.CRLF() != tt.crlf {
			t.Errorf("%q: %d bytes, crlf %v", tt.line.Bytes, tt.line.Size(), tt.line.CRLF())
		}
	}
}

// A reader that starts inside a file counts from there, and a block stops when its
// user does.
func TestLinesFromTheMiddle(t *testing.T) {
	r := NewLineReader(strings.NewReader("c\r\nd"), 7, 100)
	for _, want := range []struct {
		number     int
		offset     int64
		bytes      string
		terminated bool
	}{{7, 100, "c\r", true}, {8, 103, "d", false}} {
		l, err := r.Next()
		if err != nil || l.Number != want.number || l.Offset != want.offset || string(l.Bytes) != want.bytes || l.Terminated != want.terminated {
			t.Errorf("%+v, %v; want %+v", l, err, want)
		}
	}
	seen := 0
	Block{Line: 1, Data: []byte("a\nb\nc\n")}.Lines(func(Line) bool { seen++; return seen < 2 })
	if seen != 2 {
		t.Errorf("%d lines after a stop at 2", seen)
	}
}
