package report

import (
	"bufio"
	"bytes"
	"io"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// window is how much of a value is read, in bytes: enough for a wide line, and to see
// where most values end.
const window = 4 << 10

// behind is how far a pass stays behind the furthest place, in bytes: the findings of
// a line need not come in order.
const behind = 64 << 10

// excerptBytes is how much of a value an excerpt has at most.
const excerptBytes = 512

// Excerpts reads offending values again, by their place. It goes forward in one pass
// over the text that is opened at the first need: compressed files can be read in no
// other way. Places too far behind it have no excerpt.
type Excerpts struct {
	// Open starts a pass over the decompressed text at a byte offset.
	Open func(offset int64) (io.ReadCloser, error)
	// Seekable says that a pass may start anywhere at no cost.
	Seekable bool

	in  io.Closer
	buf *bufio.Reader
	at  int64 // offset of the next byte of buf
	bad bool
}

// Fill sets Excerpt and Length of a finding where they can be known. It never fails:
// a finding without them is still one.
func (e *Excerpts) Fill(f *Finding) {
	if f.Line == 0 || e.bad {
		return
	}
	text := e.read(f.Offset)
	line, _, whole := bytes.Cut(text, []byte{'\n'})
	line = bytes.TrimSuffix(line, []byte{'\r'})
	if !whole && len(text) < window {
		whole = true // the file ends here
	}
	value := line
	if f.Pointer != "" {
		value = valueOf(line, f.Pointer, whole)
	}
	if value == nil {
		value = line
	} else if whole || len(value) < len(line) {
		f.Length = len(value)
	}
	f.Excerpt = string(value[:min(len(value), excerptBytes)])
}

// valueOf is the value that text starts with, or, where text is a whole line, the one
// that the pointer names in it; nil when its end is not known.
func valueOf(text []byte, pointer string, whole bool) []byte {
	if whole {
		if _, v, ok := jsonraw.Locate(text, pointer); ok {
			return v
		}
	}
	var s jsonraw.Scanner
	s.Reset(text)
	s.Next()
	if v := s.Skip(); s.Err() == nil && (whole || len(v) < len(text)) {
		return v
	}
	return nil
}

// read returns up to window bytes from an offset on, nil when there are none.
func (e *Excerpts) read(offset int64) []byte {
	if e.buf == nil || e.Seekable && offset != e.at {
		if !e.start(offset) {
			return nil
		}
	}
	if offset < e.at {
		return nil
	}
	for e.at < offset-behind {
		n, err := e.buf.Discard(int(min(offset-behind-e.at, 1<<30)))
		e.at += int64(n)
		if err != nil {
			e.bad = true
			return nil
		}
	}
	skip := int(offset - e.at)
	text, _ := e.buf.Peek(skip + window)
	if len(text) <= skip {
		return nil
	}
	return text[skip:]
}

// start opens the pass, or opens it anew at an offset.
func (e *Excerpts) start(offset int64) bool {
	e.Close()
	if !e.Seekable {
		offset = 0
	}
	in, err := e.Open(offset)
	if err != nil {
		e.bad = true
		return false
	}
	e.in, e.at = in, offset
	if e.buf == nil {
		size := window
		if !e.Seekable {
			size += behind
		}
		e.buf = bufio.NewReaderSize(in, size)
	} else {
		e.buf.Reset(in)
	}
	return true
}

// Close ends the pass.
func (e *Excerpts) Close() {
	if e.in != nil {
		e.in.Close()
		e.in = nil
	}
}
