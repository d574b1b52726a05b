package report

import (
	"encoding/json"
	"encoding/xml"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func schemaOf(t *testing.T, file string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func decode(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return v
}

// at follows names and indices.
func at(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			l, _ := v.([]any)
			if p >= len(l) {
				t.Fatalf("no element %d in %v", p, v)
			}
			v = l[p]
		}
	}
	return v
}

func TestSARIF(t *testing.T) {
	schema := schemaOf(t, "testdata/sarif-2.1.0.json")
	text := render(t, "sarif", Options{}, sample())
	v := decode(t, text)
	if err := schema.Validate(v); err != nil {
		t.Errorf("%#v", err)
	}
	for _, steps := range [][]step{nil, sample()[1:2], sample()[2:3]} {
		if err := schema.Validate(decode(t, render(t, "sarif", Options{}, steps))); err != nil {
			t.Errorf("%#v", err)
		}
	}
	broken := strings.Replace(text, `"startLine":7`, `"startLine":0`, 1)
	if schema.Validate(decode(t, broken)) == nil {
		t.Error("the schema takes line 0")
	}
	run := at(t, v, "runs", 0)
	for _, tt := range []struct {
		want any
		path []any
	}{
		{"M001", []any{"results", 0, "ruleId"}},
		{json.Number("1"), []any{"results", 0, "ruleIndex"}},
		{"M001", []any{"tool", "driver", "rules", 1, "id"}},
		{"error", []any{"results", 0, "level"}},
		{"note", []any{"results", 2, "level"}},
		{"3 entries for 4 history items", []any{"results", 0, "message", "text"}},
		{"a%20dir/x%2Cy.jsonl", []any{"results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"}},
		{json.Number("7"), []any{"results", 0, "locations", 0, "physicalLocation", "region", "startLine"}},
		{json.Number("1234"), []any{"results", 0, "locations", 0, "physicalLocation", "region", "byteOffset"}},
		{json.Number("17"), []any{"results", 0, "locations", 0, "physicalLocation", "region", "byteLength"}},
		{"/payload/replacement_history_metadata", []any{"results", 0, "locations", 0, "logicalLocations", 0, "fullyQualifiedName"}},
		{"M001:0000000000000abc:/payload/replacement_history_metadata", []any{"results", 0, "partialFingerprints", "rolloutRecord/v1"}},
		{json.Number("18446744073709551615"), []any{"results", 0, "properties", "ordinal"}},
		{nil, []any{"results", 3, "locations", 0, "physicalLocation", "region"}}, // about the file
		{"external", []any{"results", 4, "suppressions", 0, "kind"}},
		{false, []any{"invocations", 0, "executionSuccessful"}},
		{"cannot be read: open gone.jsonl: no such file", []any{"invocations", 0, "toolExecutionNotifications", 0, "message", "text"}},
		{"0000000000000000000000000000000000000000000000000000000000000001", []any{"artifacts", 0, "hashes", "sha-256"}},
	} {
		if got := at(t, run, tt.path...); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.path, got, tt.want)
		}
	}
}

func TestFileURI(t *testing.T) {
	for path, want := range map[string]string{
		"a/b c.jsonl": "a/b%20c.jsonl", "/x/ü.jsonl": "file:///x/%C3%BC.jsonl", "a:b/c": "./a:b/c", "../x": "../x", "-": "-",
	} {
		if got := fileURI(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	schema := schemaOf(t, "../../schema/validate.schema.json")
	v := decode(t, render(t, "json", Options{}, sample()))
	if err := schema.Validate(v); err != nil {
		t.Errorf("%#v", err)
	}
	if err := schema.Validate(decode(t, render(t, "json", Options{Summary: true}, sample()))); err != nil {
		t.Errorf("summary: %#v", err)
	}
	for _, tt := range []struct {
		want any
		path []any
	}{
		{"1.2.3", []any{"tool_version"}},
		{"M001", []any{"files", 0, "findings", 0, "code"}},
		{json.Number("1234"), []any{"files", 0, "findings", 0, "byte_offset"}},
		{json.Number("18446744073709551615"), []any{"files", 0, "findings", 0, "ordinal"}},
		{"align it", []any{"files", 0, "findings", 0, "fix"}},
		{"drop line 9", []any{"files", 0, "findings", 1, "fix"}},
		{nil, []any{"files", 0, "findings", 1, "ordinal"}},
		{true, []any{"files", 0, "findings", 2, "preview"}},
		{nil, []any{"files", 0, "findings", 3, "line"}},
		{"with_loss", []any{"files", 0, "loadable"}},
		{json.Number("9"), []any{"files", 0, "rejected_lines", 1}},
		{"open gone.jsonl: no such file", []any{"files", 2, "error"}},
		{"no session_meta is accepted", []any{"files", 3, "why"}},
		{true, []any{"files", 3, "findings", 0, "expected"}},
		{json.Number("2"), []any{"error_count"}},
		{json.Number("1"), []any{"warning_count"}},
		{json.Number("2"), []any{"hidden_count"}},
		{false, []any{"valid"}},
	} {
		if got := at(t, v, tt.path...); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.path, got, tt.want)
		}
	}
	if v := decode(t, render(t, "json", Options{}, nil)); schema.Validate(v) != nil || at(t, v, "valid") != true {
		t.Errorf("no file: %v", v)
	}
}

func TestJSONLines(t *testing.T) {
	text := strings.TrimSuffix(render(t, "jsonl", Options{}, sample()), "\n")
	var kinds []string
	for _, line := range strings.Split(text, "\n") {
		v := decode(t, line)
		kinds = append(kinds, at(t, v, "kind").(string)+" "+at(t, v, "path").(string))
	}
	want := strings.Join([]string{
		"finding a dir/x,y.jsonl", "finding a dir/x,y.jsonl", "finding a dir/x,y.jsonl", "finding a dir/x,y.jsonl",
		"file a dir/x,y.jsonl", "file clean.jsonl", "file gone.jsonl", "finding expected.jsonl", "file expected.jsonl",
	}, "\n")
	if got := strings.Join(kinds, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := render(t, "jsonl", Options{Summary: true}, sample()[:1]); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"counts":{"B001":1,"F001":1,"J001":1,"M001":1}`) {
		t.Error(got)
	}
}

// The structure that consumers of JUnit files agree on.
type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Suites  []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Time     string `xml:"time,attr"`
		Cases    []struct {
			Name      string `xml:"name,attr"`
			ClassName string `xml:"classname,attr"`
			Time      string `xml:"time,attr"`
			Failure   []struct {
				Message string `xml:"message,attr"`
				Type    string `xml:"type,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
			Error []struct {
				Message string `xml:"message,attr"`
			} `xml:"error"`
			Out string `xml:"system-out"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func TestJUnit(t *testing.T) {
	steps := sample()
	steps[0].found[1].Message = "\x00 ends ]]> \ufffe"
	text := render(t, "junit", Options{}, steps)
	var got junitSuites
	dec := xml.NewDecoder(strings.NewReader(text))
	dec.Strict = true
	if err := dec.Decode(&got); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if len(got.Suites) != 4 {
		t.Fatalf("%d suites, want one for each of 4 files", len(got.Suites))
	}
	for _, s := range got.Suites {
		failures, errors := 0, 0
		for _, c := range s.Cases {
			failures += len(c.Failure)
			errors += len(c.Error)
			if c.Name == "" || c.ClassName != s.Name {
				t.Errorf("case %q of class %q in suite %q", c.Name, c.ClassName, s.Name)
			}
			if _, err := strconv.ParseFloat(c.Time, 64); err != nil {
				t.Errorf("case %s: time %q", c.Name, c.Time)
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != failures || s.Errors != errors || s.Skipped != 0 {
			t.Errorf("%s: counts %d %d %d, has %d %d %d", s.Name, s.Tests, s.Failures, s.Errors, len(s.Cases), failures, errors)
		}
	}
	first := got.Suites[0]
	if first.Tests != 5 || first.Failures != 2 || first.Cases[4].Name != "M001 entries" || first.Cases[4].Failure[0].Type != "error" {
		t.Errorf("%+v", first)
	}
	if got.Suites[2].Errors != 1 || got.Suites[3].Failures != 0 {
		t.Errorf("unreadable: %+v\nexpected: %+v", got.Suites[2], got.Suites[3])
	}
}

// Of a code that is found very often a case lists the first places and counts the rest.
func TestJUnitManyFindings(t *testing.T) {
	var found []Finding
	for i := range 250 {
		f := sample()[0].found[0]
		f.Line = i + 1
		found = append(found, f)
	}
	text := render(t, "junit", Options{}, []step{{path: "x", found: found}})
	if strings.Count(text, "line ") != 100 || !strings.Contains(text, "and 150 more") {
		t.Error(text)
	}
}
