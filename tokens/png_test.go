package tokens

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"runtime"
	"testing"

	"pgregory.net/rapid"
)

// adam7 is the inflated length of an interlaced 8-bit gray image of 9 by 5,
// counted by hand: passes of 2x1, 1x1, 3x1, 2x2, 5x1, 4x3 and 9x2 pixels, a
// filter byte before each row.
const adam7 = (2 + 1) + (1 + 1) + (3 + 1) + 2*(2+1) + (5 + 1) + 3*(4+1) + 2*(9+1)

func TestRule26PNGChecks(t *testing.T) {
	filter5 := make([]byte, 5*10)
	filter5[20] = 5 // third row
	filter4 := make([]byte, 5*10)
	filter4[20] = 4
	good := pngSpec{w: 9, h: 5, depth: 8}.build(t)
	edit := func(f func(b []byte) []byte) []byte { return f(bytes.Clone(good)) }
	tests := []struct {
		name string
		data []byte
		ok   bool
	}{
		{"gray", good, true},
		{"one bit", pngSpec{w: 9, h: 5, depth: 1}.build(t), true},
		{"16-bit with alpha", pngSpec{w: 9, h: 5, depth: 16, color: 6}.build(t), true},
		{"palette", pngSpec{w: 9, h: 5, depth: 4, color: 3, palette: make([]byte, 6)}.build(t), true},
		{"many data chunks", pngSpec{w: 9, h: 5, depth: 8, split: 3}.build(t), true},
		{"filter 4", pngSpec{w: 9, h: 5, depth: 8, data: filter4}.build(t), true},
		{"interlaced", pngSpec{w: 9, h: 5, depth: 8, interlace: 1, data: make([]byte, adam7)}.build(t), true},
		{"interlaced one pixel", pngSpec{w: 1, h: 1, depth: 8, interlace: 1, data: make([]byte, 2)}.build(t), true},
		{"unknown chunk", edit(func(b []byte) []byte {
			return append(append(bytes.Clone(b[:33]), appendChunk(nil, "tEXt", []byte("hello"))...), b[33:]...)
		}), true},
		{"bytes behind the end", append(bytes.Clone(good), 1, 2, 3), true},

		{"filter 5", pngSpec{w: 9, h: 5, depth: 8, data: filter5}.build(t), false},
		{"a byte short", pngSpec{w: 9, h: 5, depth: 8, data: make([]byte, 49)}.build(t), false},
		{"a byte long", pngSpec{w: 9, h: 5, depth: 8, data: make([]byte, 51)}.build(t), false},
		{"interlaced a byte short", pngSpec{w: 9, h: 5, depth: 8, interlace: 1, data: make([]byte, adam7-1)}.build(t), false},
		{"interlaced a byte long", pngSpec{w: 9, h: 5, depth: 8, interlace: 1, data: make([]byte, adam7+1)}.build(t), false},
		{"no width", pngSpec{h: 5, depth: 8, data: make([]byte, 5)}.build(t), false},
		{"negative height", pngSpec{w: 9, h: 1 << 31, depth: 8, data: []byte{}}.build(t), false},
		{"3 bits", pngSpec{w: 9, h: 5, depth: 3}.build(t), false},
		{"4-bit colour", pngSpec{w: 9, h: 5, depth: 4, color: 2}.build(t), false},
		{"16-bit palette", pngSpec{w: 9, h: 5, depth: 16, color: 3, palette: make([]byte, 6)}.build(t), false},
		{"colour type 1", pngSpec{w: 9, h: 5, depth: 8, color: 1, data: make([]byte, 50)}.build(t), false},
		{"interlace 2", pngSpec{w: 9, h: 5, depth: 8, interlace: 2}.build(t), false},
		{"no palette", pngSpec{w: 9, h: 5, depth: 4, color: 3}.build(t), false},
		{"odd palette", pngSpec{w: 9, h: 5, depth: 4, color: 3, palette: make([]byte, 7)}.build(t), false},
		{"signature only", []byte(pngSignature), false},
		{"header only", good[:33], false},
		{"header and end", append(bytes.Clone(good[:33]), appendChunk(nil, "IEND", nil)...), false},
		{"no end", good[:len(good)-12], false},
		{"no checksum at the end", good[:len(good)-4], false},
		{"header checksum", edit(func(b []byte) []byte { b[29] ^= 1; return b }), false},
		{"data checksum", edit(func(b []byte) []byte { b[len(b)-13] ^= 1; return b }), false},
		{"end checksum", edit(func(b []byte) []byte { b[len(b)-1] ^= 1; return b }), false},
		{"zlib checksum", edit(func(b []byte) []byte {
			end := len(b) - 12 // the data chunk's own checksum is made right again
			b[end-5] ^= 1
			binary.BigEndian.PutUint32(b[end-4:], crc32.ChecksumIEEE(b[37:end-4]))
			return b
		}), false},
		{"huge chunk", append(bytes.Clone(good[:33]), 0xff, 0xff, 0xff, 0xff, 'I', 'D', 'A', 'T', 0), false},
	}
	for _, tt := range tests {
		w, h, format, ok := ImageSize(tt.data)
		if ok != tt.ok || ok && format != FormatPNG {
			t.Errorf("%s: %dx%d %q %v, want %v", tt.name, w, h, format, ok, tt.ok)
		}
	}
	if w, h, _, _ := ImageSize(good); w != 9 || h != 5 {
		t.Errorf("size is %dx%d, want 9x5", w, h)
	}
}

// TestRule26PNGAgreesWithDecoder damages images in random places and wants the
// verdict of a full decoder.
func TestRule26PNGAgreesWithDecoder(t *testing.T) {
	rect := image.Rect(0, 0, 13, 7)
	pal := image.NewPaletted(rect, color.Palette{color.Black, color.White, color.Gray{9}})
	rgba := image.NewNRGBA64(rect)
	for i := range rgba.Pix {
		rgba.Pix[i] = byte(i * 7)
	}
	seeds := [][]byte{
		pngSpec{w: 9, h: 5, depth: 8, interlace: 1, data: make([]byte, adam7)}.build(t),
		pngSpec{w: 300, h: 50, depth: 8, color: 2, split: 11}.build(t),
	}
	for _, img := range []image.Image{pal, rgba, image.NewGray(rect), image.NewRGBA(rect)} {
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, b.Bytes())
	}
	rapid.Check(t, func(t *rapid.T) {
		data := bytes.Clone(rapid.SampledFrom(seeds).Draw(t, "seed"))
		switch rapid.IntRange(0, 3).Draw(t, "damage") {
		case 1:
			data = data[:rapid.IntRange(0, len(data)).Draw(t, "length")]
		case 2:
			data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
		case 3:
			at := rapid.IntRange(0, len(data)).Draw(t, "at")
			data = append(data[:at:at], append([]byte{rapid.Byte().Draw(t, "byte")}, data[at:]...)...)
		}
		img, err := png.Decode(bytes.NewReader(data))
		w, h, _, ok := ImageSize(data)
		if ok != (err == nil) {
			t.Fatalf("ok is %v, the decoder says %v for %q", ok, err, data)
		}
		if ok && (img.Bounds().Dx() != w || img.Bounds().Dy() != h) {
			t.Fatalf("size is %dx%d, the decoder says %v", w, h, img.Bounds())
		}
	})
}

// TestRule26Bombs wants little memory for images that claim much of it.
func TestRule26Bombs(t *testing.T) {
	big := pngSpec{w: 10_000, h: 10_000, depth: 1}.build(t) // 12.5 MB inflated
	bomb := 64 << 20
	if testing.Short() {
		bomb = 8 << 20
	}
	tests := []struct {
		name string
		url  string
		want int64
	}{
		{"large and right", dataURL("image/png", big), 40_000},
		{"claims 400 MB, holds nothing", dataURL("image/png", pngSpec{w: 10_000, h: 10_000, depth: 8, color: 6, data: []byte{0}}.build(t)), 7373},
		{"claims more than is inflated", dataURL("image/png", pngSpec{w: 1<<31 - 1, h: 1<<31 - 1, depth: 16, color: 6, data: []byte{0}}.build(t)), 7373},
		{"the same interlaced", dataURL("image/png", pngSpec{w: 1<<31 - 1, h: 1<<31 - 1, depth: 16, color: 6, interlace: 1, data: []byte{0}}.build(t)), 7373},
		{"inflates to far more than the header says", dataURL("image/png", pngSpec{w: 1, h: 1, depth: 8, data: make([]byte, bomb)}.build(t)), 7373},
		{"one pixel wide", dataURL("image/png", pngSpec{w: 1, h: 1 << 22, depth: 1}.build(t)), 40_000},
	}
	for _, tt := range tests {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := originalURLBytes([]byte(tt.url))
		runtime.ReadMemStats(&after)
		if got != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.name, got, tt.want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > uint64(len(tt.url))+1<<20 {
			t.Errorf("%s: %d bytes allocated for a URL of %d", tt.name, used, len(tt.url))
		}
	}
}
