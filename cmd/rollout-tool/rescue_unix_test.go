//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A generated session that does not resume is rescued: it loads without a loss, goes on
// from its newest checkpoint, and memory depends on the longest record.
func TestRescueOfALargeSession(t *testing.T) {
	size := "40MB"
	if testing.Short() {
		size = "4MB"
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "session.jsonl"), filepath.Join(dir, "rescued.jsonl")
	gen := exec.Command("go", "run", "../../fixtures/gen", "rescue", "--size", size, "-o", in)
	if text, err := gen.CombinedOutput(); err != nil {
		t.Skipf("the generator does not run here: %v\n%s", err, text)
	}
	before := runTool(nil, "validate", "--no-config", "--exit-zero", "--output", "json", in)
	if !strings.Contains(before.stdout, `"loadable":"with_loss"`) || !strings.Contains(before.stdout, `"M001"`) {
		t.Fatalf("the session is none to rescue: %.600s", before.stdout)
	}
	limit := int64(64<<20) + 4*longestLine(t, in)
	peak := peakOf(t, "rewrite", "rescue", "-q", "-o", out, in)
	if peak > limit && !testing.Short() { // the race detector, for which short runs are, takes memory too
		t.Errorf("%d MB, at most %d are wanted", peak>>20, limit>>20)
	}
	after := runTool(nil, "validate", "--no-config", "--exit-zero", "--output", "json", out)
	if !strings.Contains(after.stdout, `"loadable":"yes"`) || !strings.Contains(after.stdout, `"error_count":0`) || !strings.Contains(after.stdout, `"warning_count":0`) {
		t.Errorf("the result: %.1200s", after.stdout)
	}
	// The checkpoint that could not be read counts now.
	line := func(path string) string {
		_, rest, _ := strings.Cut(runTool(nil, "history", "-q", "--format", "json", path).stdout, `"line":`)
		n, _, _ := strings.Cut(rest, ",")
		return n
	}
	if a, b := line(in), line(out); a == "" || b == "" || a == b {
		t.Errorf("the history began in line %s, and begins in line %s", a, b)
	}
}

// longestLine is the length of the longest line of a file, in bytes.
func longestLine(t *testing.T, path string) int64 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<20)
	longest, line := 0, 0
	for {
		part, err := in.ReadSlice('\n')
		line += len(part)
		if err == nil {
			longest, line = max(longest, line), 0
		} else if err != bufio.ErrBufferFull {
			return int64(max(longest, line))
		}
	}
}
