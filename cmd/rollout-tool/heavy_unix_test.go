//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// child is a run of the tool in a process of its own, with its own TMPDIR.
type child struct {
	*exec.Cmd
	tmp    string
	stderr bytes.Buffer
}

func newChild(t *testing.T, args ...string) *child {
	t.Helper()
	c := &child{Cmd: exec.Command(selfAs(t, t.TempDir(), "rollout-tool"), args...), tmp: t.TempDir()}
	c.Env = append(os.Environ(), "TMPDIR="+c.tmp)
	c.Stderr = &c.stderr
	return c
}

// finish waits and returns the exit code.
func (c *child) finish(t *testing.T) int {
	t.Helper()
	var exit *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	left, err := os.ReadDir(c.tmp)
	if err != nil || len(left) > 0 {
		t.Errorf("left in TMPDIR: %v, %v", left, err)
	}
	return c.ProcessState.ExitCode()
}

// peakOf runs the tool and returns the largest resident size in bytes.
func peakOf(t *testing.T, args ...string) int64 {
	t.Helper()
	file := filepath.Join(t.TempDir(), "status")
	c := &child{Cmd: exec.Command(selfAs(t, t.TempDir(), peakName), args...), tmp: t.TempDir()}
	c.Env = append(os.Environ(), "TMPDIR="+c.tmp, "PEAK_FILE="+file)
	c.Stderr = &c.stderr
	start := time.Now()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if code := c.finish(t); code != exitOK {
		t.Errorf("%v: exit code %d, %.300s", args, code, c.stderr.String())
	}
	status, err := os.ReadFile(file)
	if err != nil {
		t.Skip("no /proc/self/status here")
	}
	found := peakLine.FindSubmatch(status)
	if found == nil {
		t.Skip("no VmHWM here")
	}
	kb, err := strconv.ParseInt(string(found[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v: %d MB, %v", args[:len(args)-1], kb>>10, time.Since(start).Round(10*time.Millisecond))
	return kb << 10
}

var peakLine = regexp.MustCompile(`VmHWM:\s*(\d+) kB`)

// writeLines writes a file from pieces without holding it in memory.
func writeLines(t *testing.T, pieces ...func(io.Writer)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "big.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for _, p := range pieces {
		p(w)
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func text(s string) func(io.Writer) { return func(w io.Writer) { io.WriteString(w, s) } }

func fill(b byte, n int) func(io.Writer) {
	return func(w io.Writer) {
		block := bytes.Repeat([]byte{b}, 1<<16)
		for n > 0 {
			k := min(n, len(block))
			w.Write(block[:k])
			n -= k
		}
	}
}

// Nesting is bounded before it can use up the stack (format.md 10.10).
func TestDeepNesting(t *testing.T) {
	if testing.Short() {
		t.Skip("18 MB lines")
	}
	const n = 18 << 20
	small := userLine("after")
	for name, pieces := range map[string][]func(io.Writer){
		"brackets alone": {fill('[', n), text("\n")},
		"torn":           {text(small), fill('[', n)},
		"in a payload":   {text(`{"timestamp":"x","type":"response_item","payload":`), fill('[', n), fill(']', n), text("}\n")},
		"in an item": {text(`{"timestamp":"x","type":"response_item","payload":{"type":"message","role":"user","content":[],"x":`),
			fill('[', n), fill(']', n), text("}}\n")},
		"in metadata": {text(`{"timestamp":"x","type":"response_item","payload":{"type":"message","role":"user","content":[]},"metadata":`),
			fill('[', n), text("\n")},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeLines(t, append(pieces, text("\n"+small))...)
			for _, args := range [][]string{
				{"parse", "--format", "jsonl"}, {"parse", "--filter", ".x"}, {"history", "--format", "json"}, {"payload"}, {"tokens"},
			} {
				r := runTool(nil, append(args, path)...)
				if r.code != exitOK || r.stderr == "" {
					t.Errorf("%v: exit code %d, %.300s", args, r.code, r.stderr)
				}
				if args[0] == "parse" && args[1] == "--format" && (strings.Count(r.stdout, `"verdict":"err"`) != 1 || !strings.Contains(r.stdout, `"preview":"after"`)) {
					t.Errorf("rows: %.600s", r.stdout)
				}
				if args[0] == "history" && !strings.Contains(r.stdout, `"text":"after"`) {
					t.Errorf("the line after is missing: %.300s", r.stdout)
				}
			}
		})
	}
}

// Memory is bounded by the longest line, not by the file: 64 MB and four times the line.
func TestMemoryOfALongLine(t *testing.T) {
	if testing.Short() {
		t.Skip("200 MB lines")
	}
	const line = 200 << 20
	const most = 64<<20 + 4*line
	head, tail, _ := strings.Cut(userLine("\x00"), "\x00")
	plain := writeLines(t, text(userLine("a")), text(head), fill('x', line), text(tail), text(userLine("b")))
	garbage := writeLines(t, text(userLine("a")), fill('x', line), text("\n"+userLine("b")))
	for _, run := range [][]string{
		{"parse", plain}, {"parse", "--format", "jsonl", plain}, {"parse", "--raw", plain}, {"parse", "--type", "compacted", plain},
		{"history", plain}, {"history", "--format", "json", plain}, {"payload", plain}, {"tokens", plain},
		{"parse", garbage}, {"history", garbage},
	} {
		if peak := peakOf(t, run...); peak > most {
			t.Errorf("%v: %d MB, at most %d are wanted", run[:len(run)-1], peak>>20, most>>20)
		}
	}
}

// Memory does not grow with the number of lines.
func TestMemoryOfManyLines(t *testing.T) {
	if testing.Short() {
		t.Skip("a 300 MB file")
	}
	one := userLine(strings.Repeat("lorem ipsum ", 80))
	many := writeLines(t, func(w io.Writer) {
		for range 300 << 20 / len(one) {
			io.WriteString(w, one)
		}
	})
	for _, run := range [][]string{
		{"parse", "--type", "compacted", many}, {"parse", "--summary", many}, {"parse", "--raw", many}, {"tokens", many},
	} {
		if peak := peakOf(t, run...); peak > 64<<20 {
			t.Errorf("%v: %d MB, at most 64 are wanted", run[:len(run)-1], peak>>20)
		}
	}
}

// A reader that has seen enough is no failure: no message, exit code 0.
func TestPipeThatClosesEarly(t *testing.T) {
	var many bytes.Buffer
	for range 5000 {
		many.WriteString(userLine(strings.Repeat("lorem ipsum ", 20)))
	}
	for _, args := range [][]string{
		{"parse"}, {"parse", "--format", "jsonl"}, {"parse", "--format", "json"}, {"parse", "--raw"},
		{"history"}, {"history", "--format", "json"}, {"payload", "-q"}, {"payload", "-q", "--format", "text"},
	} {
		for _, fromStdin := range []bool{false, true} {
			c := newChild(t, append(args, "-q", "-")...)
			c.Stdin = bytes.NewReader(many.Bytes())
			if !fromStdin {
				c.Args[len(c.Args)-1] = writeLines(t, text(many.String()))
				c.Stdin = nil
			}
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			var one [1]byte
			if _, err := io.ReadFull(out, one[:]); err != nil {
				t.Errorf("%v: %v", args, err)
			}
			out.Close()
			if code := c.finish(t); code != exitOK || c.stderr.Len() > 0 {
				t.Errorf("%v (standard input: %v): exit code %d, %s", args, fromStdin, code, c.stderr.String())
			}
		}
	}
}

// An interrupt ends the run with its own code and leaves nothing behind.
func TestInterrupt(t *testing.T) {
	for _, args := range [][]string{{"payload", "-"}, {"parse", "-"}} {
		c := newChild(t, args...)
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		// More than a pipe holds: once it is written, the tool is reading.
		if _, err := io.WriteString(in, strings.Repeat(userLine("x"), 4000)); err != nil {
			t.Fatal(err)
		}
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if code := c.finish(t); code != exitInterrupted {
			t.Errorf("%v: exit code %d, %s", args, code, c.stderr.String())
		}
		in.Close()
	}
}

// A full disk behind standard output is a failure that is said.
func TestOutputThatCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	if info, err := full.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		t.Skip("/dev/full is no device here")
	}
	path := writeLines(t, text(strings.Repeat(userLine("x"), 2000)))
	for _, args := range [][]string{{"parse"}, {"parse", "--raw"}, {"parse", "--format", "json"}, {"history"}, {"payload"}, {"tokens"}, {"version"}} {
		c := newChild(t, append(args, path)...)
		c.Stdout = full
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if code := c.finish(t); code == exitOK || !strings.Contains(c.stderr.String(), "no space left") {
			t.Errorf("%v: exit code %d, %q", args, code, c.stderr.String())
		}
	}
}
