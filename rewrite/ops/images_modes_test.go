package ops

import (
	"context"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollout-tool/rollout-tool/rewrite"
)

// session is two windows and what follows: in each the same image, and one of its own.
func imagesSession(first, checkpoint1, second, checkpoint2, third string) string {
	return imagesMeta + first + checkpoint1 + second + checkpoint2 + third
}

func TestImagesWhich(t *testing.T) {
	line := func(part string) string { return imagesLine("response_item", userWith(textPart("q"), part)) }
	point := func(part string) string { return imagesCheckpoint(userWith(part), imagesEnd) }
	event := func(list string) string {
		return imagesLine("event_msg", `{"type":"user_message","message":"m","images":[`+list+`]}`)
	}
	png, gif := imagePart(pngURL), imagePart(gifURL)
	in := imagesSession(line(png)+event(`"`+pngURL+`"`)+line(gif), point(png), line(gif), point(png), line(gif)+event(`"`+gifURL+`"`))
	tests := []struct {
		name    string
		options []string
		want    string
	}{
		{"all", nil, imagesSession(line(textPart(pngGone))+event("")+line(textPart(gifGone)), point(textPart(pngGone)), line(textPart(gifGone)), point(textPart(pngGone)), line(textPart(gifGone))+event(""))},
		{"superseded", []string{"which", "superseded"},
			imagesSession(line(textPart(pngGone))+event("")+line(textPart(gifGone)), point(textPart(pngGone)), line(textPart(gifGone)), point(png), line(gif)+event(`"`+gifURL+`"`))},
		{"before the last", []string{"which", "before-last"},
			imagesSession(line(textPart(pngGone))+event("")+line(textPart(gifGone)), point(textPart(pngGone)), line(textPart(gifGone)), point(png), line(gif)+event(`"`+gifURL+`"`))},
		{"invalid", []string{"which", "invalid"}, in},
		// The checkpoint that counts and the message behind it stay; so a copy of each image does.
		{"dedupe", []string{"mode", "dedupe"},
			imagesSession(line(textPart(pngCopy))+event("")+line(textPart(gifCopy)), point(textPart(pngCopy)), line(textPart(gifCopy)), point(png), line(gif)+event(""))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := checkCured(t, in, operation(t, "images", tt.options...))
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			if len(tt.options) > 0 && !slices.Equal(rowsAtEnd(t, got), rowsAtEnd(t, in)) {
				t.Error("the history at the end has changed")
			}
		})
	}
	t.Run("dedupe where none is needed", func(t *testing.T) {
		in := imagesSession(line(png)+line(png), imagesCheckpoint(imagesEnd), line(png), imagesCheckpoint(imagesEnd), "")
		want := imagesSession(line(png)+line(textPart(pngCopy)), imagesCheckpoint(imagesEnd), line(textPart(pngCopy)), imagesCheckpoint(imagesEnd), "")
		if got := checkCured(t, in, operation(t, "images", "mode", "dedupe")); got != want {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("superseded, but a fork starts there", func(t *testing.T) {
		head := imagesMeta + line(png) + event(`"`+pngURL+`"`) + line(gif) + point(png) + line(gif)
		got, _, err := run(t, in, rewrite.Options{Marks: []int64{int64(len(head))}}, operation(t, "images", "which", "superseded"))
		want := imagesSession(line(textPart(pngGone))+event("")+line(textPart(gifGone)), point(png), line(gif), point(png), line(gif)+event(`"`+gifURL+`"`))
		if err != nil || got != want {
			t.Errorf("%v\ngot\n%s", err, got)
		}
	})
}

const gifCopy = "[image removed: " + gifWhat + ", a copy is in this session]"

// A record of more than 16 MiB because of its image.
func TestImagesLongRecord(t *testing.T) {
	if testing.Short() {
		t.Skip("a line of 17 MiB")
	}
	big := "data:image/png;base64," + pngData[:len(pngData)-24] + base64.StdEncoding.EncodeToString(make([]byte, 3<<22))
	checkCured(t, imagesMeta+imagesLine("response_item", userWith(textPart("q"), imagePart(big)))+imagesLine("response_item", userWith(textPart("r"))), operation(t, "images"), "B001")
}

// Files are written when the result is kept, once, and never over others.
func TestImagesExternalise(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "images")
	in := imagesMeta + imagesLine("response_item", userWith(imagePart(pngURL), imagePart("data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString([]byte("<svg/>"))), imagePart("data:image/png;base64,*"))) +
		imagesLine("event_msg", `{"type":"image_generation_end","call_id":"c","status":"completed","result":"`+pngData+`"}`)
	const sum = "6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0"
	name := filepath.ToSlash(filepath.Join(folder, sum+".png"))
	op := operation(t, "images", "mode", "externalise", "to", folder)
	got := checkCured(t, in, op)
	if _, err := os.Stat(folder); err == nil {
		t.Fatal("written without a result that is kept")
	}
	for _, want := range []string{`"[image removed: ` + pngWhat + ", file " + name + `]"`, `image/svg+xml, 6 bytes, sha256 `, `"Invalid image"`, `"saved_path":"` + name + `"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	commit := func() error {
		rw, err := rewrite.Prepare(context.Background(), open(t, in), []rewrite.Operation{op}, rewrite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer rw.Close()
		_, err = rw.Commit(context.Background(), io.Discard)
		return err
	}
	for range 2 { // the second time they are there
		if err := commit(); err != nil {
			t.Fatal(err)
		}
		files, _ := os.ReadDir(folder)
		data, err := os.ReadFile(filepath.Join(folder, sum+".png"))
		if want, _ := base64.StdEncoding.DecodeString(pngData); err != nil || string(data) != string(want) || len(files) != 2 {
			t.Fatalf("%v: %d bytes, files %v", err, len(data), files)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, sum+".png"), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := commit(); err == nil || !strings.Contains(err.Error(), "something else") {
		t.Errorf("a file of the same name: %v", err)
	}
}

// Twice is once, other lines keep their bytes, and what goes are images.
func TestImagesProperty(t *testing.T) {
	part := rapid.SampledFrom([]string{textPart("a"), imagePart(pngURL), imagePart(gifURL), imagePart(""), imagePart("https://a.example/b.png"), `{"type":"input_image","file_id":"f"}`, `{"type":"input_image"}`})
	rapid.Check(t, func(rt *rapid.T) {
		var in strings.Builder
		in.WriteString(imagesMeta)
		for range rapid.IntRange(1, 6).Draw(rt, "records") {
			item := userWith(rapid.SliceOfN(part, 0, 4).Draw(rt, "parts")...)
			if rapid.Bool().Draw(rt, "checkpoint") {
				in.WriteString(imagesCheckpoint(item, imagesEnd))
			} else {
				in.WriteString(imagesLine("response_item", item))
			}
		}
		op := operation(t, "images",
			"mode", rapid.SampledFrom([]string{"strip", "dedupe"}).Draw(rt, "mode"),
			"which", rapid.SampledFrom([]string{"all", "superseded", "before-last"}).Draw(rt, "which"))
		out, _, err := run(t, in.String(), rewrite.Options{}, op)
		if err != nil {
			rt.Fatal(err)
		}
		if again, res, err := run(t, out, rewrite.Options{}, op); err != nil || again != out || res.Edits() > 0 {
			rt.Fatalf("the second time: %v\n%s", err, again)
		}
		before, after := strings.Split(in.String(), "\n"), strings.Split(out, "\n")
		for i, line := range after {
			if line != before[i] && strings.Count(line, "input_image")+strings.Count(line, "[image removed")+strings.Count(line, "Invalid image") != strings.Count(before[i], "input_image") {
				rt.Fatalf("line %d: %s\nwas %s", i+1, line, before[i])
			}
		}
	})
}

func TestImagesCuresOfReports(t *testing.T) {
	file := func(name string) string { return readText(t, "../../fixtures/cures/images/"+name+".jsonl") }
	refused := file("refused")
	checkCured(t, refused, operation(t, "images", "which", "invalid"), "I020", "I021", "I022", "I024", "I025", "I026", "I028")
	checkCured(t, refused, operation(t, "images"), "I020", "I021", "I022", "I024", "I025", "I026", "I028")
	if got := checkCured(t, file("generated-twice"), operation(t, "images", "mode", "dedupe")); strings.Count(got, pngData) != 1 {
		t.Errorf("%d copies", strings.Count(got, pngData))
	}
	repeated := file("repeated")
	got := checkCured(t, repeated, operation(t, "images", "mode", "dedupe"))
	if n := strings.Count(got, pngData); strings.Count(repeated, pngData) != 5 || n != 1 {
		t.Errorf("%d copies are left", n)
	}
	if !slices.Equal(rowsAtEnd(t, got), rowsAtEnd(t, repeated)) {
		t.Error("the history at the end has changed")
	}
}
