package diff

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/internal/textfmt"
)

// reports are the full reports of a result, by format.
func reports(t testing.TB, r Result) map[string]string {
	t.Helper()
	var out bytes.Buffer
	if err := WriteJSON(&out, r, "v"); err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"json":     out.String(),
		"text":     text(t, r, TextOptions{Width: 400, Full: true}),
		"markdown": markdownText(t, r, TextOptions{Full: true}),
	}
}

// facts are what the JSON document says, in the words of the text and of the Markdown.
type reportFacts struct{ text, markdown []string }

func (f *reportFacts) both(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	f.text, f.markdown = append(f.text, s), append(f.markdown, literal(s))
}

func factsOf(t *testing.T, doc jsonraw.Object, equal bool) reportFacts {
	var f reportFacts
	at := func(path ...string) jsonraw.Value {
		v := doc.Raw
		for _, name := range path {
			v = object(t, v).Get(name)
		}
		return v
	}
	number := func(path ...string) int64 {
		n, ok := at(path...).Int64()
		if !ok {
			t.Fatalf("no number at %v", path)
		}
		return n
	}
	for _, name := range []string{"items", "tokens", "bytes"} {
		b, a := textfmt.Thousands(number("before", name)), textfmt.Thousands(number("after", name))
		f.text = append(f.text, name+" "+b+" "+a+" ")
		f.markdown = append(f.markdown, "| "+name+" | "+b+" | "+a+" |")
	}
	f.both("%s, %s, %s", textfmt.Count(number("input_prefix", "items"), "item"),
		textfmt.Count(number("input_prefix", "tokens"), "token"), textfmt.Count(number("input_prefix", "bytes"), "byte"))

	parts := []string{}
	for _, v := range elements(t, at("cache_breaks")) {
		o := object(t, v)
		parts = append(parts, o.Text("part"))
		f.both("%s: %s", o.Text("part"), strings.Join(strings.Fields(o.Text("detail")), " "))
	}
	if len(parts) == 0 {
		parts = []string{"nothing"}
	}
	f.text = append(f.text, "breaks the prompt cache: "+strings.Join(parts, ", "))
	f.markdown = append(f.markdown, literal("Breaks the prompt cache: "+strings.Join(parts, ", ")))

	for _, op := range []struct{ op, title string }{
		{"keep", "kept"}, {"move", "moved"}, {"cut", "cut"}, {"change", "changed"}, {"add", "added"}, {"drop", "dropped"},
	} {
		var items, before, after int64
		for _, v := range elements(t, at("changes")) {
			o := object(t, v)
			if o.Text("op") != op.op {
				continue
			}
			b, _ := o.Get("tokens_before").Int64()
			a, _ := o.Get("tokens_after").Int64()
			items, before, after = items+1, before+b, after+a
		}
		if items == 0 || equal {
			continue
		}
		size := textfmt.Thousands(before) + " -> " + textfmt.Thousands(after) + " tokens"
		switch {
		case op.op == "drop", before == after:
			size = textfmt.Count(before, "token")
		case op.op == "add":
			size = textfmt.Count(after, "token")
		}
		line := op.title + ": " + textfmt.Count(items, "item") + ", " + size
		f.text = append(f.text, line)
		f.markdown = append(f.markdown, "### "+sentence(line))
	}

	for _, v := range elements(t, at("by_kind")) {
		o := object(t, v)
		n := func(name string) string {
			v, _ := o.Get(name).Int64()
			return textfmt.Thousands(v)
		}
		f.markdown = append(f.markdown, fmt.Sprintf("| %s | %s | %s | %s | %s |", literal(o.Text("kind")),
			n("items_before"), n("items_after"), n("tokens_before"), n("tokens_after")))
	}
	if tools := at("tools"); tools.Kind() == jsonraw.KindObject {
		for _, v := range elements(t, at("tools", "changes")) {
			f.both("%s", object(t, v).Text("name"))
		}
		if len(elements(t, at("tools", "changes"))) > 0 {
			size := func(b, a int64) string {
				if b == a {
					return textfmt.Thousands(b)
				}
				return textfmt.Thousands(b) + " -> " + textfmt.Thousands(a)
			}
			line := "ools: " + size(number("tools", "before"), number("tools", "after")) + ", " +
				size(number("tools", "bytes_before"), number("tools", "bytes_after")) + " bytes: "
			f.text, f.markdown = append(f.text, line), append(f.markdown, line)
		}
	}
	members := elements(t, at("members"))
	if len(members) > 0 {
		line := "ther members and headers: " + textfmt.Count(int64(len(members)), "difference")
		f.text, f.markdown = append(f.text, line), append(f.markdown, line)
	}
	for _, v := range members {
		p := object(t, v).Text("pointer")
		f.text, f.markdown = append(f.text, p), append(f.markdown, "@@ "+p+" @@")
	}
	for _, v := range elements(t, at("not_compared")) {
		s, _ := v.Text()
		f.both("%s", s)
	}
	return f
}

// Text, JSON and Markdown of one diff say the same.
func TestReportsAgree(t *testing.T) {
	before, after := session(t)
	item, other := user("one"), user("two")
	a := sent(t, `{"model":"a","instructions":"Be brief.","input":[`+item+`,`+item+`,`+other+`],"tools":[{"name":"x"},{"name":"y"},{"name":"z","d":1}],`+
		`"store":true,"client_metadata":{"turn_id":"1"},"prompt_cache_key":"k"}`, "x-a", "1", "cookie", "[REDACTED]", "x-codex-window-id", "w:0")
	b := sent(t, `{"model":"b","instructions":"Be long.","input":[`+item+`,`+other+`,`+assistant("yes")+`],"tools":[{"name":"y"},{"name":"x"},{"name":"z","d":2},{"name":"w"}],`+
		`"client_metadata":{"turn_id":"2"},"prompt_cache_key":"j"}`, "x-b", "1", "cookie", "[REDACTED]", "x-codex-window-id", "w:1")
	for name, r := range map[string]Result{
		"compaction":   Compare(before, after, Options{}),
		"requests":     Compare(a, b, Options{}),
		"bookkeeping":  Compare(a, b, Options{IgnoreBookkeeping: true}),
		"same":         Compare(a, a, Options{}),
		"other kinds":  Compare(before, b, Options{}),
		"nothing":      Compare(Side{}, Side{}, Options{}),
		"same prompts": Compare(sent(t, `{"model":"m","input":[`+item+`]}`), sent(t, `{"model":"m","input":[`+item+`],"store":true}`), Options{}),
	} {
		t.Run(name, func(t *testing.T) {
			got := reports(t, r)
			f := factsOf(t, object(t, jsonraw.Value(strings.TrimSpace(got["json"]))), r.Equal())
			plain := strings.Join(strings.Fields(got["text"]), " ")
			for _, s := range f.text {
				if !strings.Contains(plain, strings.TrimSpace(s)) {
					t.Errorf("text lacks %q", s)
				}
			}
			for _, s := range f.markdown {
				if !strings.Contains(got["markdown"], s) {
					t.Errorf("markdown lacks %q", s)
				}
			}
			if t.Failed() {
				t.Logf("text:\n%s\nmarkdown:\n%s", got["text"], got["markdown"])
			}
		})
	}
}
