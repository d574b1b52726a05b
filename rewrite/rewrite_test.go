package rewrite

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

const (
	stamp  = `"timestamp":"2026-09-01T10:00:00.000Z"`
	thread = "0199a213-81c0-7800-8aa1-bbab2a035a53"
)

func meta(paginated bool, more string) string {
	mode := ""
	if paginated {
		mode = `,"history_mode":"paginated"`
	}
	return fmt.Sprintf(`"type":"session_meta","payload":{"id":"%s","timestamp":"2026-09-01T10:00:00.000Z","cwd":"/w","originator":"o","cli_version":"0.150.0"%s%s}}`, thread, mode, more)
}

func message(text string) string {
	return fmt.Sprintf(`"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"%s"}]}}`, text)
}

// legacy and paginated make files of the records; paginated ones count from ordinal 0.
func legacy(records ...string) string {
	var b strings.Builder
	for _, r := range records {
		b.WriteString("{" + stamp + "," + r + "\n")
	}
	return b.String()
}

func paginated(records ...string) string { return paginatedFrom(0, records...) }

func paginatedFrom(n int, records ...string) string {
	var b strings.Builder
	for i, r := range records {
		fmt.Fprintf(&b, "{%s,\"ordinal\":%d,%s\n", stamp, n+i, r)
	}
	return b.String()
}

// source writes the text to a file and opens it.
func source(t *testing.T, text string) *parse.Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rollout.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := parse.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}

func apply(t *testing.T, text string, opt Options, ops ...Operation) (string, Result, error) {
	t.Helper()
	rw, err := Prepare(context.Background(), source(t, text), ops, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer rw.Close()
	var out bytes.Buffer
	res, err := rw.WriteTo(context.Background(), &out)
	if err == nil {
		if res.BytesIn != int64(len(text)) || res.BytesOut != int64(out.Len()) {
			t.Errorf("bytes %d to %d, want %d to %d", res.BytesIn, res.BytesOut, len(text), out.Len())
		}
		virtual, err := rw.Source(context.Background(), "x").ReadFrom(0)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := io.ReadAll(virtual); err != nil || string(again) != out.String() {
			t.Errorf("the result as a source differs (%v):\n%s\n%s", err, again, out.String())
		}
	}
	return out.String(), res, err
}

// textOf is the text of a user message, "" for other records.
func textOf(r *Record) string {
	if c := r.Item().Content(); len(c) > 0 {
		return c[0].Text()
	}
	return ""
}

// dropping takes out messages with one of the texts.
func dropping(texts ...string) Operation {
	return Each("dropping", func(r *Record) Edit {
		for _, s := range texts {
			if textOf(r) == s {
				return Drop("not wanted")
			}
		}
		return Keep()
	})
}

// saying replaces the text of messages.
func saying(old, now string) Operation {
	return Each("saying", func(r *Record) Edit {
		c := r.Item().Content()
		if len(c) == 0 || c[0].Text() != old {
			return Keep()
		}
		return r.Change().Replace(c[0].TextValue(), jsonraw.Quote(now)).Done("text")
	})
}

// behind adds a message behind one.
func behind(text, add string) Operation {
	return Each("behind", func(r *Record) Edit {
		if textOf(r) != text {
			return Keep()
		}
		return Keep().After("added", []byte("{"+stamp+","+message(add)))
	})
}

const filler0 = `{"timestamp":"2026-09-01T10:00:00.000Z","ordinal":%d,"type":"response_item","payload":{"type":"other"}}`

func TestEdits(t *testing.T) {
	broken := "{\"timestamp\": oops\n\n"
	for name, c := range map[string]struct {
		in, want string
		ops      []Operation
	}{
		"nothing to do":                  {legacy(meta(false, ""), message("a")), legacy(meta(false, ""), message("a")), []Operation{dropping("b")}},
		"drop":                           {legacy(meta(false, ""), message("a"), message("b")), legacy(meta(false, ""), message("b")), []Operation{dropping("a")}},
		"change":                         {legacy(message("a"), message("b")), legacy(message("long text"), message("b")), []Operation{saying("a", "long text")}},
		"add":                            {legacy(message("a"), message("b")), legacy(message("a"), message("x"), message("b")), []Operation{behind("a", "x")}},
		"in order":                       {legacy(message("a")), legacy(message("a"), message("z")), []Operation{behind("a", "x"), saying("x", "y"), saying("y", "z"), dropping("x")}},
		"drop what was added":            {legacy(message("a")), legacy(message("a")), []Operation{behind("a", "x"), dropping("x")}},
		"lines that cannot be read stay": {legacy(message("a")) + broken + legacy(message("a")), broken, []Operation{dropping("a")}},
		"no newline at the end":          {strings.TrimSuffix(legacy(message("a"), message("b")), "\n"), strings.TrimSuffix(legacy(message("a"), message("c")), "\n"), []Operation{saying("b", "c")}},
		"added behind no newline":        {strings.TrimSuffix(legacy(message("a")), "\n"), legacy(message("a"), message("b")), []Operation{behind("a", "b")}},
		"carriage returns":               {strings.ReplaceAll(legacy(message("a"), message("b")), "\n", "\r\n"), strings.ReplaceAll(legacy(message("a"), message("c")), "\n", "\r\n"), []Operation{saying("b", "c")}},
		"empty file":                     {"", "", []Operation{dropping("a")}},
		"filler in a paginated file": {
			paginated(meta(true, ""), message("a"), message("b")),
			paginated(meta(true, "")) + fmt.Sprintf(filler0, 1) + "\n" + paginatedFrom(2, message("b")), []Operation{dropping("a")},
		},
		"ordinals move up": {
			paginated(meta(true, ""), message("a"), message("b"), message("c")),
			paginated(meta(true, ""), message("a"), message("x"), message("b"), message("c")), []Operation{behind("a", "x")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := apply(t, c.in, Options{}, c.ops...)
			if err != nil || got != c.want {
				t.Errorf("%v\ngot:\n%s\nwant:\n%s", err, got, c.want)
			}
		})
	}
}

func TestPreserveOffsets(t *testing.T) {
	in := paginated(meta(true, ""), message("a long text"), message("a text"), message("c"))
	got, _, err := apply(t, in, Options{PreserveOffsets: true}, saying("a long text", "short"), dropping("a text"))
	if err != nil {
		t.Fatal(err)
	}
	was, now := strings.SplitAfter(in, "\n"), strings.SplitAfter(got, "\n")
	if len(was) != len(now) {
		t.Fatalf("%d lines, want %d", len(now), len(was))
	}
	for i := range was {
		if len(was[i]) != len(now[i]) {
			t.Errorf("line %d has %d bytes, want %d", i+1, len(now[i]), len(was[i]))
		}
	}
	if want := fmt.Sprintf(filler0, 2); !strings.HasPrefix(now[2], want) || strings.TrimSpace(now[2]) != want {
		t.Errorf("line 3 is %q", now[2])
	}
	for name, ops := range map[string][]Operation{"longer": {saying("c", "longer")}, "added": {behind("c", "x")}} {
		if _, _, err := apply(t, in, Options{PreserveOffsets: true}, ops...); AsRefusal(err) == nil {
			t.Errorf("%s: %v, want a refusal", name, err)
		}
	}
}

func TestMarks(t *testing.T) {
	records := []string{meta(true, ""), message("a"), message("b"), message("c")}
	in := paginated(records...)
	at := func(n int) int64 { return int64(len(paginated(records[:n]...))) }
	marks := []int64{at(4), 0, at(2), at(3), at(2) + 1}
	_, res, err := apply(t, in, Options{Marks: marks}, saying("a", "four"), behind("b", "x"), behind("c", "y"))
	if err != nil {
		t.Fatal(err)
	}
	x := int64(len(paginatedFrom(3, message("x"))))
	want := []Mark{
		{Old: 0, New: 0, Found: true},
		{Old: at(2), New: at(2) + 3, Found: true},
		{Old: at(2) + 1},
		{Old: at(3), New: at(3) + 3 + x, Shift: 1, Found: true},
		{Old: at(4), New: at(4) + 3 + x + int64(len(paginatedFrom(5, message("y")))), Shift: 2, Found: true},
	}
	for i := range want {
		if res.Marks[i] != want[i] {
			t.Errorf("mark %d: %+v, want %+v", i, res.Marks[i], want[i])
		}
	}
	untouched, res, err := apply(t, in, Options{Marks: marks}, Each("none", func(*Record) Edit { return Keep() }))
	if err != nil || untouched != in {
		t.Fatal(err)
	}
	for _, m := range res.Marks {
		if m.Found != (m.Old != at(2)+1) || m.Found && m.New != m.Old {
			t.Errorf("%+v", m)
		}
	}
}

func TestBaseMove(t *testing.T) {
	base := func(offset, end int) string {
		return fmt.Sprintf(`,"history_base":{"thread_id":"%s","end_ordinal_exclusive":%d,"end_byte_offset":%d}`, thread, end, offset)
	}
	in := paginatedFrom(5, meta(true, base(999, 5)), message("a"))
	got, _, err := apply(t, in, Options{Base: &BaseMove{EndOffset: 12345, Shift: 2}})
	if want := paginatedFrom(7, meta(true, base(12345, 7)), message("a")); err != nil || got != want {
		t.Errorf("%v\ngot:\n%s\nwant:\n%s", err, got, want)
	}
}

// filtered counts what it is shown.
type filtered struct {
	Operation
	seen *int
}

func (filtered) Needles() []string { return []string{"needle"} }

func TestFilter(t *testing.T) {
	in := legacy(message("a"), message("needle"), message(`\u006eeedle`), message("b")) + strings.Repeat(legacy(message("hay")), 5000)
	seen := 0
	op := filtered{Each("f", func(r *Record) Edit { seen++; return Drop("found") }), &seen}
	got, _, err := apply(t, in, Options{}, op)
	want := legacy(message("a"), message("b")) + strings.Repeat(legacy(message("hay")), 5000)
	if err != nil || got != want {
		t.Errorf("%v: %d bytes, want %d", err, len(got), len(want))
	}
	if seen != 4 { // two passes
		t.Errorf("%d records shown, want 4", seen)
	}
}

func TestCounts(t *testing.T) {
	in := legacy(meta(false, ""), message("a"), message("b"), message("a"), message("a"))
	_, res, err := apply(t, in, Options{}, dropping("a"), saying("b", "bb"))
	if err != nil {
		t.Fatal(err)
	}
	d := res.Operations[0]
	if d.Name != "dropping" || d.Dropped != 3 || d.Changed != 0 || len(d.Reasons) != 1 || d.Reasons[0].Lines != "2,4-5" || d.BytesBefore != int64(3*(len(legacy(message("a")))-1)) {
		t.Errorf("%+v", d)
	}
	if d := res.Operations[1]; d.Changed != 1 || d.BytesAfter != d.BytesBefore+1 || d.Reasons[0].Text != "text" {
		t.Errorf("%+v", d)
	}
}

// looking plans with what the operations before have left.
type looking struct{ seen *[]string }

func (looking) Name() string { return "looking" }

func (l looking) Plan(in *Input) (func() Editor, error) {
	err := in.Records(false, func(r *Record) error {
		*l.seen = append(*l.seen, textOf(r))
		return nil
	})
	if err != nil {
		return nil, err
	}
	h, err := in.History(history.Options{})
	if err != nil {
		return nil, err
	}
	defer h.Close()
	st, err := h.At(history.Point{})
	for _, row := range st.Rows {
		*l.seen = append(*l.seen, "history:"+row.Item.Content()[0].Text())
	}
	return func() Editor { return each{"", func(*Record) Edit { return Keep() }} }, err
}

func TestPlanSeesWhatIsLeft(t *testing.T) {
	var seen []string
	_, _, err := apply(t, legacy(meta(false, ""), message("a"), message("b")), Options{}, dropping("a"), looking{&seen}, saying("b", "c"))
	if got := strings.Join(seen, " "); err != nil || got != " b history:b" {
		t.Errorf("%q, %v", got, err)
	}
}

// committing notes what the engine calls.
type committing struct {
	each
	calls *[]string
}

func (c committing) Commit()      { *c.calls = append(*c.calls, "commit") }
func (c committing) Close() error { *c.calls = append(*c.calls, "close"); return nil }
func (c committing) Plan(*Input) (func() Editor, error) {
	return func() Editor { return c }, nil
}

func TestCommit(t *testing.T) {
	var calls []string
	op := committing{each{"c", func(r *Record) Edit { return Drop("x").Lossy() }}, &calls}
	in := legacy(message("a"), message("b"))
	opt := Options{Lost: func(l Lost) error {
		calls = append(calls, l.Operation+" "+l.Reason+" "+textOf(l.Record))
		return nil
	}}
	rw, err := Prepare(context.Background(), source(t, in), []Operation{op}, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer rw.Close()
	if _, err := rw.Count(context.Background()); err != nil || len(calls) > 0 {
		t.Fatalf("a dry run calls %q (%v)", calls, err)
	}
	if _, err := rw.Commit(context.Background(), io.Discard); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(calls, ","); got != "commit,c x a,c x b,close" {
		t.Errorf("calls %s", got)
	}
}
