package validate

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/parse"
)

// place is a finding as expect.json has it.
type place struct {
	Code    string `json:"code"`
	Line    int    `json:"line"`
	Pointer string `json:"pointer"`
}

// expectation is an expect.json: all findings of the bad file, and the codes that the
// near miss may give.
type expectation struct {
	File     string   `json:"file"`      // "" for bad.jsonl
	NearFile string   `json:"near_file"` // "" for near.jsonl
	Bad      []place  `json:"bad"`
	Near     []string `json:"near"`
}

const invalidDir = "../fixtures/invalid"

func readExpectation(t *testing.T, dir string) expectation {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	e := expectation{File: "bad.jsonl", NearFile: "near.jsonl"}
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return e
}

// findBase looks for a base in the folder of the file, as the command does.
func findBase(near string, id uuid.UUID) (*parse.Source, error) {
	path, err := parse.FindRollout(near, id)
	if err != nil {
		return nil, err
	}
	return parse.Open(path, nil)
}

func newTestValidator(workers int) *Validator {
	return New(Options{Workers: workers, FindBase: findBase})
}

// validateFile returns the findings of a file.
func validateFile(t *testing.T, v *Validator, path string) (File, []Finding) {
	t.Helper()
	src, err := parse.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var found []Finding
	file, err := v.File(src, func(f Finding) { found = append(found, f) })
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return file, found
}

func places(found []Finding) []place {
	var out []place
	for _, f := range found {
		out = append(out, place{f.Code, f.Line, f.Pointer})
	}
	return sorted(out)
}

func sorted(p []place) []place {
	slices.SortFunc(p, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Pointer, b.Pointer))
	})
	return p
}

func TestInvalidFixtures(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(invalidDir, "*", "expect.json"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no fixtures in %s: %v", invalidDir, err)
	}
	known, v := NewRegistry(), newTestValidator(1)
	for _, path := range dirs {
		dir := filepath.Dir(path)
		if isCaptureFixture(dir) {
			continue // TestInvalidCaptures
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			want := readExpectation(t, dir)
			code, _, _ := strings.Cut(filepath.Base(dir), "-")
			if code == "B002" && testing.Short() {
				t.Skip("a file of 512 MiB; TestSizes has the limit")
			}
			if _, ok := known[code]; !ok {
				t.Errorf("%s is no code of the registry", code)
			}
			if !slices.ContainsFunc(want.Bad, func(p place) bool { return p.Code == code }) {
				t.Errorf("expect.json does not expect %s", code)
			}
			_, found := validateFile(t, v, filepath.Join(dir, want.File))
			if diff := gocmp.Diff(sorted(want.Bad), places(found)); diff != "" {
				t.Errorf("%s (-want +got):\n%s%s", want.File, diff, messages(found))
			}
			_, found = validateFile(t, v, filepath.Join(dir, want.NearFile))
			for _, f := range found {
				if f.Code == code || !slices.Contains(want.Near, f.Code) {
					t.Errorf("%s: %s", want.NearFile, messages([]Finding{f}))
				}
			}
		})
	}
}

func messages(found []Finding) string {
	var b strings.Builder
	for _, f := range found {
		b.WriteString(f.Code + " line " + itoa(f.Line) + " " + f.Pointer + ": " + f.Message + "\n")
	}
	return b.String()
}

func TestEveryCodeHasAFixture(t *testing.T) {
	for _, c := range Codes() {
		if dirs, _ := filepath.Glob(filepath.Join(invalidDir, c.ID+"-*", "expect.json")); len(dirs) == 0 {
			t.Errorf("%s (%s) has no folder in %s", c.ID, c.Title, invalidDir)
		}
	}
}

// TestValidFilesHaveNoError: what Codex loads and goes on with is no error.
func TestValidFilesHaveNoError(t *testing.T) {
	files := []string{"../fixtures/demo/rollout.jsonl", "../fixtures/demo/local-compaction.jsonl"}
	for _, pattern := range []string{"../fixtures/demo/fork/*.jsonl", "../fixtures/scenarios/*/*.jsonl"} {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	if len(files) < 4 {
		t.Fatalf("only %d files: is the pattern still right", len(files))
	}
	known, v := NewRegistry(), newTestValidator(1)
	for _, path := range files {
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

func TestRegistryIsComplete(t *testing.T) {
	ops := []string{"", "compact", "trim", "rescue", "repair", "align", "images", "slim", "encrypted", "migrate", "rollback-checkpoint"}
	form := regexp.MustCompile(`^[A-Z][0-9]{3}$`)
	families := map[string]bool{}
	for _, f := range Families() {
		families[f[0]] = true
	}
	seen := map[string]bool{}
	for _, c := range Codes() {
		switch {
		case !form.MatchString(c.ID) || !families[c.ID[:1]]:
			t.Errorf("%s is no letter of a family and three digits", c.ID)
		case seen[c.ID]:
			t.Errorf("%s is there twice", c.ID)
		case c.Severity < Info || c.Severity > Error || c.Title == "" || c.Meaning == "" || c.Codex == "" || c.Fix == "" || c.Source == "":
			t.Errorf("%s: a field is empty: %+v", c.ID, c)
		case c.Since < 1 || c.Since > RulesVersion:
			t.Errorf("%s: since version %d of %d", c.ID, c.Since, RulesVersion)
		case !slices.Contains(ops, c.Op):
			t.Errorf("%s: %q is no operation", c.ID, c.Op)
		}
		seen[c.ID] = true
	}
}
