package ops

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/validate"
)

// fixtureOf is the broken file of a code.
func fixtureOf(t testing.TB, code string) string {
	t.Helper()
	files, _ := filepath.Glob("../../fixtures/invalid/" + code + "-*/bad.jsonl*")
	if len(files) != 1 {
		t.Fatalf("%d files for %s", len(files), code)
	}
	return files[0]
}

// checkOne is checkCured for the broken file of a code; options are pairs.
func checkOne(t *testing.T, op, code string, options ...string) {
	t.Helper()
	t.Run(code, func(t *testing.T) {
		checkCured(t, readText(t, fixtureOf(t, code)), operation(t, op, options...), code)
	})
}

// readText is the text of a file, decompressed.
func readText(t testing.TB, path string) string {
	t.Helper()
	src, err := parse.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	in, err := src.ReadFrom(0)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var text strings.Builder
	if _, err := io.Copy(&text, in); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// rejected is the number of lines of a text that Codex does not accept.
func rejected(t testing.TB, text string) int {
	t.Helper()
	f, err := validate.New(validate.Options{Workers: 1}).File(open(t, text), func(validate.Finding) {})
	if err != nil {
		t.Fatal(err)
	}
	return len(f.Rejected)
}

func TestSlimCuresOfReports(t *testing.T) {
	dir := "../../fixtures/cures/slim/"
	checkCured(t, readText(t, dir+"ghosts.jsonl"), operation(t, "slim"), "L015", "M005")
	checkCured(t, readText(t, dir+"raw-output.jsonl"), operation(t, "slim", "outputs", "10000"), "B014")
}

func TestSlimCuresItsCodes(t *testing.T) {
	for code, options := range map[string][]string{
		"B012": nil, "B013": nil, "B014": {"outputs", "10000", "everywhere", "true"}, "L015": nil, "M005": nil,
	} {
		checkOne(t, "slim", code, options...)
	}
	// B002: the fixture is 512 MiB of ciphertext, which nothing makes smaller.
}
