package parse

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/uuid"
)

// FindRollout looks for the file with the given rollout id by name: in the folder
// of near, then, when near lies in a session tree, in that home's sessions and
// archived_sessions (format.md 1.9, rule 15). The plain form goes before its .zst.
func FindRollout(near string, id uuid.UUID) (string, error) {
	dir := filepath.Dir(near)
	if path := findIn(dir, id, false); path != "" {
		return path, nil
	}
	looked := dir
	if home := sessionsHome(dir); home != "" {
		for _, tree := range SessionTrees(home) {
			if path := findIn(tree, id, true); path != "" {
				return path, nil
			}
		}
		looked = home
	}
	return "", fmt.Errorf("no file of rollout %s was found in %s (name it with --base)", id, looked)
}

// findIn returns the first file of the rollout in a folder, "" for none.
func findIn(dir string, id uuid.UUID, deep bool) string {
	found := ""
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // a walk does not enter a root that is a link
	}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read cannot be found there
		case d.IsDir():
			if path != dir && !deep {
				return filepath.SkipDir
			}
			return nil
		}
		if name, ok := ParseFileName(path); !ok || !name.HasIDs || name.Rollout != id {
			return nil
		}
		found = path
		if plainName(path) == path {
			return filepath.SkipAll
		}
		if _, err := os.Stat(plainName(path)); err == nil {
			found = plainName(path)
		}
		return filepath.SkipAll
	})
	return found
}

// SessionsHome is the folder that holds the session tree (sessions or archived_sessions)
// that a file lies in, "" when it lies in none (format.md 1.1).
func SessionsHome(path string) string { return sessionsHome(filepath.Dir(path)) }

// SessionTrees are the folders of a home that hold rollouts.
func SessionTrees(home string) []string {
	return []string{filepath.Join(home, "sessions"), filepath.Join(home, "archived_sessions")}
}

// sessionsHome is the folder that holds the session tree that dir lies in, "" for none.
func sessionsHome(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		parent := filepath.Dir(abs)
		if isSessions(filepath.Base(abs)) {
			return parent
		}
		if parent == abs {
			return ""
		}
		abs = parent
	}
}

// MatchBase picks, among files that the user named, the one with a rollout id: by
// its name, else by the id in its first session_meta. It returns "" when none fits.
func MatchBase(files []string, id uuid.UUID) (string, error) {
	for _, f := range files {
		if name, ok := ParseFileName(f); ok && name.HasIDs {
			if name.Rollout == id {
				return f, nil
			}
			continue
		}
		got, err := metaID(f)
		if err != nil {
			return "", err
		}
		if got == id && id != uuid.Nil {
			return f, nil
		}
	}
	return "", nil
}

// metaID is the id of the first session_meta of a file, zero when there is none.
func metaID(path string) (uuid.UUID, error) {
	in, _, err := Stream(path, nil)
	if err != nil {
		return uuid.Nil, err
	}
	defer in.Close()
	lines := NewLineReader(in, 1, 0)
	for {
		l, err := lines.Next()
		if err != nil {
			return uuid.Nil, nil
		}
		if rec, err := ViewRecord(l); err == nil && rec.Type == RecordSessionMeta {
			id, _ := parseID(rec.Fields().Text("id"))
			return id, nil
		}
	}
}
