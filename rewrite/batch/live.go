package batch

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rollout-tool/rollout-tool/internal/atomicfile"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// live refuses a file in place that a running session may write to: the writer keeps the
// file open, and what it writes after a rename is lost (needs.md 3).
func (b *batch) live(path string, info fs.FileInfo) error {
	if b.opt.AllowLive || parse.SessionsHome(path) == "" {
		return nil
	}
	const advice = "end the session first, write to a new file (-o), or give --allow-live if you know that it has ended"
	age := b.opt.Now().Sub(info.ModTime())
	if age < 0 {
		return rewrite.Refuse("its modification time lies in the future: the session may be running", advice)
	}
	if age < b.opt.QuietFor {
		return rewrite.Refuse(fmt.Sprintf("changed %s ago: the session may be running", age.Round(time.Second)), advice+"; --quiet-for D changes how long it must have been quiet")
	}
	if atomicfile.Locked(path) {
		return rewrite.Refuse("another process holds a lock on the file", advice)
	}
	if pid, ok := b.writers.of(path); ok {
		return rewrite.Refuse(fmt.Sprintf("process %d has the file open for writing", pid), advice)
	}
	return nil
}

// writers knows which processes have rollouts open for writing, where the system tells.
type writers struct {
	mu    sync.Mutex
	taken time.Time
	byID  map[string]int
}

// fresh is how long a look at the processes counts: one for each file of a large batch
// would take longer than the rewriting.
const fresh = 2 * time.Second

func (w *writers) of(path string) (int, bool) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return 0, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if time.Since(w.taken) > fresh {
		w.byID, w.taken = openForWriting(), time.Now()
	}
	pid, ok := w.byID[real]
	return pid, ok
}

// openForWriting looks through /proc; elsewhere it finds nothing.
func openForWriting() map[string]int {
	out := map[string]int{}
	dirs, _ := filepath.Glob("/proc/[0-9]*/fd")
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
		if err != nil || pid == os.Getpid() {
			continue
		}
		list, err := os.ReadDir(dir)
		if err != nil {
			continue // another user's process
		}
		for _, e := range list {
			path, err := os.Readlink(filepath.Join(dir, e.Name()))
			if err == nil && strings.HasSuffix(path, ".jsonl") && writable(filepath.Join(filepath.Dir(dir), "fdinfo", e.Name())) {
				out[path] = pid
			}
		}
	}
	return out
}

// writable reads the open flags (octal; the last two bits are the access mode).
func writable(fdinfo string) bool {
	b, err := os.ReadFile(fdinfo)
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, "flags:"); ok {
			n, err := strconv.ParseUint(strings.TrimSpace(v), 8, 64)
			return err == nil && n&3 != 0
		}
	}
	return false
}
