package jsonraw

import "fmt"

// Scanner reads one JSON text value by value, validating as it goes, without
// allocating. It is stricter than most decoders and as strict as the loader of
// Codex: valid UTF-8 only, no lone surrogate escapes, bounded nesting
// (format.md 2.3).
//
// Errors are sticky: after the first one every read returns at once and Next
// reports KindAbsent, so that callers may check Err once at the end. The zero
// Scanner is ready for Reset.
type Scanner struct {
	// MaxDepth is the deepest nesting of arrays and objects that is accepted;
	// 0 means 127, the limit of Codex.
	MaxDepth int
	// LongNumber, if set, is called with each number literal of at least 19
	// bytes and its offset.
	LongNumber func(off int, lit Value)
	// Outline is how many levels of members to note for Members; 0 for none.
	Outline int

	marks []outlined
	buf   []byte
	pos   int
	depth int
	name  int    // offset of the last member name
	raw   bool   // the last string is written without escapes
	stack []byte // open brackets of Skip
	err   error
}

const (
	defaultMaxDepth = 127
	longNumber      = 19 // digits of the smallest integer that may not fit int64
)

// What the text is in when it ends too early.
const (
	eofInValue  = "EOF while parsing a value"
	eofInObject = "EOF while parsing an object"
	eofInList   = "EOF while parsing a list"
	eofInString = "EOF while parsing a string"
)

// SyntaxError says why a text is no JSON that Codex reads. Messages follow the
// wording of its decoder.
type SyntaxError struct {
	Msg string
	// Offset is in bytes from the start of the text: where a literal or an escape starts
	// that is cut off, else where reading stopped.
	Offset int
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.Msg, e.Offset) }

// Reset starts a new text. The Scanner keeps its settings.
func (s *Scanner) Reset(text []byte) {
	s.buf, s.pos, s.depth, s.err = text, 0, 0, nil
	s.marks = s.marks[:0]
	if s.MaxDepth == 0 {
		s.MaxDepth = defaultMaxDepth
	}
}

// Err is the first error, a *SyntaxError, or nil.
func (s *Scanner) Err() error { return s.err }

// Offset is the byte offset of the next unread byte. After Next it is the
// offset of the next value.
func (s *Scanner) Offset() int { return s.pos }

// Mark is a position to come back to with Rewind.
type Mark struct{ pos, depth int }

// Mark remembers the current position.
func (s *Scanner) Mark() Mark { return Mark{s.pos, s.depth} }

// Rewind goes back to a mark of the same text; an error stays.
func (s *Scanner) Rewind(m Mark) {
	if s.err == nil {
		s.pos, s.depth = m.pos, m.depth
		s.unmark(m)
	}
}

func (s *Scanner) fail(off int, msg string) {
	if s.err == nil {
		s.err = &SyntaxError{Msg: msg, Offset: off}
	}
	s.pos = len(s.buf)
}

func (s *Scanner) space() {
	for s.pos < len(s.buf) && s.buf[s.pos] <= ' ' {
		switch s.buf[s.pos] {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return
		}
	}
}

// Next skips white space and reports the kind of the next value without reading
// it: KindAbsent when there is none (end of text, or an error).
func (s *Scanner) Next() Kind {
	s.space()
	if s.pos >= len(s.buf) {
		return KindAbsent
	}
	switch c := s.buf[s.pos]; c {
	case '{', '[', '"', 'n', 't', 'f':
		return Kind(c)
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return KindNumber
	}
	return KindAbsent
}

// End fails unless only white space is left.
func (s *Scanner) End() {
	s.space()
	if s.pos < len(s.buf) {
		s.fail(s.pos, "trailing characters")
	}
}

// Skip reads one value of any kind and returns it.
func (s *Scanner) Skip() Value {
	kind := s.Next()
	start := s.pos
	switch kind {
	case KindString:
		return s.String()
	case KindNumber:
		return s.Number()
	case KindNull, KindTrue, KindFalse:
		return s.Literal()
	case KindObject, KindArray:
		s.skipNested()
	default:
		s.failValue()
	}
	if s.err != nil {
		return nil
	}
	return s.buf[start:s.pos:s.pos]
}

// skipNested reads one array or object. It does not recurse, so that a text of
// brackets only costs no more than the nesting limit.
func (s *Scanner) skipNested() {
	s.stack = s.stack[:0]
	for s.err == nil {
		// A value starts here.
		switch kind := s.Next(); kind {
		case KindString:
			s.String()
		case KindNumber:
			s.Number()
		case KindNull, KindTrue, KindFalse:
			s.Literal()
		case KindObject:
			s.OpenObject()
			s.stack = append(s.stack, '{')
			if _, ok := s.Member(true); ok {
				continue
			}
			s.stack = s.stack[:len(s.stack)-1]
		case KindArray:
			s.OpenArray()
			s.stack = append(s.stack, '[')
			if s.Element(true) {
				continue
			}
			s.stack = s.stack[:len(s.stack)-1]
		default:
			s.failValue()
		}
		// A value has ended: go on in the innermost container that has more.
		for s.err == nil {
			if len(s.stack) == 0 {
				return
			}
			var more bool
			if s.stack[len(s.stack)-1] == '{' {
				_, more = s.Member(false)
			} else {
				more = s.Element(false)
			}
			if more {
				break
			}
			s.stack = s.stack[:len(s.stack)-1]
		}
	}
}

func (s *Scanner) failValue() {
	if s.pos >= len(s.buf) {
		s.fail(s.pos, eofInValue)
		return
	}
	s.fail(s.pos, "expected value")
}

// OpenObject enters the object that Next has announced. Read its members with
// Member(true), then Member(false), until it returns false.
func (s *Scanner) OpenObject() { s.open() }

// OpenArray enters the array that Next has announced. Before each element call
// Element(true), then Element(false), until it returns false.
func (s *Scanner) OpenArray() { s.open() }

func (s *Scanner) open() {
	if s.err != nil {
		return
	}
	if s.depth++; s.depth > s.MaxDepth {
		s.fail(s.pos, "recursion limit exceeded")
		return
	}
	s.pos++
}

// Member reads the next name of the open object up to its colon: the name as
// written, quotes included. It returns false at the end of the object, which
// it leaves.
func (s *Scanner) Member(first bool) (Value, bool) {
	if !s.ToName(first) {
		return nil, false
	}
	return s.Name()
}

// ToName goes to the next name of the open object: the first part of Member, for
// a caller that then tries NameIs. It returns false at the end of the object,
// which it leaves, and after an error.
func (s *Scanner) ToName(first bool) bool {
	if !first && s.depth <= s.Outline {
		s.closeMark()
	}
	s.space()
	if s.pos >= len(s.buf) {
		s.fail(s.pos, eofInObject)
		return false
	}
	switch c := s.buf[s.pos]; {
	case c == '}':
		s.pos++
		s.depth--
		return false
	case first:
	case c == ',':
		s.pos++
		s.space()
		if s.pos >= len(s.buf) {
			s.fail(s.pos, eofInValue)
			return false
		}
		if s.buf[s.pos] == '}' {
			s.fail(s.pos, "trailing comma")
			return false
		}
	default:
		s.fail(s.pos, "expected `,` or `}`")
		return false
	}
	if s.buf[s.pos] != '"' {
		s.fail(s.pos, "key must be a string")
		return false
	}
	return true
}

// NameIs reports whether the name that ToName went to is the one of written: a
// name in quotes and a colon, `"name":`. Where it is false the name may still be
// that one, written otherwise.
func (s *Scanner) NameIs(written string) bool {
	rest := s.buf[s.pos:]
	return len(rest) >= len(written) && rest[1] == written[1] && string(rest[:len(written)]) == written
}

// TakeName reads the name that NameIs has found, and its colon.
func (s *Scanner) TakeName(written string) {
	s.name = s.pos
	s.pos += len(written)
	if s.depth <= s.Outline {
		n := len(written) - 1
		s.marks = append(s.marks, outlined{
			depth: s.depth, name: s.buf[s.name : s.name+n : s.name+n], known: written[1 : n-1], start: skipSpace(s.buf, s.pos),
		})
	}
}

// Name reads the name that ToName went to, and its colon: the second part of
// Member.
func (s *Scanner) Name() (Value, bool) {
	s.name = s.pos
	name := s.String()
	s.space()
	if s.pos >= len(s.buf) {
		s.fail(s.pos, eofInObject)
		return nil, false
	}
	if s.buf[s.pos] != ':' {
		s.fail(s.pos, "expected `:`")
		return nil, false
	}
	s.pos++
	if s.depth <= s.Outline {
		s.marks = append(s.marks, outlined{depth: s.depth, name: name, start: skipSpace(s.buf, s.pos)})
	}
	return name, true
}

// NameOffset is the byte offset of the name that Member returned last.
func (s *Scanner) NameOffset() int { return s.name }

// Text decodes the string that was read last; lit is what String or Member
// returned. It aliases lit when there are no escapes.
func (s *Scanner) Text(lit Value) []byte {
	if s.raw && len(lit) >= 2 {
		return lit[1 : len(lit)-1]
	}
	return lit.Unquoted()
}

// Element goes to the next element of the open array. It returns false at the
// end of the array, which it leaves.
func (s *Scanner) Element(first bool) bool {
	s.space()
	if s.pos >= len(s.buf) {
		s.fail(s.pos, eofInList)
		return false
	}
	switch c := s.buf[s.pos]; {
	case c == ']':
		s.pos++
		s.depth--
		return false
	case first:
		return true
	case c == ',':
		s.pos++
		s.space()
		if s.pos >= len(s.buf) {
			s.fail(s.pos, eofInValue)
			return false
		}
		if s.buf[s.pos] == ']' {
			s.fail(s.pos, "trailing comma")
			return false
		}
		return true
	}
	s.fail(s.pos, "expected `,` or `]`")
	return false
}

// Literal reads null, true or false.
func (s *Scanner) Literal() Value {
	rest := s.buf[s.pos:]
	for _, lit := range [...]string{"null", "true", "false"} {
		if len(rest) >= len(lit) && string(rest[:len(lit)]) == lit {
			s.pos += len(lit)
			return rest[:len(lit):len(lit)]
		}
		if len(rest) < len(lit) && lit[:len(rest)] == string(rest) {
			s.fail(s.pos, eofInValue)
			return nil
		}
	}
	s.fail(s.pos, "expected ident")
	return nil
}

// Number reads a number and returns its literal.
func (s *Scanner) Number() Value {
	b, start := s.buf, s.pos
	i := start
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i < len(b) && b[i] == '0':
		i++
	case i < len(b) && '1' <= b[i] && b[i] <= '9':
		i = digits(b, i)
	default:
		s.failNumber(i)
		return nil
	}
	if i < len(b) && b[i] == '.' {
		end := digits(b, i+1)
		if end == i+1 {
			s.failNumber(end)
			return nil
		}
		i = end
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		end := digits(b, i)
		if end == i {
			s.failNumber(end)
			return nil
		}
		i = end
	}
	if i < len(b) && '0' <= b[i] && b[i] <= '9' { // a leading zero
		s.failNumber(i)
		return nil
	}
	s.pos = i
	lit := Value(b[start:i:i])
	if len(lit) >= longNumber && s.LongNumber != nil {
		s.LongNumber(start, lit)
	}
	return lit
}

// failNumber fails where a digit is needed, or none may stand.
func (s *Scanner) failNumber(off int) {
	if off >= len(s.buf) {
		s.fail(off, eofInValue)
		return
	}
	s.fail(off, "invalid number")
}

func digits(b []byte, i int) int {
	for i < len(b) && '0' <= b[i] && b[i] <= '9' {
		i++
	}
	return i
}
