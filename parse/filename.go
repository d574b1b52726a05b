package parse

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
)

const (
	plainExt  = ".jsonl"
	zstdExt   = ".zst"
	namePref  = "rollout-"
	nameStamp = "2006-01-02T15-04-05"
)

// FileName is a rollout's file name taken apart (format.md 1.2).
type FileName struct {
	Time    time.Time // the writer's local time, labelled UTC
	Thread  uuid.UUID
	Rollout uuid.UUID // equal to Thread unless the file came from a revert
	HasIDs  bool      // both ids parse; else Thread and Rollout are zero
}

// ParseFileName takes a file name (or path) apart. It returns false when the name
// is not that of a rollout.
func ParseFileName(path string) (FileName, bool) {
	name := strings.TrimSuffix(filepath.Base(path), zstdExt)
	rest, ok := strings.CutPrefix(name, namePref)
	if !ok {
		return FileName{}, false
	}
	rest, ok = strings.CutSuffix(rest, plainExt)
	if !ok {
		return FileName{}, false
	}
	var f FileName
	if len(rest) < len(nameStamp)+1 || rest[len(nameStamp)] != '-' {
		return f, true
	}
	stamp, ids := rest[:len(nameStamp)], rest[len(nameStamp)+1:]
	t, err := time.Parse(nameStamp, stamp)
	if err != nil {
		return f, true
	}
	f.Time = t
	thread, rollout, two := strings.Cut(ids, "_")
	if !two {
		rollout = thread
	}
	a, okA := parseID(thread)
	b, okB := parseID(rollout)
	if okA && okB {
		f.Thread, f.Rollout, f.HasIDs = a, b, true
	}
	return f, true
}

// parseID reads a UUID in any of the spellings of format.md 6.4. The library's
// Parse alone takes any two characters for braces.
func parseID(s string) (uuid.UUID, bool) {
	if uuid.Validate(s) != nil {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil
}

// plainName strips one ".zst".
func plainName(path string) string {
	if strings.HasSuffix(path, plainExt+zstdExt) {
		return strings.TrimSuffix(path, zstdExt)
	}
	return path
}

// siblings are the names under which the same rollout may be stored instead.
func siblings(path string) []string {
	if plain := plainName(path); plain != path {
		return []string{plain}
	}
	if strings.HasSuffix(path, plainExt) {
		return []string{path + zstdExt}
	}
	return nil
}
