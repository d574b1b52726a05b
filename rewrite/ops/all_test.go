package ops

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/validate"
)

// typical are options with which an operation can be made, for those that need some.
var typical = map[string][]string{
	"trim":    {"context-window", "2000"},
	"compact": {"summary", "what was done so far"},
}

// everyFile calls do with the rollouts that the project ships.
func everyFile(t *testing.T, do func(t *testing.T, name, text string, opt rewrite.Options)) {
	t.Helper()
	root := filepath.Join("..", "..", "fixtures")
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") || strings.Contains(path, "captures") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n++; bytes.HasPrefix(text, []byte("\x28\xb5\x2f\xfd")) {
			return nil // compressed
		}
		if testing.Short() && n%25 != 0 {
			return nil
		}
		rel, _ := filepath.Rel(root, path)
		do(t, filepath.ToSlash(rel), string(text), rewrite.Options{FindBase: func(id uuid.UUID) (*parse.Source, error) {
			base, err := parse.FindRollout(path, id)
			if err != nil {
				return nil, err
			}
			return parse.Open(base, nil)
		}})
		return nil
	})
	if err != nil || n < 100 {
		t.Fatalf("%d files, %v", n, err)
	}
}

// What holds for every operation on every file that it does not refuse: twice is once,
// no error and no warning is new, lines that were not edited keep their bytes, the edits
// add up to the difference, sidecars stay aligned.
func TestEveryOperation(t *testing.T) {
	registry := validate.NewRegistry()
	for _, info := range Registry() {
		t.Run(info.Name, func(t *testing.T) {
			t.Parallel()
			op := operation(t, info.Name, typical[info.Name]...)
			refused, edited := 0, 0
			everyFile(t, func(t *testing.T, name, text string, opt rewrite.Options) {
				out, res, err := run(t, text, opt, op)
				if err != nil {
					if !refusal(err) {
						t.Errorf("%s: %v", name, err)
					}
					refused++
					return
				}
				if res.Edits() == 0 {
					if out != text {
						t.Errorf("%s: no edit, another text", name)
					}
					return
				}
				edited++
				checkLines(t, name, text, out, res)
				if !info.Step {
					again, res, err := run(t, out, opt, op)
					if err != nil || again != out || res.Edits() > 0 {
						t.Errorf("%s: %d edits the second time (%v)", name, res.Edits(), err)
					}
				}
				if info.Step && !sound(name) {
					return // it copies what is wrong, and is refused for it when files are written
				}
				before, after := codes(t, text), codes(t, out)
				for c, n := range after {
					if n > before[c] && registry[c].Severity != validate.Info && !(info.Step && c == "C021") { // small sessions gain nothing
						t.Errorf("%s: %s %d times, was %d", name, c, n, before[c])
					}
				}
				checkSidecars(t, name, text, out)
			})
			if edited == 0 && !testing.Short() { // which takes a sample
				t.Errorf("nothing was edited in any file")
			}
			t.Logf("%d files edited, %d refused", edited, refused)
		})
	}
}

// sound reports whether the file is a session without a flaw.
func sound(name string) bool {
	return strings.HasPrefix(name, "scenarios/") || strings.HasPrefix(name, "demo/fork/") || name == "demo/rollout.jsonl"
}

// refusal reports whether a file was refused, or its base cannot be read: operations that
// replay want all of a history.
func refusal(err error) bool {
	return rewrite.AsRefusal(err) != nil || strings.Contains(err.Error(), "history_base")
}

// checkLines wants the lines of the result that are none of the input's to be at most as
// many as the edits allow, and the edits of records to add up to the difference.
func checkLines(t *testing.T, name, text, out string, res rewrite.Result) {
	t.Helper()
	old := map[string]int{}
	for line := range strings.Lines(text) {
		old[strings.TrimSuffix(line, "\n")]++
	}
	fresh := 0
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if old[line] == 0 {
			fresh++
			continue
		}
		old[line]--
	}
	may := 0
	for _, d := range res.Operations {
		may += d.Changed + d.Dropped + d.Added // a dropped record may leave a filler
	}
	if paginated := strings.Contains(text, `"paginated"`); fresh > may && !(paginated && hasAdded(res)) {
		t.Errorf("%s: %d lines are new, %d were edited", name, fresh, may)
	}
}

// hasAdded reports whether a record was added, which moves the ordinals behind it.
func hasAdded(res rewrite.Result) bool {
	for _, d := range res.Operations {
		if d.Added > 0 {
			return true
		}
	}
	return false
}

// checkSidecars wants every checkpoint whose sidecar fitted to have one that fits.
func checkSidecars(t *testing.T, name, text, out string) {
	t.Helper()
	if misaligned(text) > 0 {
		return
	}
	if n := misaligned(out); n > 0 {
		t.Errorf("%s: %d checkpoints have a sidecar that does not fit any more", name, n)
	}
}

func misaligned(text string) int {
	bad := 0
	for line := range strings.Lines(text) {
		rec, err := parse.ViewRecord(parse.Line{Bytes: []byte(strings.TrimSuffix(line, "\n"))})
		if err != nil || rec.Type != parse.RecordCompacted {
			continue
		}
		f := rec.Fields()
		metas, ok := jsonraw.SplitArray(f.Get("replacement_history_metadata"))
		if items, _ := jsonraw.SplitArray(f.Get("replacement_history")); ok && len(items) != len(metas) {
			bad++
		}
	}
	return bad
}

// With offsets to be preserved every line stays where it is, or the file is refused.
func TestEveryOperationPreservesOffsets(t *testing.T) {
	for _, info := range Registry() {
		t.Run(info.Name, func(t *testing.T) {
			t.Parallel()
			op := operation(t, info.Name, typical[info.Name]...)
			nth := 0
			everyFile(t, func(t *testing.T, name, text string, opt rewrite.Options) {
				if nth++; nth%3 != 0 && !sound(name) {
					return // the engine does this, whatever the operation: a part will do
				}
				opt.PreserveOffsets = true
				out, res, err := run(t, text, opt, op)
				if err != nil {
					if !refusal(err) {
						t.Errorf("%s: %v", name, err)
					}
					return
				}
				if len(out) == len(text)+1 {
					out = strings.TrimSuffix(out, "\n") // the newline that the last line lacked
				}
				was, now := strings.SplitAfter(text, "\n"), strings.SplitAfter(out, "\n")
				if len(now) < len(was) {
					t.Errorf("%s: %d lines, was %d", name, len(now), len(was))
					return
				}
				if len(now) > len(was) { // at the end, where no line moves
					was = was[:len(was)-1]
				}
				for i := range was {
					if len(was[i]) != len(now[i]) {
						t.Errorf("%s: line %d has %d bytes, had %d", name, i+1, len(now[i]), len(was[i]))
					}
				}
				if res.Edits() == 0 && out != text {
					t.Errorf("%s: no edit, another text", name)
				}
			})
		})
	}
}

// A line that is no JSON is nobody's but the repairers'.
func TestOperationsLeaveBrokenLines(t *testing.T) {
	broken := []byte("{\"type\":\"response_item\",\"image_url\": oops\n\xff\xfe\n")
	demo, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "demo", "rollout.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range Registry() {
		op := operation(t, info.Name, typical[info.Name]...)
		if r, ok := op.(rewrite.Repairer); ok && r.Repairs() {
			continue
		}
		if c, ok := op.(rewrite.Composite); ok && len(c.Steps()) > 0 {
			continue
		}
		out, _, err := run(t, string(demo)+string(broken)+string(demo[bytes.IndexByte(demo, '\n')+1:]), rewrite.Options{}, op)
		if err == nil && !strings.Contains(out, string(broken)) {
			t.Errorf("%s has changed them", info.Name)
		}
	}
}
