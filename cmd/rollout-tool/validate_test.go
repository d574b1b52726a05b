package main

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rollout-tool/rollout-tool/validate/report"
)

// The reports of one run over all fixtures, which have nearly every code, keep to
// their schemas and hold the same findings.
func TestReportsOfFixtures(t *testing.T) {
	root := filepath.Join("..", "..")
	dir := t.TempDir()
	args := []string{"validate", "--no-config", "-q"}
	for _, f := range report.FormatNames() {
		args = append(args, "--output", f+":"+filepath.Join(dir, f))
	}
	if r := runTool(nil, append(args, fixtureFolders(t, filepath.Join(root, "fixtures"))...)...); r.code != exitDifferent || r.stdout != "" {
		t.Fatalf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	text := map[string]string{}
	for _, f := range report.FormatNames() {
		b, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil {
			t.Fatal(err)
		}
		text[f] = string(b)
	}
	for format, schema := range map[string]string{
		"json":  filepath.Join(root, "schema", "validate.schema.json"),
		"sarif": filepath.Join(root, "validate", "report", "testdata", "sarif-2.1.0.json"),
	} {
		s, err := jsonschema.NewCompiler().Compile(schema)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text[format]))
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
	for dec := xml.NewDecoder(strings.NewReader(text["junit"])); ; {
		if _, err := dec.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("junit: %v", err)
		}
	}
	want := strings.Count(text["json"], `"byte_offset":`)
	if want < 100 {
		t.Errorf("%d findings: are the fixtures still there", want)
	}
	for format, mark := range map[string]string{
		"sarif": `"ruleId":`, "jsonl": `{"kind":"finding"`, "concise": "\n", "github": "\n",
	} {
		if got := strings.Count(text[format], mark); got != want {
			t.Errorf("%s has %d findings, json %d", format, got, want)
		}
	}
}

// How many goroutines look at files and lines changes no byte of a report: neither where
// several small files are looked at at once, nor in a file that takes all of them.
func TestReportsWithJobs(t *testing.T) {
	root, dir := filepath.Join("..", ".."), t.TempDir()
	session, err := os.ReadFile(filepath.Join(root, "fixtures", "demo", "rollout.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	broken, err := os.ReadFile(filepath.Join(root, "fixtures", "demo", "broken.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var large []byte
	for len(large) <= smallFile {
		large = append(append(large, session...), broken...)
		large = append(large, '\n')
	}
	if err := os.WriteFile(filepath.Join(dir, "large.jsonl"), large, 0o600); err != nil {
		t.Fatal(err)
	}
	folders, err := filepath.Glob(filepath.Join(root, "fixtures", "invalid", "[CJO]*"))
	if err != nil {
		t.Fatal(err)
	}
	folders = append(folders, filepath.Join(root, "fixtures", "demo"), dir)
	reports := func(jobs string) map[string]string {
		args, to := []string{"validate", "--no-config", "-q", "--jobs", jobs}, t.TempDir()
		for _, format := range report.FormatNames() {
			args = append(args, "--output", format+":"+filepath.Join(to, format))
		}
		if r := runTool(nil, append(args, folders...)...); r.code != exitDifferent {
			t.Fatalf("--jobs %s: exit code %d, %s", jobs, r.code, r.stderr)
		}
		out := map[string]string{}
		for _, format := range report.FormatNames() {
			b, err := os.ReadFile(filepath.Join(to, format))
			if err != nil {
				t.Fatal(err)
			}
			out[format] = string(b)
		}
		return out
	}
	want := reports("1")
	for _, jobs := range []string{"2", "8"} {
		for format, got := range reports(jobs) {
			if got != want[format] || len(got) < 1000 {
				t.Errorf("--jobs %s: %s has %d bytes, with one %d", jobs, format, len(got), len(want[format]))
			}
		}
	}
}

// fixtureFolders are the folders of the fixtures; in a short run without the file of
// 512 MiB.
func fixtureFolders(t *testing.T, root string) []string {
	t.Helper()
	if !testing.Short() {
		return []string{root}
	}
	folders, err := filepath.Glob(filepath.Join(root, "invalid", "*-*"))
	if err != nil {
		t.Fatal(err)
	}
	folders = slices.DeleteFunc(folders, func(dir string) bool { return filepath.Base(dir) == "B002-large-file" })
	return append(folders, filepath.Join(root, "demo"), filepath.Join(root, "scenarios"))
}
