package validate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rollout-tool/rollout-tool/parse"
)

// fileNameRule compares the name of a rollout, what is beside it and what is in it
// (format.md 1.2, 1.3).
func fileNameRule() rule {
	return rule{
		name:   "filename",
		line:   func() lineRule { return metaLook{} },
		stream: func() streamRule { return &fileNameTake{} },
	}
}

// fileNameTake keeps the first session_meta.
type fileNameTake struct {
	meta *metaFacts
	line Looked
}

func (t *fileNameTake) Take(l *Looked, left any, _ *sink) {
	if m, _ := left.(*metaFacts); m != nil && t.meta == nil {
		t.meta, t.line = m, *l
	}
}

const (
	plainSuffix = ".jsonl"
	zstdSuffix  = ".jsonl.zst"
)

func (t *fileNameTake) End(f *fileView, out *sink) {
	if f.Path == parse.Stdin {
		return
	}
	t.forms(f, out)
	if name, ok := parse.ParseFileName(f.Path); ok {
		t.name(f.Path, name, out)
	}
}

// forms checks the plain and the compressed form of the rollout.
func (t *fileNameTake) forms(f *fileView, out *sink) {
	path := f.Path
	compressed := strings.HasSuffix(path, zstdSuffix)
	if !compressed && !strings.HasSuffix(path, plainSuffix) {
		return
	}
	other, note := path+".zst", "the compressed %s is never read while this file is there"
	if compressed {
		other, note = strings.TrimSuffix(path, ".zst"), "this file is never read while the plain %s is there"
	}
	if info, err := os.Stat(other); err == nil && info.Mode().IsRegular() {
		out.File("F003", fmt.Sprintf(note, filepath.Base(other)))
	}
	src := f.Rollout.Source()
	switch {
	case src.Compressed && !compressed:
		out.File("F004", "a zstd stream under the name of a plain file")
	case !src.Compressed && compressed && src.StoredSize > 0:
		out.File("F005", "not a zstd stream, as the name says")
	}
}

// meantForCodex tells a rollout under Codex's name from a copy that someone has called
// rollout-something: it has a date, or lies in a tree of sessions.
func meantForCodex(path string) bool {
	name := strings.TrimPrefix(filepath.Base(path), "rollout-")
	if name != "" && '0' <= name[0] && name[0] <= '9' {
		return true
	}
	folders := strings.Split(filepath.ToSlash(filepath.Dir(path)), "/")
	return slices.Contains(folders, "sessions") || slices.Contains(folders, "archived_sessions")
}

// farOff is how far the local time in a name may be from UTC: 14 hours for the zones,
// 12 more for what is no mistake worth reporting.
const farOff = 26 * time.Hour

// name checks the name against the first session_meta.
func (t *fileNameTake) name(path string, name parse.FileName, out *sink) {
	base := filepath.Base(path)
	if !name.HasIDs || name.Time.IsZero() {
		if meantForCodex(path) {
			out.File("F001", base+" does not give a time and ids")
		}
		return
	}
	if t.meta == nil {
		return
	}
	if id := name.Thread.String(); id != t.meta.thread {
		out.At(&t.line, "F002", "/payload/id", "the name says thread "+id+", the session_meta "+t.meta.thread)
	} else if b := t.meta.base; b != nil && b.rollout == name.Rollout {
		out.At(&t.line, "F002", basePointer+"/thread_id", "the name says rollout "+name.Rollout.String()+", which is the file's own history_base")
	}
	stamp, err := time.Parse(time.RFC3339Nano, t.meta.timestamp)
	if err != nil || name.Rollout != name.Thread {
		return // a revert makes a new file of an old thread
	}
	if d := name.Time.Sub(stamp).Abs(); d > farOff {
		out.At(&t.line, "F006", "/payload/timestamp", fmt.Sprintf("the name is of %s, the session_meta of %s",
			name.Time.Format("2006-01-02 15:04"), stamp.UTC().Format("2006-01-02 15:04")))
	}
}
