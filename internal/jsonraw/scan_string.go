package jsonraw

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// The scanner looks at eight bytes at once. Each mask below has the high bit of
// every byte that matches; only the lowest match is exact, which is the one used.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// stops marks the quote, the backslash and control characters.
func stops(w uint64) uint64 {
	// With bit 1 turned, a quote is 0x20: it and the control characters, and no other
	// byte, are below 0x21.
	low := w ^ ones*2
	slash := w ^ ones*'\\'
	return ((low-ones*0x21)&^low | (slash-ones)&^slash) & highs
}

// String reads a string and returns it as written, quotes included.
func (s *Scanner) String() Value {
	if s.err != nil {
		return nil
	}
	b, start := s.buf, s.pos
	i := start + 1
	s.raw = true
	seen := uint64(0)  // all bytes so far, or'ed: tells whether one is not ASCII
	if i+8 <= len(b) { // most strings are short and plain
		w := binary.LittleEndian.Uint64(b[i:])
		if m := stops(w); m != 0 {
			n := bits.TrailingZeros64(m) &^ 7 // bits in front of the stop
			if end := i + n>>3; b[end] == '"' && w&highs&(1<<n-1) == 0 {
				end++
				s.pos = end
				return b[start:end:end]
			}
		} else {
			i, seen = i+8, w
		}
	}
	for {
		i, seen = scanText(b, i, seen)
		if i >= len(b) {
			s.fail(i, eofInString)
			return nil
		}
		switch b[i] {
		case '"':
			i++
			lit := b[start:i:i]
			if seen&highs != 0 && !validUTF8(lit) {
				s.fail(start, "invalid unicode code point")
				return nil
			}
			s.pos = i
			return lit
		case '\\':
			s.raw = false
			if i = s.escape(i); i < 0 {
				return nil
			}
		default:
			s.fail(i, "control character (\\u0000-\\u001F) found while parsing a string")
			return nil
		}
	}
}

// scanText goes from i to the next quote, backslash, control character or the
// end of b.
func scanText(b []byte, i int, seen uint64) (int, uint64) {
	for i+16 <= len(b) {
		w, x := binary.LittleEndian.Uint64(b[i:]), binary.LittleEndian.Uint64(b[i+8:])
		seen |= w | x
		m, n := stops(w), stops(x)
		if m|n != 0 {
			if m != 0 {
				return i + bits.TrailingZeros64(m)>>3, seen
			}
			return i + 8 + bits.TrailingZeros64(n)>>3, seen
		}
		i += 16
	}
	for i+8 <= len(b) {
		w := binary.LittleEndian.Uint64(b[i:])
		seen |= w
		if m := stops(w); m != 0 {
			return i + bits.TrailingZeros64(m)>>3, seen
		}
		i += 8
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= 0x20 {
		seen |= uint64(b[i])
		i++
	}
	return i, seen
}

// validUTF8 is utf8.Valid for text in which characters outside ASCII are rare.
func validUTF8(b []byte) bool {
	for {
		for len(b) >= 8 {
			w := binary.LittleEndian.Uint64(b) & highs
			if w != 0 {
				b = b[bits.TrailingZeros64(w)>>3:]
				break
			}
			b = b[8:]
		}
		for len(b) > 0 && len(b) < 8 && b[0] < utf8.RuneSelf {
			b = b[1:]
		}
		if len(b) == 0 {
			return true
		}
		n := runeLen(b)
		if n == 0 {
			return false
		}
		b = b[n:]
	}
}

// runeLen is the length of the character at the start of b, 0 when it is not valid.
func runeLen(b []byte) int {
	switch c := b[0]; {
	case 0xc2 <= c && c <= 0xdf && len(b) >= 2 && b[1]&0xc0 == 0x80:
		return 2
	case 0xe1 <= c && c <= 0xec && len(b) >= 3 && b[1]&0xc0 == 0x80 && b[2]&0xc0 == 0x80:
		return 3
	}
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n == 1 {
		return 0
	}
	return n
}

// escape checks the escape at i and returns the offset behind it, -1 after an
// error. Surrogates have to come in pairs.
func (s *Scanner) escape(i int) int {
	b := s.buf
	if i+1 >= len(b) {
		s.fail(i, eofInString)
		return -1
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
	default:
		s.fail(i, "invalid escape")
		return -1
	}
	r, ok := s.unit(i, i)
	switch {
	case !ok:
		return -1
	case r < 0xd800 || r > 0xdfff:
		return i + 6
	case r >= 0xdc00:
		s.fail(i, "lone leading surrogate in hex escape")
		return -1
	}
	for k, c := range []byte(`\u`) {
		if i+6+k >= len(b) {
			s.fail(i, eofInString)
			return -1
		}
		if b[i+6+k] != c {
			s.fail(i, "unexpected end of hex escape")
			return -1
		}
	}
	low, ok := s.unit(i+6, i)
	switch {
	case !ok:
		return -1
	case low < 0xdc00 || low > 0xdfff:
		s.fail(i, "lone leading surrogate in hex escape")
		return -1
	}
	return i + 12
}

// unit is the UTF-16 code unit of the \uXXXX at i; false after an error, whose place is
// that of the whole escape.
func (s *Scanner) unit(i, escape int) (uint32, bool) {
	if i+6 > len(s.buf) {
		s.fail(escape, eofInString)
		return 0, false
	}
	r, ok := escapedUnit(s.buf, i)
	if !ok {
		s.fail(escape, "invalid escape")
	}
	return r, ok
}

// escapedUnit is the UTF-16 code unit of the \uXXXX at i.
func escapedUnit(b []byte, i int) (uint32, bool) {
	if i+6 > len(b) || b[i] != '\\' || b[i+1] != 'u' {
		return 0, false
	}
	var r uint32
	for _, c := range b[i+2 : i+6] {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | uint32(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | uint32(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
