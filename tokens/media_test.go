package tokens

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"testing"
)

// pngSpec describes a PNG that build makes by hand, so that every part of it can
// be made wrong.
type pngSpec struct {
	w, h         uint32
	depth, color byte
	interlace    byte
	palette      []byte
	data         []byte // inflated; nil for rows of zeros that fit without interlacing
	split        int    // bytes per IDAT chunk, 0 for one chunk
}

func (s pngSpec) build(t testing.TB) []byte {
	t.Helper()
	ihdr := binary.BigEndian.AppendUint32(nil, s.w)
	ihdr = binary.BigEndian.AppendUint32(ihdr, s.h)
	ihdr = append(ihdr, s.depth, s.color, 0, 0, s.interlace)
	out := appendChunk([]byte(pngSignature), "IHDR", ihdr)
	if s.palette != nil {
		out = appendChunk(out, "PLTE", s.palette)
	}
	data := s.data
	if data == nil {
		channels := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[s.color]
		data = make([]byte, int(s.h)*(1+(int(s.w)*channels*int(s.depth)+7)/8))
	}
	packed := deflate(t, data)
	for split := s.split; split > 0 && len(packed) > split; packed = packed[split:] {
		out = appendChunk(out, "IDAT", packed[:split])
	}
	out = appendChunk(out, "IDAT", packed)
	return appendChunk(out, "IEND", nil)
}

func deflate(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func appendChunk(dst []byte, typ string, data []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(data)))
	crc := crc32.ChecksumIEEE(append([]byte(typ), data...))
	dst = append(append(dst, typ...), data...)
	return binary.BigEndian.AppendUint32(dst, crc)
}

func grayPNG(t testing.TB, w, h uint32) []byte {
	return pngSpec{w: w, h: h, depth: 1}.build(t)
}

// jpegHeader is a JPEG up to its first frame header, with a segment before it.
func jpegHeader(frame byte, w, h uint16) []byte {
	b := []byte{0xff, 0xd8, 0xff, 0xe0, 0, 4, 0xff, 0xc0, 0xff, 0xff, frame, 0, 11, 8}
	b = binary.BigEndian.AppendUint16(b, h)
	b = binary.BigEndian.AppendUint16(b, w)
	return append(b, 1, 1, 0x11, 0)
}

// webpFile wraps one chunk.
func webpFile(typ string, body ...byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(12+len(body)))
	b = binary.LittleEndian.AppendUint32(append(b, "WEBP"+typ...), uint32(len(body)))
	return append(b, body...)
}

func dataURL(media string, data []byte) string {
	return "data:" + media + ";base64," + base64.StdEncoding.EncodeToString(data)
}

// wavFile makes a WAV file with a format chunk of the given form, an odd chunk
// that has to be skipped with its padding, and a data chunk said to be size long.
func wavFile(format uint16, rate uint32, frame uint16, size uint32, data []byte) []byte {
	f := binary.LittleEndian.AppendUint16(nil, format)
	f = binary.LittleEndian.AppendUint16(f, 1)
	f = binary.LittleEndian.AppendUint32(f, rate)
	f = binary.LittleEndian.AppendUint32(f, rate*uint32(frame))
	f = binary.LittleEndian.AppendUint16(f, frame)
	f = binary.LittleEndian.AppendUint16(f, frame*8)
	if format == wavExtensible {
		f = append(f, 22, 0, 16, 0, 4, 0, 0, 0, wavPCM, 0)
		f = append(f, wavFormatTail...)
	}
	b := append([]byte("RIFF\x00\x00\x00\x00WAVE"), "LIST\x03\x00\x00\x00abc\x00"...)
	b = binary.LittleEndian.AppendUint32(append(b, "fmt "...), uint32(len(f)))
	b = append(b, f...)
	b = binary.LittleEndian.AppendUint32(append(b, "data"...), size)
	return append(b, data...)
}
