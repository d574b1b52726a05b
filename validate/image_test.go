package validate

import (
	"encoding/base64"
	"fmt"
	"hash/maphash"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// Small images, each complete: PNG (1 by 1), GIF, the headers of JPEG and WebP.
const (
	pngBase64  = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	gifBase64  = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
	webpBase64 = "UklGRhIAAABXRUJQVlA4TAYAAAAvAAAAAAAA"
)

// jpegBase64 is a start, a baseline frame header of 1 by 1 and an end.
var jpegBase64 = encode("\xff\xd8\xff\xc0\x00\x0b\x08\x00\x01\x00\x01\x01\x01\x11\x00\xff\xd9")

func encode(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func TestImages(t *testing.T) {
	png := "data:image/png;base64," + pngBase64
	tests := []struct{ name, url, want string }{
		{"png", png, ""},
		{"gif", "data:image/gif;base64," + gifBase64, ""},
		{"jpeg", "data:image/jpeg;base64," + jpegBase64, ""},
		{"jpg", "data:image/jpg;base64," + jpegBase64, ""},
		{"webp", "data:image/webp;base64," + webpBase64, ""},
		{"upper case", "DATA:IMAGE/PNG;BASE64," + pngBase64, ""},
		{"a parameter before", "data:image/png;charset=utf-8;base64," + pngBase64, ""},
		{"empty", "", "I020"},
		{"type without subtype", "data:image;base64," + pngBase64, "I021"},
		{"text", "data:text/plain;base64,aGVsbG8=", "I021"},
		{"pdf", "data:application/pdf;base64,JVBERi0=", "I021"},
		{"no type", "data:;base64," + pngBase64, "I021"},
		{"no type, no base64", "data:,hello", "I021"},
		{"bmp", "data:image/bmp;base64,Qk0=", "I022"},
		{"svg", "data:image/svg+xml;base64," + encode("<svg/>"), "I022"},
		{"svg as text", "data:image/svg+xml,<svg/>", "I022"},
		{"not marked as base64", "data:image/png," + pngBase64, "I023"},
		{"without a comma", "data:image/png;base64" + pngBase64, "I023"},
		{"not padded", "data:image/png;base64," + pngBase64[:len(pngBase64)-2], "I023"},
		{"a line break", "data:image/png;base64," + pngBase64[:40] + "\n" + pngBase64[40:], "I023"},
		{"the alphabet of URLs", "data:image/png;base64," + encode("\x89PNG\r\n\x1a\n") + "-_-_", "I023"},
		{"trailing bits", "data:image/png;base64," + encode("\x89PNG\r\n\x1a\n")[:11] + "J", "I026"},
		{"trailing bits that are not zero", "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAB=", "I023"},
		{"another format", "data:image/jpeg;base64," + pngBase64, "I024"},
		{"svg disguised", "data:image/png;base64," + encode("\n<?xml version=\"1.0\"?>\n<svg xmlns=\"\"></svg>"), "I025"},
		{"html disguised", "data:image/jpeg;base64," + encode("\xef\xbb\xbf<!DOCTYPE HTML><title>404</title>"), "I025"},
		{"other markup", "data:image/png;base64," + encode("<Error>denied</Error>"), "I025"},
		{"nothing in it", "data:image/png;base64,", "I026"},
		{"text in it", "data:image/png;base64," + encode("Not Found"), "I026"},
		{"cut off", "data:image/png;base64," + pngBase64[:len(pngBase64)-20], "I026"},
		{"a bit changed", "data:image/png;base64," + pngBase64[:50] + "B" + pngBase64[51:], "I026"},
		{"http", "http://charts.example/a.png", "I027"},
		{"https", "HTTPS://charts.example/a.png", "I027"},
		{"path", "/srv/a.png", "I028"},
		{"file", "file:///srv/a.png", "I028"},
		{"base64 alone", pngBase64, "I028"},
		{"text by mistake", "[{\"type\":\"text\"}]", "I028"},
		{"a scheme and no more", "data:", "I021"},
	}
	for _, tt := range tests {
		if got := checkImage([]byte(tt.url)); got.code != tt.want || (got.message == "") != (tt.want == "") {
			t.Errorf("%s: %q %q, want %q", tt.name, got.code, got.message, tt.want)
		}
	}
}

func TestImagePlaces(t *testing.T) {
	bad, good := `{"type":"input_image","image_url":""}`, `{"type":"input_image","image_url":"data:image/png;base64,`+pngBase64+`"}`
	text := `{"type":"input_text","text":"input_image"}`
	message := func(role, parts string) string {
		return `{"type":"message","role":"` + role + `","content":[` + parts + `]}`
	}
	checkFamilies(t, "I", []string{
		metaLine(""),
		itemLine(message("user", text+","+good+","+bad)),
		itemLine(message("developer", bad)),
		itemLine(`{"type":"function_call_output","call_id":"c","output":[` + good + `,` + bad + `]}`),
		itemLine(`{"type":"custom_tool_call_output","call_id":"c","output":[` + bad + `]}`),
		itemLine(`{"type":"function_call_output","call_id":"c","output":"input_image"}`),
		checkpointLine(userItem("q"), message("user", good), message("user", text+","+bad)),
		itemLine(message("user", `{"type":"input_image","file_id":"file_1"}`)),
		itemLine(message("user", `{"type":"input\u005fimage","image_url":""}`)),
	}, "I020 2 /payload/content/2", "I020 3 /payload/content/0", "I020 4 /payload/output/1", "I020 5 /payload/output/0",
		"I020 7 /payload/replacement_history/2/content/1", "I020 9 /payload/content/0")
}

// An image is looked at once, however often it is stored.
func TestImagesAreRemembered(t *testing.T) {
	c := imageCheck{seed: maphash.MakeSeed(), known: map[imageKey]imageDefect{}}
	for i := range 6 {
		want := ""
		if i%3 == 2 {
			want = "I023"
		}
		url := jsonraw.Quote("data:image/png;base64," + pngBase64)
		if want != "" {
			url = jsonraw.Quote(fmt.Sprintf("data:image/png;base64,%s*%d", pngBase64[:8], i))
		}
		if got := c.of(url); got.code != want {
			t.Errorf("image %d: %q, want %q", i, got.code, want)
		}
	}
	if len(c.known) != 3 { // one PNG, two others
		t.Errorf("%d images known, want 3", len(c.known))
	}
}
