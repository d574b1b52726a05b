package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// corpusCommands are run on every file: none may fail for a reason of its own.
var corpusCommands = [][]string{
	{"parse", "--summary", "--format", "json"},
	{"parse", "--format", "jsonl"},
	{"history", "--format", "json"},
	{"payload"},
	{"diff", "--compaction", "all", "--format", "json"},
	{"rewrite", "compact", "--format", "json"},
	{"validate", "--no-config", "--exit-zero", "--format", "json"},
}

// TestCorpus runs the reading commands over the project's fixtures and, when
// ROLLOUT_CORPUS names a folder of real rollouts, over those: no crash, an exit code of
// the design, JSON that is JSON, and the same answer for a compressed copy on standard
// input, but for path and size.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of files")
	}
	dirs := []string{filepath.Join("..", "..", "fixtures")}
	if dir := os.Getenv("ROLLOUT_CORPUS"); dir != "" {
		dirs = append(dirs, dir)
	} else {
		t.Log("ROLLOUT_CORPUS is not set: only the project's own fixtures are read")
	}
	files := 0
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if strings.Contains(path, "invalid") && strings.HasSuffix(path, ".zst") {
				return nil // some unpack to more than a file may have
			}
			if err == nil && !d.IsDir() && (strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".jsonl.zst")) {
				files++
				corpusFile(t, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("only %d files were found", files)
	}
}

func corpusFile(t *testing.T, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	packed := enc.EncodeAll(data, nil)
	if strings.HasSuffix(path, ".zst") || bytes.HasPrefix(data, packed[:4]) {
		packed = nil // compressed already
	}
	for _, args := range corpusCommands {
		plain := runTool(nil, append(args, path)...)
		if plain.code != exitOK && plain.code != exitUnreadable {
			t.Errorf("%v %s: exit code %d: %s", args, path, plain.code, plain.stderr)
		}
		docs := []string{plain.stdout}
		if slices.Contains(args, "jsonl") {
			docs = strings.Split(strings.TrimSuffix(plain.stdout, "\n"), "\n")
		}
		for _, doc := range docs {
			if doc != "" && !json.Valid([]byte(doc)) {
				t.Errorf("%v %s: no JSON: %.200s", args, path, doc)
				break
			}
		}
		if packed == nil || strings.Contains(path, "invalid") || args[0] == "validate" || args[0] == "payload" && plain.code != exitOK {
			continue // the findings know the name, and a fork's base is looked for beside it
		}
		piped := runTool(bytes.NewReader(packed), append(args, "-")...)
		if a, b := nameless(plain.stdout), nameless(piped.stdout); a != b && !strings.Contains(string(data), `"history_base"`) {
			t.Errorf("%v %s: a compressed copy on standard input gives something else:\n%.300s\n%.300s", args, path, a, b)
		}
	}
}

var nameMembers = regexp.MustCompile(`"(path|file|lineage)":("[^"]*"|\[[^]]*\])`)

// nameless takes out what the name of the input decides.
func nameless(doc string) string { return nameMembers.ReplaceAllString(doc, `"$1":""`) }
