package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func create(t *testing.T, target, text string) *File {
	t.Helper()
	f, err := Create(target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Discard)
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return f
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func want(t *testing.T, path, text string) {
	t.Helper()
	if b, err := os.ReadFile(path); err != nil || string(b) != text {
		t.Errorf("%s holds %q (%v), want %q", path, b, err, text)
	}
}

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

func TestCommitReplaces(t *testing.T) {
	target := filepath.Join(t.TempDir(), "a")
	put(t, target, "old")
	f := create(t, target, "new")
	want(t, target, "old")
	if err := f.Commit(false); err != nil {
		t.Fatal(err)
	}
	f.Discard()
	want(t, target, "new")
	if n := names(t, filepath.Dir(target)); len(n) != 1 {
		t.Errorf("the folder holds %q", n)
	}
}

func TestCommitKeeps(t *testing.T) {
	target := filepath.Join(t.TempDir(), "a")
	put(t, target, "old")
	if err := create(t, target, "new").Commit(true); !errors.Is(err, ErrExists) {
		t.Errorf("%v, want %v", err, ErrExists)
	}
	want(t, target, "old")
	if n := names(t, filepath.Dir(target)); len(n) != 1 {
		t.Errorf("the folder holds %q", n)
	}
}

func TestDiscard(t *testing.T) {
	target := filepath.Join(t.TempDir(), "a")
	create(t, target, "new").Discard()
	if n := names(t, filepath.Dir(target)); len(n) != 0 {
		t.Errorf("the folder holds %q", n)
	}
}

func TestOneWriterAtATime(t *testing.T) {
	target := filepath.Join(t.TempDir(), "a")
	f := create(t, target, "first")
	if _, err := Create(target); !errors.Is(err, ErrBusy) {
		t.Errorf("%v, want %v", err, ErrBusy)
	}
	if err := f.Commit(false); err != nil {
		t.Fatal(err)
	}
	if err := create(t, target, "second").Commit(false); err != nil {
		t.Error(err)
	}
	want(t, target, "second")
}

// What a killed process has left is taken over.
func TestLeftover(t *testing.T) {
	target := filepath.Join(t.TempDir(), "a")
	put(t, TempName(target), "a long half-written text")
	if !IsTemp(TempName(target)) || IsTemp(target) {
		t.Error("the name of the temporary file is not told from others")
	}
	if err := create(t, target, "new").Commit(true); err != nil {
		t.Fatal(err)
	}
	want(t, target, "new")
}

func TestLike(t *testing.T) {
	dir := t.TempDir()
	model, target := filepath.Join(dir, "model"), filepath.Join(dir, "a")
	put(t, model, "")
	when := time.Date(2026, 3, 4, 5, 6, 7, 8000, time.UTC)
	if err := errors.Join(os.Chmod(model, 0o640), os.Chtimes(model, when, when)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(model)
	if err != nil {
		t.Fatal(err)
	}
	f := create(t, target, "x")
	if err := errors.Join(f.Like(info), f.Commit(true)); err != nil {
		t.Fatal(err)
	}
	got, err := os.Stat(target)
	if err != nil || got.Mode() != info.Mode() || !got.ModTime().Equal(info.ModTime()) {
		t.Errorf("%v %v (%v), want %v %v", got.Mode(), got.ModTime(), err, info.Mode(), info.ModTime())
	}
}

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	path, backup := filepath.Join(dir, "a"), filepath.Join(dir, "a.bak")
	put(t, path, "old")
	for range 2 { // the second time the backup is the file itself
		if err := Keep(path, backup); err != nil {
			t.Fatal(err)
		}
	}
	if err := create(t, path, "new").Commit(false); err != nil {
		t.Fatal(err)
	}
	want(t, backup, "old")
	want(t, path, "new")
	if err := Keep(path, backup); !errors.Is(err, ErrExists) {
		t.Errorf("%v, want %v", err, ErrExists)
	}
	other := filepath.Join(dir, "b")
	if err := copyFile(path, other); err != nil {
		t.Fatal(err)
	}
	want(t, other, "new")
}

func TestFree(t *testing.T) {
	if n, ok := Free(t.TempDir()); ok && n <= 0 {
		t.Errorf("%d bytes free", n)
	}
	if _, ok := Free(filepath.Join(t.TempDir(), "missing")); ok {
		t.Error("a missing folder has room")
	}
}

func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	f := create(t, path, "")
	if !Locked(TempName(path)) {
		t.Error("a file being written is not locked")
	}
	f.Discard()
	put(t, path, "")
	if Locked(path) {
		t.Error("an idle file is locked")
	}
}
