package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/itchyny/gojq"
	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rollout-tool/rollout-tool/internal/textfmt"
)

// TestScripts runs testdata/script. The folder demo of a script is a copy of
// fixtures/demo. Commands besides testscript's own:
//
//	code N PROG ARG...      runs PROG and wants exit code N
//	write FILE TEXT         writes TEXT, in which Go's escapes count (\n, \x00, \u00a0)
//	big FILE BYTES          writes a record of that many bytes and a small one
//	zstd FILE...            FILE.zst from each FILE
//	holds [-s] FILE JQ      the JSON in FILE (-s: its lines, as a list) makes JQ true
//	width N FILE            no line of FILE takes more than N cells, nor ends in a space
//	same FILE FILE          byte for byte
//	head BYTES FILE OUT     the first bytes of FILE into OUT
//	empty DIR               no file is left in DIR
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv(raceOptions, os.Getenv(raceOptions))
			return os.CopyFS(filepath.Join(e.WorkDir, "demo"), os.DirFS(filepath.Join("..", "..", "fixtures", "demo")))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": scriptCode, "write": scriptWrite, "big": scriptBig, "zstd": scriptZstd,
			"holds": scriptHolds, "width": scriptWidth, "same": scriptSame,
			"head": scriptHead, "empty": scriptEmpty,
		},
	})
}

func wantArgs(ts *testscript.TestScript, neg bool, args []string, least int, usage string) {
	if neg || len(args) < least {
		ts.Fatalf("usage: %s", usage)
	}
}

func scriptCode(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 2, "code N PROG ARG...")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func scriptWrite(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 2, "write FILE TEXT")
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(args[1], `"`, `\"`) + `"`)
	ts.Check(err)
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[0])), 0o777))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

func scriptBig(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 2, "big FILE BYTES")
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	var b bytes.Buffer
	b.WriteString(userLine("X"))
	pad := n - b.Len()
	out := bytes.Replace(b.Bytes(), []byte("X"), bytes.Repeat([]byte("x"), pad+1), 1)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), append(out, userLine("small")...), 0o666))
}

// userLine is a line with a user's message.
func userLine(text string) string {
	return `{"timestamp":"2026-11-02T09:00:00.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"` + text + `"}]}}` + "\n"
}

func scriptZstd(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 1, "zstd FILE...")
	enc, err := zstd.NewWriter(nil)
	ts.Check(err)
	for _, file := range args {
		ts.Check(os.WriteFile(ts.MkAbs(file+".zst"), enc.EncodeAll([]byte(ts.ReadFile(file)), nil), 0o666))
	}
	ts.Check(enc.Close())
}

func scriptHolds(ts *testscript.TestScript, neg bool, args []string) {
	list := len(args) > 0 && args[0] == "-s"
	if list {
		args = args[1:]
	}
	wantArgs(ts, false, args, 2, "holds [-s] FILE JQ")
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	dec.UseNumber()
	var values []any
	for dec.More() {
		var v any
		ts.Check(dec.Decode(&v))
		values = append(values, v)
	}
	var in any = values
	if !list {
		if len(values) != 1 {
			ts.Fatalf("%d JSON values where one is wanted", len(values))
		}
		in = values[0]
	}
	query, err := gojq.Parse(args[1])
	ts.Check(err)
	got, ok := query.Run(in).Next()
	if err, bad := got.(error); bad {
		ts.Fatalf("%s: %v", args[1], err)
	}
	if (ok && got == true) == neg {
		ts.Fatalf("%s gives %v", args[1], got)
	}
}

func scriptWidth(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 2, "width N FILE")
	most, err := strconv.Atoi(args[0])
	ts.Check(err)
	for i, line := range strings.Split(strings.TrimSuffix(ts.ReadFile(args[1]), "\n"), "\n") {
		line = paints.ReplaceAllString(line, "")
		if w := textfmt.Width(line); w > most {
			ts.Fatalf("line %d takes %d cells, at most %d are wanted: %s", i+1, w, most, line)
		}
		if strings.TrimRight(line, " ") != line {
			ts.Fatalf("line %d ends in spaces: %q", i+1, line)
		}
	}
}

var paints = regexp.MustCompile("\x1b\\[[0-9;]*m")

func scriptSame(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 2, "same FILE FILE")
	a, b := ts.ReadFile(args[0]), ts.ReadFile(args[1])
	if a == b {
		return
	}
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	ts.Fatalf("%s", fmt.Sprintf("%s (%d bytes) and %s (%d bytes) differ at byte %d", args[0], len(a), args[1], len(b), at))
}

func scriptHead(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 3, "head BYTES FILE OUT")
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	text := ts.ReadFile(args[1])
	if len(text) <= n {
		ts.Fatalf("%s has %d bytes only", args[1], len(text))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(text[:n]), 0o666))
}

func scriptEmpty(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, neg, args, 1, "empty DIR")
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, e := range entries {
		ts.Fatalf("%s is left", e.Name())
	}
}
