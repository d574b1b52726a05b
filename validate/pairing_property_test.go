package validate

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// keyOf is the family and call_id of a call or an output.
func keyOf(it parse.Item) history.CallKey {
	if key, ok := history.CallOf(it); ok {
		return key
	}
	key, _ := history.OutputOf(it)
	return key
}

// drawSession draws a session as pairLines reads it.
func drawSession(t *rapid.T, rollbacks bool) string {
	pair := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"f:", "f=", "custom:", "custom=", "shell:", "search:", "search=", "server="}).Draw(t, "kind") +
			rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "id")
	})
	step := rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 12).Draw(t, "step") {
		case 0:
			return "end start"
		case 1:
			return "q"
		case 2:
			return "a"
		case 3:
			if rollbacks {
				return "back " + rapid.SampledFrom([]string{"0", "1", "2", "9"}).Draw(t, "n")
			}
			return "old"
		case 4:
			return "[ " + strings.Join(rapid.SliceOfN(pair, 0, 4).Draw(t, "checkpoint"), " ") + " ]"
		}
		return pair.Draw(t, "pair")
	})
	steps := []string{"start", "q"}
	for _, s := range rapid.SliceOfN(step, 0, 16).Draw(t, "steps") {
		if s != steps[len(steps)-1] { // L011
			steps = append(steps, s)
		}
	}
	return strings.Join(steps, " ")
}

// nextRequest are the calls that get an output, and the outputs that are left out, in the
// history at the end (rules 31, 33).
func nextRequest(t *rapid.T, path string, check *accept.Checker) (inserted, removed map[history.CallKey]bool) {
	src, err := parse.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	r, err := history.Load(src, history.Options{Checkers: []*accept.Checker{check}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	end, err := r.At(history.Point{})
	if err != nil {
		t.Fatal(err)
	}
	request := history.Normalize(end.Rows, history.AllModalities)
	inserted, removed = map[history.CallKey]bool{}, map[history.CallKey]bool{}
	for i, source := range request.Source {
		if source < 0 {
			inserted[keyOf(request.Rows[i].Item)] = true
		}
	}
	for _, i := range request.Removed {
		removed[keyOf(end.Rows[i].Item)] = true
	}
	return inserted, removed
}

// The pairs that the stream misses are those that the next request misses.
func TestStreamAndRequestAgree(t *testing.T) {
	dir, v, check := t.TempDir(), newTestValidator(1), accept.NewChecker()
	rapid.Check(t, func(rt *rapid.T) {
		lines := pairLines(drawSession(rt, false))
		path := filepath.Join(dir, "session.jsonl")
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			rt.Fatal(err)
		}
		last := 0 // the newest compaction: what was before is in no request
		for i, line := range lines {
			if strings.Contains(line, `"type":"compacted"`) {
				last = i + 1
			}
		}
		unanswered, orphans := map[history.CallKey]bool{}, map[history.CallKey]bool{}
		_, found := validateFile(t, v, path)
		for _, f := range found {
			if f.Line < last || !slices.Contains([]string{"P001", "P002", "P007"}, f.Code) {
				continue
			}
			pointer := f.Pointer
			if pointer == "" {
				pointer = "/payload"
			}
			_, raw, _ := jsonraw.Locate([]byte(lines[f.Line-1]), pointer)
			it, err := parse.ViewItem(raw)
			if err != nil {
				rt.Fatalf("%s: %v", messages([]Finding{f}), err)
			}
			into := unanswered
			if f.Code == "P002" {
				into = orphans
			}
			into[keyOf(it)] = true
		}
		inserted, removed := nextRequest(rt, path, check)
		if d := cmp.Diff(inserted, unanswered); d != "" {
			rt.Errorf("calls without output (-request +findings):\n%s%s", d, messages(found))
		}
		if d := cmp.Diff(removed, orphans); d != "" {
			rt.Errorf("outputs without call (-request +findings):\n%s%s", d, messages(found))
		}
	})
}

// After rollbacks, too, no request misses a partner without a finding.
func TestNothingIsMissedAfterRollbacks(t *testing.T) {
	dir, v, check := t.TempDir(), newTestValidator(1), accept.NewChecker()
	rapid.Check(t, func(rt *rapid.T) {
		path := filepath.Join(dir, "session.jsonl")
		if err := os.WriteFile(path, []byte(strings.Join(pairLines(drawSession(rt, true)), "\n")+"\n"), 0o600); err != nil {
			rt.Fatal(err)
		}
		_, found := validateFile(t, v, path)
		codes := map[string]bool{}
		for _, f := range found {
			codes[f.Code] = true
		}
		inserted, removed := nextRequest(rt, path, check)
		if len(inserted) > 0 && !codes["P001"] && !codes["P007"] && !codes["P020"] {
			rt.Errorf("no finding about %v", slices.Collect(maps.Keys(inserted)))
		}
		if len(removed) > 0 && !codes["P002"] && !codes["P021"] {
			rt.Errorf("no finding about %v", slices.Collect(maps.Keys(removed)))
		}
	})
}
