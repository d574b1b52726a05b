package batch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/atomicfile"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/validate"
)

// base is the member history_base of a session_meta.
func base(n int, endOrdinal int, endOffset int64) string {
	return fmt.Sprintf(`,"history_base":{"thread_id":"%s","end_ordinal_exclusive":%d,"end_byte_offset":%d}`, threadID(n), endOrdinal, endOffset)
}

// forkOf is a paginated file that inherits the first n lines of a base.
func forkOf(t testing.TB, baseText string, baseNumber, n, number, messages int) string {
	t.Helper()
	lines := strings.SplitAfter(baseText, "\n")
	first := uint64(0)
	if _, err := fmt.Sscanf(lines[0][strings.Index(lines[0], `"ordinal":`):], `"ordinal":%d`, &first); err != nil {
		t.Fatal(err)
	}
	end := int(first) + n
	text := session(threadID(number), true, messages, base(baseNumber, end, int64(len(strings.Join(lines[:n], "")))))
	var b strings.Builder
	for i, line := range strings.SplitAfter(text, "\n") {
		b.WriteString(strings.Replace(line, fmt.Sprintf(`"ordinal":%d`, i), fmt.Sprintf(`"ordinal":%d`, end+i), 1))
	}
	return b.String()
}

// family is a base, a fork of it, a fork of the fork and a revert (a second fork of the base).
func family(t testing.TB) map[string]string {
	t.Helper()
	one := session(threadID(1), true, 6, "")
	two := forkOf(t, one, 1, 5, 2, 4)
	three := forkOf(t, two, 2, 4, 3, 3)
	revert := forkOf(t, one, 1, 2, 4, 2)
	return map[string]string{fileName(1): one, fileName(2): two, fileName(3): three, fileName(4): revert}
}

// lineageFindings are the O findings of all files of a folder.
func lineageFindings(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	v := validate.New(validate.Options{Workers: 1, FindBase: findBase})
	for name := range tree(t, dir) {
		src := openFile(t, filepath.Join(dir, name))
		_, err := v.File(src, func(f validate.Finding) {
			if f.Code[0] == 'O' {
				out = append(out, name+" "+f.Code+" "+f.Message)
			}
		})
		src.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func paths(dir string, names ...int) []string {
	var out []string
	for _, n := range names {
		out = append(out, filepath.Join(dir, fileName(n)))
	}
	return out
}

func TestFamilyIsSound(t *testing.T) {
	if bad := lineageFindings(t, home(t, family(t))); len(bad) > 0 {
		t.Errorf("the test's own files: %q", bad)
	}
}

// The whole tree in one run: bases and what points into them move together.
func TestLineageInPlace(t *testing.T) {
	dir := home(t, family(t))
	journal := filepath.Join(t.TempDir(), "journal")
	outs, err := run(t, Options{InPlace: true, Journal: journal, Operations: []rewrite.Operation{cutting(), growing(), adding("message 3")}}, paths(dir, 4, 2, 3, 1)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outs {
		wantState(t, o, Written)
	}
	if bad := lineageFindings(t, dir); len(bad) > 0 {
		t.Errorf("%q", bad)
	}
	for name, text := range tree(t, dir) {
		if strings.Contains(text, "cut me") || !strings.Contains(text, "a much longer message") {
			t.Errorf("%s was not rewritten", name)
		}
	}
}

// adding puts a record behind a message.
func adding(text string) rewrite.Operation {
	return rewrite.Each("adding", func(r *rewrite.Record) rewrite.Edit {
		if c := r.Item().Content(); len(c) > 0 && c[0].Text() == text {
			return rewrite.Keep().After("added", []byte("{"+stamp+`,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"added"}]}}`))
		}
		return rewrite.Keep()
	})
}

func TestLineageToFolder(t *testing.T) {
	dir := home(t, family(t))
	out := filepath.Join(t.TempDir(), "sessions")
	outs, err := run(t, Options{OutDir: out, Operations: []rewrite.Operation{cutting(), adding("message 3")}}, paths(dir, 1, 2, 3, 4)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outs {
		wantState(t, o, Written)
	}
	if bad := lineageFindings(t, out); len(bad) > 0 {
		t.Errorf("%q", bad)
	}
	if got := tree(t, dir); len(got) != 4 || got[fileName(1)] != family(t)[fileName(1)] {
		t.Error("the input has changed")
	}
}

func TestPinned(t *testing.T) {
	for name, c := range map[string]struct {
		opt   Options
		files []int
		db    bool
		want  State
		says  string
	}{
		"a fork is left out":       {Options{InPlace: true}, []int{1, 2, 3}, false, Refused, "starts in this file"},
		"without a journal":        {Options{InPlace: true}, []int{1, 2, 3, 4}, false, Refused, "--journal"},
		"a database knows offsets": {Options{InPlace: true}, []int{3}, true, Refused, "thread_history_1.sqlite"},
		"nobody points into it":    {Options{InPlace: true}, []int{3}, false, Written, ""},
		"offsets stay":             {Options{InPlace: true, PreserveOffsets: true}, []int{1}, true, Written, ""},
		"to a new file":            {Options{Output: filepath.Join(t.TempDir(), "out.jsonl")}, []int{1}, true, Written, ""},
		"a dry run shows the plan": {Options{}, []int{1}, true, Planned, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := home(t, family(t))
			if c.db {
				write(t, filepath.Join(dir, "..", "..", "..", "..", "thread_history_1.sqlite"), "")
			}
			outs, err := run(t, c.opt, paths(dir, c.files...)...)
			if err != nil {
				t.Fatal(err)
			}
			wantState(t, outs[0], c.want)
			if c.says != "" && !strings.Contains(outs[0].Err.Error(), c.says) {
				t.Errorf("%v, want %q in it", outs[0].Err, c.says)
			}
			if bad := lineageFindings(t, dir); len(bad) > 0 {
				t.Errorf("%q", bad)
			}
		})
	}
}

// A base that a fork enters in the middle of a line cannot be moved.
func TestBaseInsideALine(t *testing.T) {
	files := family(t)
	files[fileName(4)] = strings.Replace(files[fileName(4)], `"end_byte_offset":`, `"end_byte_offset":1`, 1)
	dir := home(t, files)
	before := tree(t, dir)
	outs, err := run(t, Options{InPlace: true, Journal: filepath.Join(t.TempDir(), "j")}, paths(dir, 1, 2, 3, 4)...)
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, outs[0], Refused)
	if !strings.Contains(outs[0].Err.Error(), "no line boundary") {
		t.Error(outs[0].Err)
	}
	for name, text := range tree(t, dir) {
		if before[name] != text {
			t.Errorf("%s has changed", name)
		}
	}
}

func TestBaseCircle(t *testing.T) {
	one := session(threadID(1), true, 3, base(2, 0, 10))
	two := session(threadID(2), true, 3, base(1, 0, 10))
	dir := home(t, map[string]string{fileName(1): one, fileName(2): two})
	outs, err := run(t, Options{InPlace: true, Journal: filepath.Join(t.TempDir(), "j")}, paths(dir, 1, 2)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outs {
		if o.State == Written {
			t.Errorf("%s was written", o.Path)
		}
	}
}

func TestLive(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	fresh := func(t *testing.T, dir string) string {
		path := filepath.Join(dir, fileName(1))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil { // now
			t.Fatal(err)
		}
		return path
	}
	t.Run("just changed", func(t *testing.T) {
		path := fresh(t, home(t, map[string]string{fileName(1): text}))
		outs, _ := run(t, Options{InPlace: true}, path)
		wantState(t, outs[0], Refused)
		if r := outs[0].Refusal(); !strings.Contains(r.Reason, "may be running") || !strings.Contains(r.Advice, "--quiet-for") {
			t.Error(r)
		}
		outs, _ = run(t, Options{InPlace: true, AllowLive: true}, path)
		wantState(t, outs[0], Written)
	})
	t.Run("outside a sessions tree", func(t *testing.T) {
		outs, _ := run(t, Options{InPlace: true}, fresh(t, t.TempDir()))
		wantState(t, outs[0], Written)
	})
	t.Run("locked", func(t *testing.T) {
		dir := home(t, map[string]string{fileName(1): text})
		path := filepath.Join(dir, fileName(1))
		// A lock of another open file is that of another process.
		if err := os.Link(path, atomicfile.TempName(filepath.Join(dir, "x"))); err != nil {
			t.Skip(err)
		}
		f, err := atomicfile.Create(filepath.Join(dir, "x"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Discard()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		write(t, path+".touch", "")
		info, _ := os.Stat(path + ".touch")
		if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		outs, _ := run(t, Options{InPlace: true}, path)
		wantState(t, outs[0], Refused)
		if !strings.Contains(outs[0].Err.Error(), "lock") {
			t.Error(outs[0].Err)
		}
	})
}

// A file that changes while it is rewritten is left alone.
func TestChangedMeanwhile(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	for _, at := range []string{"created", "written"} {
		dir := home(t, map[string]string{fileName(1): text})
		path := filepath.Join(dir, fileName(1))
		outs, err := run(t, Options{InPlace: true, testHook: func(step, p string) {
			if step == at {
				f, err := os.OpenFile(p, os.O_APPEND|os.O_WRONLY, 0)
				if err != nil {
					t.Error(err)
					return
				}
				f.WriteString("{}\n")
				f.Close()
			}
		}}, path)
		if err != nil {
			t.Fatal(err)
		}
		wantState(t, outs[0], Refused)
		if got := tree(t, dir); len(got) != 1 || got[fileName(1)] != text+"{}\n" {
			t.Errorf("%s: %v", at, got)
		}
	}
}
