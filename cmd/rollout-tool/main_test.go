package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the test binary stand in for rollout-tool where a script, or a
// test that needs a process of its own, runs it under that name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"rollout-tool": main})
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

// selfAs returns the path of this test binary under the name of the tool.
func selfAs(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := dir + string(os.PathSeparator) + "rollout-tool"
	if err := os.Symlink(self, path); err != nil {
		t.Skip("the test binary cannot be linked here: ", err)
	}
	return path
}
