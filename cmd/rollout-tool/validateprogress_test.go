package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// onTerminal is a run of validate with those flags whose standard error is a terminal, or
// not.
func onTerminal(t *testing.T, terminal bool, flags ...string) (*validateRun, *bytes.Buffer) {
	t.Helper()
	var stderr bytes.Buffer
	a := &app{stdout: bufio.NewWriter(io.Discard), stderr: &stderr, errTTY: terminal, getenv: func(string) string { return "" }}
	v := &validateRun{app: a}
	command := a.validateCommand()
	command.Action = func(c *cli.Context) error {
		v.c = c
		return nil
	}
	if err := (&cli.App{Commands: []*cli.Command{command}}).Run(append([]string{"rollout-tool", "validate"}, flags...)); err != nil {
		t.Fatal(err)
	}
	return v, &stderr
}

func sparseFile(t *testing.T, name string, size int64) input {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return input{path: path}
}

func TestMeter(t *testing.T) {
	v, stderr := onTerminal(t, true)
	in := sparseFile(t, "large.jsonl", 40_000_000)
	m := v.meter(in)
	v.read.Store(10_000_000)
	m.draw()
	if got := stderr.String(); !strings.Contains(got, "reading") || len([]rune(strings.TrimSpace(got))) > 80 || !strings.Contains(got, "25%") || !strings.Contains(got, "10/40 MB") {
		t.Errorf("drawn: %q", got)
	}
	m.hide()
	stderr.Reset()
	v.read.Store(20_000_000)
	m.draw()
	if got := stderr.String(); got != "" {
		t.Errorf("drawn while hidden: %q", got)
	}
	m.show()
	v.read.Store(50_000_000) // it has grown, or was compressed after all
	m.draw()
	if got := stderr.String(); !strings.Contains(got, "99%") {
		t.Errorf("drawn: %q", got)
	}
	m.stop()
	if got := stderr.String(); strings.HasSuffix(got, "MB)") || !strings.HasSuffix(got, "\r") && !strings.HasSuffix(got, "\x1b[2K\r") {
		t.Errorf("left on the terminal: %q", got)
	}
}

func TestMeterOfUnknownSize(t *testing.T) {
	v, stderr := onTerminal(t, true)
	m := v.meter(sparseFile(t, "large.jsonl.zst", 5_000_000))
	v.read.Store(10_000_000)
	m.draw()
	m.stop()
	if got := stderr.String(); !strings.Contains(got, "10 MB") || strings.Contains(got, "%") {
		t.Errorf("drawn: %q", got)
	}
}

// Nothing is drawn where nobody looks, for small files, or when it is not wanted.
func TestNoMeter(t *testing.T) {
	large, small := sparseFile(t, "large.jsonl", 5_000_000), sparseFile(t, "small.jsonl", 1000)
	for name, tt := range map[string]struct {
		terminal bool
		flags    []string
		in       input
	}{
		"no terminal":   {false, nil, large},
		"--no-progress": {true, []string{"--no-progress"}, large},
		"--quiet":       {true, []string{"-q"}, large},
		"a small file":  {true, nil, small},
		"no such file":  {true, nil, input{path: "nowhere", err: os.ErrNotExist}},
		"a folder":      {true, nil, input{path: t.TempDir()}},
	} {
		v, stderr := onTerminal(t, tt.terminal, tt.flags...)
		m := v.meter(tt.in)
		m.hide()
		m.show()
		m.stop()
		if m.bar != nil || stderr.Len() > 0 {
			t.Errorf("%s: %q", name, stderr.String())
		}
	}
}
