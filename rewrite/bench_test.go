package rewrite

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// hundredth edits the lines that hold the needle.
type hundredth struct{}

func (hundredth) Name() string      { return "hundredth" }
func (hundredth) Needles() []string { return []string{"needle"} }
func (hundredth) Plan(*Input) (func() Editor, error) {
	return func() Editor { return hundredth{} }, nil
}

func (hundredth) Edit(r *Record) Edit {
	c := r.Item().Content()
	if len(c) == 0 {
		return Keep()
	}
	return r.Change().Replace(c[0].TextValue(), jsonraw.Quote("found")).Done("text")
}

// BenchmarkOneLineInHundred is the engine alone: read, change one line in a hundred, write.
func BenchmarkOneLineInHundred(b *testing.B) {
	var text strings.Builder
	for i := range 60000 {
		word := "hay"
		if i%100 == 0 {
			word = "needle"
		}
		text.WriteString(legacy(message(fmt.Sprintf("%s %d %s", word, i, strings.Repeat("some words of a session, ", 20)))))
	}
	path := b.TempDir() + "/in.jsonl"
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	src, err := parse.Open(path, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	rw, err := Prepare(context.Background(), src, []Operation{hundredth{}}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer rw.Close()
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, err := rw.WriteTo(context.Background(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
