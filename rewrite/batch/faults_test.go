package batch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/rewrite"
)

// Reports and the like never go into a session.
func TestSideFiles(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text, fileName(2): text})
	input, other := filepath.Join(dir, fileName(1)), filepath.Join(dir, fileName(2))
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(input, link); err != nil {
		t.Skip(err)
	}
	free := filepath.Join(t.TempDir(), "free")
	for name, opt := range map[string]Options{
		"report is the input":           {Report: input},
		"report is a link to the input": {Report: link},
		"quarantine is the input":       {InPlace: true, Quarantine: input},
		"journal is the input":          {InPlace: true, Journal: input},
		"report is another session":     {Report: other},
		"quarantine is another session": {InPlace: true, Quarantine: other},
		"two in one":                    {InPlace: true, Quarantine: free, Report: free},
		"the target":                    {Output: free, Report: free},
	} {
		if _, err := run(t, opt, input); !errors.Is(err, ErrSideFile) {
			t.Errorf("%s: %v, want %v", name, err, ErrSideFile)
		}
	}
	if _, err := run(t, Options{InPlace: true, Journal: other}, input); !errors.Is(err, ErrJournal) {
		t.Errorf("another session as journal: %v", err)
	}
	if got := tree(t, dir); len(got) != 2 || got[fileName(1)] != text || got[fileName(2)] != text {
		t.Errorf("%v", got)
	}
}

// The rules are about the file that a link leads to.
func TestLiveThroughLink(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text})
	path, link := filepath.Join(dir, fileName(1)), filepath.Join(t.TempDir(), "link.jsonl")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil { // now
		t.Fatal(err)
	}
	outs, err := run(t, Options{InPlace: true}, link)
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, outs[0], Refused)
}

func TestHardLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the number of names is not told there")
	}
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text})
	path := filepath.Join(dir, fileName(1))
	if err := os.Link(path, filepath.Join(t.TempDir(), "second.jsonl")); err != nil {
		t.Skip(err)
	}
	outs, err := run(t, Options{InPlace: true}, path)
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, outs[0], Refused)
	if !strings.Contains(outs[0].Err.Error(), "2 names") {
		t.Error(outs[0].Err)
	}
	// The second name is the backup that a killed run has left.
	path = filepath.Join(home(t, map[string]string{fileName(1): text}), fileName(1))
	if err := os.Link(path, path+".bak"); err != nil {
		t.Fatal(err)
	}
	outs, err = run(t, Options{InPlace: true, BackupSuffix: ".bak"}, path)
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, outs[0], Written)
}

// The journal is believed as far as what it names is there.
func TestJournalAndWhatIsThere(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text})
	path, out := filepath.Join(dir, fileName(1)), filepath.Join(t.TempDir(), "out.jsonl")
	toFile := Options{Output: out, Journal: filepath.Join(t.TempDir(), "journal")}
	inPlace := Options{InPlace: true, Journal: filepath.Join(t.TempDir(), "journal")}
	step := func(opt Options, want State) {
		t.Helper()
		outs, err := run(t, opt, path)
		if err != nil {
			t.Fatal(err)
		}
		wantState(t, outs[0], want)
	}
	step(toFile, Written)
	step(toFile, Done)
	os.Remove(out)
	step(toFile, Written) // it is gone: made again
	write(t, out, "something else\n")
	step(toFile, Refused)

	step(inPlace, Written)
	step(inPlace, Done)
	write(t, path, text) // put back
	step(inPlace, Written)
	write(t, path, session(threadID(1), false, 9, ""))
	step(inPlace, Refused)
}

// Names that are no UTF-8 are told apart.
func TestJournalOfOddNames(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := t.TempDir()
	var inputs []Input
	for _, name := range []string{"x\xff.jsonl", "x\xfe.jsonl"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Skip(err)
		}
		inputs = append(inputs, Input{Path: path})
	}
	opt := Options{Operations: []rewrite.Operation{stepping{}}, InPlace: true, Journal: filepath.Join(t.TempDir(), "journal"), Report: filepath.Join(t.TempDir(), "report")}
	for _, want := range []State{Written, Done} {
		err := Run(context.Background(), inputs, opt, func(o *Outcome) error {
			wantState(t, o, want)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, opt.Report); strings.Count(got, `"path":{"base64":`) != 4 {
		t.Errorf("the report: %s", got)
	}
}

// A compressed stream that breaks off is said, and taken for ended only by who salvages.
func TestBrokenStream(t *testing.T) {
	whole := compressed(t, session(threadID(1), false, 4000, "")) // several blocks
	for name, stored := range map[string]string{"cut off": whole[:len(whole)-9], "junk behind": whole + "junk"} {
		path := filepath.Join(home(t, map[string]string{fileName(1) + ".zst": stored}), fileName(1)+".zst")
		outs, err := run(t, Options{InPlace: true}, path)
		if err != nil {
			t.Fatal(err)
		}
		wantState(t, outs[0], Failed)
		if read(t, path) != stored {
			t.Errorf("%s: the file has changed", name)
		}
		outs, err = run(t, Options{InPlace: true, Salvage: true}, path)
		if err != nil {
			t.Fatal(err)
		}
		wantState(t, outs[0], Written)
		if outs[0].Result.BrokenOff == nil {
			t.Errorf("%s: nothing is said", name)
		}
		if outs, err = run(t, Options{InPlace: true}, path); err != nil || outs[0].State != Unchanged {
			t.Errorf("%s: afterwards %s (%v, %v)", name, outs[0].State, outs[0].Err, err)
		}
	}
}

// A dry run in place asks the same questions.
func TestDryRunInPlace(t *testing.T) {
	text := session(threadID(1), false, 4, "")
	dir := home(t, map[string]string{fileName(1): text, fileName(1) + ".bak": "x"})
	outs, err := run(t, Options{InPlace: true, Dry: true, BackupSuffix: ".bak"}, filepath.Join(dir, fileName(1)))
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, outs[0], Refused)
	outs, err = run(t, Options{InPlace: true, Dry: true}, filepath.Join(dir, fileName(1)))
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, outs[0], Planned)
	if got := tree(t, dir); len(got) != 2 || got[fileName(1)] != text {
		t.Errorf("%v", got)
	}
}
