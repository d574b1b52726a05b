package request_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/request"
)

func object(t testing.TB, text string) jsonraw.Object {
	t.Helper()
	if text == "" {
		return jsonraw.Object{}
	}
	o, err := jsonraw.ParseObject(jsonraw.Value(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// rows are history rows of ready items, each with a sidecar.
func rows(t testing.TB, items ...string) []history.Row {
	t.Helper()
	out := make([]history.Row, len(items))
	for i, raw := range items {
		it, err := parse.ViewItem(jsonraw.Value(raw))
		if err != nil {
			t.Fatal(err)
		}
		out[i] = history.Row{Line: i + 1, Item: it, Meta: parse.ViewSidecar(jsonraw.Value(`{"client_authored":true}`))}
	}
	return out
}

func written(t testing.TB, b request.Body) string {
	t.Helper()
	var out strings.Builder
	n, err := b.WriteTo(&out)
	if err != nil {
		t.Fatal(err)
	}
	if n != int64(out.Len()) {
		t.Errorf("%d bytes reported, %d written", n, out.Len())
	}
	return out.String()
}

const (
	callA   = `{"type":"function_call","name":"f","arguments":"{}","call_id":"a"}`
	callB   = `{"type":"custom_tool_call","name":"g","input":"","call_id":"b"}`
	callC   = `{"type":"local_shell_call","call_id":"c","status":"completed","action":{"type":"exec","command":[]}}`
	outputA = `{"type":"function_call_output","call_id":"a","output":"x"}`
)

// Keys and their order are those of compaction.md 6.2; nothing is made up.
func TestBody(t *testing.T) {
	const tail = `"store":false,"stream":true,"include":["reasoning.encrypted_content"]`
	tests := []struct {
		name    string
		meta    string
		context string
		base    string
		hasBase bool
		tools   string
		items   []string
		want    string
		missing []string
	}{
		{
			name: "everything", meta: `{"session_id":"S","id":"I"}`, context: `{"model":"demo","effort":"low","summary":"auto"}`,
			base: "Be \"brief\" <now>.", hasBase: true, tools: `[ {"name":"x","n":1.0} ]`,
			items: []string{`{"type":"message","role":"user","content":[], "n":1E+3}`, callA, callB, outputA},
			want: `{"model":"demo","instructions":"Be \"brief\" <now>.","input":[{"type":"message","role":"user","content":[], "n":1E+3},` +
				callA + `,` + callB + `,` + outputA + `],"tools":[ {"name":"x","n":1.0} ],"tool_choice":"auto","parallel_tool_calls":true,` +
				`"reasoning":{"effort":"low","summary":"auto"},` + tail + `,"prompt_cache_key":"S"}`,
			missing: []string{"built-in tools", "service_tier", "text", "client_metadata"},
		},
		{
			name: "nothing",
			want: `{"input":[],"tool_choice":"auto","reasoning":{},` + tail + `}`,
			missing: []string{"model", "instructions", "tools", "parallel_tool_calls", "reasoning.effort", "prompt_cache_key",
				"service_tier", "text", "client_metadata"},
		},
		{
			name: "empty instructions are known, and left out", meta: `{"id":"I"}`, context: `{"model":"demo"}`, hasBase: true, tools: `[]`,
			want:    `{"model":"demo","input":[],"tools":[],"tool_choice":"auto","reasoning":{},` + tail + `,"prompt_cache_key":"I"}`,
			missing: []string{"built-in tools", "parallel_tool_calls", "reasoning.effort", "service_tier", "text", "client_metadata"},
		},
		{
			name: "summary none", context: `{"model":"demo","effort":"high","summary":"none"}`,
			want:    `{"model":"demo","input":[],"tool_choice":"auto","reasoning":{"effort":"high"},` + tail + `}`,
			missing: []string{"instructions", "tools", "parallel_tool_calls", "prompt_cache_key", "service_tier", "text", "client_metadata"},
		},
		{
			name: "summary without effort", context: `{"model":"demo","effort":null,"summary":"detailed"}`,
			want: `{"model":"demo","input":[],"tool_choice":"auto","reasoning":{"summary":"detailed"},` + tail + `}`,
			missing: []string{"instructions", "tools", "parallel_tool_calls", "reasoning.effort", "prompt_cache_key",
				"service_tier", "text", "client_metadata"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := history.Facts{Meta: object(t, tt.meta), TurnContext: object(t, tt.context), BaseInstructions: tt.base, HasBase: tt.hasBase}
			if tt.tools != "" {
				f.DynamicTools = jsonraw.Value(tt.tools)
			}
			b := request.Turn(rows(t, tt.items...), f)
			if got := written(t, b); got != tt.want+"\n" {
				t.Errorf("body (-want +got):\n%s", cmp.Diff(tt.want+"\n", got))
			}
			if !slices.Equal(b.Missing, tt.missing) {
				t.Errorf("missing (-want +got):\n%s", cmp.Diff(tt.missing, b.Missing))
			}
		})
	}
}

func TestBodyParallelCalls(t *testing.T) {
	tests := []struct {
		name  string
		items []string
		want  bool
	}{
		{"two calls side by side", []string{callA, callC}, true},
		{"a call behind an output", []string{callA, outputA, callB}, false},
		{"one call", []string{callA}, false},
		{"a search beside a call", []string{`{"type":"web_search_call"}`, callA}, false},
	}
	for _, tt := range tests {
		if got := request.Turn(rows(t, tt.items...), history.Facts{}).ParallelCalls; got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// Rule 1: model and settings come from the newest turn_context even if Codex would
// not load it, and the body says so.
func TestRule01RejectedTurnContext(t *testing.T) {
	f := history.Facts{TurnContext: object(t, `{"model":"demo"}`), TurnContextLine: 8, TurnContextRejected: true}
	b := request.Turn(nil, f)
	if b.Model != "demo" || len(b.Notes) != 1 || !strings.Contains(b.Notes[0], "line 8") || !strings.Contains(b.Notes[0], "would not load") {
		t.Errorf("model %q, notes %q", b.Model, b.Notes)
	}
	f.TurnContextRejected = false
	if b := request.Turn(nil, f); len(b.Notes) != 0 {
		t.Errorf("notes %q, want none", b.Notes)
	}
	if b := request.Turn(nil, history.Facts{}); len(b.Notes) != 1 || !strings.Contains(b.Notes[0], "no turn_context") {
		t.Errorf("notes %q, want that there is no turn_context", b.Notes)
	}
}

// failing is a writer that takes so many bytes.
type failing struct{ left int }

var errFull = errors.New("full")

func (w *failing) Write(p []byte) (int, error) {
	if len(p) > w.left {
		n := w.left
		w.left = 0
		return n, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

func TestBodyWriteError(t *testing.T) {
	b := request.Turn(rows(t, callA), history.Facts{})
	whole := len(written(t, b))
	for _, n := range []int{0, 1, 12, whole - 1} {
		got, err := b.WriteTo(&failing{n})
		if !errors.Is(err, errFull) || got != int64(n) {
			t.Errorf("after %d bytes: %d, %v", n, got, err)
		}
	}
	if _, err := b.WriteTo(&failing{whole}); err != nil {
		t.Error(err)
	}
}
