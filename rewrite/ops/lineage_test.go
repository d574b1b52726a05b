package ops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/rewrite/batch"
	"github.com/rollout-tool/rollout-tool/validate"
)

const familyName = "rollout-2026-10-14T09-12-04-%s.jsonl"

func familyID(n int) string { return fmt.Sprintf("01a139ae-df16-7098-9add-00000000000%d", n) }

// family writes three generations of forks and a revert, made of the demo session. The
// first file has a ghost snapshot in the place of an output, so that some operations take
// out a record of it and others add one; the others take over a part of one before and go
// on with records of the session.
func family(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "demo", "rollout.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	records := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
	records[len(records)-1] += "\n"
	dir := filepath.Join(t.TempDir(), "sessions", "2026", "10", "14")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(n int, lines []string) []string {
		path := filepath.Join(dir, fmt.Sprintf(familyName, familyID(n)))
		old := time.Now().Add(-time.Hour)
		if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		return lines
	}
	// fork takes over the first n lines of a file, of which the first has ordinal first.
	fork := func(n, of, take, first int, lines []string, from int) []string {
		end := first + take
		meta := strings.Replace(records[0], `"ordinal":0`, fmt.Sprintf(`"ordinal":%d`, end), 1)
		meta = strings.Replace(meta, `"history_mode"`, fmt.Sprintf(`"history_base":{"thread_id":"%s","end_ordinal_exclusive":%d,"end_byte_offset":%d},"history_mode"`,
			familyID(of), end, len(strings.Join(lines[:take], ""))), 1)
		out := []string{strings.ReplaceAll(meta, `"id":"01a139ae-df16-7098-9add-6c886611494a"`, `"id":"`+familyID(n)+`"`)}
		for i, r := range records[from:] {
			out = append(out, strings.Replace(r, fmt.Sprintf(`"ordinal":%d`, from+i), fmt.Sprintf(`"ordinal":%d`, end+1+i), 1))
		}
		return put(n, out)
	}
	first := append([]string{strings.ReplaceAll(records[0], `"id":"01a139ae-df16-7098-9add-6c886611494a"`, `"id":"`+familyID(1)+`"`)}, records[1:]...)
	first[17] = `{"timestamp":"2026-10-14T09:12:08.000Z","ordinal":17,"type":"response_item","payload":{"type":"ghost_snapshot","ghost_commit":{"id":"a","parent":null,"preexisting_untracked_files":[],"preexisting_untracked_dirs":[]}}}` + "\n"
	one := put(1, first)
	two := fork(2, 1, 26, 0, one, 26)
	fork(3, 2, 1+80-26, 26, two, 80)
	fork(4, 1, 26, 0, one, 26)
	return dir
}

// After every operation on a lineage all history_base values land on a line boundary and
// name the right ordinal, or the run was refused.
func TestLineageAfterEveryOperation(t *testing.T) {
	find := func(near string, id uuid.UUID) (*parse.Source, error) {
		path, err := parse.FindRollout(near, id)
		if err != nil {
			return nil, err
		}
		return parse.Open(path, nil)
	}
	findings := func(t *testing.T, dir string) []string {
		var out []string
		files, _, err := parse.Find([]string{dir})
		if err != nil || len(files) != 4 {
			t.Fatalf("%q, %v", files, err)
		}
		v := validate.New(validate.Options{Workers: 1, FindBase: find})
		for _, f := range files {
			src, err := parse.Open(f, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := v.File(src, func(x validate.Finding) {
				if x.Code[0] == 'O' {
					out = append(out, fmt.Sprintf("%s:%d %s %s", filepath.Base(f), x.Line, x.Code, x.Message))
				}
			}); err != nil {
				t.Fatal(err)
			}
			src.Close()
		}
		return out
	}
	if bad := findings(t, family(t)); len(bad) > 0 {
		t.Fatalf("the lineage itself: %q", bad)
	}
	for _, info := range Registry() {
		for _, mode := range []string{"in place", "to a folder", "offsets kept"} {
			t.Run(info.Name+" "+mode, func(t *testing.T) {
				t.Parallel()
				dir := family(t)
				files, _, err := parse.Find([]string{dir})
				if err != nil {
					t.Fatal(err)
				}
				var inputs []batch.Input
				for _, f := range files {
					inputs = append(inputs, batch.Input{Path: f})
				}
				opt := batch.Options{
					Operations: []rewrite.Operation{operation(t, info.Name, typical[info.Name]...)}, FindBase: find, QuietFor: time.Minute,
					ContinueOnError: true,
				}
				result := dir
				switch mode {
				case "to a folder":
					opt.OutDir = filepath.Join(t.TempDir(), "sessions")
					result = opt.OutDir
				case "offsets kept":
					opt.PreserveOffsets = true
					fallthrough
				default:
					opt.InPlace, opt.Journal = true, filepath.Join(t.TempDir(), "journal")
				}
				states := map[batch.State]int{}
				err = batch.Run(context.Background(), inputs, opt, func(o *batch.Outcome) error {
					states[o.State]++
					if o.Err != nil {
						t.Log(o.Err)
					}
					if o.State == batch.Failed {
						t.Error(o.Err)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				if states[batch.Refused] > 0 && mode == "to a folder" {
					return // nothing was written
				}
				if bad := findings(t, result); len(bad) > 0 {
					t.Errorf("%q", bad)
				}
				t.Log(states)
			})
		}
	}
}
