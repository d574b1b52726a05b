package tokens

import (
	"bufio"
	"encoding/binary"
	"io"
)

// webpHeaderBytes is the longest header a size is read from: RIFF, WEBP, the
// chunk header and the ten bytes of an extended header.
const webpHeaderBytes = 30

// gifSize reads the logical screen size.
func gifSize(head []byte) (w, h int, ok bool) {
	if len(head) < 13 {
		return 0, 0, false
	}
	return int(binary.LittleEndian.Uint16(head[6:])), int(binary.LittleEndian.Uint16(head[8:])), true
}

// webpSize reads the size from the first chunk behind the RIFF header.
func webpSize(head []byte) (w, h int, ok bool) {
	if len(head) < 20 {
		return 0, 0, false
	}
	body := head[20:]
	switch string(head[12:16]) {
	case "VP8 ": // lossy: a key frame with its start code
		if len(body) < 10 || body[0]&1 != 0 || string(body[3:6]) != "\x9d\x01\x2a" {
			return 0, 0, false
		}
		w = int(binary.LittleEndian.Uint16(body[6:]) & 0x3fff)
		h = int(binary.LittleEndian.Uint16(body[8:]) & 0x3fff)
		return w, h, true
	case "VP8L": // lossless: signature, then 14 bits each, less one, and version 0
		if len(body) < 5 || body[0] != 0x2f || body[4]>>5 != 0 {
			return 0, 0, false
		}
		bits := binary.LittleEndian.Uint32(body[1:])
		return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1, true
	case "VP8X": // extended: flags, then 24 bits each, less one
		if len(body) < 10 {
			return 0, 0, false
		}
		return uint24(body[4:]) + 1, uint24(body[7:]) + 1, true
	}
	return 0, 0, false
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// jpegSize walks the segments up to the first frame header. Frames that common
// decoders do not read (lossless, hierarchical, arithmetic) are no image here.
func jpegSize(r *bufio.Reader) (w, h int, ok bool) {
	if _, err := r.Discard(2); err != nil {
		return 0, 0, false
	}
	for {
		marker, err := nextJPEGMarker(r)
		if err != nil {
			return 0, 0, false
		}
		switch {
		case marker == 0x01, marker >= 0xd0 && marker <= 0xd8: // TEM, RSTn, SOI: no body
			continue
		case marker == 0xd9, marker == 0xda: // end or pixel data before any frame
			return 0, 0, false
		}
		var b [7]byte
		if _, err := io.ReadFull(r, b[:2]); err != nil {
			return 0, 0, false
		}
		size := int(binary.BigEndian.Uint16(b[:2]))
		switch {
		case marker >= 0xc0 && marker <= 0xc2: // baseline, extended, progressive
			if size < 8 {
				return 0, 0, false
			}
			if _, err := io.ReadFull(r, b[2:7]); err != nil {
				return 0, 0, false
			}
			return int(binary.BigEndian.Uint16(b[5:])), int(binary.BigEndian.Uint16(b[3:])), true
		case marker >= 0xc3 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			return 0, 0, false
		case size < 2:
			return 0, 0, false
		}
		if _, err := r.Discard(size - 2); err != nil {
			return 0, 0, false
		}
	}
}

// nextJPEGMarker skips to the next marker code, over garbage and fill bytes.
func nextJPEGMarker(r *bufio.Reader) (byte, error) {
	for {
		c, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		for c == 0xff {
			if c, err = r.ReadByte(); err != nil {
				return 0, err
			}
			if c != 0xff && c != 0 {
				return c, nil
			}
		}
	}
}
