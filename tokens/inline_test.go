package tokens

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestCheckImage(t *testing.T) {
	enc := base64.StdEncoding.EncodeToString
	gif := "GIF89a\x01\x00\x01\x00\x80\x00\x00"
	jpeg := "\xff\xd8\xff\xc0\x00\x0b\x08\x00\x01\x00\x01\x01\x01\x11\x00\xff\xd9"
	const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	raw, err := base64.StdEncoding.DecodeString(png)
	if err != nil {
		t.Fatal(err)
	}
	changed := append([]byte(nil), raw...)
	changed[45] ^= 1 // in the pixel data: its checksum no longer fits
	tests := []struct {
		name, payload, format string
		state                 ImageState
	}{
		{"png", png, FormatPNG, ImageReads},
		{"png, then more", enc(append(raw[:len(raw):len(raw)], "more"...)), FormatPNG, ImageReads},
		{"png, changed", enc(changed), FormatPNG, ImageDamaged},
		{"png, without its end", enc(raw[:len(raw)-12]), FormatPNG, ImageDamaged},
		{"png, only the signature", enc(raw[:8]), FormatPNG, ImageDamaged},
		{"jpeg", enc([]byte(jpeg)), FormatJPEG, ImageReads},
		{"jpeg without a frame", enc([]byte("\xff\xd8\xff\xd9")), FormatJPEG, ImageDamaged},
		{"gif", enc([]byte(gif)), FormatGIF, ImageReads},
		{"gif without a size", enc([]byte(gif[:6] + "\x00\x00\x00\x00\x80\x00\x00")), FormatGIF, ImageDamaged},
		{"webp of an unknown kind", enc([]byte("RIFF\x12\x00\x00\x00WEBPVP8?\x06\x00\x00\x00")), FormatWebP, ImageDamaged},
		{"nothing", "", "", ImageUnknown},
		{"text", enc([]byte("hello")), "", ImageUnknown},
		{"no base64", "%%%%", "", ImageBase64},
		{"bad base64 far behind the image", png[:len(png)-4] + strings.Repeat("A", 1<<16) + "*AAA", FormatPNG, ImageBase64},
		{"one character short", png[:len(png)-1], "", ImageBase64},
	}
	for _, tt := range tests {
		format, state := CheckImage([]byte(tt.payload))
		if format != tt.format || state != tt.state {
			t.Errorf("%s: %q %d, want %q %d", tt.name, format, state, tt.format, tt.state)
		}
	}
}

func TestDataURL(t *testing.T) {
	media, payload, ok := DataURL([]byte("data:image/PNG;a=b;BASE64,QQ=="))
	if string(media) != "image/PNG" || string(payload) != "QQ==" || !ok {
		t.Errorf("%q %q %v", media, payload, ok)
	}
	if _, _, ok := DataURL([]byte("data:image/png,A")); ok {
		t.Error("text is base64")
	}
}
