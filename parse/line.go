package parse

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"
)

// Line is one physical line.
type Line struct {
	Number     int    // 1-based
	Offset     int64  // byte offset of its first byte (after decompression)
	Bytes      []byte // without the newline; a carriage return before it stays
	Terminated bool   // a newline follows; false only for the last line of a file
}

// Size is the number of bytes the line takes in the file, newline included.
func (l Line) Size() int64 {
	if l.Terminated {
		return int64(len(l.Bytes)) + 1
	}
	return int64(len(l.Bytes))
}

// Lines calls yield for each line of the block and stops when it returns false.
func (b Block) Lines(yield func(Line) bool) {
	data, l := b.Data, Line{Number: b.Line, Offset: b.Offset}
	for len(data) > 0 {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			l.Bytes, l.Terminated, data = data, false, nil
		} else {
			l.Bytes, l.Terminated, data = data[:i:i], true, data[i+1:]
		}
		if !yield(l) {
			return
		}
		l.Offset += l.Size()
		l.Number++
	}
}

// First is the first line of the block; the zero Line when the block is empty.
func (b Block) First() (first Line) {
	b.Lines(func(l Line) bool { first = l; return false })
	return first
}

// LineReader reads a stream line by line.
type LineReader struct {
	blocks *BlockReader
	block  Block
	buf    []byte
}

// NewLineReader reads from r; line and offset are those of its first byte.
func NewLineReader(r io.Reader, line int, offset int64) *LineReader {
	return &LineReader{blocks: NewBlockReader(r, line, offset)}
}

// Next returns the next line; its bytes are valid until the next call. At the end
// it returns io.EOF, after a read error (a truncated zstd stream) that error.
func (r *LineReader) Next() (Line, error) {
	if len(r.block.Data) == 0 {
		blk, err := r.blocks.Next(r.buf)
		if err != nil {
			return Line{}, err
		}
		r.block, r.buf = blk, blk.Data[:0]
	}
	got := r.block.First()
	size := got.Size()
	r.block.Data = r.block.Data[size:]
	r.block.Offset += size
	r.block.Line++
	return got, nil
}

// Own returns the bytes of the line that Next returned last for the caller to keep:
// a copy, or the reader's own buffer when the line fills most of it.
func (r *LineReader) Own(l Line) []byte {
	if len(r.block.Data) > 0 || len(l.Bytes) < cap(r.buf)/2 {
		return bytes.Clone(l.Bytes)
	}
	r.buf = nil
	return l.Bytes
}

// Defect says what is wrong with a line as text; several may hold at once.
type Defect uint8

// Defects of a line (format.md 2.3, 10.3).
const (
	DefectBOM         Defect = 1 << iota // starts with a UTF-8 byte order mark
	DefectNUL                            // holds a NUL byte
	DefectInvalidUTF8                    // is not valid UTF-8
	DefectTorn                           // the file ends inside the line: no newline and no complete JSON
)

var bom = []byte("\xef\xbb\xbf")

// Defects looks at the bytes of a line; wellFormed says whether it parses as JSON.
func (l Line) Defects(wellFormed bool) Defect {
	var d Defect
	if bytes.HasPrefix(l.Bytes, bom) {
		d |= DefectBOM
	}
	if bytes.IndexByte(l.Bytes, 0) >= 0 {
		d |= DefectNUL
	}
	if !utf8.Valid(l.Bytes) {
		d |= DefectInvalidUTF8
	}
	if !l.Terminated && !wellFormed {
		d |= DefectTorn
	}
	return d
}

// CRLF reports whether the line ends in a carriage return before its newline.
func (l Line) CRLF() bool { return l.Terminated && bytes.HasSuffix(l.Bytes, []byte{'\r'}) }

// IsBlank reports whether b holds nothing but Unicode white space: the loader
// skips such a line silently (format.md 2.3). NUL bytes and a BOM are not white space.
func IsBlank(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if !unicode.Is(unicode.White_Space, r) {
			return false
		}
		b = b[n:]
	}
	return true
}
