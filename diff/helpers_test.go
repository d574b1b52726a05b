package diff

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// rows views each text as an item on a line of its own, from line 10 on.
func rows(t testing.TB, items ...string) []history.Row {
	t.Helper()
	out := make([]history.Row, len(items))
	for i, raw := range items {
		it, err := parse.ViewItem(jsonraw.Value(raw))
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		out[i] = history.Row{Line: 10 + i, Item: it}
	}
	return out
}

func quote(s string) string { return string(jsonraw.Quote(s)) }

func textPart(s string) string { return `{"type":"input_text","text":` + quote(s) + `}` }

// message has one part for each text. Members are extra members with their comma.
func message(role, members string, parts ...string) string {
	return `{"type":"message",` + members + `"role":"` + role + `","content":[` + strings.Join(parts, ",") + `]}`
}

func user(text string) string { return message("user", "", textPart(text)) }

func userID(id, text string) string {
	return message("user", `"id":"`+id+`",`, textPart(text))
}

func developer(text string) string { return message("developer", "", textPart(text)) }

func assistant(text string) string {
	return `{"type":"message","role":"assistant","content":[{"type":"output_text","text":` + quote(text) + `}]}`
}

func call(id, args string) string {
	return `{"type":"function_call","name":"sh","arguments":` + quote(args) + `,"call_id":"` + id + `"}`
}

func output(id, text string) string {
	return `{"type":"function_call_output","call_id":"` + id + `","output":` + quote(text) + `}`
}

func reasoning(text string) string {
	return `{"type":"reasoning","summary":[{"type":"summary_text","text":` + quote(text) + `}]}`
}

func checkpoint(enc string) string {
	return `{"type":"compaction","encrypted_content":"` + enc + `"}`
}

// brief writes the changes one after the other: op, index before, index after ("-"
// for none), and the reason unless it is the plain one of keep.
func brief(r Result) string {
	var b strings.Builder
	for _, c := range r.Changes {
		b.WriteString(string(c.Op) + " " + place(c.Before) + " " + place(c.After))
		if c.Op != Keep {
			b.WriteString(" " + c.Reason)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func place(r *Ref) string {
	if r == nil {
		return "-"
	}
	return string(jsonraw.Int(int64(r.Index)))
}

func object(t testing.TB, v jsonraw.Value) jsonraw.Object {
	t.Helper()
	o, err := jsonraw.ParseObject(v)
	if err != nil {
		t.Fatalf("%s: %v", v, err)
	}
	return o
}

func elements(t testing.TB, v jsonraw.Value) []jsonraw.Value {
	t.Helper()
	es, err := jsonraw.Elements(v)
	if err != nil {
		t.Fatalf("%s: %v", v, err)
	}
	return es
}
