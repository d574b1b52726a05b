package parse

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Warning is something a walk met and passed over.
type Warning struct {
	Path string
	Text string
}

func (w Warning) String() string { return fmt.Sprintf("%s: %s", w.Path, w.Text) }

// Find lists the rollouts named by paths, in a stable order: a file or "-" as it
// is, a folder by its tree. Below a folder called sessions or archived_sessions
// every rollout-*.jsonl[.zst] counts, the plain form before its .zst; in any other
// folder every *.jsonl[.zst] whose first record looks like a rollout. Links to
// folders are followed once. The error is that of the first path that does not exist.
func Find(paths []string) ([]string, []Warning, error) {
	w := walker{seen: map[string]bool{}}
	for _, p := range paths {
		if p == Stdin {
			w.found = append(w.found, p)
			continue
		}
		info, err := os.Stat(p)
		if err != nil {
			return nil, w.warnings, hintSibling(p, err)
		}
		if !info.IsDir() {
			w.found = append(w.found, p)
			continue
		}
		w.dir(p, inSessions(p))
	}
	return w.found, w.warnings, nil
}

type walker struct {
	found    []string
	warnings []Warning
	seen     map[string]bool // resolved folders
}

func (w *walker) warn(path, text string) { w.warnings = append(w.warnings, Warning{path, text}) }

// inSessions reports whether the folder is one of Codex's session trees or below one.
func inSessions(dir string) bool {
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(abs), "/"), isSessions)
}

func isSessions(name string) bool { return name == "sessions" || name == "archived_sessions" }

func (w *walker) dir(dir string, sessions bool) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		w.warn(dir, err.Error())
		return
	}
	if real, err = filepath.Abs(real); err != nil || w.seen[real] {
		w.warn(dir, "already visited (a loop of links, or a folder named twice); skipped")
		return
	}
	w.seen[real] = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		w.warn(dir, err.Error())
	}
	names := map[string]bool{}
	for _, e := range entries {
		names[e.Name()] = !e.IsDir()
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, err := os.Stat(path)
		switch {
		case err != nil:
			w.warn(path, err.Error())
		case info.IsDir():
			w.dir(path, sessions || isSessions(e.Name()))
		case info.Mode().IsRegular() && w.counts(path, sessions):
			if plain := plainName(e.Name()); plain != e.Name() && names[plain] {
				w.warn(path, "its plain sibling counts; skipped")
				continue
			}
			w.found = append(w.found, path)
		}
	}
}

func (w *walker) counts(path string, sessions bool) bool {
	if !strings.HasSuffix(plainName(path), plainExt) {
		return false
	}
	if sessions {
		_, ok := ParseFileName(path)
		return ok
	}
	ok, err := looksLikeRollout(path)
	if err != nil {
		w.warn(path, err.Error())
	}
	return ok
}

// looksLikeRollout reads the first lines until one decides.
func looksLikeRollout(path string) (bool, error) {
	in, _, err := Stream(path, nil)
	if err != nil {
		return false, err
	}
	defer in.Close()
	lines := NewLineReader(io.LimitReader(in, 16<<20), 1, 0)
	for n := 0; n < 10; n++ {
		l, err := lines.Next()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		l.Bytes = bytes.TrimPrefix(l.Bytes, bom)
		if IsBlank(l.Bytes) {
			continue
		}
		r, err := ViewRecord(l)
		if err != nil {
			continue // a damaged line decides nothing
		}
		return r.looksLikeRecord(), nil
	}
	return false, nil
}

// looksLikeRecord reports whether the line is an enveloped record of a known type
// or the first line of a generation 0 file.
func (r *Record) looksLikeRecord() bool {
	if r.Payload != nil {
		return slices.Contains(RecordTypes(), r.Type)
	}
	return IsBareMeta(*r)
}
