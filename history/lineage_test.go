package history_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
)

// Rollout ids of a family of files.
const (
	grandparentID = "0199aaaa-0000-7000-8000-00000000000a"
	parentID      = "0199aaaa-0000-7000-8000-00000000000b"
	childID       = "0199aaaa-0000-7000-8000-00000000000c"
)

// basedOn is a paginated session_meta that continues a file's first bytes.
func basedOn(id string, offset int) string {
	return sessionMeta(fmt.Sprintf(`,"history_mode":"paginated","history_base":{"thread_id":%q,"end_ordinal_exclusive":1,"end_byte_offset":%d}`, id, offset))
}

// family is a folder of rollouts by rollout id.
type family struct {
	dir   string
	opens int
}

func newFamily(t testing.TB, files map[string]string) *family {
	t.Helper()
	f := &family{dir: t.TempDir()}
	for id, text := range files {
		if err := os.WriteFile(f.path(id), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func (f *family) path(id string) string {
	return filepath.Join(f.dir, "rollout-2026-11-02T09-00-00-"+id+".jsonl")
}

func (f *family) find(id uuid.UUID) (*parse.Source, error) {
	f.opens++
	if f.opens > 20 {
		return nil, errors.New("the chain does not end")
	}
	return parse.Open(f.path(id.String()), nil)
}

func (f *family) load(t testing.TB, id string) *history.Rollout {
	t.Helper()
	return loadPath(t, f.path(id), history.Options{FindBase: f.find})
}

// placed shows rows as "file:line text".
func placed(s history.State) []string {
	var out []string
	for _, r := range s.Rows {
		out = append(out, fmt.Sprintf("%d:%d %s", r.File, r.Line, r.Item.Content()[0].Text()))
	}
	return out
}

func wantPlaced(t testing.TB, s history.State, want ...string) {
	t.Helper()
	if got := placed(s); !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
}

// threeFiles are a grandparent, a parent and a child; each ancestor goes on behind
// what its descendant inherits.
func threeFiles(t testing.TB, childLines ...string) *family {
	grand := file(paginatedMeta(), user("g1"), assistant("g2"))
	parent := file(basedOn(grandparentID, len(grand)), user("p1"))
	child := file(append([]string{basedOn(parentID, len(parent))}, childLines...)...)
	return newFamily(t, map[string]string{
		grandparentID: grand + user("g, not inherited") + "\n",
		parentID:      parent + user("p, not inherited") + "\n" + rolledBack(9) + "\n",
		childID:       child,
	})
}

func TestRule15Ancestors(t *testing.T) {
	f := threeFiles(t, user("c1"), assistant("c2"))
	r := f.load(t, childID)
	if err := r.BaseError(); err != nil {
		t.Fatal(err)
	}
	s := at(t, r, "end")
	wantPlaced(t, s, "0:2 g1", "0:3 g2", "1:2 p1", "2:2 c1", "2:3 c2")
	want := []string{f.path(grandparentID), f.path(parentID), f.path(childID)}
	if !slices.Equal(s.Files, want) {
		t.Errorf("files %q, want %q", s.Files, want)
	}
	// Lines and points are those of the file itself.
	wantPlaced(t, at(t, r, "line:2"), "0:2 g1", "0:3 g2", "1:2 p1", "2:2 c1")
	wantPlaced(t, at(t, r, "line:1"), "0:2 g1", "0:3 g2", "1:2 p1")
	if r.Lines() != 3 || r.Compactions() != 0 || len(r.Warnings()) != 0 {
		t.Errorf("%d lines, %d compactions, warnings %q; want 3, 0, none", r.Lines(), r.Compactions(), r.Warnings())
	}
}

// Rollbacks and local compactions of the child reach into its ancestors.
func TestRule15AcrossFiles(t *testing.T) {
	wantPlaced(t, at(t, threeFiles(t, user("c1"), rolledBack(2), user("c2")).load(t, childID), "end"),
		"0:2 g1", "0:3 g2", "2:4 c2")
	wantPlaced(t, at(t, threeFiles(t, user("c1"), compacted("")).load(t, childID), "end"),
		"2:3 g1", "2:3 p1", "2:3 c1", "2:3 sum")
}

func TestRule15CheckpointOfAnAncestor(t *testing.T) {
	grand := file(paginatedMeta(), user("g1"), checkpoint("g base", ""), user("g2"))
	parent := file(basedOn(grandparentID, len(grand)), user("p1"))
	family := func(child ...string) *family {
		return newFamily(t, map[string]string{grandparentID: grand, parentID: parent,
			childID: file(append([]string{basedOn(parentID, len(parent))}, child...)...)})
	}
	s := at(t, family(user("c1")).load(t, childID), "end")
	wantPlaced(t, s, "0:3 g base", "0:4 g2", "1:2 p1", "2:2 c1")
	if s.BaseFile != 0 || s.BaseLine != 3 {
		t.Errorf("base in file %d, line %d; want 0, 3", s.BaseFile, s.BaseLine)
	}

	// The whole lineage is one scan: without a start, all of it is one segment.
	s = at(t, family(user("c1"), rolledBack(1)).load(t, childID), "end")
	if s.BaseLine != 0 {
		t.Errorf("base in line %d, want none", s.BaseLine)
	}
	wantPlaced(t, s, "0:2 g1", "0:4 g2", "1:2 p1")

	// K counts the file's own compactions.
	r := family(checkpoint("c base", ""), user("c1")).load(t, childID)
	s = at(t, r, "end")
	wantPlaced(t, s, "2:2 c base", "2:3 c1")
	if r.Compactions() != 1 || s.BaseFile != 2 {
		t.Errorf("%d compactions, base in file %d; want 1, 2", r.Compactions(), s.BaseFile)
	}
	wantPlaced(t, at(t, r, "compaction:1:before"), "0:3 g base", "0:4 g2", "1:2 p1")
}

// Rule 10 looks at the newest compaction of the lineage and at the mode of the
// rollout's own first session_meta.
func TestRule15NewestCompactionOfAnAncestor(t *testing.T) {
	parent := file(paginatedMeta(), checkpoint("p base", numbered))
	f := newFamily(t, map[string]string{parentID: parent, childID: file(basedOn(parentID, len(parent)), user("c1"), rolledBack(1))})
	s := at(t, f.load(t, childID), "end")
	wantPlaced(t, s, "0:2 p base")
	if s.BaseFile != 0 || s.BaseLine != 2 {
		t.Errorf("base in file %d, line %d; want 0, 2", s.BaseFile, s.BaseLine)
	}
}

func TestRule15Cutoff(t *testing.T) {
	lines := []string{paginatedMeta(), user("p1"), user("p2")}
	parent := file(lines...)
	all := []string{"0:2 p1", "0:3 p2", "1:2 c1"}
	tests := []struct {
		name   string
		offset int
		want   []string // nil: refused, the file alone
	}{
		{"the whole file", len(parent), all},
		{"without its last newline", len(parent) - 1, all},
		{"inside a line", len(parent) - 2, []string{"0:2 p1", "1:2 c1"}},
		{"one line less", len(file(lines[:2]...)), []string{"0:2 p1", "1:2 c1"}},
		{"its session_meta only", len(file(lines[:1]...)), []string{"1:2 c1"}},
		{"nothing", 0, []string{"1:2 c1"}},
		{"one byte past the end", len(parent) + 1, nil},
		{"far past the end", 1 << 40, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFamily(t, map[string]string{parentID: parent, childID: file(basedOn(parentID, tt.offset), user("c1"))})
			r := f.load(t, childID)
			if tt.want == nil {
				wantAlone(t, r, "past the source rollout")
				return
			}
			if err := r.BaseError(); err != nil {
				t.Error(err)
			}
			wantPlaced(t, at(t, r, "end"), tt.want...)
		})
	}
}

// wantAlone checks that only the child's own line 2 is shown, with a warning.
func wantAlone(t *testing.T, r *history.Rollout, cause string) {
	t.Helper()
	err := r.BaseError()
	if err == nil || !strings.Contains(err.Error(), cause) {
		t.Errorf("base error %v, want %q in it", err, cause)
	} else if w := r.Warnings(); !slices.Contains(w, err.Error()) {
		t.Errorf("warnings %q, want %q", w, err)
	}
	s := at(t, r, "end")
	wantPlaced(t, s, "0:2 c1")
	if len(s.Files) != 1 {
		t.Errorf("files %q, want the rollout alone", s.Files)
	}
}

func TestRule15MissingAncestors(t *testing.T) {
	child := file(basedOn(parentID, 0), user("c1"))
	t.Run("parent", func(t *testing.T) {
		wantAlone(t, newFamily(t, map[string]string{childID: child}).load(t, childID), parentID)
	})
	t.Run("nobody looks", func(t *testing.T) {
		f := newFamily(t, map[string]string{childID: child})
		wantAlone(t, loadPath(t, f.path(childID), history.Options{}), parentID)
	})
	t.Run("grandparent", func(t *testing.T) {
		parent := file(basedOn(grandparentID, 0), user("p1"))
		f := newFamily(t, map[string]string{parentID: parent, childID: file(basedOn(parentID, len(parent)), user("c1"))})
		wantAlone(t, f.load(t, childID), grandparentID)
	})
}

func TestRule15Cycle(t *testing.T) {
	own := file(basedOn(childID, 0), user("c1"))
	t.Run("with itself", func(t *testing.T) {
		child := file(basedOn(childID, len(own)), user("c1"))
		wantAlone(t, newFamily(t, map[string]string{childID: child}).load(t, childID), "cycle detected")
	})
	t.Run("of two", func(t *testing.T) {
		parent := file(basedOn(childID, len(own)), user("p1"))
		child := file(basedOn(parentID, len(parent)), user("c1"))
		f := newFamily(t, map[string]string{parentID: parent, childID: child})
		wantAlone(t, f.load(t, childID), "cycle detected")
	})
	// A null base is none.
	t.Run("null", func(t *testing.T) {
		f := newFamily(t, map[string]string{childID: file(sessionMeta(`,"history_base":null`), user("c1"))})
		r := f.load(t, childID)
		if r.BaseError() != nil || f.opens > 0 {
			t.Errorf("base error %v, %d files opened", r.BaseError(), f.opens)
		}
		wantPlaced(t, at(t, r, "end"), "0:2 c1")
	})
	// Only the first session_meta names the base.
	t.Run("second session_meta", func(t *testing.T) {
		f := newFamily(t, map[string]string{childID: file(paginatedMeta(), basedOn(parentID, 0), user("c1"))})
		r := f.load(t, childID)
		if r.BaseError() != nil {
			t.Error(r.BaseError())
		}
		wantPlaced(t, at(t, r, "end"), "0:3 c1")
	})
}

// A point before the first session_meta knows neither ancestors nor mode: it shows
// what a file cut there would.
func TestRule15BeforeTheSessionMeta(t *testing.T) {
	wantPlaced(t, at(t, threeFiles(t, user("c1")).load(t, childID), "line:0"))

	lines := []string{checkpoint("c", numbered), user("u"), rolledBack(1)}
	r := load(t, file(append(slices.Clone(lines), paginatedMeta())...), history.Options{})
	if s := at(t, r, "line:3"); s.BaseLine != 0 {
		t.Errorf("base in line %d, want none", s.BaseLine)
	}
	if s := at(t, r, "end"); s.BaseLine != 1 {
		t.Errorf("base in line %d, want 1", s.BaseLine)
	}
}
