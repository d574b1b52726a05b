package capture

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// walker reads a JSON text that is too long for memory: it goes into objects and arrays,
// skips values without keeping them, and hands single values out. What it skips is not
// checked beyond quotes and brackets; what it hands out, the caller parses.
type walker struct {
	r   *bufio.Reader
	pos int64 // of the next byte
	buf []byte
}

// walkBuffer is what is read at once, in bytes.
const walkBuffer = 64 << 10

func newWalker(r io.Reader, pos int64) *walker {
	return &walker{r: bufio.NewReaderSize(r, walkBuffer), pos: pos}
}

// cutError says that the text ends early or is no JSON.
type cutError struct {
	offset int64
	msg    string
}

func (e *cutError) Error() string { return e.msg }

func (w *walker) fail(msg string) error { return &cutError{w.pos, msg} }

// byte reads one byte; the end of the text is a cutError.
func (w *walker) byte() (byte, error) {
	c, err := w.r.ReadByte()
	if err != nil {
		return 0, w.end(err)
	}
	w.pos++
	return c, nil
}

func (w *walker) end(err error) error {
	if errors.Is(err, io.EOF) {
		return w.fail("the file ends in the middle of a value")
	}
	return err
}

func (w *walker) unread() {
	if w.r.UnreadByte() == nil {
		w.pos--
	}
}

// peek skips white space and returns the next byte without reading it.
func (w *walker) peek() (byte, error) {
	for {
		c, err := w.byte()
		if err != nil {
			return 0, err
		}
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		}
		w.unread()
		return c, nil
	}
}

// open enters an object or array; c is its bracket.
func (w *walker) open(c byte) error {
	got, err := w.peek()
	if err != nil {
		return err
	}
	if got != c {
		return w.fail(fmt.Sprintf("expected %q", c))
	}
	_, err = w.byte()
	return err
}

// more goes to the next element or member; it returns false at the end of the container,
// which it leaves. closing is the bracket that closes it.
func (w *walker) more(first bool, closing byte) (bool, error) {
	c, err := w.peek()
	if err != nil {
		return false, err
	}
	switch {
	case c == closing:
		_, err := w.byte()
		return false, err
	case first:
		return true, nil
	case c != ',':
		return false, w.fail(fmt.Sprintf("expected `,` or `%c`", closing))
	}
	_, err = w.byte()
	return err == nil, err
}

// maxName bounds the name of a member, in bytes.
const maxName = 4 << 10

// member reads the next name of the open object up to its colon; false at the end of the
// object, which it leaves.
func (w *walker) member(first bool) (string, bool, error) {
	ok, err := w.more(first, '}')
	if !ok || err != nil {
		return "", false, err
	}
	if c, err := w.peek(); err != nil || c != '"' {
		return "", false, errors.Join(err, w.unless(err, "key must be a string"))
	}
	w.buf = w.buf[:0]
	if err := w.str(func(c byte) bool { w.buf = append(w.buf, c); return len(w.buf) <= maxName }); err != nil {
		return "", false, err
	}
	name := string(jsonraw.Value(w.buf).Unquoted())
	if c, err := w.peek(); err != nil || c != ':' {
		return "", false, errors.Join(err, w.unless(err, "expected `:`"))
	}
	_, err = w.byte()
	return name, err == nil, err
}

func (w *walker) unless(err error, msg string) error {
	if err != nil {
		return nil
	}
	return w.fail(msg)
}

// str reads a string, quotes included, and gives its bytes to take, which may refuse.
func (w *walker) str(take func(byte) bool) error {
	escaped := false
	for n := 0; ; n++ {
		c, err := w.byte()
		if err != nil {
			return err
		}
		if !take(c) {
			return w.fail("a name is too long")
		}
		switch {
		case n == 0:
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			return nil
		}
	}
}

// skip passes over one value.
func (w *walker) skip() error { return w.value(func([]byte) {}) }

// read returns one value as it stands, and its offset.
func (w *walker) read() (jsonraw.Value, int64, error) {
	if _, err := w.peek(); err != nil {
		return nil, w.pos, err
	}
	at := w.pos
	var out []byte
	err := w.value(func(b []byte) { out = append(out, b...) })
	return out, at, err
}

// value passes one value to take, in pieces.
func (w *walker) value(take func([]byte)) error {
	if _, err := w.peek(); err != nil {
		return err
	}
	var s valueEnd
	for {
		chunk, err := w.r.Peek(max(1, w.r.Buffered()))
		if len(chunk) == 0 {
			if s.number() && errors.Is(err, io.EOF) {
				return nil
			}
			return w.end(err)
		}
		n, done := s.scan(chunk)
		take(chunk[:n])
		if _, err := w.r.Discard(n); err != nil {
			return err
		}
		w.pos += int64(n)
		if done {
			if s.bad {
				return w.fail("expected value")
			}
			return nil
		}
	}
}

// valueEnd finds the end of a value in pieces.
type valueEnd struct {
	depth    int
	inString bool
	escaped  bool
	scalar   bool // in a number or word
	bad      bool
}

func (s *valueEnd) number() bool { return s.scalar && s.depth == 0 }

// scan returns how many bytes of b belong to the value, and whether it ends there.
func (s *valueEnd) scan(b []byte) (int, bool) {
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case s.escaped:
			s.escaped = false
		case s.inString:
			switch c {
			case '\\':
				s.escaped = true
			case '"':
				s.inString = false
				if s.depth == 0 {
					return i + 1, true
				}
			}
		case c == '"':
			if s.number() {
				return i, true
			}
			s.inString = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth == 0 { // the container around a scalar closes
				s.bad = !s.scalar
				return i, true
			}
			if s.depth--; s.depth == 0 {
				return i + 1, true
			}
		case s.depth > 0:
		case c == ',' || c == ':' || c <= ' ':
			s.bad = !s.scalar
			return i, true
		default:
			s.scalar = true
		}
	}
	return len(b), false
}
