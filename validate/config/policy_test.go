package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/validate"
)

func newPolicy(t *testing.T, yaml string, opt Options) *Policy {
	t.Helper()
	dir := t.TempDir()
	c, err := Parse(filepath.Join(dir, FileName), []byte(yaml), testCodes())
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPolicy(testCodes(), c, opt, dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pathIn is a path in the folder of the policy's configuration.
func pathIn(p *Policy, rel string) string { return filepath.Join(p.dir, filepath.FromSlash(rel)) }

func TestSelection(t *testing.T) {
	tests := []struct {
		name, yaml string
		opt        Options
		want       string // the codes that are shown
	}{
		{"all", "", Options{}, "J001 J002 M001 B001 B002 C009"},
		{"family", "select: [J]", Options{}, "J001 J002"},
		{"code", "select: [J, M001]", Options{}, "J001 J002 M001"},
		{"ignore", "ignore: [J, B001]", Options{}, "M001 B002 C009"},
		{"ignore a code of a selected family", "select: [J]\nignore: [J002]", Options{}, "J001"},
		{"selected by name", "select: [J001, M]\nignore: [J]", Options{}, "J001 M001"},
		{"ignored by name", "select: [J001, J]\nignore: [J001]", Options{}, "J002"},
		{"flag instead of file", "select: [J]", Options{Select: []string{"M"}}, "M001"},
		{"flag selects nothing", "select: [J]", Options{Select: []string{}}, ""},
		{"flag selects what the file ignores", "ignore: [J]", Options{Select: []string{"J"}, Ignore: []string{"J002"}}, "J001"},
		{"ignored by both", "ignore: [J]", Options{Ignore: []string{"B"}}, "M001 C009"},
		{"pinned", "rules: 1", Options{}, "J001 J002 M001 B001 B002"},
		{"path", "overrides:\n- {paths: [a/], ignore: [J]}\n- {paths: [b/], ignore: [M]}", Options{}, "M001 B001 B002 C009"},
		{"path, selected by name", "select: [J001]\noverrides:\n- {paths: [a/], ignore: [J]}", Options{}, ""},
	}
	for _, tt := range tests {
		p := newPolicy(t, tt.yaml, tt.opt)
		f := p.For(pathIn(p, "a/x.jsonl"))
		var got []string
		for _, c := range testCodes() {
			if _, shown := f.Judge(validate.Finding{Code: c.ID}); shown {
				got = append(got, c.ID)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.want)
		}
	}
}

func TestSeverityAndLevel(t *testing.T) {
	tests := []struct {
		name, yaml string
		opt        Options
		code       string
		want       validate.Severity
		fails      bool
	}{
		{"error", "", Options{}, "J001", validate.Error, true},
		{"warning", "", Options{}, "J002", validate.Warning, false},
		{"level of the file", "fail-level: warning", Options{}, "J002", validate.Warning, true},
		{"level of the flag", "fail-level: warning", Options{FailLevel: "info"}, "B001", validate.Info, true},
		{"never", "", Options{FailLevel: "never"}, "J001", validate.Error, false},
		{"preview", "fail-level: info", Options{}, "B002", validate.Error, false},
		{"by code", "severity: {J002: error}", Options{}, "J002", validate.Error, true},
		{"by family", "severity: {J: info}", Options{}, "J001", validate.Info, false},
		{"code before family", "severity: {J: info, J001: warning}", Options{}, "J001", validate.Warning, false},
		{"path", "severity: {J001: info}\noverrides:\n- {paths: [a/], severity: {J: warning}}", Options{}, "J001", validate.Warning, false},
		{"later path", "overrides:\n- {paths: [a/], severity: {J001: warning}}\n- {paths: ['*.jsonl'], severity: {J001: info}}", Options{}, "J001", validate.Info, false},
		{"other path", "overrides:\n- {paths: [b/], severity: {J001: info}}", Options{}, "J001", validate.Error, true},
		{"not in the registry", "", Options{}, "Z999", validate.Error, true},
	}
	for _, tt := range tests {
		p := newPolicy(t, tt.yaml, tt.opt)
		d, _ := p.For(pathIn(p, "a/x.jsonl")).Judge(validate.Finding{Code: tt.code})
		if d.Severity != tt.want || d.Fails != tt.fails {
			t.Errorf("%s: %v, fails %v", tt.name, d.Severity, d.Fails)
		}
	}
}

func TestExpect(t *testing.T) {
	const yaml = "ignore: [B]\noverrides:\n  - paths: ['bad/**']\n    expect: [M001, J001, B001]\n"
	p := newPolicy(t, yaml, Options{})
	f := p.For(pathIn(p, "bad/x.jsonl"))
	if d, shown := f.Judge(validate.Finding{Code: "M001"}); !shown || !d.Expected || d.Fails {
		t.Errorf("an expected finding: %+v, %v", d, shown)
	}
	if d, _ := f.Judge(validate.Finding{Code: "C009"}); d.Expected || !d.Fails {
		t.Errorf("another finding: %+v", d)
	}
	missing := f.Missing() // not B001: it is ignored
	if len(missing) != 1 || missing[0].Code != Expected || missing[0].Message != "J001 is expected here (.rollout-tool.yaml:3) and was not found" {
		t.Fatalf("missing: %+v", missing)
	}
	if d, shown := f.Judge(missing[0]); !shown || !d.Fails || d.Severity != validate.Error {
		t.Errorf("the missing one: %+v, %v", d, shown)
	}
	if got := p.For(pathIn(p, "good/x.jsonl")).Missing(); got != nil {
		t.Errorf("a path that expects nothing: %+v", got)
	}
	// Narrowed down to other codes, a run does not miss what it did not look for.
	p = newPolicy(t, yaml, Options{Select: []string{"C"}})
	if got := p.For(pathIn(p, "bad/x.jsonl")).Missing(); got != nil {
		t.Errorf("not selected: %+v", got)
	}
}

func TestPolicyMistakes(t *testing.T) {
	for _, tt := range []struct {
		opt  Options
		want string
	}{
		{Options{Select: []string{"J01"}}, `--select: no code and no family is called "J01"; near: J001`},
		{Options{Ignore: []string{"Q"}}, `--ignore: no code and no family is called "Q"`},
		{Options{FailLevel: "bad"}, `--fail-level "bad": want error`},
	} {
		if _, err := NewPolicy(testCodes(), nil, tt.opt, "."); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %s", tt.opt, err, tt.want)
		}
	}
}

func TestNear(t *testing.T) {
	all := []string{"J001", "J002", "M001", "EXPECT"}
	for _, tt := range []struct{ name, want string }{
		{"j001", "J001 J002 M001"},
		{"M002", "J002 M001"},
		{"expct", "EXPECT"},
		{"nothing", ""},
	} {
		if got := strings.Join(Near(tt.name, all), " "); got != tt.want {
			t.Errorf("Near(%q) = %s, want %s", tt.name, got, tt.want)
		}
	}
}
