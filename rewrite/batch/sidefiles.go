package batch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rollout-tool/rollout-tool/parse"
)

// ErrSideFile is the error of a report, quarantine or journal that names another file of
// the run, or one that is something else.
var ErrSideFile = errors.New("not usable")

// checkSideFiles finds files that a run would write into by mistake.
func checkSideFiles(inputs []Input, o *Options) error {
	type named struct{ flag, path string }
	var taken []named
	for _, s := range []named{{"--journal", o.Journal}, {"--report", o.Report}, {"--quarantine", o.Quarantine}} {
		if s.path == "" {
			continue
		}
		for _, t := range taken {
			if samePath(s.path, t.path) {
				return fmt.Errorf("%s %s: %w: it is what %s names", s.flag, s.path, ErrSideFile, t.flag)
			}
		}
		if o.Output != "" && o.Output != parse.Stdin && samePath(s.path, o.Output) {
			return fmt.Errorf("%s %s: %w: it is where the result goes", s.flag, s.path, ErrSideFile)
		}
		for _, in := range inputs {
			if samePath(s.path, in.Path) {
				return fmt.Errorf("%s %s: %w: it is an input", s.flag, s.path, ErrSideFile)
			}
		}
		taken = append(taken, s)
	}
	return nil
}

// samePath reports whether two paths name one file, there or not.
func samePath(a, b string) bool {
	return absolute(a) == absolute(b) || sameFile(a, b)
}

// startsLike reports whether a file is missing, empty, or begins with a line of ours: one
// that holds the mark.
func startsLike(path, mark string) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return true, nil // a pipe or a device
	}
	head, err := bufio.NewReaderSize(f, 64<<10).Peek(64 << 10)
	if len(head) == 0 {
		return true, nil
	}
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	return bytes.HasPrefix(line, []byte(`{"path":`)) && bytes.Contains(line, []byte(mark)), nilUnlessReal(err)
}

// nilUnlessReal drops the errors of a file that is shorter than what was asked for.
func nilUnlessReal(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return err
	}
	return nil
}

// Inside reports whether a path lies in or below a folder.
func Inside(path, dir string) bool {
	rel, err := filepath.Rel(resolved(dir), resolved(path))
	return err == nil && rel != ".." && !filepath.IsAbs(rel) && (len(rel) < 3 || rel[:3] != ".."+string(filepath.Separator))
}

// resolved is a path without links, as far as it exists.
func resolved(path string) string {
	path = absolute(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(resolved(dir), filepath.Base(path))
}
