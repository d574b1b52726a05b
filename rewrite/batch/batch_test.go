package batch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

const stamp = `"timestamp":"2026-09-01T10:00:00.000Z"`

// session is the text of a small session: n messages, the second one "cut me".
func session(thread string, paginated bool, n int, more string) string {
	var b strings.Builder
	line := func(i int, rest string) {
		b.WriteString("{" + stamp)
		if paginated {
			fmt.Fprintf(&b, `,"ordinal":%d`, i)
		}
		b.WriteString("," + rest + "\n")
	}
	mode := ""
	if paginated {
		mode = `,"history_mode":"paginated"`
	}
	line(0, fmt.Sprintf(`"type":"session_meta","payload":{"id":"%s","timestamp":"2026-09-01T10:00:00.000Z","cwd":"/w","originator":"o","cli_version":"0.150.0","source":"cli","model_provider":"openai"%s%s}}`, thread, mode, more))
	for i := 1; i <= n; i++ {
		text := fmt.Sprintf("message %d", i)
		if i == 2 {
			text = "cut me"
		}
		line(i, fmt.Sprintf(`"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"%s"}]}}`, text))
	}
	return b.String()
}

func threadID(n int) string { return fmt.Sprintf("0199a213-81c0-7800-8aa1-%012x", n) }

// fileName is the name of a rollout of a thread.
func fileName(n int) string { return "rollout-2026-09-01T10-00-00-" + threadID(n) + ".jsonl" }

// cutting drops the message "cut me".
func cutting() rewrite.Operation {
	return rewrite.Each("cutting", func(r *rewrite.Record) rewrite.Edit {
		if c := r.Item().Content(); len(c) > 0 && c[0].Text() == "cut me" {
			return rewrite.Drop("to be cut").Lossy()
		}
		return rewrite.Keep()
	})
}

// growing makes the text of "message 1" longer, once.
func growing() rewrite.Operation {
	return rewrite.Each("growing", func(r *rewrite.Record) rewrite.Edit {
		if c := r.Item().Content(); len(c) > 0 && c[0].Text() == "message 1" {
			return rewrite.Line([]byte(strings.Replace(string(r.Bytes), "message 1", "a much longer message", 1)), "grown")
		}
		return rewrite.Keep()
	})
}

// home makes a Codex home with sessions that have been quiet for a day, and returns their
// folder.
func home(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sessions", "2026", "09", "01")
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func write(t testing.TB, path, text string) {
	t.Helper()
	old := time.Now().Add(-24 * time.Hour).Truncate(time.Second)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o640), os.Chtimes(path, old, old)); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// tree is the content of all files below a folder.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		out[rel] = read(t, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func findBase(near string, id uuid.UUID) (*parse.Source, error) {
	path, err := parse.FindRollout(near, id)
	if err != nil {
		return nil, err
	}
	return parse.Open(path, nil)
}

// run rewrites files and returns their outcomes.
func run(t testing.TB, opt Options, paths ...string) ([]*Outcome, error) {
	t.Helper()
	if opt.Operations == nil {
		opt.Operations = []rewrite.Operation{cutting()}
	}
	if opt.QuietFor == 0 {
		opt.QuietFor = DefaultQuiet
	}
	opt.FindBase = findBase
	var inputs []Input
	for _, p := range paths {
		inputs = append(inputs, Input{Path: p})
	}
	var outs []*Outcome
	err := Run(context.Background(), inputs, opt, func(o *Outcome) error {
		outs = append(outs, o)
		return nil
	})
	for i, o := range outs {
		if o.State != NotTried && i < len(paths) && len(outs) == len(paths) && o.Path != paths[i] {
			t.Errorf("outcome %d is that of %s, want %s", i, o.Path, paths[i])
		}
	}
	return outs, err
}

func wantState(t testing.TB, o *Outcome, want State) {
	t.Helper()
	if o.State != want {
		t.Fatalf("%s is %s (%v), want %s", o.Path, o.State, o.Err, want)
	}
}

func cut(text string) string { return dropLine(text, "cut me") }

func dropLine(text, with string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.Contains(line, with) {
			b.WriteString(line)
		}
	}
	return b.String()
}

func TestDryRunWritesNothing(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text})
	outs, err := run(t, Options{}, filepath.Join(dir, fileName(1)))
	if err != nil {
		t.Fatal(err)
	}
	o := outs[0]
	wantState(t, o, Planned)
	if d := o.Result.Operations[0]; d.Dropped != 1 || o.Result.BytesOut != int64(len(cut(text))) {
		t.Errorf("%+v", o.Result)
	}
	// Rule 25: 9 bytes of text are 3 tokens, the 6 of "cut me" 2.
	if !o.HasTokens || o.TokensBefore != 11 || o.TokensAfter != 9 {
		t.Errorf("tokens %d to %d", o.TokensBefore, o.TokensAfter)
	}
	if got := tree(t, dir); len(got) != 1 || got[fileName(1)] != text {
		t.Errorf("the folder has changed: %v", got)
	}
}

func TestInPlace(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text})
	path := filepath.Join(dir, fileName(1))
	was, _ := os.Stat(path)
	outs, err := run(t, Options{InPlace: true, BackupSuffix: ".bak"}, path)
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, outs[0], Written)
	got := tree(t, dir)
	if len(got) != 2 || got[fileName(1)] != cut(text) || got[fileName(1)+".bak"] != text {
		t.Errorf("%v", got)
	}
	now, _ := os.Stat(path)
	if now.Mode() != was.Mode() || !now.ModTime().Equal(was.ModTime()) {
		t.Errorf("%v %v, want %v %v", now.Mode(), now.ModTime(), was.Mode(), was.ModTime())
	}
	outs, err = run(t, Options{InPlace: true, BackupSuffix: ".bak"}, path)
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, outs[0], Unchanged)
}

func TestInPlaceWithoutBackup(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text})
	if _, err := run(t, Options{InPlace: true}, filepath.Join(dir, fileName(1))); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, dir); len(got) != 1 || got[fileName(1)] != cut(text) {
		t.Errorf("%v", got)
	}
}

func TestThroughLink(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text})
	link := filepath.Join(t.TempDir(), "link.jsonl")
	if err := os.Symlink(filepath.Join(dir, fileName(1)), link); err != nil {
		t.Skip(err)
	}
	outs, err := run(t, Options{InPlace: true}, link)
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, outs[0], Written)
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if read(t, filepath.Join(dir, fileName(1))) != cut(text) {
		t.Error("the file behind the link is as it was")
	}
}

func TestOutput(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text})
	out := filepath.Join(t.TempDir(), "out.jsonl")
	for i, want := range []State{Written, Refused} { // the second time the target exists
		outs, err := run(t, Options{Output: out}, filepath.Join(dir, fileName(1)))
		if err != nil {
			t.Fatal(err)
		}
		wantState(t, outs[0], want)
		if read(t, out) != cut(text) || read(t, filepath.Join(dir, fileName(1))) != text {
			t.Errorf("run %d", i)
		}
	}
}

func TestStdout(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	var b strings.Builder
	outs, err := run(t, Options{Output: "-", Stdout: &b, Stdin: strings.NewReader(text)}, "-")
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, outs[0], Written)
	if b.String() != cut(text) {
		t.Errorf("%q", b.String())
	}
}

func TestOutDir(t *testing.T) {
	text, plain := session(threadID(1), false, 4, ""), session(threadID(2), false, 1, "")
	dir := home(t, map[string]string{fileName(1): text, filepath.Join("sub", fileName(2)): plain})
	out := filepath.Join(t.TempDir(), "out")
	inputs := []Input{{Path: filepath.Join(dir, fileName(1)), Rel: fileName(1)}, {Path: filepath.Join(dir, "sub", fileName(2)), Rel: filepath.Join("sub", fileName(2))}}
	want := map[string]State{inputs[0].Path: Written, inputs[1].Path: Copied}
	err := Run(context.Background(), inputs, Options{Operations: []rewrite.Operation{cutting()}, OutDir: out}, func(o *Outcome) error {
		wantState(t, o, want[o.Path])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := tree(t, out); len(got) != 2 || got[fileName(1)] != cut(text) || got[filepath.Join("sub", fileName(2))] != plain {
		t.Errorf("%v", got)
	}
}

func TestZstd(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := home(t, nil)
	path := filepath.Join(dir, fileName(1)+".zst")
	var b strings.Builder
	z, err := parse.Compress(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	z.Close()
	write(t, path, b.String())
	plain := func(path string) string {
		src, err := parse.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		in, err := src.ReadFrom(0)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if _, err := fmt.Fprint(&out, src.Compressed, " "); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 1<<16)
		for {
			n, err := in.Read(buf)
			out.Write(buf[:n])
			if err != nil {
				return out.String()
			}
		}
	}
	for _, c := range []struct {
		enc        Encoding
		name, want string
	}{
		{AsInput, fileName(1) + ".zst", "true "}, {Plain, fileName(1), "false "}, {Zstd, fileName(1) + ".zst", "true "},
	} {
		out := t.TempDir()
		outs, err := run(t, Options{OutDir: out, Encoding: c.enc}, path)
		if err != nil {
			t.Fatal(err)
		}
		wantState(t, outs[0], Written)
		if got := plain(filepath.Join(out, c.name)); got != c.want+cut(text) {
			t.Errorf("%d: %q", c.enc, got)
		}
	}
	if outs, err := run(t, Options{InPlace: true}, path); err != nil || outs[0].State != Written {
		t.Fatal(outs[0].Err, err)
	}
	if got := plain(path); got != "true "+cut(text) {
		t.Errorf("in place: %q", got)
	}
}

// worse makes a result that validate complains about.
func worse() rewrite.Operation {
	return rewrite.Each("worse", func(r *rewrite.Record) rewrite.Edit {
		if r.Type == parse.RecordSessionMeta {
			return rewrite.Line([]byte(strings.Replace(string(r.Bytes), `"cwd":"/w"`, `"cwd":3`, 1)), "spoilt")
		}
		return rewrite.Keep()
	})
}

func TestResultMayNotBeWorse(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text})
	for name, opt := range map[string]Options{"dry run": {}, "in place": {InPlace: true, BackupSuffix: ".bak"}, "out": {OutDir: t.TempDir()}} {
		opt.Operations = []rewrite.Operation{worse()}
		outs, err := run(t, opt, filepath.Join(dir, fileName(1)))
		if err != nil {
			t.Fatal(err)
		}
		wantState(t, outs[0], Refused)
		if outs[0].Added["R003"] != 1 {
			t.Errorf("%s: new findings %v", name, outs[0].Added)
		}
		if got := tree(t, dir); len(got) != 1 || got[fileName(1)] != text {
			t.Errorf("%s: %v", name, got)
		}
		if opt.OutDir != "" && len(tree(t, opt.OutDir)) > 0 {
			t.Error("a refused result was written")
		}
	}
}

func TestQuarantineAndReport(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text})
	q, rep := filepath.Join(t.TempDir(), "q.jsonl"), filepath.Join(t.TempDir(), "r.jsonl")
	if _, err := run(t, Options{InPlace: true, Quarantine: q, Report: rep}, filepath.Join(dir, fileName(1))); err != nil {
		t.Fatal(err)
	}
	gone := strings.Split(text, "\n")[2]
	want := fmt.Sprintf(`{"path":%q,"line":3,"byte_offset":%d,"operation":"cutting","reason":"to be cut","record":%s}`+"\n",
		filepath.Join(dir, fileName(1)), strings.Index(text, gone), gone)
	if got := read(t, q); got != want {
		t.Errorf("quarantine\n%s\nwant\n%s", got, want)
	}
	got := read(t, rep)
	for _, part := range []string{`"state":"written"`, `"dropped":1`, `"lines":"3"`, `"input_sha256":"`, `"output_sha256":"`, `"findings_removed":{}`} {
		if !strings.Contains(got, part) {
			t.Errorf("the report lacks %s: %s", part, got)
		}
	}
	if strings.Contains(got, "cut me") || strings.Count(got, "\n") != 1 {
		t.Errorf("the report: %s", got)
	}
}

func openFile(t testing.TB, path string) *parse.Source {
	t.Helper()
	src, err := parse.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func TestStrict(t *testing.T) {
	text := session(threadID(1), false, 4, "") + "no JSON\n"
	dir := home(t, map[string]string{fileName(1): text})
	outs, err := run(t, Options{Strict: true, InPlace: true}, filepath.Join(dir, fileName(1)))
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, outs[0], Failed)
	if !strings.Contains(outs[0].Err.Error(), "the first is line 6") || read(t, filepath.Join(dir, fileName(1))) != text {
		t.Error(outs[0].Err)
	}
}

// Without being told to go on, a run ends at the first file that fails; the others are as
// they were.
func TestStopsAtTheFirstFailure(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text, fileName(2): text})
	missing := filepath.Join(dir, "missing.jsonl")
	for _, c := range []struct {
		goOn bool
		want State
	}{{false, NotTried}, {true, Written}} {
		got := NotTried
		err := Run(context.Background(), []Input{{Path: missing}, {Path: filepath.Join(dir, fileName(1))}},
			Options{Operations: []rewrite.Operation{cutting()}, InPlace: true, ContinueOnError: c.goOn, QuietFor: DefaultQuiet}, func(o *Outcome) error {
				if o.Path != missing {
					got = o.State
				} else if o.State != Failed {
					t.Errorf("the missing file is %s", o.State)
				}
				return nil
			})
		if err != nil || got != c.want {
			t.Errorf("continue %v: the other file is %s (%v), want %s", c.goOn, got, err, c.want)
		}
	}
}

func TestInterrupt(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text, fileName(2): text})
	ctx, cancel := context.WithCancel(context.Background())
	var inputs []Input
	for n := 1; n <= 2; n++ {
		inputs = append(inputs, Input{Path: filepath.Join(dir, fileName(n))})
	}
	opt := Options{Operations: []rewrite.Operation{cutting()}, InPlace: true, QuietFor: DefaultQuiet, testHook: func(step, path string) {
		if step == "created" && strings.HasSuffix(path, fileName(2)) {
			cancel()
		}
	}}
	var states []State
	err := Run(ctx, inputs, opt, func(o *Outcome) error { states = append(states, o.State); return nil })
	if !errors.Is(err, context.Canceled) || len(states) != 1 || states[0] != Written {
		t.Errorf("%v, states %v", err, states)
	}
	if got := tree(t, dir); len(got) != 2 || got[fileName(1)] != cut(text) || got[fileName(2)] != text {
		t.Errorf("%v", got)
	}
}
