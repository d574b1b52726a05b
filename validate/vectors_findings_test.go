package validate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// expectedFindings is testdata/vector-findings.json: what is found in files that nobody made
// for these tests, as "CODE@LINE", worked out from the rules. The reasons are in
// fixtures/vector-findings.md. Some of the files are broken on purpose.
type expectedFindings struct {
	Vectors  map[string][]string `json:"vectors"`  // by folder; all of them
	Fixtures map[string][]string `json:"fixtures"` // by path; the others have no finding
}

func readExpectedFindings(t *testing.T) expectedFindings {
	t.Helper()
	data, err := os.ReadFile("testdata/vector-findings.json")
	if err != nil {
		t.Fatal(err)
	}
	var want expectedFindings
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	return want
}

// compareFindings validates a file and compares codes, lines and whether it loads.
func compareFindings(t *testing.T, v *Validator, path string, places []string) []Finding {
	t.Helper()
	expected := hits(t, strings.Join(places, " "))
	file, found := validateFile(t, v, path)
	var got []hit
	for _, f := range found {
		got = append(got, hit{f.Code, f.Line})
	}
	if diff := gocmp.Diff(sortHits(expected), sortHits(got)); diff != "" {
		t.Errorf("(-want +got):\n%s%s", diff, messages(found))
	} else if loads := loadableBy(expected); file.Loadable != loads {
		t.Errorf("loadable %q (%s), want %q", file.Loadable, file.Why, loads)
	}
	return found
}

func TestVectorFindings(t *testing.T) {
	dir := os.Getenv("ROLLOUT_VECTORS")
	if dir == "" {
		t.Skip("ROLLOUT_VECTORS is not set")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "rollout.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in %s: %v", dir, err)
	}
	want, v := readExpectedFindings(t).Vectors, newTestValidator(2)
	for _, path := range files {
		name := filepath.Base(filepath.Dir(path))
		places, ok := want[name]
		delete(want, name)
		t.Run(name, func(t *testing.T) {
			if !ok {
				t.Fatal("testdata/vector-findings.json says nothing about this vector")
			}
			compareFindings(t, v, path, places)
		})
	}
	for name := range want {
		t.Errorf("%s is expected and not in %s", name, dir)
	}
}

// TestFixtureFindings: the demo sessions and the scenarios have no error, but for the files
// that are broken on purpose, and of the rest only what is listed.
func TestFixtureFindings(t *testing.T) {
	broken := map[string]bool{"demo/broken.jsonl": true, "demo/legacy-gen0.jsonl": true}
	const root = "../fixtures"
	var files []string
	for _, pattern := range []string{"demo/*.jsonl", "demo/fork/*.jsonl", "scenarios/*/*.jsonl"} {
		more, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(more) == 0 {
			t.Fatalf("nothing is called %s: %v", pattern, err)
		}
		files = append(files, more...)
	}
	want, known, v := readExpectedFindings(t).Fixtures, NewRegistry(), newTestValidator(2)
	for _, path := range files {
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		places := want[name]
		delete(want, name)
		t.Run(name, func(t *testing.T) {
			for _, f := range compareFindings(t, v, path, places) {
				if known[f.Code].Severity == Error && !broken[name] {
					t.Errorf("an error: %s", messages([]Finding{f}))
				}
			}
		})
	}
	for name := range want {
		t.Errorf("%s is expected and not there", name)
	}
}
