package history

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

func viewed(t *testing.T, text string) parse.Item {
	t.Helper()
	it, err := parse.ViewItem(jsonraw.Value(text))
	if err != nil {
		t.Fatal(err)
	}
	return it
}

func TestIsThinned(t *testing.T) {
	removed := RemovedImageText("image/png, 68 bytes, sha256 0123456789ab")
	for _, tt := range []struct {
		item string
		want bool
	}{
		{`{"type":"message","role":"user","content":[{"type":"input_text","text":"q"},{"type":"input_text","text":"` + removed + `"}]}`, true},
		{`{"type":"message","role":"user","content":[{"type":"input_text","text":"see ` + removed + `"}]}`, false},
		{`{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"` + removed + `"}]}`, true},
		{`{"type":"function_call_output","call_id":"c","output":"ab…3 tokens truncated…cd"}`, true},
		{`{"type":"custom_tool_call_output","call_id":"c","output":[{"type":"input_text","text":"ab…3 tokens truncated…cd"}]}`, true},
		{`{"type":"function_call_output","call_id":"c","output":"ok"}`, false},
		{`{"type":"message","role":"user","content":[{"type":"input_text","text":"ab…3 tokens truncated…cd"}]}`, false}, // rule 23 cuts messages
		{`{"type":"reasoning","summary":[]}`, false},
	} {
		if got := IsThinned(viewed(t, tt.item)); got != tt.want {
			t.Errorf("%s: %v", tt.item, got)
		}
	}
}

func TestRemovedImageTokens(t *testing.T) {
	removed := RemovedImageText("x") // 18 bytes, 5 tokens
	it := viewed(t, `{"type":"message","role":"user","content":[{"type":"input_text","text":"a question"},{"type":"input_text","text":"`+removed+`"},{"type":"input_text","text":"`+removed+`"}]}`)
	if got := RemovedImageTokens(it); got != 10 {
		t.Errorf("got %d, want 10", got)
	}
}

func TestIsEmptied(t *testing.T) {
	for text, want := range map[string]bool{
		`{"message":""}`: false, `{"message":"","replacement_history":null}`: true, `{"message":"","replacement_history":[]}`: false,
	} {
		o, _ := jsonraw.SplitObject(jsonraw.Value(text))
		if IsEmptied(o) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

func TestRule22CutOutput(t *testing.T) {
	text := func(n int) string { return strings.Repeat("a", n) }
	part := func(s string) string { return `{"type":"input_text","text":"` + s + `"}` }
	image := `{"type":"input_image","file_id":"f"}`
	for _, tt := range []struct {
		name, output string
		n            uint64
		want         string // "" when nothing is to cut
	}{
		{"fits", `"` + text(8) + `"`, 2, ""},
		{"a byte more", `"` + text(9) + `"`, 2, `"aaaa…1 tokens truncated…aaaa"`},
		{"cut before", `"aaaa…1 tokens truncated…aaaa"`, 2, ""},
		{"cut before, to more", `"` + text(100) + `…1 tokens truncated…` + text(100) + `"`, 2, `"aaaa…54 tokens truncated…aaaa"`},
		{"list that fits", `[` + part(text(4)) + `,` + part(text(4)) + `]`, 2, ""},
		{"a byte more in a list", `[` + part(text(4)) + `,` + part(text(5)) + `]`, 2, `[` + part(text(4)) + `,` + part("aa…1 tokens truncated…aa") + `]`},
		{"list", `[` + part(text(8)) + `,` + image + `,` + part(text(400)) + `,` + part(text(40)) + `]`, 4,
			`[` + part(text(8)) + `,` + image + `,` + part("aaaa…98 tokens truncated…aaaa") + `,` + part("[omitted 1 text items ...]") + `]`},
	} {
		got, ok := CutOutput(viewed(t, `{"type":"function_call_output","call_id":"c","output":`+tt.output+`}`), tt.n)
		if !ok {
			got = nil
		}
		if string(got) != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if ok {
			if again, more := CutOutput(viewed(t, `{"type":"function_call_output","call_id":"c","output":`+string(got)+`}`), tt.n); more {
				t.Errorf("%s: cut once more: %s", tt.name, again)
			}
		}
	}
}
