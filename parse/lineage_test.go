package parse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
)

var (
	uuidA = uuid.MustParse(idA)
	uuidB = uuid.MustParse(idB)
)

// Rule 15: a parent is looked up by name, beside the file, then in the trees of the
// home that the file lies in.
func TestRule15FindRollout(t *testing.T) {
	home := t.TempDir()
	near := put(t, filepath.Join(home, "sessions", "2026", "11", "03", nameB), []byte(metaLine))
	in := func(path ...string) string { return filepath.Join(append([]string{home}, path...)...) }
	find := func(want string) {
		t.Helper()
		got, err := FindRollout(near, uuidA)
		if want == "" {
			if err == nil || !strings.Contains(err.Error(), idA) || !strings.Contains(err.Error(), "--base") {
				t.Errorf("found %s, error %v", got, err)
			}
			return
		}
		real, evalErr := filepath.EvalSymlinks(want)
		if evalErr != nil {
			t.Fatal(evalErr)
		}
		if got != want && got != real || err != nil {
			t.Errorf("found %s, error %v; want %s", got, err, want)
		}
	}
	find("")
	// From the last place that is looked at to the first.
	put(t, in("elsewhere", nameA), nil) // no session tree
	put(t, in(nameA), nil)
	find("")
	archived := put(t, in("archived_sessions", nameA+".zst"), nil)
	find(archived)
	tree := put(t, in("sessions", "2025", "01", "01", nameA+".zst"), nil)
	find(tree)
	put(t, in("sessions", "2025", "01", "01", nameA), nil)
	find(strings.TrimSuffix(tree, ".zst"))
	beside := put(t, in("sessions", "2026", "11", "03", nameA+".zst"), nil)
	find(beside)
	put(t, strings.TrimSuffix(beside, ".zst"), nil)
	find(strings.TrimSuffix(beside, ".zst"))
}

// The id that history_base names is the rollout id, the second of two (format.md 1.9).
func TestRule15RolloutIDNotThreadID(t *testing.T) {
	dir := t.TempDir()
	reverted := put(t, filepath.Join(dir, "rollout-2026-11-02T09-08-07-"+idA+"_"+idB+".jsonl"), nil)
	near := filepath.Join(dir, "fork.jsonl")
	if got, err := FindRollout(near, uuidA); err == nil {
		t.Errorf("the thread id found %s", got)
	}
	if got, err := FindRollout(near, uuidB); err != nil || got != reverted {
		t.Errorf("found %s, error %v", got, err)
	}
	put(t, filepath.Join(dir, "below", nameA), nil) // a folder below counts in trees only
	if got, err := FindRollout(near, uuidA); err == nil {
		t.Errorf("found %s below the folder", got)
	}
}

func TestFindRolloutThroughLinks(t *testing.T) {
	home := t.TempDir()
	put(t, filepath.Join(home, "disk", "2026", nameA), nil)
	near := put(t, filepath.Join(home, "archived_sessions", nameB), nil)
	link(t, "disk", filepath.Join(home, "sessions"))
	got, err := FindRollout(near, uuidA)
	if err != nil || filepath.Base(got) != nameA {
		t.Errorf("found %q, error %v", got, err)
	}
}

func TestRule15MatchBase(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	byName := put(t, in(nameA), []byte("name alone counts"))
	byMeta := put(t, in("copy.jsonl"), []byte("\n{\"torn\n"+`{"type":"event_msg","payload":{}}`+"\n"+metaLine))
	packed := put(t, in("packed"), compress(t, []byte(metaLine)))
	other := put(t, in(nameB), []byte(metaLine)) // its name says otherwise
	second := put(t, in("second.jsonl"), []byte(strings.Replace(metaLine, idA, idB, 1)+metaLine))
	empty := put(t, in("empty.jsonl"), nil)
	noID := put(t, in("noid.jsonl"), []byte(`{"type":"session_meta","payload":{"id":7}}`+"\n"))
	for _, tt := range []struct {
		files []string
		want  string
	}{
		{nil, ""},
		{[]string{byName}, byName},
		{[]string{byMeta}, byMeta},
		{[]string{packed}, packed},
		{[]string{other, second, empty, noID}, ""},
		{[]string{other, second, byMeta, byName}, byMeta},
	} {
		got, err := MatchBase(tt.files, uuidA)
		if err != nil || got != tt.want {
			t.Errorf("%v: %q, %v; want %q", tt.files, got, err, tt.want)
		}
	}
	if _, err := MatchBase([]string{in("missing.jsonl")}, uuidA); !os.IsNotExist(err) {
		t.Errorf("a base that is missing: %v", err)
	}
	if got, err := MatchBase([]string{noID, empty}, uuid.Nil); err != nil || got != "" {
		t.Errorf("a file without an id was taken for the zero id: %q, %v", got, err)
	}
}
