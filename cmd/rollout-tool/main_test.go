package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the test binary stand in for rollout-tool where a script, or a
// test that needs a process of its own, runs it under that name.
func TestMain(m *testing.M) {
	// A program under the race detector waits a second before it ends, each of the
	// hundreds that the scripts run.
	if os.Getenv(raceOptions) == "" {
		os.Setenv(raceOptions, "atexit_sleep_ms=10")
	}
	testscript.Main(m, map[string]func(){"rollout-tool": main, peakName: peakMain})
}

// raceOptions is the environment variable that the race detector reads.
const raceOptions = "GORACE"

// peakName is the name under which the test binary also says, in the file that
// PEAK_FILE names, how much memory it has used.
const peakName = "rollout-tool-peak"

func peakMain() {
	ignoreBrokenPipe()
	code := newApp().run(os.Args[1:])
	// A process counts its parent's memory as its own until it has started; only
	// Linux' own figure begins with the program.
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		os.WriteFile(os.Getenv("PEAK_FILE"), status, 0o666)
	}
	os.Exit(code)
}

// result is what one run of the command line left behind.
type result struct {
	code           int
	stdout, stderr string
}

// runTool runs the command line in this process.
func runTool(stdin io.Reader, args ...string) result {
	var stdout, stderr bytes.Buffer
	a := &app{stdin: stdin, stdout: bufio.NewWriter(&stdout), stderr: &stderr, getenv: func(string) string { return "" }}
	code := a.run(args)
	return result{code, stdout.String(), stderr.String()}
}

// selfAs returns the path of this test binary under another name.
func selfAs(t *testing.T, dir, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if err := os.Symlink(self, path); err != nil {
		t.Skip("the test binary cannot be linked here: ", err)
	}
	return path
}
