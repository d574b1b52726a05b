//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A million findings: memory hardly grows with them. (The reporters' own tests have
// every format.)
func TestValidateMillionFindings(t *testing.T) {
	if testing.Short() {
		t.Skip("a million findings")
	}
	broken := func(n int) string {
		return writeLines(t, func(w io.Writer) {
			for i := range n {
				fmt.Fprintf(w, "{\"timestamp\":\"2026-11-02T09:00:00.000Z\",\"type\":\"event_msg\",\"payload\":{\"n\":%d\n", i)
			}
		})
	}
	const few, many = 100_000, 1_000_000
	small, big := broken(few), broken(many)
	for _, format := range []string{"text", "json"} {
		out := filepath.Join(t.TempDir(), "report")
		args := []string{"validate", "--no-config", "--exit-zero", "--output", format + ":" + out}
		before := peakOf(t, append(args, small)...)
		peak := peakOf(t, append(args, big)...)
		// The numbers of rejected lines are kept, and what the collector lets grow.
		if peak > before+96<<20 {
			t.Errorf("%s: %d MB, with a tenth of the findings %d MB", format, peak>>20, before>>20)
		}
		info, err := os.Stat(out)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() < 60*many {
			t.Errorf("%s: a report of %d bytes for %d findings", format, info.Size(), many)
		}
	}
}

// What was found is seen before the last file is read.
func TestValidateReportsEarly(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "later")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no named pipes here: ", err)
	}
	broken := filepath.Join("..", "..", "fixtures", "demo", "broken.jsonl")
	c := newChild(t, "validate", "--no-config", "--format", "concise", broken, pipe)
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(30*time.Second, func() { c.Process.Kill() })
	defer timer.Stop()
	out := bufio.NewReader(stdout)
	first, err := out.ReadString('\n')
	if err != nil || !strings.HasPrefix(first, broken+":2: J002 ") {
		t.Errorf("%q, %v before the second file is there", first, err)
	}
	late, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(late, "no JSON\n")
	late.Close()
	rest, err := io.ReadAll(out)
	if err != nil || !strings.Contains(string(rest), pipe+":1: J001 ") {
		t.Errorf("%s, %v", rest, err)
	}
	if code := c.finish(t); code != exitDifferent {
		t.Errorf("exit code %d\n%s", code, c.stderr.String())
	}
}

// Whoever reads the report may stop reading: the findings so far count, and no
// baseline is written from a part of them.
func TestValidateBrokenPipe(t *testing.T) {
	path := writeLines(t, func(w io.Writer) {
		for range 100_000 {
			io.WriteString(w, "no JSON\n")
		}
	})
	baseline := filepath.Join(t.TempDir(), "known.txt")
	for _, tt := range []struct {
		args   []string
		code   int
		stderr string
	}{
		{nil, exitDifferent, ""},
		{[]string{"--write-baseline", baseline}, exitUnreadable, "rollout-tool: standard output was closed before all was read: no baseline is written\n"},
	} {
		c := newChild(t, append(append([]string{"validate", "--no-config", "--format", "concise"}, tt.args...), path)...)
		stdout, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		stdout.Close()
		if code := c.finish(t); code != tt.code || c.stderr.String() != tt.stderr {
			t.Errorf("%v: exit code %d, %q", tt.args, code, c.stderr.String())
		}
	}
	if _, err := os.Stat(baseline); err == nil {
		t.Error("a baseline of a part of the findings was written")
	}
}
