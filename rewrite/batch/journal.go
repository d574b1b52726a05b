package batch

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"

	"github.com/rollout-tool/rollout-tool/rewrite"
)

// ErrJournal is the error of a journal that belongs to another batch or is no journal.
var ErrJournal = errors.New("journal")

// journal notes, one JSON object a line, what is about to be put in place ("commit") and
// what is there ("done"). Each note is on the disk before the step that it announces, or
// after the one that it confirms, so that a killed run can be finished from it.
type journal struct {
	mu   sync.Mutex
	file *os.File
	lock *flock.Flock
	last map[string]placed // the newest note of each path
}

// note is a line of the journal.
type note struct {
	Journal    int    `json:"rollout_tool_journal,omitempty"` // version, in the first line only
	Operations string `json:"operations,omitempty"`
	Mode       string `json:"mode,omitempty"`
	// Commit lists what is about to be put in place together: one line, so that a kill
	// leaves all of the announcement or none.
	Commit []placed `json:"commit,omitempty"`
	// Done is what is in place.
	Done *placed `json:"done,omitempty"`
}

// placed is a result and where it goes. One without a target is a file of a unit that
// stays as it is.
type placed struct {
	Path      pathText `json:"path"`
	Target    pathText `json:"target,omitempty"`
	Backup    pathText `json:"backup,omitempty"`
	InputSHA  string   `json:"input_sha256,omitempty"`
	OutputSHA string   `json:"output_sha256,omitempty"`

	done bool
}

// openJournal opens or makes a journal. The error wraps ErrJournal when the file is that
// of another batch, and is a Refusal while another run holds it.
func openJournal(path, operations, mode string) (*journal, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	j := &journal{file: f, lock: flock.New(path, flock.SetFlag(os.O_RDWR)), last: map[string]placed{}}
	if ok, err := j.lock.TryLock(); err != nil || !ok {
		f.Close()
		if err == nil {
			err = rewrite.Refuse("another run is writing the journal "+path, "wait for it, or take another journal")
		}
		return nil, err
	}
	if err := j.load(path, operations, mode); err != nil {
		j.close()
		return nil, err
	}
	return j, nil
}

// load reads what there is. A last line that was cut off by a kill is cut away: what it
// announced has not happened.
func (j *journal) load(path, operations, mode string) error {
	r := bufio.NewReaderSize(j.file, 64<<10)
	var end int64
	for n := 0; ; n++ {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		var x note
		if err := json.Unmarshal(line, &x); err != nil && n > 0 {
			return fmt.Errorf("%w %s: line %d: %w", ErrJournal, path, n+1, err)
		}
		if n == 0 {
			switch {
			case x.Journal != 1:
				return fmt.Errorf("%w %s: it is no journal of rollout-tool", ErrJournal, path)
			case x.Operations != operations || x.Mode != mode:
				return fmt.Errorf("%w %s: it belongs to another batch: %s, %s", ErrJournal, path, x.Operations, x.Mode)
			}
		}
		for _, p := range x.Commit {
			p.done = p.Target == ""
			j.last[string(p.Path)] = p
		}
		if x.Done != nil {
			x.Done.done = true
			j.last[string(x.Done.Path)] = *x.Done
		}
		end += int64(len(line))
	}
	if err := j.file.Truncate(end); err != nil {
		return err
	}
	if _, err := j.file.Seek(end, io.SeekStart); err != nil {
		return err
	}
	if end == 0 {
		return j.write(note{Journal: 1, Operations: operations, Mode: mode})
	}
	return nil
}

// write appends a note and flushes it to the disk.
func (j *journal) write(n note) error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	b, err := json.Marshal(n)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return j.file.Sync()
}

// about is the newest note of a path from an earlier run.
func (j *journal) about(path string) (placed, bool) {
	if j == nil {
		return placed{}, false
	}
	p, ok := j.last[absolute(path)]
	return p, ok
}

// absolute is a path that means the same in the next run, wherever that is started.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

func (j *journal) close() error {
	if j == nil {
		return nil
	}
	return errors.Join(j.file.Close(), j.lock.Close())
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}
