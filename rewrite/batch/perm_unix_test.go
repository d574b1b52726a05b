//go:build unix

package batch

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestNoPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text})
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	outs, err := run(t, Options{InPlace: true}, filepath.Join(dir, fileName(1)))
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, outs[0], Failed)
	if !errors.Is(outs[0].Err, ErrWrite) {
		t.Error(outs[0].Err)
	}
	if read(t, filepath.Join(dir, fileName(1))) != text {
		t.Error("the file has changed")
	}
}
