package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/rollout-tool/rollout-tool/validate"
	"github.com/rollout-tool/rollout-tool/validate/config"
)

func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", file))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// The hook's command line is one that validate takes, and its pattern fits rollouts.
func TestPreCommitHook(t *testing.T) {
	var hooks []struct {
		ID, Name, Entry, Language, Files string
	}
	readYAML(t, ".pre-commit-hooks.yaml", &hooks)
	if len(hooks) != 1 || hooks[0].ID != "rollout-validate" || hooks[0].Language != "golang" || hooks[0].Name == "" {
		t.Fatalf("%+v", hooks)
	}
	words := strings.Fields(hooks[0].Entry)
	if words[0] != "rollout-tool" {
		t.Errorf("entry %q", hooks[0].Entry)
	}
	demo := filepath.Join("..", "..", "fixtures", "demo")
	for file, want := range map[string]int{"rollout.jsonl": exitOK, "broken.jsonl": exitDifferent} {
		args := append(words[1:len(words):len(words)], "--select", "J", filepath.Join(demo, file))
		if r := runTool(nil, args...); r.code != want {
			t.Errorf("%v: exit code %d, want %d\n%s", args, r.code, want, r.stderr)
		}
	}
	files := regexp.MustCompile(hooks[0].Files)
	for name, want := range map[string]bool{"a/rollout-x.jsonl": true, "x.jsonl.zst": true, "x.json": false, "jsonl.go": false} {
		if files.MatchString(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

// The step that validates runs as written, with the exit code as its own and as an output.
func TestAction(t *testing.T) {
	var action struct {
		Name, Description string
		Inputs, Outputs   map[string]map[string]string
		Runs              struct {
			Using string
			Steps []struct {
				ID, Name, Shell, Run, Uses, If string
				Env                            map[string]string
			}
		}
	}
	readYAML(t, "action.yml", &action)
	if action.Runs.Using != "composite" || action.Name == "" || action.Description == "" {
		t.Fatalf("%+v", action)
	}
	script := ""
	for _, s := range action.Runs.Steps {
		if s.ID == "validate" {
			script = s.Run
		}
		if s.Run != "" && (s.Shell != "bash" || strings.Contains(s.Run, "${{")) {
			t.Errorf("step %s: a script needs a shell and takes inputs from its environment", s.Name)
		}
	}
	bash, err := exec.LookPath("bash")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no bash")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		paths, args string
		want        int
	}{
		{"fixtures/demo/rollout.jsonl\n\nfixtures/demo/fork\n", "--select J", exitOK},
		{"fixtures/demo/broken.jsonl", "", exitDifferent},
		{"fixtures/demo/broken.jsonl", "--fail-level never --jobs 1", exitOK},
		{"fixtures/none", "", exitUnreadable},
		{"fixtures/demo", "--select NONE", exitUsage},
	} {
		tmp := t.TempDir()
		if err := os.Mkdir(filepath.Join(tmp, "rollout-tool"), 0o777); err != nil {
			t.Fatal(err)
		}
		selfAs(t, filepath.Join(tmp, "rollout-tool"), "rollout-tool")
		cmd := exec.Command(bash, "-e", "-o", "pipefail", "-c", script)
		cmd.Dir = root
		output, log := filepath.Join(tmp, "output"), filepath.Join(tmp, "log.sarif")
		cmd.Env = append(os.Environ(), "RUNNER_TEMP="+tmp, "GITHUB_OUTPUT="+output,
			"VALIDATE_PATHS="+tt.paths, "VALIDATE_ARGS="+tt.args, "VALIDATE_SARIF="+log)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if got := cmd.ProcessState.ExitCode(); got != tt.want {
			t.Errorf("%+v: exit code %d\n%s", tt, got, stderr.String())
		}
		said, _ := os.ReadFile(output)
		if want := "exit-code=" + string(rune('0'+tt.want)) + "\n"; string(said) != want {
			t.Errorf("%+v: output %q, want %q", tt, said, want)
		}
		if _, err := os.Stat(log); (err == nil) == (tt.want == exitUsage) {
			t.Errorf("%+v: the log: %v", tt, err)
		}
		if tt.want == exitDifferent && !strings.HasPrefix(stdout.String(), "::error file=fixtures/demo/broken.jsonl,line=") {
			t.Errorf("annotations: %s", stdout.String())
		}
	}
}

// The settings that docs/validate.md shows are valid ones.
func TestDocumentedSettings(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "validate.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```yaml\n")
	settings, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("no settings in docs/validate.md")
	}
	c, err := config.Parse("docs/validate.md", []byte(settings), validate.Codes())
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Overrides) != 2 || c.Rules != 1 {
		t.Errorf("%+v", c)
	}
}
