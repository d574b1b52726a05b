package report

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/rollout-tool/rollout-tool/validate"
)

// testCodes is a small registry.
func testCodes() []validate.Code {
	return []validate.Code{
		{ID: "J001", Severity: validate.Error, Title: "no JSON", Meaning: "The line is no JSON.", Codex: "It is skipped.", Fix: "restore it", Op: "repair", Since: 1, Source: "format.md 2.3"},
		{ID: "M001", Severity: validate.Error, Title: "entries", Meaning: "Not aligned.", Codex: "It is skipped.", Fix: "align it", Since: 1, Source: "rule 9"},
		{ID: "B001", Severity: validate.Info, Title: "big", Meaning: "Big.", Codex: "It is read.", Since: 1, Op: "slim", Source: "x", Preview: true},
		{ID: "F001", Severity: validate.Warning, Title: "name", Meaning: "The name.", Codex: "It is not listed.", Since: 1, Source: "format.md 1.2"},
	}
}

// step is a file of a run with its findings.
type step struct {
	path  string
	found []Finding
	file  validate.File
	err   error
	hide  int
}

// sample has a broken file, a clean one, one that cannot be read, and one with an
// expected finding.
func sample() []step {
	return []step{
		{
			path: "a dir/x,y.jsonl",
			found: []Finding{
				{
					Finding: validate.Finding{
						Code: "M001", Message: "3 entries for 4 history items", Line: 7, Offset: 1234, Pointer: "/payload/replacement_history_metadata",
						Ordinal: 18446744073709551615, HasOrdinal: true, Key: 0xabc,
					},
					Severity: validate.Error, Fails: true, Excerpt: "[{\"a\":1},\x1b[31m\n]", Length: 17,
				},
				{
					Finding:  validate.Finding{Code: "J001", Message: "100% wrong:\na <b> & \"c\", d", Line: 9, Offset: 2000, Key: 0xdef, Fix: "drop line 9"},
					Severity: validate.Error, Fails: true,
				},
				{
					Finding:  validate.Finding{Code: "B001", Message: "12 MB", Line: 9, Offset: 2000, Key: 0xdef},
					Severity: validate.Info, Preview: true,
				},
				{Finding: validate.Finding{Code: "F001", Message: "no rollout name"}, Severity: validate.Warning},
			},
			file: validate.File{
				SHA256: "0000000000000000000000000000000000000000000000000000000000000001", Bytes: 4000, Lines: 12, Generation: "6",
				HistoryMode: "paginated", Loadable: validate.LoadsWithLoss, Rejected: []int{7, 9}, Checkpoints: []int{3},
			},
			hide: 2,
		},
		{path: "clean.jsonl", file: validate.File{Bytes: 10, Lines: 1, Generation: "any", HistoryMode: "legacy", Loadable: validate.Loads}},
		{path: "gone.jsonl", err: errors.New("open gone.jsonl: no such file")},
		{
			path: "expected.jsonl",
			found: []Finding{
				{Finding: validate.Finding{Code: "M001", Message: "broken on purpose", Line: 1, Key: 1}, Severity: validate.Error, Expected: true},
			},
			file: validate.File{Bytes: 10, Lines: 1, Generation: "6", HistoryMode: "legacy", Loadable: validate.DoesNotLoad, Why: "no session_meta is accepted"},
		},
	}
}

// play runs reporters over steps.
func play(t testing.TB, steps []step, reporters ...Reporter) Totals {
	t.Helper()
	r := NewRun(reporters...)
	do := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range steps {
		do(r.Begin(s.path))
		for _, f := range s.found {
			do(r.Finding(f))
		}
		s.file.Path = s.path
		do(r.End(File{File: s.file, Err: s.err, Hidden: s.hide}))
	}
	do(r.Close())
	return r.Totals()
}

// render is what a format makes of steps.
func render(t testing.TB, format string, opt Options, steps []step) string {
	t.Helper()
	f, err := FormatOf(format)
	if err != nil {
		t.Fatal(err)
	}
	opt.Codes, opt.Version = testCodes(), "1.2.3"
	var b bytes.Buffer
	play(t, steps, f.New(&b, opt))
	return b.String()
}

// failing is a writer that is full from the start.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
