package tokens

import (
	"bufio"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

const (
	pngSignature = "\x89PNG\r\n\x1a\n"

	// maxPNGBytes bounds the pixel data that is inflated for one image. It is a
	// limit of this package, so that a small file that claims huge pixel data
	// costs bounded time; a larger image counts as one that does not decode.
	maxPNGBytes = 512 << 20
)

var errPNG = errors.New("png: malformed")

// pngSize reads a PNG to its end without keeping pixels: chunk order, the
// checksum of every chunk, and, if inflate holds, a zlib stream of exactly the length
// that the header calls for, with a known filter at the start of every row.
func pngSize(r *bufio.Reader, inflate bool) (w, h int, ok bool) {
	if _, err := r.Discard(len(pngSignature)); err != nil {
		return 0, 0, false
	}
	c := pngChunks{r: r, inflate: inflate}
	if c.next() != nil || c.name() != "IHDR" || c.left != 13 {
		return 0, 0, false
	}
	var raw [13]byte
	if _, err := io.ReadFull(&c, raw[:]); err != nil {
		return 0, 0, false
	}
	hdr, ok := parsePNGHeader(raw)
	if !ok || c.next() != nil {
		return 0, 0, false
	}
	if err := c.body(hdr); err != nil {
		return 0, 0, false
	}
	return hdr.w, hdr.h, true
}

// body checks the chunks from behind the header up to IEND.
func (c *pngChunks) body(hdr pngHeader) error {
	var palette, pixels bool
	for {
		switch c.name() {
		case "IHDR":
			return errPNG
		case "PLTE":
			if hdr.indexed && (c.left == 0 || c.left%3 != 0 || c.left > 3*256 || palette || pixels) {
				return errPNG
			}
			palette = true
		case "IDAT":
			if pixels { // a later run of IDAT chunks holds nothing that is needed
				break
			}
			if hdr.indexed && !palette {
				return errPNG
			}
			pixels = true
			if !c.inflate {
				break
			}
			if err := c.pixels(hdr); err != nil {
				return err
			}
			continue // already at the chunk behind the pixels
		case "IEND":
			if c.left != 0 || !pixels {
				return errPNG
			}
			return c.end()
		}
		if err := c.next(); err != nil {
			return err
		}
	}
}

// pixels inflates the run of IDAT chunks that starts here and moves to the chunk
// behind it. Bytes behind the end of the zlib stream are ignored.
func (c *pngChunks) pixels(hdr pngHeader) error {
	idat := &idatReader{c: c}
	z, err := zlib.NewReader(idat)
	if err != nil {
		return err
	}
	if err := hdr.checkRows(z); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, idat)
	return err
}

// pngChunks walks the chunks of a PNG and checks their checksums. Reading
// returns the data of the current chunk.
type pngChunks struct {
	r    *bufio.Reader
	typ  [4]byte
	left uint32 // bytes of the current chunk that are not read yet
	crc  uint32
	open bool // the checksum of the current chunk is still to come

	inflate bool // look at the pixel data, too
}

func (c *pngChunks) name() string { return string(c.typ[:]) }

// next ends the current chunk and reads the header of the next one.
func (c *pngChunks) next() error {
	if err := c.end(); err != nil {
		return err
	}
	var b [8]byte
	if _, err := io.ReadFull(c.r, b[:]); err != nil {
		return err
	}
	c.left = binary.BigEndian.Uint32(b[:4])
	if c.left > 1<<31-1 {
		return errPNG
	}
	copy(c.typ[:], b[4:])
	c.crc = crc32.ChecksumIEEE(b[4:])
	c.open = true
	return nil
}

// end skips what is left of the current chunk and compares its checksum.
func (c *pngChunks) end() error {
	if !c.open {
		return nil
	}
	c.open = false
	if _, err := io.Copy(io.Discard, c); err != nil {
		return err
	}
	if c.left != 0 {
		return io.ErrUnexpectedEOF
	}
	var b [4]byte
	if _, err := io.ReadFull(c.r, b[:]); err != nil {
		return err
	}
	if binary.BigEndian.Uint32(b[:]) != c.crc {
		return errPNG
	}
	return nil
}

func (c *pngChunks) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	if uint64(len(p)) > uint64(c.left) {
		p = p[:c.left]
	}
	n, err := c.r.Read(p)
	c.crc = crc32.Update(c.crc, crc32.IEEETable, p[:n])
	c.left -= uint32(n)
	return n, err
}

// idatReader presents consecutive IDAT chunks as one stream. At its end the
// chunk behind them is current.
type idatReader struct {
	c    *pngChunks
	done bool
}

func (r *idatReader) Read(p []byte) (int, error) {
	for !r.done {
		if r.c.left > 0 {
			n, err := r.c.Read(p)
			if err == io.EOF { // the file ends inside the chunk
				err = io.ErrUnexpectedEOF
			}
			return n, err
		}
		if err := r.c.next(); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		r.done = r.c.name() != "IDAT"
	}
	return 0, io.EOF
}
