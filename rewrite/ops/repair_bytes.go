package ops

import (
	"bytes"
	"strconv"
)

// byteOrderMark is U+FEFF in UTF-8.
var byteOrderMark = []byte{0xEF, 0xBB, 0xBF}

// mendBytes mends a line that is no JSON for what its bytes are (format.md 2.3). what is
// the first thing that was mended, "" for nothing.
func mendBytes(b []byte, parts map[string]bool) (mended []byte, what string) {
	note := func(s string) {
		if what == "" {
			what = s
		}
	}
	if parts[partBOM] {
		for bytes.HasPrefix(b, byteOrderMark) {
			b = b[len(byteOrderMark):]
			note("byte order mark")
		}
	}
	if parts[partNUL] && bytes.IndexByte(b, 0) >= 0 {
		b = bytes.ReplaceAll(b, []byte{0}, nil)
		note("nul bytes")
	}
	if fixed := mendStrings(b, parts[partControl], parts[partSurrogate]); fixed != nil {
		b = fixed
		note("control characters or lone surrogates")
	}
	return b, what
}

// mendStrings escapes raw control characters in strings, and writes \ufffd for halves of
// surrogate pairs. It returns nil when there are none.
func mendStrings(b []byte, control, surrogate bool) []byte {
	var out []byte
	done, inside := 0, false
	put := func(from, to int, text string) {
		out = append(append(out, b[done:from]...), text...)
		done = to
	}
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			inside = !inside
		case !inside:
		case c == '\\':
			unit, ok := hexUnit(b[i:])
			if !ok {
				i++ // whatever is escaped, a quote too
				continue
			}
			if unit>>11 == 0xD800>>11 { // a surrogate
				if low, ok := hexUnit(b[i+6:]); ok && unit < 0xDC00 && low >= 0xDC00 && low < 0xE000 {
					i += 11
					continue
				}
				if surrogate {
					put(i, i+6, `\ufffd`)
				}
			}
			i += 5
		case c < ' ' && control:
			put(i, i+1, controlEscape(c))
		}
	}
	if out == nil {
		return nil
	}
	return append(out, b[done:]...)
}

// hexUnit reads an escape such as \u00e9 at the start of b.
func hexUnit(b []byte) (uint64, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return n, err == nil
}

// controlEscape writes a control character as Codex does (format.md 1.4.6).
func controlEscape(c byte) string {
	switch c {
	case '\b':
		return `\b`
	case '\t':
		return `\t`
	case '\n':
		return `\n`
	case '\f':
		return `\f`
	case '\r':
		return `\r`
	}
	const hex = "0123456789abcdef"
	return `\u00` + string([]byte{hex[c>>4], hex[c&15]})
}
