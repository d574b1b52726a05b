package parse

import (
	"bytes"
	"io"
	"slices"
)

// blockSize is how much is read at a time, in bytes. A block holds whole lines;
// a longer line makes a block of its own.
const blockSize = 256 << 10

// firstBlock is how much is read first, in bytes; it doubles up to a block.
const firstBlock = 32 << 10

// Block is a run of whole physical lines.
type Block struct {
	Line   int    // 1-based number of the first line
	Offset int64  // byte offset of the first byte (after decompression)
	Data   []byte // whole lines with their newlines; the last line of a file may lack it
}

// BlockReader cuts a stream into blocks of whole lines. Its memory is about one
// block or twice the longest line.
type BlockReader struct {
	r      io.Reader
	line   int
	offset int64
	carry  []byte // the start of a line, read but not yet given out
	size   int    // of the block that was read last
	err    error
}

// NewBlockReader reads from r; line and offset are those of the first byte of r.
func NewBlockReader(r io.Reader, line int, offset int64) *BlockReader {
	return &BlockReader{r: r, line: line, offset: offset}
}

// Next returns the next block, using buf's memory when it is large enough. At the
// end it returns io.EOF; another error comes after the bytes that could be read
// were given out (an unfinished last line included).
func (b *BlockReader) Next(buf []byte) (Block, error) {
	// Small files, and records read one by one, do not need a whole block.
	b.size = min(max(2*b.size, firstBlock), blockSize)
	data := slices.Grow(append(buf[:0], b.carry...), b.size)
	b.carry = b.carry[:0]
	// The carry holds no newline, so only what is read now is searched.
	data, end := b.readLine(data[:len(data):cap(data)])
	for pieces := [][]byte(nil); end < 0 && b.err == nil; {
		// A line longer than the block: collect pieces and join them once, so
		// that memory peaks at twice its length and not at a sum of doublings.
		piece, at := b.readLine(make([]byte, 0, pieceSize))
		pieces = append(pieces, piece)
		if at >= 0 || b.err != nil {
			if at >= 0 {
				end = at
				for _, p := range pieces[:len(pieces)-1] {
					end += len(p)
				}
				end += len(data)
			}
			data = slices.Concat(append([][]byte{data}, pieces...)...)
		}
	}
	if b.err != nil && len(data) == 0 {
		return Block{}, b.err
	}
	if end < 0 || b.err != nil {
		end = len(data)
	}
	b.carry = append(b.carry, data[end:]...)
	blk := Block{Line: b.line, Offset: b.offset, Data: data[:end]}
	b.line += bytes.Count(blk.Data, newline)
	b.offset += int64(end)
	return blk, nil
}

// pieceSize is how much of a very long line is read at a time, in bytes.
const pieceSize = 4 * blockSize

var newline = []byte{'\n'}

// readLine appends to data until what it appended holds a newline or data is
// full, and returns the end of the last whole line, -1 when there is none.
func (b *BlockReader) readLine(data []byte) ([]byte, int) {
	for b.err == nil && len(data) < cap(data) {
		n, err := b.r.Read(data[len(data):cap(data)])
		from := len(data)
		data, b.err = data[:from+n], err
		if i := bytes.LastIndexByte(data[from:], '\n'); i >= 0 {
			return data, from + i + 1
		}
	}
	return data, -1
}
