package rewrite_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// hide replaces a word in all messages of a rollout and writes the result to w.
func hide(ctx context.Context, path, word string, w io.Writer) (rewrite.Result, error) {
	op := rewrite.Each("hide", func(r *rewrite.Record) rewrite.Edit {
		if r.Type != parse.RecordResponseItem {
			return rewrite.Keep()
		}
		e := r.Change()
		for _, part := range r.Item().Content() {
			if text := part.Text(); strings.Contains(text, word) {
				now, _ := json.Marshal(strings.ReplaceAll(text, word, "(hidden)"))
				e.Replace(part.TextValue(), now)
			}
		}
		return e.Done("word hidden").Lossy()
	})
	src, err := parse.Open(path, nil)
	if err != nil {
		return rewrite.Result{}, err
	}
	defer src.Close()
	rw, err := rewrite.Prepare(ctx, src, []rewrite.Operation{op}, rewrite.Options{})
	if err != nil {
		return rewrite.Result{}, err
	}
	defer rw.Close()
	return rw.WriteTo(ctx, w)
}

func Example() {
	var out strings.Builder
	res, err := hide(context.Background(), "../fixtures/cures/compact/cannot-be-compacted.jsonl", "dusk", &out)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, why := range res.Operations[0].Reasons {
		fmt.Printf("%s: lines %s\n", why.Text, why.Lines)
	}
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "(hidden)") {
			fmt.Print(line)
		}
	}
	// Output:
	// word hidden: lines 4
	// {"timestamp":"2026-10-05T08:00:03.000Z","type":"response_item","payload":{"type":"message","id":"msg_0199d5a0-0000-7000-8000-000000000001","role":"user","content":[{"type":"input_text","text":"Why does the lamp restart at (hidden)?"}]}}
}

// The documentation shows the function as it stands here.
func TestLibraryDocs(t *testing.T) {
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(doc), "```go\n")
	block, _, ok := strings.Cut(block, "```")
	if !ok || !strings.Contains(string(source), block) {
		t.Errorf("the block of docs/library.md is not in example_test.go:\n%s", block)
	}
}
