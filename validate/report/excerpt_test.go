package report

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/validate"
)

func TestExcerpts(t *testing.T) {
	long := `{"payload":{"text":"` + strings.Repeat("x", 10000) + `","n":[1,2]}}`
	text := `{"a":{"b":"c d"},"n":5}` + "\r\n" + long + "\n" + `{"torn":"no end`
	second := int64(strings.Index(text, long))
	third := int64(strings.LastIndex(text, "{"))
	tests := []struct {
		name    string
		f       validate.Finding
		excerpt string
		length  int
	}{
		{"whole line", validate.Finding{Line: 1}, `{"a":{"b":"c d"},"n":5}`, 23},
		{"value at its place", validate.Finding{Line: 1, Offset: 10, Pointer: "/a/b"}, `"c d"`, 5},
		{"value, place of the line", validate.Finding{Line: 1, Pointer: "/n"}, `5`, 1},
		{"about the file", validate.Finding{}, "", 0},
		{"short value of a long line", validate.Finding{Line: 2, Offset: second + int64(strings.Index(long, "[1")), Pointer: "/payload/n"}, `[1,2]`, 5},
		{"long value", validate.Finding{Line: 2, Offset: second + 19, Pointer: "/payload/text"}, `"` + strings.Repeat("x", 511), 0},
		{"torn line", validate.Finding{Line: 3, Offset: third}, `{"torn":"no end`, 15},
		{"torn value", validate.Finding{Line: 3, Offset: third + 8, Pointer: "/torn"}, `"no end`, 0},
		{"behind the end", validate.Finding{Line: 4, Offset: int64(len(text))}, "", 0},
	}
	for _, seekable := range []bool{true, false} {
		passes := 0
		e := Excerpts{Seekable: seekable, Open: func(offset int64) (io.ReadCloser, error) {
			passes++
			return io.NopCloser(bytes.NewReader([]byte(text)[offset:])), nil
		}}
		for _, tt := range tests {
			f := Finding{Finding: tt.f}
			e.Fill(&f)
			if f.Excerpt != tt.excerpt || f.Length != tt.length {
				t.Errorf("%s (seekable %v): %.40q, %d, want %.40q, %d", tt.name, seekable, f.Excerpt, f.Length, tt.excerpt, tt.length)
			}
		}
		if !seekable && passes != 1 {
			t.Errorf("%d passes over a compressed file", passes)
		}
		e.Close()
	}
}

// In a text that can be read forward only, places far behind have no excerpt.
func TestExcerptsGoForward(t *testing.T) {
	text := strings.Repeat("0123456789abcde\n", 100_000)
	e := Excerpts{Open: func(int64) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
	defer e.Close()
	for _, tt := range []struct {
		offset int64
		want   string
	}{
		{16, "0123456789abcde"}, {1_000_000, "0123456789abcde"}, {999_985, "123456789abcde"}, {32, ""}, {1_600_000 - 16, "0123456789abcde"},
	} {
		f := Finding{Finding: validate.Finding{Line: 1, Offset: tt.offset}}
		e.Fill(&f)
		if f.Excerpt != tt.want {
			t.Errorf("at %d: %.20q, want %q", tt.offset, f.Excerpt, tt.want)
		}
	}
}
