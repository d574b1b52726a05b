package tokens

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"strings"
	"testing"

	"golang.org/x/image/webp"
)

func originalImage(url string) string {
	return fmt.Sprintf(`{"type":"input_image","image_url":%q,"detail":"original"}`, url)
}

func TestRule26PatchTable(t *testing.T) {
	for _, tt := range []struct {
		w, h uint32
		want int64
	}{
		{1, 1, 1}, {32, 32, 1}, {33, 32, 2}, {1024, 768, 768}, {2048, 2048, 4096},
		{3200, 3200, 10_000}, {3201, 3200, 10_000}, {1, 10_000 * 32, 10_000}, {20_000, 20_000, 10_000},
	} {
		if testing.Short() && tt.w > 10_000 {
			continue // 400 MB of pixels
		}
		p := viewPart(originalImage(dataURL("image/png", grayPNG(t, tt.w, tt.h))))
		if b, n := ImageBytes(p), Image(p); b != 4*tt.want || n != tt.want {
			t.Errorf("%dx%d: %d bytes, %d tokens, want %d and %d", tt.w, tt.h, b, n, 4*tt.want, tt.want)
		}
	}
}

func TestRule26ImageCost(t *testing.T) {
	const flat = 7373
	data := grayPNG(t, 33, 33) // 4 patches
	for len(data)%3 != 1 {     // so that the payload is padded
		data = append(data, 0)
	}
	long := append(bytes.Clone(data), make([]byte, 3*4000+2)...) // no padding
	url := dataURL("image/png", data)
	b64 := url[len("data:image/png;base64,"):]
	tests := []struct {
		name, part string
		want       int64
	}{
		{"no detail", fmt.Sprintf(`{"type":"input_image","image_url":%q}`, url), flat},
		{"detail high", fmt.Sprintf(`{"type":"input_image","image_url":%q,"detail":"high"}`, url), flat},
		{"null detail", fmt.Sprintf(`{"type":"input_image","image_url":%q,"detail":null}`, url), flat},
		{"remote", originalImage("https://e/a.png"), flat},
		{"file", `{"type":"input_image","file_id":"file_1"}`, flat},
		{"file in original", `{"type":"input_image","file_id":"file_1","detail":"original"}`, 40_000},
		{"null URL and file", `{"type":"input_image","image_url":null,"file_id":"file_1","detail":"original"}`, 40_000},
		{"URL before file", fmt.Sprintf(`{"type":"input_image","image_url":%q,"file_id":"file_1","detail":"original"}`, url), 16},
		{"neither", `{"type":"input_image","detail":"original"}`, flat},
		{"inline", originalImage(url), 16},
		{"escaped slashes", strings.ReplaceAll(originalImage(url), "/", `\/`), 16},
		{"words in any case", originalImage("DATA:Image/PNG;x=1;BASE64," + b64), 16},
		{"sniffed, whatever the type says", originalImage("data:image/jpeg;base64," + b64), 16},
		{"no image type", originalImage("data:application/png;base64," + b64), flat},
		{"no media type", originalImage("data:;base64," + b64), flat},
		{"no base64", originalImage("data:image/png," + b64), flat},
		{"base64 inside another parameter", originalImage("data:image/png;x=base64," + b64), flat},
		{"base64 behind the comma", originalImage("data:image/png,;base64," + b64), flat},
		{"no comma", originalImage("data:image/png;base64" + b64), flat},
		{"a letter that folds only in Unicode", originalImage("data:image/png;ba\u017fe64," + b64), flat},
		{"another scheme", originalImage("date:image/png;base64," + b64), flat},
		{"no padding", originalImage(strings.TrimRight(url, "=")), flat},
		{"line break", originalImage(url[:60] + "\n" + url[60:]), flat},
		{"carriage return at the end", originalImage(url + "\r"), flat},
		{"space", originalImage(url + " "), flat},
		{"padding inside", originalImage(url + "AAAA"), flat},
		{"URL alphabet", originalImage("data:image/png;base64,_-__" + b64), flat},
		{"empty", originalImage("data:image/png;base64,"), flat},
		{"no image", originalImage("data:image/png;base64,Zm9v"), flat},
		{"not base64 behind the image", originalImage(dataURL("image/png", long) + "!!!!"), flat},
		{"bytes behind the image", originalImage(dataURL("image/png", long)), 16},
		{"no image part", `{"type":"input_text","text":"x","detail":"original"}`, 0},
	}
	for _, tt := range tests {
		if got := ImageBytes(viewPart(tt.part)); got != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.name, got, tt.want)
		}
	}
}

func TestRule26TrailingBits(t *testing.T) {
	data := jpegHeader(0xc0, 64, 64)
	for len(data)%3 != 2 { // so that the payload ends in one sign of padding
		data = append(data, 0)
	}
	url := dataURL("image/jpeg", data) // the last group is xxA=
	if got := ImageBytes(viewPart(originalImage(url))); got != 16 {
		t.Errorf("%d bytes, want 16", got)
	}
	bad := strings.TrimSuffix(url, "A=") + "B="
	if bad == url || len(bad) != len(url) {
		t.Fatalf("payload ends in %q", url[len(url)-4:])
	}
	if got := ImageBytes(viewPart(originalImage(bad))); got != 7373 {
		t.Errorf("trailing bits set: %d bytes, want 7373", got)
	}
}

func TestRule26HeaderFormats(t *testing.T) {
	img := image.NewPaletted(image.Rect(0, 0, 70, 45), color.Palette{color.Black, color.White})
	var jpg, anim bytes.Buffer
	if err := jpeg.Encode(&jpg, img, nil); err != nil {
		t.Fatal(err)
	}
	if err := gif.Encode(&anim, img, nil); err != nil {
		t.Fatal(err)
	}
	vp8 := webpFile("VP8 ", 0, 0, 0, 0x9d, 0x01, 0x2a, 70, 0x40, 45, 0x80) // scaling bits set
	tests := []struct {
		name, format string
		data         []byte
		w, h         int
	}{
		{"JPEG", FormatJPEG, jpg.Bytes(), 70, 45},
		{"JPEG header only", FormatJPEG, jpegHeader(0xc0, 300, 2), 300, 2},
		{"progressive JPEG", FormatJPEG, jpegHeader(0xc2, 300, 2), 300, 2},
		{"JPEG with fill bytes and garbage", FormatJPEG, append([]byte{0xff, 0xd8, 0xff, 0xff, 0x01, 7, 0xff, 0}, jpegHeader(0xc1, 9, 8)[2:]...), 9, 8},
		{"GIF", FormatGIF, anim.Bytes(), 70, 45},
		{"GIF87a", FormatGIF, []byte("GIF87a\x46\x00\x2d\x00\x00\x00\x00"), 70, 45},
		{"WebP lossy", FormatWebP, vp8, 70, 45},
		// 14 bits of width less one, then 14 bits of height less one: 69 and 44.
		{"WebP lossless", FormatWebP, webpFile("VP8L", 0x2f, 69, 44&3<<6, 44>>2, 0), 70, 45},
		{"WebP extended", FormatWebP, webpFile("VP8X", 0, 0, 0, 0, 69, 0, 1, 44, 0, 0), 65536 + 70, 45},
		{"lossless JPEG", "", jpegHeader(0xc3, 300, 2), 0, 0},
		{"arithmetic JPEG", "", jpegHeader(0xc9, 300, 2), 0, 0},
		{"JPEG without a frame", "", []byte{0xff, 0xd8, 0xff, 0xda, 0, 8, 1, 2, 3, 4, 5, 6}, 0, 0},
		{"JPEG that ends", "", []byte{0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 1}, 0, 0},
		{"JPEG with a short segment", "", []byte{0xff, 0xd8, 0xff, 0xe0, 0, 1, 1}, 0, 0},
		{"JPEG without height", "", jpegHeader(0xc0, 300, 0), 0, 0},
		{"GIF without width", "", []byte("GIF89a\x00\x00\x2d\x00\x00\x00\x00"), 0, 0},
		{"short GIF", "", []byte("GIF89a\x46\x00\x2d"), 0, 0},
		{"WebP delta frame", "", webpFile("VP8 ", 1, 0, 0, 0x9d, 0x01, 0x2a, 70, 0, 45, 0), 0, 0},
		{"WebP without a picture", "", webpFile("ICCP", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 0, 0},
		{"short WebP", "", webpFile("VP8X", 0, 0, 0, 0, 69), 0, 0},
		{"WAV", "", wavFile(wavPCM, 8000, 1, 8, make([]byte, 8)), 0, 0},
		{"BMP", "", []byte("BM\x00\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00"), 0, 0},
		{"nothing", "", nil, 0, 0},
	}
	for _, tt := range tests {
		w, h, format, ok := ImageSize(tt.data)
		if w != tt.w || h != tt.h || format != tt.format || ok != (tt.format != "") {
			t.Errorf("%s: %dx%d %q %v, want %dx%d %q", tt.name, w, h, format, ok, tt.w, tt.h, tt.format)
		}
	}
	if cfg, err := webp.DecodeConfig(bytes.NewReader(vp8)); err != nil || cfg.Width != 70 || cfg.Height != 45 {
		t.Errorf("the lossy header made here is not one: %v %v", cfg, err)
	}
}

func FuzzImageSize(f *testing.F) {
	f.Add(grayPNG(f, 33, 5))
	f.Add(jpegHeader(0xc0, 70, 45))
	f.Add([]byte("GIF89a\x46\x00\x2d\x00\x00\x00\x00"))
	f.Add(webpFile("VP8L", 0x2f, 69, 0, 11, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, h, format, ok := ImageSize(data)
		if ok != (w > 0 && h > 0 && format != "") {
			t.Errorf("%dx%d %q %v", w, h, format, ok)
		}
	})
}
