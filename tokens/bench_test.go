package tokens

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math/rand"
	"strings"
	"testing"
)

func benchItem(b *testing.B, part string) {
	b.Helper()
	it := viewItem(b, `{"type":"message","role":"user","content":[`+part+`]}`)
	b.SetBytes(int64(len(it.Raw)))
	b.ReportAllocs()
	for b.Loop() {
		if Content.Item(it) == 0 {
			b.Fatal("no tokens")
		}
	}
}

func BenchmarkText100KB(b *testing.B) {
	benchItem(b, fmt.Sprintf(`{"type":"input_text","text":%q}`, strings.Repeat("some text with \"quotes\"\n", 4096)))
}

// noisePNG is an image of about 1.5 MB, 2 MB as base64.
func noisePNG(b *testing.B) string {
	b.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 700, 540))
	rand.New(rand.NewSource(1)).Read(img.Pix)
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err != nil {
		b.Fatal(err)
	}
	return dataURL("image/png", buf.Bytes())
}

func BenchmarkImage2MB(b *testing.B) {
	benchItem(b, fmt.Sprintf(`{"type":"input_image","image_url":%q,"detail":"high"}`, noisePNG(b)))
}

func BenchmarkImage2MBOriginal(b *testing.B) { benchItem(b, originalImage(noisePNG(b))) }

func BenchmarkTruncate100KB(b *testing.B) {
	text := strings.Repeat("日本語 ", 10_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		TruncateTokens(text, 1000)
	}
}
