package tokens

import (
	"encoding/binary"
	"io"
)

// pngHeader is what the IHDR chunk says.
type pngHeader struct {
	w, h       int
	bits       uint64 // per pixel
	indexed    bool
	interlaced bool
}

func parsePNGHeader(b [13]byte) (pngHeader, bool) {
	w, h := binary.BigEndian.Uint32(b[0:]), binary.BigEndian.Uint32(b[4:])
	channels := pngChannels(b[8], b[9])
	if w == 0 || h == 0 || w > 1<<31-1 || h > 1<<31-1 || channels == 0 ||
		b[10] != 0 || b[11] != 0 || b[12] > 1 {
		return pngHeader{}, false
	}
	hdr := pngHeader{w: int(w), h: int(h), bits: channels * uint64(b[8]), indexed: b[9] == 3, interlaced: b[12] == 1}
	return hdr, hdr.dataBytes() <= maxPNGBytes
}

// pngChannels is the number of channels of a colour type, 0 when the type does
// not exist with this bit depth.
func pngChannels(depth, color byte) uint64 {
	low := depth == 1 || depth == 2 || depth == 4
	full := depth == 8 || depth == 16
	switch {
	case color == 0 && (low || full), color == 3 && (low || depth == 8):
		return 1
	case color == 4 && full:
		return 2
	case color == 2 && full:
		return 3
	case color == 6 && full:
		return 4
	}
	return 0
}

// pngPass is one of the reduced images that interlacing sends in turn.
type pngPass struct{ x, y, stepX, stepY int }

// passes lists the parts in which the rows arrive.
func (hdr pngHeader) passes() []pngPass {
	if !hdr.interlaced {
		return []pngPass{{0, 0, 1, 1}}
	}
	return []pngPass{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}
}

// rows returns how many rows a pass has and how long each is without its filter
// byte; no rows when the image is too small for the pass.
func (hdr pngHeader) rows(p pngPass) (n, size uint64) {
	if hdr.w <= p.x || hdr.h <= p.y {
		return 0, 0
	}
	across := uint64((hdr.w-p.x-1)/p.stepX + 1)
	return uint64((hdr.h-p.y-1)/p.stepY + 1), (across*hdr.bits + 7) / 8
}

// dataBytes is the length of the inflated data, anything above maxPNGBytes when
// it is longer than that.
func (hdr pngHeader) dataBytes() uint64 {
	var total uint64
	for _, p := range hdr.passes() {
		n, size := hdr.rows(p)
		if n > 0 && size+1 > maxPNGBytes/n {
			return maxPNGBytes + 1
		}
		total += n * (size + 1)
	}
	return total
}

// checkRows reads exactly the rows that the header calls for and wants the end
// of z behind them.
func (hdr pngHeader) checkRows(z io.Reader) error {
	buf := make([]byte, 32<<10)
	var have []byte
	for _, p := range hdr.passes() {
		n, size := hdr.rows(p)
		for range n {
			for skip := size + 1; skip > 0; {
				if len(have) == 0 {
					m, err := io.ReadAtLeast(z, buf, 1)
					if err != nil {
						return err
					}
					have = buf[:m]
				}
				if skip == size+1 && have[0] > 4 {
					return errPNG
				}
				step := min(skip, uint64(len(have)))
				have = have[step:]
				skip -= step
			}
		}
	}
	if len(have) > 0 {
		return errPNG
	}
	if _, err := io.ReadAtLeast(z, buf, 1); err != io.EOF { // checks the zlib checksum too
		return errPNG
	}
	return nil
}
