package validate

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

const capturesDir = "../fixtures/captures"

// asked is a finding in a capture as expect.json has it; request -1 stands for none.
type asked struct {
	Code    string `json:"code"`
	Request int    `json:"request"`
	Pointer string `json:"pointer"`
}

// captureCase is a capture with its findings.
type captureCase struct {
	Capture  string  `json:"capture"`
	Rollout  string  `json:"rollout"`
	Findings []asked `json:"findings"`
}

// captureExpectation is the expect.json of a folder of fixtures/captures.
type captureExpectation struct {
	captureCase
	Broken []captureCase `json:"broken"`
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// validateCapture returns the findings of a capture, held against a rollout if one is named.
func validateCapture(t testing.TB, path, rollout string) (File, []Finding) {
	t.Helper()
	r, err := capture.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var opt CaptureOptions
	if rollout != "" {
		src, err := parse.Open(rollout, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		opt.Rollout = src
	}
	var found []Finding
	file, err := New(Options{Workers: 1}).Capture(path, r, opt, func(f Finding) { found = append(found, f) })
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return file, found
}

func askedOf(found []Finding) []asked {
	var out []asked
	for _, f := range found {
		a := asked{f.Code, -1, f.Pointer}
		if f.HasRequest {
			a.Request = f.Request
		}
		out = append(out, a)
	}
	return sortedAsked(out)
}

func sortedAsked(list []asked) []asked {
	slices.SortFunc(list, func(a, b asked) int {
		return cmp.Or(cmp.Compare(a.Request, b.Request), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Pointer, b.Pointer))
	})
	return list
}

func checkCapture(t *testing.T, dir string, c captureCase) {
	t.Helper()
	rollout := ""
	if c.Rollout != "" {
		rollout = filepath.Join(dir, c.Rollout)
	}
	file, found := validateCapture(t, filepath.Join(dir, c.Capture), rollout)
	want := sortedAsked(slices.Clone(c.Findings))
	if len(want) == 0 {
		want = nil
	}
	if diff := gocmp.Diff(want, askedOf(found)); diff != "" {
		t.Errorf("%s (-want +got):\n%s%s", c.Capture, diff, messages(found))
	}
	none := slices.ContainsFunc(c.Findings, func(a asked) bool { return a.Code == "X006" })
	if none != (file.Requests == 0) {
		t.Errorf("%s: %d requests were read", c.Capture, file.Requests)
	}
	for _, f := range found {
		if strings.Contains(f.Message, "sk-") || strings.Contains(f.Message, "state-") {
			t.Errorf("%s: a secret in %q", c.Capture, f.Message)
		}
	}
}

// TestCaptureScenarios: the captures of compaction.md 8 keep the contract and agree with
// their rollouts; each broken one has exactly the findings it was broken for.
func TestCaptureScenarios(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(capturesDir, "*", "expect.json"))
	if err != nil || len(paths) < 8 {
		t.Fatalf("%d scenarios in %s, %v", len(paths), capturesDir, err)
	}
	for _, path := range paths {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var want captureExpectation
			readJSON(t, path, &want)
			checkCapture(t, dir, want.captureCase)
			if len(want.Broken) == 0 {
				t.Error("no broken variant")
			}
			for _, b := range want.Broken {
				checkCapture(t, dir, b)
			}
		})
	}
}

// captureCode is the expect.json of a folder of fixtures/invalid about captures.
type captureCode struct {
	File        string   `json:"file"`
	NearFile    string   `json:"near_file"`
	Rollout     string   `json:"rollout"`
	NearRollout string   `json:"near_rollout"`
	Bad         []asked  `json:"bad"`
	Near        []string `json:"near"`
}

// isCaptureFixture reports whether a folder of fixtures/invalid holds captures.
func isCaptureFixture(dir string) bool { return strings.HasPrefix(filepath.Base(dir), "X") }

// TestInvalidCaptures: each code of captured requests by the smallest capture that has it,
// and by one that only just has it not.
func TestInvalidCaptures(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(invalidDir, "X*", "expect.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures in %s: %v", invalidDir, err)
	}
	for _, path := range paths {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var want captureCode
			readJSON(t, path, &want)
			code, _, _ := strings.Cut(filepath.Base(dir), "-")
			if !slices.ContainsFunc(want.Bad, func(a asked) bool { return a.Code == code }) {
				t.Errorf("expect.json does not expect %s", code)
			}
			checkCapture(t, dir, captureCase{want.File, want.Rollout, want.Bad})
			rollout := ""
			if want.NearRollout != "" {
				rollout = filepath.Join(dir, want.NearRollout)
			}
			_, found := validateCapture(t, filepath.Join(dir, want.NearFile), rollout)
			for _, f := range found {
				if f.Code == code || !slices.Contains(want.Near, f.Code) {
					t.Errorf("%s: %s", want.NearFile, messages([]Finding{f}))
				}
			}
		})
	}
}

// TestCaptureRollouts: the sessions of the scenarios load, and have no error of their own.
func TestCaptureRollouts(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(capturesDir, "*", "rollout.jsonl"))
	if err != nil || len(paths) < 8 {
		t.Fatalf("%d rollouts in %s, %v", len(paths), capturesDir, err)
	}
	known, v := NewRegistry(), newTestValidator(1)
	for _, path := range paths {
		file, found := validateFile(t, v, path)
		if file.Loadable != Loads {
			t.Errorf("%s: loadable %q (%s)", path, file.Loadable, file.Why)
		}
		for _, f := range found {
			if known[f.Code].Severity == Error {
				t.Errorf("%s: %s", path, messages([]Finding{f}))
			}
		}
	}
}

// TestCaptureThreadsApart: requests of two sessions through one proxy, mixed in time, are
// judged as if each were alone.
func TestCaptureThreadsApart(t *testing.T) {
	dir := t.TempDir()
	threads := 0
	for _, name := range []string{"trigger-reused", "turn-state-http", "trailing-outputs"} {
		files, err := filepath.Glob(filepath.Join(capturesDir, name, "dump", "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", name, len(files), err)
		}
		threads++
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			// The numbers of the three proxies would clash.
			target := filepath.Join(dir, strings.Replace(filepath.Base(path), "0000", "000"+itoa(threads), 1))
			if _, err := os.Stat(target); err == nil {
				t.Fatalf("%s is there already", target)
			}
			if err := os.WriteFile(target, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	file, found := validateCapture(t, dir, "")
	if len(found) > 0 || file.Requests < 10 {
		t.Errorf("%d requests\n%s", file.Requests, messages(found))
	}
	// A rollout is held against its own thread only.
	_, found = validateCapture(t, dir, filepath.Join(capturesDir, "trailing-outputs", "rollout.jsonl"))
	if len(found) > 0 {
		t.Errorf("beside a rollout:\n%s", messages(found))
	}
}

// TestCaptureBeginsLate: a connection whose first frame was not captured gives X005 for the
// frames that hang on it, and nothing that only the missing part would explain.
func TestCaptureBeginsLate(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(capturesDir, "turn-state-websocket", "capture.har"))
	if err != nil {
		t.Fatal(err)
	}
	const send = `{"type":"send"`
	first := strings.Index(string(data), send)
	second := first + 1 + strings.Index(string(data[first+1:]), send)
	path := filepath.Join(t.TempDir(), "late.har")
	if err := os.WriteFile(path, slices.Concat(data[:first], data[second:]), 0o600); err != nil {
		t.Fatal(err)
	}
	_, found := validateCapture(t, path, filepath.Join(capturesDir, "turn-state-websocket", "rollout.jsonl"))
	want := []asked{{"X005", 0, ""}}
	if diff := gocmp.Diff(want, askedOf(found)); diff != "" {
		t.Errorf("(-want +got):\n%s%s", diff, messages(found))
	}
}
