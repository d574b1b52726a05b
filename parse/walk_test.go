package parse

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const metaLine = `{"timestamp":"2026-11-02T09:00:00.000Z","type":"session_meta","payload":{"id":"` + idA + `"}}` + "\n"

// found runs Find on paths below root and returns what it found, relative to it.
func found(t *testing.T, root string, paths ...string) ([]string, []Warning) {
	t.Helper()
	for i, p := range paths {
		paths[i] = filepath.Join(root, p)
	}
	got, warnings, err := Find(paths)
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range got {
		rel, err := filepath.Rel(root, g)
		if err != nil {
			t.Fatal(err)
		}
		got[i] = filepath.ToSlash(rel)
	}
	return got, warnings
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

const (
	nameA = "rollout-2026-11-02T09-08-07-" + idA + ".jsonl"
	nameB = "rollout-2026-11-03T09-08-07-" + idB + ".jsonl"
)

// In a session tree the name decides, whatever the file holds (format.md 1.2).
func TestFindSessionTrees(t *testing.T) {
	home := t.TempDir()
	for path, text := range map[string]string{
		"sessions/2026/11/02/" + nameA:                     "not json",
		"sessions/2026/11/03/" + nameB + ".zst":            "",
		"sessions/2026/11/03/notes.jsonl":                  metaLine,
		"sessions/2026/11/03/rollout-x.json":               metaLine,
		"sessions/rollout-2025-05-08-" + idB + ".jsonl":    metaLine,
		"sessions/2026/11/03/." + nameB + ".paginated.tmp": metaLine,
		"archived_sessions/" + nameA:                       metaLine,
		"history.jsonl":                                    `{"session_id":"` + idA + `","ts":1,"text":"t"}` + "\n",
		"session_index.jsonl":                              `{"id":"` + idA + `","thread_name":"n","updated_at":"2026-11-02T09:00:00Z"}` + "\n",
		"elsewhere/kept.jsonl":                             metaLine,
		"elsewhere/" + nameB:                               "not json",
	} {
		put(t, filepath.Join(home, path), []byte(text))
	}
	trees := []string{
		"sessions/2026/11/02/" + nameA,
		"sessions/2026/11/03/" + nameB + ".zst",
		"sessions/rollout-2025-05-08-" + idB + ".jsonl",
	}
	got, warnings := found(t, home, "sessions")
	same(t, got, trees...)
	if len(warnings) > 0 {
		t.Errorf("warnings: %v", warnings)
	}
	got, _ = found(t, home, "sessions/2026/11/03") // below a session tree its rule holds
	same(t, got, trees[1])
	got, _ = found(t, home, "archived_sessions")
	same(t, got, "archived_sessions/"+nameA)
	got, _ = found(t, home, ".") // each folder by its own rule
	same(t, got, append([]string{"archived_sessions/" + nameA, "elsewhere/kept.jsonl"}, trees...)...)
}

// Elsewhere the first record decides, whatever the name.
func TestFindByFirstRecord(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 2*blockSize)
	want := []string{
		"bare.jsonl", "blank-first.jsonl", "bom.jsonl", "crlf.jsonl", "damaged-first.jsonl", "event.jsonl",
		"long.jsonl", "meta.jsonl", "packed.jsonl.zst", "plain-named.jsonl.zst", "torn.jsonl",
	}
	for name, text := range map[string][]byte{
		"meta.jsonl":            []byte(metaLine),
		"bom.jsonl":             []byte("\ufeff" + metaLine),
		"blank-first.jsonl":     []byte("\n \u00a0\r\n" + metaLine),
		"crlf.jsonl":            []byte(strings.ReplaceAll(metaLine, "\n", "\r\n")),
		"damaged-first.jsonl":   []byte("\x00\x00\n{\"torn\n" + metaLine),
		"event.jsonl":           []byte(`{"type":"event_msg","payload":{}}` + "\n"),
		"torn.jsonl":            []byte(strings.TrimSuffix(metaLine, "\n")),
		"bare.jsonl":            []byte(`{"id":"` + idA + `","timestamp":"2025-06-01T10:00:00.000Z"}` + "\n"),
		"long.jsonl":            []byte(`{"type":"session_meta","payload":{"x":"` + long + `"}}` + "\n"),
		"packed.jsonl.zst":      compress(t, []byte(metaLine)),
		"plain-named.jsonl.zst": []byte(metaLine),
		// None of these is a rollout.
		"empty.jsonl":         nil,
		"blank.jsonl":         []byte("\n\n"),
		"history.jsonl":       []byte(`{"session_id":"` + idA + `","ts":1,"text":"t"}` + "\n" + metaLine),
		"session_index.jsonl": []byte(`{"id":"` + idA + `","thread_name":"n","updated_at":"2026-11-02T09:00:00Z"}` + "\n"),
		"other.jsonl":         []byte(`{"type":"made_up","payload":{}}` + "\n" + metaLine),
		"item.jsonl":          []byte(`{"type":"message","role":"user","content":[]}` + "\n"),
		"list.jsonl":          []byte("[]\n"),
		"garbage.jsonl":       []byte(strings.Repeat("garbage\n", 100) + metaLine),
		"meta.json":           []byte(metaLine),
		"meta.jsonl.bak":      []byte(metaLine),
		"meta.zst":            []byte(metaLine),
		"meta.JSONL":          []byte(metaLine),
	} {
		put(t, filepath.Join(dir, name), text)
	}
	got, warnings := found(t, dir, ".")
	same(t, got, want...)
	if len(warnings) > 0 {
		t.Errorf("warnings: %v", warnings)
	}
}

func TestFindSaysWhatIsBroken(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "cut.jsonl.zst"), compress(t, textOf(5))[:20])
	got, warnings := found(t, dir, ".")
	same(t, got)
	if len(warnings) != 1 || !strings.Contains(warnings[0].String(), "cut.jsonl.zst") {
		t.Errorf("warnings: %v", warnings)
	}
}

// format.md 1.3: both forms may exist; the plain one counts.
func TestFindPlainBeatsZstd(t *testing.T) {
	dir := t.TempDir()
	for _, in := range []string{"sessions", "other"} {
		put(t, filepath.Join(dir, in, nameA), []byte(metaLine))
		put(t, filepath.Join(dir, in, nameA+".zst"), compress(t, []byte(metaLine)))
		put(t, filepath.Join(dir, in, nameB+".zst"), compress(t, []byte(metaLine)))
		if err := os.Mkdir(filepath.Join(dir, in, nameB), 0o777); err != nil { // a folder is no plain form
			t.Fatal(err)
		}
		got, warnings := found(t, dir, in)
		same(t, got, in+"/"+nameA, in+"/"+nameB+".zst")
		if len(warnings) != 1 || filepath.Base(warnings[0].Path) != nameA+".zst" {
			t.Errorf("%s: warnings %v", in, warnings)
		}
	}
	// A file that the user names is taken as it is.
	got, warnings := found(t, dir, "other/"+nameA+".zst")
	same(t, got, "other/"+nameA+".zst")
	if len(warnings) > 0 {
		t.Errorf("warnings: %v", warnings)
	}
}

func TestFindTakesFilesAsNamed(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "b.txt"), []byte("anything"))
	put(t, filepath.Join(dir, "t", "a.jsonl"), []byte(metaLine))
	got, _, err := Find([]string{Stdin, filepath.Join(dir, "b.txt"), filepath.Join(dir, "t")})
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, Stdin, filepath.Join(dir, "b.txt"), filepath.Join(dir, "t", "a.jsonl"))
	if got, warnings := found(t, dir, "t"); len(got) != 1 || len(warnings) != 0 {
		t.Errorf("%v, %v", got, warnings)
	}
	if err := os.Mkdir(filepath.Join(dir, "none"), 0o777); err != nil {
		t.Fatal(err)
	}
	got, _ = found(t, dir, "none")
	same(t, got)
	got, warnings := found(t, dir, "t", "t", "t/../t") // a folder named again
	same(t, got, "t/a.jsonl")
	if len(warnings) != 2 {
		t.Errorf("warnings: %v", warnings)
	}
}

func TestFindMissingPaths(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, nameA+".zst"), nil)
	_, _, err := Find([]string{dir, filepath.Join(dir, nameA)})
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), nameA+".zst exists") {
		t.Errorf("error %v", err)
	}
	_, _, err = Find([]string{filepath.Join(dir, "nowhere")})
	if !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), "exists)") {
		t.Errorf("error %v", err)
	}
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip("links need a privilege here: ", err)
		}
		t.Fatal(err)
	}
}

func TestFindFollowsLinksOnce(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "store", "deep", "a.jsonl"), []byte(metaLine))
	put(t, filepath.Join(dir, "away", "b.jsonl"), []byte(metaLine))
	link(t, "..", filepath.Join(dir, "store", "deep", "loop"))
	link(t, filepath.Join("..", "away"), filepath.Join(dir, "store", "linked"))
	link(t, "nowhere", filepath.Join(dir, "store", "dangling.jsonl"))
	link(t, filepath.Join("..", "away", "b.jsonl"), filepath.Join(dir, "store", "z.jsonl"))
	got, warnings := found(t, dir, "store")
	same(t, got, "store/deep/a.jsonl", "store/linked/b.jsonl", "store/z.jsonl")
	var about []string
	for _, w := range warnings {
		about = append(about, filepath.Base(w.Path))
	}
	slices.Sort(about)
	if !slices.Equal(about, []string{"dangling.jsonl", "loop"}) {
		t.Errorf("warnings: %v", warnings)
	}
	// A link to a session tree is one by its own name.
	put(t, filepath.Join(dir, "disk", nameA), []byte("not json"))
	link(t, "disk", filepath.Join(dir, "sessions"))
	got, _ = found(t, dir, "sessions")
	same(t, got, "sessions/"+nameA)
}
