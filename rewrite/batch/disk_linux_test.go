package batch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rollout-tool/rollout-tool/rewrite"
)

// disk is a file system of a given size for one test. Only root can have one.
func disk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("a file system of one's own cannot be mounted here: ", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func large(messages int) string {
	return session(threadID(1), false, messages, "")
}

// No room is seen before anything is written.
func TestNoRoom(t *testing.T) {
	dir := disk(t, "1m")
	text := large(4000) // about 600 KB
	path := filepath.Join(dir, fileName(1))
	write(t, path, text)
	outs, err := run(t, Options{InPlace: true}, path)
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, outs[0], Refused)
	if !strings.Contains(outs[0].Err.Error(), "bytes are needed") {
		t.Error(outs[0].Err)
	}
	if got := tree(t, dir); len(got) != 1 || got[fileName(1)] != text {
		t.Errorf("%d files", len(got))
	}
}

// The room goes while the result is written.
func TestDiskFull(t *testing.T) {
	dir := disk(t, "2m")
	text := large(4000)
	path := filepath.Join(dir, fileName(1))
	write(t, path, text)
	outs, err := run(t, Options{InPlace: true, testHook: func(step, _ string) {
		if step == "created" {
			os.WriteFile(filepath.Join(dir, "hog"), make([]byte, 1<<20), 0o600)
		}
	}}, path)
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, outs[0], Failed)
	if !errors.Is(outs[0].Err, ErrWrite) || !strings.Contains(outs[0].Err.Error(), "no room on the disk") {
		t.Error(outs[0].Err)
	}
	got := tree(t, dir)
	delete(got, "hog")
	if len(got) != 1 || got[fileName(1)] != text {
		t.Errorf("%d files", len(got))
	}
}

func TestReadOnlyFolder(t *testing.T) {
	dir := disk(t, "2m")
	text := large(4)
	path := filepath.Join(dir, fileName(1))
	write(t, path, text)
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skip(err)
	}
	for name, opt := range map[string]Options{"in place": {InPlace: true}, "to a file": {Output: filepath.Join(dir, "out.jsonl")}, "to a folder": {OutDir: filepath.Join(dir, "out")}} {
		outs, err := run(t, opt, path)
		if err != nil {
			t.Fatal(err)
		}
		wantState(t, outs[0], Failed)
		if !errors.Is(outs[0].Err, ErrWrite) {
			t.Errorf("%s: %v", name, outs[0].Err)
		}
	}
	if outs, err := run(t, Options{Output: filepath.Join(t.TempDir(), "out.jsonl")}, path); err != nil || outs[0].State != Written { // another device
		t.Error(outs[0].Err, err)
	}
}

// Two batches on one tree: each file is rewritten by one of them, or by both in turn, and
// none is damaged.
func TestTwoBatches(t *testing.T) {
	files := map[string]string{}
	for n := 1; n <= 30; n++ {
		files[fileName(n)] = session(threadID(n), false, 4, "")
	}
	dir := home(t, files)
	var inputs []Input
	for n := 1; n <= 30; n++ {
		inputs = append(inputs, Input{Path: filepath.Join(dir, fileName(n))})
	}
	done := make(chan error, 2)
	for range 2 {
		go func() {
			opt := Options{Operations: []rewrite.Operation{cutting()}, InPlace: true, QuietFor: DefaultQuiet, Jobs: 2, ContinueOnError: true}
			done <- Run(context.Background(), inputs, opt, func(o *Outcome) error {
				if o.State == Failed {
					t.Errorf("%v", o.Err)
				}
				return nil
			})
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	got := tree(t, dir)
	if len(got) != len(files) {
		t.Errorf("%d files, want %d", len(got), len(files))
	}
	for name, text := range files {
		if got[name] != cut(text) {
			t.Errorf("%s is damaged", name)
		}
	}
}
