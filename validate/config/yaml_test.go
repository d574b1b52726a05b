package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/rollout-tool/rollout-tool/validate"
)

// testCodes is a small registry.
func testCodes() []validate.Code {
	return []validate.Code{
		{ID: "J001", Severity: validate.Error, Since: 1},
		{ID: "J002", Severity: validate.Warning, Since: 1},
		{ID: "M001", Severity: validate.Error, Since: 1},
		{ID: "B001", Severity: validate.Info, Since: 1},
		{ID: "B002", Severity: validate.Error, Since: 1, Preview: true},
		{ID: "C009", Severity: validate.Error, Since: 2},
	}
}

const fullConfig = `# everything
rules: 1
select: [J, M001]
ignore:
  - J002
fail-level: warning
severity: {M001: info, B: error}
baseline: known.txt
overrides:
  - paths: ["fixtures/**", "*.bad.jsonl"]
    ignore: [B]
    severity:
      J001: warning
    expect: [M001]
  - paths: [x/]
`

func TestParse(t *testing.T) {
	got, err := Parse(filepath.Join("dir", FileName), []byte(fullConfig), testCodes())
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		Path: filepath.Join("dir", FileName), Rules: 1, Select: []string{"J", "M001"}, Ignore: []string{"J002"},
		FailLevel: "warning", Baseline: filepath.Join("dir", "known.txt"),
		Severity: map[string]validate.Severity{"M001": validate.Info, "B": validate.Error},
		Overrides: []Override{
			{
				Line: 10, Paths: []string{"fixtures/**", "*.bad.jsonl"}, Ignore: []string{"B"},
				Severity: map[string]validate.Severity{"J001": validate.Warning}, Expect: []string{"M001"},
			},
			{Line: 15, Paths: []string{"x/"}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	for _, text := range []string{"", "# nothing\n", "---\n", "null\n"} {
		if c, err := Parse("f", []byte(text), nil); err != nil || !reflect.DeepEqual(c, &Config{Path: "f"}) {
			t.Errorf("%q: %+v, %v", text, c, err)
		}
	}
}

// mistakes are configurations with the start of their error. The schema sees those
// of form; names of codes are the registry's.
var mistakes = []struct {
	text, err  string
	schemaPass bool
}{
	{"rulez: 1\n", `f:1: unknown key "rulez"; want one of baseline, fail-level, ignore, overrides, rules, select, severity`, false},
	{"rules: 1\n\noverrides:\n  - paths: [a]\n    expects: [M001]\n", `f:5: unknown key "expects"`, false},
	{"rules: one\n", "f:1: rules: a version is wanted", false},
	{"rules: \"1\"\n", "f:1: rules: a version is wanted", false},
	{"rules: 0\n", "f:1: rules: a version is wanted", false},
	{"rules: 1.5\n", "f:1: rules: a version is wanted", false},
	{"rules: 99\n", "f:1: rules: 99: this tool knows versions up to", true},
	{"select: J\n", "f:1: a list is wanted", false},
	{"select:\n  - J\n  - j001\n", `f:3: no code and no family is called "j001"; near: J001`, false},
	{"select: [J999]\n", `f:1: no code and no family is called "J999"; near: J00`, true},
	{"ignore: [1]\n", "f:1: a text is wanted", false},
	{"ignore: [~]\n", "f:1: a text is wanted", false},
	{"fail-level: fatal\n", `f:1: "fatal": want error, warning, info or never`, false},
	{"severity: {M001: never}\n", `f:1: "never": want error, warning or info`, false},
	{"severity: [M001]\n", "f:1: a mapping (key: value) is wanted", false},
	{"severity: {Q: info}\n", `f:1: no code and no family is called "Q"`, true},
	{"baseline: ''\n", "f:1: a text is wanted", false},
	{"overrides: {}\n", "f:1: a list is wanted", false},
	{"overrides:\n  - ignore: [J]\n", "f:2: an override needs paths", false},
	{"overrides:\n  - paths: []\n", "f:2: an override needs paths", false},
	{"overrides:\n  - paths: ['']\n", "f:2: a text is wanted", false},
	{"overrides:\n  - paths: ['a**/b']\n", `f:2: pattern "a**/b": ** must stand between slashes`, true},
	{"overrides:\n  - paths: ['[a']\n", `f:2: pattern "[a": a [ that is not closed`, true},
	{"overrides:\n  - paths: [a]\n    expect: [M]\n", `f:3: "M" is a family, a code is wanted`, false},
	{"- rules\n", "f:1: a mapping (key: value) is wanted", false},
	{"rules: 1\nrules: 1\n", `f:2: key "rules" stands twice`, true},
}

func TestParseMistakes(t *testing.T) {
	for _, tt := range mistakes {
		_, err := Parse("f", []byte(tt.text), testCodes())
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tt.err) {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.err)
		}
	}
	for _, text := range []string{"a: [\n", "\tx: 1\n", "a: b: c\n", "--- 1\n--- 2\n", "&a [*b]\n", "a: \xff\n", "overrides: &a [*a]\n"} {
		if c, err := Parse("f", []byte(text), testCodes()); err == nil {
			t.Errorf("%q: %+v", text, c)
		} else if !strings.HasPrefix(err.Error(), "f:") {
			t.Errorf("%q: %v does not begin with the file", text, err)
		}
	}
}

// The schema and the reader agree on form.
func TestConfigSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "schema", "config.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	check := func(text string) error {
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			return err
		}
		return schema.Validate(v)
	}
	if err := check(fullConfig); err != nil {
		t.Errorf("the schema refuses a good file: %v", err)
	}
	for _, tt := range mistakes {
		if tt.schemaPass {
			continue
		}
		if check(tt.text) == nil {
			t.Errorf("the schema takes %q", tt.text)
		}
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(filepath.Join(deep, FileName), 0o777); err != nil { // a folder of that name does not count
		t.Fatal(err)
	}
	if got, err := Find(deep); err != nil || strings.HasPrefix(got, root) {
		t.Errorf("%q, %v where there is none", got, err)
	}
	want := filepath.Join(root, FileName)
	if err := os.WriteFile(want, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := Find(deep); err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestLoadMissing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "no.yaml")
	var e *Error
	if _, err := Load(file, nil); !errors.As(err, &e) || !strings.HasPrefix(err.Error(), file+": ") {
		t.Errorf("%v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(fullConfig)
	for _, m := range mistakes {
		f.Add(m.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("f", []byte(text), testCodes())
		if (c == nil) == (err == nil) {
			t.Errorf("%+v, %v", c, err)
		}
	})
}
