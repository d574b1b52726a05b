package diff

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

func TestWriteJSON(t *testing.T) {
	spaced := `{"type" : "message","role":"user","content":[],"n":1.50,"unknown":null}`
	before := Side{Point: "line:2", File: "a.jsonl", Instructions: "1234", Rows: rows(t, spaced, output("c1", "long"))}
	after := Side{Point: "end", Instructions: "1234", Rows: rows(t, spaced, output("c1", trimmedOutput))}
	after.Rows[1].Line = 0
	var out bytes.Buffer
	if err := WriteJSON(&out, Compare(before, after, Options{}), "1.2.3"); err != nil {
		t.Fatal(err)
	}
	compact := int64(len(spaced) - 2)
	old, cut := output("c1", "long"), output("c1", trimmedOutput)
	n := func(v int) string { return string(jsonraw.Int(int64(v))) }
	b1, b2 := n(int(compact)+len(old)), n(int(compact)+len(cut))
	// Tokens: 4 bytes of instructions are 1; the empty message is 0; output and call
	// id are 4+2 bytes before (2) and 61+2 after (16).
	want := `{"format_version":"1.1","tool_version":"1.2.3",` +
		`"before":{"point":"line:2","file":"a.jsonl","items":2,"tokens":3,"bytes":` + b1 + `},` +
		`"after":{"point":"end","items":2,"tokens":17,"bytes":` + b2 + `},` +
		`"changes":[{"op":"keep","before":{"index":0,"line":10,"item":` + spaced + `},"after":{"index":0,"line":10,"item":` + spaced + `},` +
		`"reason":"unchanged","tokens_before":0,"tokens_after":0},` +
		`{"op":"cut","before":{"index":1,"line":11,"item":` + old + `},"after":{"index":1,"line":null,"item":` + cut + `},` +
		`"rule":29,"reason":"output taken out to fit the context window","tokens_before":2,"tokens_after":16}],` +
		`"common_prefix":{"items":1,"bytes":` + n(int(compact)) + `,"tokens":0},"same_instructions":true,` +
		`"by_kind":[{"kind":"message/user","items_before":1,"items_after":1,"tokens_before":0,"tokens_after":0,` +
		`"bytes_before":` + n(int(compact)) + `,"bytes_after":` + n(int(compact)) + `},` +
		`{"kind":"function_call_output","items_before":1,"items_after":1,"tokens_before":2,"tokens_after":16,` +
		`"bytes_before":` + n(len(old)) + `,"bytes_after":` + n(len(cut)) + `}],` +
		`"input_prefix":{"items":1,"bytes":` + n(int(compact)) + `,"tokens":0},` +
		`"cache_breaks":[{"part":"input","pointer":"/body/input/1",` +
		`"detail":"item #1, function_call_output \"long\" (line 11): output taken out to fit the context window"}],` +
		`"tools":null,"members":[],"not_compared":[]}` + "\n"
	if got := out.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if !jsonraw.Valid(jsonraw.Value(strings.TrimSpace(out.String()))) {
		t.Error("no valid JSON")
	}
}

func TestWriteJSONOfEmptySides(t *testing.T) {
	var out bytes.Buffer
	if err := WriteJSON(&out, Compare(Side{Point: "end"}, Side{Point: "end"}, Options{}), "v"); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"changes":[]`, `"by_kind":[]`, `"common_prefix":{"items":0,"bytes":0,"tokens":0}`} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%s is missing in %s", part, out.String())
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrors(t *testing.T) {
	before, after := largePayloads(t, 100)
	r := Compare(Side{Rows: before}, Side{Rows: after}, Options{})
	if err := WriteJSON(failing{}, r, "v"); err == nil {
		t.Error("json: no error")
	}
	if err := WriteText(failing{}, r, TextOptions{}); err == nil {
		t.Error("text: no error")
	}
}
