package textfmt

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Squeeze turns every run of white space into one space and takes it off both
// ends. It looks no further than needed for limit bytes of output; a limit of 0
// means all of s.
func Squeeze(s string, limit int) string {
	var b strings.Builder
	gap := false
	for i, r := range s {
		if unicode.IsSpace(r) {
			gap = b.Len() > 0
			continue
		}
		if limit > 0 && b.Len() >= limit {
			break
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		if r == utf8.RuneError { // keep invalid bytes for Escape to show
			_, n := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+n])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Escape makes text safe to print: control characters, line and paragraph
// separators, marks that reverse the direction of text and bytes that are no UTF-8
// become escapes like \n, \x1b, \u202e. All else stays.
func Escape(s string) string {
	i := 0
	for i < len(s) && ' ' <= s[i] && s[i] <= '~' {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:i])
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x80 && unicode.IsControl(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case deceptive(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// deceptive reports whether a terminal may act on r or show it as something else.
func deceptive(r rune) bool {
	switch {
	case unicode.IsControl(r), r == 0x2028, r == 0x2029, r == 0xfeff, r == 0x061c:
		return true
	case r >= 0x200e && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// Line makes one printable line of at most width cells from s: white space
// squeezed, then escaped, then cut. A width of 0 means no limit.
func Line(s string, width int) string {
	if width <= 0 {
		return Escape(Squeeze(s, 0))
	}
	// A cell takes a few bytes; joined emoji take the most of those in use.
	return Cut(Escape(Squeeze(s, 40*width+40)), width)
}
