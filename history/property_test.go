package history_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
)

// open loads a rollout given as bytes; done releases it.
func open(t rapid.TB, data []byte, opt history.Options) (r *history.Rollout, done func()) {
	src, err := parse.Open(parse.Stdin, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r, err = history.Load(src, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r, func() { r.Close(); src.Close() }
}

// seen is everything that a point shows, in a comparable form.
type seen struct {
	Rows       []string
	Base, Line int
	Facts      string
}

func look(t rapid.TB, r *history.Rollout, p history.Point) seen {
	s, err := r.At(p)
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Facts(s.Line)
	if err != nil {
		t.Fatal(err)
	}
	out := seen{Base: s.BaseLine, Line: s.Line, Facts: fmt.Sprintf("%s %q %v %s %s %d %v %d %v", f.Meta.Raw, f.BaseInstructions, f.HasBase,
		f.DynamicTools, f.TurnContext.Raw, f.TurnContextLine, f.TurnContextRejected, f.Window, f.HasWindow)}
	for _, row := range s.Rows {
		out.Rows = append(out.Rows, fmt.Sprintf("%d:%d %s %s", row.File, row.Line, row.Item.Raw, row.Meta.Raw))
	}
	return out
}

func wantSame(t rapid.TB, what string, want, got seen) {
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%s (-want +got):\n%s", what, d)
	}
}

func line(n int) history.Point { return history.Point{Kind: history.AtLine, N: n} }

func TestPropertyLineIsCutFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := texts(genRollout(t))
		var opt history.Options
		if rapid.Bool().Draw(t, "limited") {
			n := rapid.Uint64Range(0, 20).Draw(t, "limit")
			opt.ToolOutputLimit = &n
		}
		whole, done := open(t, []byte(file(lines...)), opt)
		defer done()
		n := rapid.IntRange(0, len(lines)).Draw(t, "n")
		text := ""
		if n > 0 {
			text = file(lines[:n]...)
		}
		cut, done := open(t, []byte(text), opt)
		defer done()
		wantSame(t, fmt.Sprintf("line:%d", n), look(t, cut, history.Point{}), look(t, whole, line(n)))
	})
}

func TestPropertyBaseIsReference(t *testing.T) {
	based := 0
	rapid.Check(t, func(t *rapid.T) {
		lines := genRollout(t)
		r, done := open(t, []byte(file(texts(lines)...)), history.Options{})
		defer done()
		points := rapid.SliceOfN(rapid.IntRange(0, len(lines)), 0, 6).Draw(t, "points")
		for _, n := range append(points, len(lines)) {
			want := wantBase(lines[:n])
			if got := look(t, r, line(n)).Base; got != want {
				t.Fatalf("line:%d: base in line %d, want %d", n, got, want)
			}
			if want > 0 {
				based++
			}
		}
	})
	if based == 0 {
		t.Error("no rollout had a base: the generator is of no use")
	}
}

func TestPropertyCompactionPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := genRollout(t)
		var at []int // lines of readable compacted records
		for i, k := range lines {
			if k.compacts {
				at = append(at, i+1)
			}
		}
		r, done := open(t, []byte(file(texts(lines)...)), history.Options{})
		defer done()
		if r.Compactions() != len(at) {
			t.Fatalf("%d compactions, want %d", r.Compactions(), len(at))
		}
		for i, n := range at {
			for _, k := range []int{i + 1, i - len(at)} {
				wantSame(t, fmt.Sprintf("compaction:%d:before", k), look(t, r, line(n-1)),
					look(t, r, history.Point{Kind: history.BeforeCompaction, N: k}))
				wantSame(t, fmt.Sprintf("compaction:%d:after", k), look(t, r, line(n)),
					look(t, r, history.Point{Kind: history.AfterCompaction, N: k}))
			}
		}
	})
}

// spread puts in enough white space that a long rollout is read in several blocks.
func spread(lines []string) []byte {
	pad := strings.Repeat(" ", 250_000)
	var out []string
	for i, l := range lines {
		if i%4 == 0 {
			l = pad + l
		}
		out = append(out, l)
	}
	return []byte(file(out...))
}

func TestPropertyWorkers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := spread(texts(genRollout(t)))
		one, done := open(t, data, history.Options{Workers: 1})
		defer done()
		four, done := open(t, data, history.Options{Workers: 4})
		defer done()
		wantSame(t, "end", look(t, one, history.Point{}), look(t, four, history.Point{}))
		if d := cmp.Diff(one.Warnings(), four.Warnings()); d != "" {
			t.Fatal(d)
		}
		n := rapid.IntRange(0, one.Lines()).Draw(t, "n")
		wantSame(t, fmt.Sprintf("line:%d", n), look(t, one, line(n)), look(t, four, line(n)))
	})
}

func TestPropertyZstd(t *testing.T) {
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Close()
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(file(texts(genRollout(t))...))
		plain, done := open(t, data, history.Options{})
		defer done()
		packed, done := open(t, enc.EncodeAll(data, nil), history.Options{})
		defer done()
		n := rapid.IntRange(0, plain.Lines()).Draw(t, "n")
		wantSame(t, fmt.Sprintf("line:%d", n), look(t, plain, line(n)), look(t, packed, line(n)))
	})
}

// A rollout that goes on in a second file is the same history (rule 15).
func TestPropertyLineageIsOneFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := append([]string{paginatedMeta()}, texts(genRollout(t))...)
		n := rapid.IntRange(1, len(lines)).Draw(t, "n")
		inherited := file(lines[:n]...)
		rest := append([]string{basedOn(parentID, len(inherited))}, lines[n:]...)
		find := func(uuid.UUID) (*parse.Source, error) {
			return parse.Open(parse.Stdin, strings.NewReader(inherited+user("not inherited")+"\n"))
		}
		whole, done := open(t, []byte(file(lines...)), history.Options{})
		defer done()
		split, done := open(t, []byte(file(rest...)), history.Options{FindBase: find})
		defer done()
		if err := split.BaseError(); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(items(t, whole), items(t, split)); d != "" {
			t.Fatalf("split behind line %d (-whole +split):\n%s", n, d)
		}
	})
}

func items(t rapid.TB, r *history.Rollout) []string {
	s, err := r.At(history.Point{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, row := range s.Rows {
		out = append(out, string(row.Item.Raw)+string(row.Meta.Raw))
	}
	return out
}

// Normalising twice is normalising once: nothing is missing or orphaned any more.
func TestPropertyNormalizeTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, done := open(t, []byte(file(texts(genRollout(t))...)), history.Options{})
		defer done()
		s, err := r.At(history.Point{})
		if err != nil {
			t.Fatal(err)
		}
		can := history.Modalities{Image: rapid.Bool().Draw(t, "image"), Audio: rapid.Bool().Draw(t, "audio")}
		once := history.Normalize(s.Rows, can)
		twice := history.Normalize(once.Rows, can)
		if len(once.Rows) != len(once.Source) || len(twice.Removed) > 0 {
			t.Fatalf("%d rows, %d sources, %d orphans the second time", len(once.Rows), len(once.Source), len(twice.Removed))
		}
		for i, row := range twice.Rows {
			if i >= len(once.Rows) || !bytes.Equal(row.Item.Raw, once.Rows[i].Item.Raw) {
				t.Fatalf("row %d is new or differs: %s", i, row.Item.Raw)
			}
		}
	})
}
