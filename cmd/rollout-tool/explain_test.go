package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/validate"
)

var update = flag.Bool("update", false, "write docs/rules.md")

// docs/rules.md is what the registry says.
func TestRulesPage(t *testing.T) {
	page := filepath.Join("..", "..", "docs", "rules.md")
	r := runTool(nil, "explain", "--format", "markdown")
	if r.code != exitOK {
		t.Fatal(r.stderr)
	}
	if *update {
		if err := os.WriteFile(page, []byte(r.stdout), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(text), "\r\n", "\n") != r.stdout {
		t.Error("docs/rules.md is out of date: go run ./cmd/rollout-tool explain --format markdown > docs/rules.md")
	}
	for _, c := range validate.Codes() {
		if !strings.Contains(r.stdout, "\n### "+c.ID+"\n") {
			t.Errorf("%s is not in it", c.ID)
		}
	}
}

func TestMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"a <b> & `c <d> *` [e]": "a &lt;b&gt; &amp; `c <d> *` \\[e\\]",
		"one ` quote <x>":       "one ` quote &lt;x&gt;",
		"session_meta *x*":      `session\_meta \*x\*`,
	} {
		if got := markdown(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
