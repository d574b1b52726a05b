package rewrite

import (
	"bytes"
	"strings"
	"testing"
)

// pair is a composite of two operations.
type pair struct{ first, second Operation }

func (pair) Name() string                         { return "pair" }
func (p pair) Steps() []Operation                 { return []Operation{p.first, p.second} }
func (pair) Plan(*Input) (func() Editor, error)   { return nil, Refuse("the composite is planned", "") }
func (p pair) withRepair(op Operation) (out pair) { return pair{repairing{op}, p.second} }

// repairing shows an operation the lines that are no JSON objects.
type repairing struct{ Operation }

func (repairing) Repairs() bool { return true }

func rewritten(t *testing.T, text string, op Operation) (string, Result) {
	t.Helper()
	out, res, err := apply(t, text, Options{}, op)
	if err != nil {
		t.Fatal(err)
	}
	return out, res
}

func TestCompositeRunsStepsInOrder(t *testing.T) {
	swap := func(name, old, now string) Operation {
		return Each(name, func(r *Record) Edit {
			if !bytes.Contains(r.Bytes, []byte(old)) {
				return Keep()
			}
			return Line(bytes.Replace(r.Bytes, []byte(old), []byte(now), 1), name)
		})
	}
	text := legacy(meta(false, ""), message("one"), message("two"))
	got, res := rewritten(t, text, pair{swap("a", "one", "three"), swap("b", "three", "four")})
	if want := legacy(meta(false, ""), message("four"), message("two")); got != want {
		t.Errorf("got\n%s", got)
	}
	if len(res.Operations) != 1 {
		t.Fatalf("%d operations, want one", len(res.Operations))
	}
	if d := res.Operations[0]; d.Name != "pair" || d.Changed != 1 || len(d.Reasons) != 2 {
		t.Errorf("counted %+v", d)
	}
}

// A session_meta that only a repair brings out says how the file is laid out: what the
// second step takes out leaves a filler with its ordinal.
func TestHeaderAfterRepair(t *testing.T) {
	text := "\ufeff" + paginated(meta(true, ""), message("one"), message("two"))
	bom := Each("bom", func(r *Record) Edit {
		if rest, ok := bytes.CutPrefix(r.Bytes, []byte("\ufeff")); ok {
			return Line(rest, "byte order mark")
		}
		return Keep()
	})
	drop := Each("drop", func(r *Record) Edit {
		if bytes.Contains(r.Bytes, []byte(`"one"`)) {
			return Drop("one")
		}
		return Keep()
	})
	got, _ := rewritten(t, text, pair{second: drop}.withRepair(bom))
	lines := strings.Split(got, "\n")
	if want := `{` + stamp + `,"ordinal":1,"type":"response_item","payload":{"type":"other"}}`; lines[1] != want {
		t.Errorf("got %s\nwant %s", lines[1], want)
	}
}

func TestWithoutFiller(t *testing.T) {
	text := paginated(meta(true, ""), message("one"), message("two"))
	got, _ := rewritten(t, text, Each("drop", func(r *Record) Edit {
		if bytes.Contains(r.Bytes, []byte(`"two"`)) {
			return Drop("two").WithoutFiller()
		}
		return Keep()
	}))
	if want := paginated(meta(true, ""), message("one")); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestEnded(t *testing.T) {
	text := legacy(meta(false, ""), message("one"))
	got, _ := rewritten(t, strings.TrimSuffix(text, "\n"), Each("end", func(r *Record) Edit {
		if r.Terminated {
			return Keep()
		}
		return Line(r.Bytes, "newline").Ended()
	}))
	if got != text {
		t.Errorf("got\n%s", got)
	}
}

// An operation sees the header that the one before has left.
func TestHeaderOfLaterOperations(t *testing.T) {
	bare := `{"id":"5973b6c0-94b8-487b-a530-2aeb6098ae0e","timestamp":"2025-06-01T10:00:00.000Z","instructions":null}` + "\n"
	text := legacy(meta(false, ""))
	envelope := Each("envelope", func(*Record) Edit { return Line([]byte(text[:len(text)-1]), "envelope") })
	seen := headerSeen{Operation: Each("look", func(*Record) Edit { return Keep() }), h: new(Header)}
	if _, _, err := apply(t, bare, Options{}, envelope, seen); err != nil || seen.h.Bare || seen.h.Thread != thread {
		t.Errorf("%v: %+v", err, *seen.h)
	}
	if _, _, err := apply(t, bare, Options{}, seen); err != nil || !seen.h.Bare {
		t.Errorf("%v: %+v", err, *seen.h)
	}
}

type headerSeen struct {
	Operation
	h *Header
}

func (s headerSeen) Plan(in *Input) (func() Editor, error) {
	*s.h = in.Header
	return s.Operation.Plan(in)
}
