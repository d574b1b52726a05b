package ops

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/rollout-tool/rollout-tool/internal/atomicfile"
)

// imagesWriter is a pass that writes images to files, if its result is kept.
type imagesWriter struct {
	*imagesEditor
	folder string
	done   map[string]bool // names that are there
	err    error           // the first failure
}

// Commit says that the result of the pass is kept.
func (w *imagesWriter) Commit() {
	w.done = map[string]bool{}
	w.wrote = w.write
}

// Close returns the first failure to write.
func (w *imagesWriter) Close() error { return w.err }

func (w *imagesWriter) write(f *imageFacts, payload []byte) {
	name := f.fileName()
	if w.err != nil || w.done[name] {
		return
	}
	if w.err = w.file(filepath.Join(w.folder, name), f, payload); w.err == nil {
		w.done[name] = true
	}
}

// file writes one image, unless it is there. Several files may be rewritten at once, and
// have the same images.
func (w *imagesWriter) file(path string, f *imageFacts, payload []byte) error {
	if err := os.MkdirAll(w.folder, 0o777); err != nil {
		return err
	}
	const tries, pause = 200, 50 * time.Millisecond
	for try := 0; ; try++ {
		if there, err := isThere(path, f.size); there || err != nil {
			return err
		}
		err := create(path, payload)
		switch {
		case err == nil, errors.Is(err, atomicfile.ErrExists):
			_, err = isThere(path, f.size)
			return err
		case !errors.Is(err, atomicfile.ErrBusy) || try == tries:
			return fmt.Errorf("image %s: %w", path, err)
		}
		time.Sleep(pause)
	}
}

// isThere reports whether the file exists. One of another size is not the image.
func isThere(path string, size int64) (bool, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !info.Mode().IsRegular() || info.Size() != size:
		return false, fmt.Errorf("image %s: there is something else of this name", path)
	}
	return true, nil
}

func create(path string, payload []byte) error {
	out, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer out.Discard()
	if _, err := decode(out, payload); err != nil {
		return err
	}
	return out.Commit(true)
}
