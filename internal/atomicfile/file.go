package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// ErrBusy is the error when another process is writing the same target.
var ErrBusy = errors.New("another process is writing this file")

// ErrExists is the error when the target exists and must not be replaced.
var ErrExists = errors.New("the file exists already")

const (
	tempPrefix = "."
	tempSuffix = ".rollout-tool.tmp"
)

// TempName is the name of the temporary file of a target, in the same folder.
func TempName(target string) string {
	return filepath.Join(filepath.Dir(target), tempPrefix+filepath.Base(target)+tempSuffix)
}

// IsTemp reports whether a path is that of a temporary file.
func IsTemp(path string) bool {
	name := filepath.Base(path)
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// File is a file being written. Write to it, then Sync, then Commit; Discard at any point
// takes it away again.
type File struct {
	*os.File
	Target string
	lock   *flock.Flock
	done   bool
}

// Create starts writing a target. The folder must exist. The error is ErrBusy while
// another process writes the same target.
func Create(target string) (*File, error) {
	name := TempName(target)
	for range 10 {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		lock := flock.New(name, flock.SetFlag(os.O_RDWR))
		locked, err := lock.TryLock()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			f.Close() // its owner was just done with it
			continue
		case err != nil:
			f.Close()
			return nil, fmt.Errorf("locking %s: %w", name, err)
		case !locked:
			f.Close()
			return nil, fmt.Errorf("%s: %w", target, ErrBusy)
		}
		// Between opening and locking, its owner may have renamed or removed it.
		if same(f, name) {
			if err := f.Truncate(0); err != nil { // what a killed process has left
				f.Close()
				lock.Close()
				return nil, err
			}
			return &File{File: f, Target: target, lock: lock}, nil
		}
		f.Close()
		lock.Close()
	}
	return nil, fmt.Errorf("%s: %w", target, ErrBusy)
}

func same(f *os.File, name string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(name)
	return err == nil && os.SameFile(a, b)
}

// Like gives the file the mode, owner (where that is allowed) and modification time of
// another one.
func (f *File) Like(info fs.FileInfo) error {
	if err := f.Chmod(info.Mode().Perm()); err != nil {
		return err
	}
	chown(f.File, info)
	return os.Chtimes(f.Name(), time.Time{}, info.ModTime())
}

// Commit puts the file in the place of its target, whose old content is gone then, or
// with keep fails with ErrExists when there is one. The content is flushed to the disk
// before, the folder after.
func (f *File) Commit(keep bool) error {
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.File.Close(); err != nil {
		return err
	}
	f.done = true
	if runtime.GOOS == "windows" {
		f.release() // an open file cannot be renamed there
	} else {
		defer f.release()
	}
	if err := publish(f.Name(), f.Target, keep); err != nil {
		os.Remove(f.Name())
		return err
	}
	return SyncDir(filepath.Dir(f.Target))
}

// Discard removes the temporary file unless it was committed.
func (f *File) Discard() {
	if f.done {
		return
	}
	f.done = true
	f.File.Close()
	os.Remove(f.Name())
	f.release()
}

func (f *File) release() {
	// Closing the descriptor is enough; Unlock would be refused on a file that has gone.
	f.lock.Close()
}

// publish renames from to to.
func publish(from, to string, keep bool) error {
	if !keep {
		return os.Rename(from, to)
	}
	err := os.Link(from, to) // fails when to exists, in one step
	switch {
	case err == nil:
		return os.Remove(from)
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s: %w", to, ErrExists)
	}
	// File systems without links: look, then rename.
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s: %w", to, ErrExists)
	}
	return os.Rename(from, to)
}

// Keep makes a copy of a file under another name, at once where the file system has
// links. It fails with ErrExists when there is one already, unless it is the same file.
func Keep(path, backup string) error {
	err := os.Link(path, backup)
	if err == nil {
		return SyncDir(filepath.Dir(backup))
	}
	if errors.Is(err, fs.ErrExist) {
		a, err1 := os.Stat(path)
		b, err2 := os.Stat(backup)
		if err1 == nil && err2 == nil && os.SameFile(a, b) {
			return nil
		}
		return fmt.Errorf("%s: %w", backup, ErrExists)
	}
	return copyFile(path, backup)
}

func copyFile(path, backup string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := Create(backup)
	if err != nil {
		return err
	}
	defer out.Discard()
	if _, err := out.ReadFrom(in); err != nil {
		return err
	}
	if err := out.Like(info); err != nil {
		return err
	}
	return out.Commit(true)
}

// Locked reports whether another process holds a lock on a file, as a writer that is
// still running may. It is false where that cannot be told.
func Locked(path string) bool {
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
	defer lock.Close()
	ok, err := lock.TryLock()
	return err == nil && !ok
}
