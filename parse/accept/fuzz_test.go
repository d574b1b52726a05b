package accept

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"
	"unicode/utf8"
)

func FuzzLine(f *testing.F) {
	for _, c := range readVerdicts(f, filepath.Join("testdata", "verdicts.jsonl")) {
		for _, l := range c.Lines {
			if len(l) < 2000 {
				f.Add([]byte(l))
			}
		}
	}
	newest, old := NewChecker(), NewChecker(WithProfile("2026-08-21"))
	f.Fuzz(func(t *testing.T, line []byte) {
		r := newest.Line(line)
		old.Line(line)
		if again := newest.Line(line); again != r {
			t.Errorf("%q: first %+v, then %+v", line, r, again)
		}
		if blank := len(bytes.TrimSpace(line)) == 0; blank != (r.Verdict == Blank) {
			t.Errorf("%q: %v", line, r.Verdict)
		}
		// The standard library is laxer (surrogates, UTF-8, depth), never stricter.
		if !json.Valid(line) && r.Verdict != Err && r.Verdict != Blank {
			t.Errorf("%q: %v, but no JSON", line, r.Verdict)
		}
		if r.InvalidUTF8 != !utf8.Valid(line) {
			t.Errorf("%q: invalid UTF-8: %v", line, r.InvalidUTF8)
		}
		if r.Verdict == Err && (r.Message == "" || r.Offset < 0 || r.Offset > len(line)) {
			t.Errorf("%q: %+v", line, r)
		}
		if r.Verdict != Err && (r.Message != "" || r.Pointer != "") {
			t.Errorf("%q: %+v", line, r)
		}
		// Codex decodes a map without duplicates: adding an ignored member that
		// is overridden changes nothing.
		if r.Verdict == OK {
			dup := bytes.Replace(line, []byte("{"), []byte(`{"zz fuzz":18446744073709551616,"zz fuzz":1,`), 1)
			if json.Valid(dup) {
				if d := newest.Line(dup); d.Verdict != OK {
					t.Errorf("%q: with a duplicate %+v", line, d)
				}
			}
		}
	})
}
