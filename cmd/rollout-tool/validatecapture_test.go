package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollout-tool/rollout-tool/request/capture"
)

const capturesDir = "../../fixtures/captures"

// plainItems are input items without bookkeeping: what a rebuilt body has to have.
func plainItems(t *testing.T, items []json.RawMessage) []map[string]any {
	t.Helper()
	out := make([]map[string]any, len(items))
	for i, raw := range items {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		if err := dec.Decode(&out[i]); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"id", "status", "internal_chat_message_metadata_passthrough"} {
			delete(out[i], name)
		}
	}
	return out
}

// lineOf is the first line of a rollout that has an id, 0 for none.
func lineOf(rollout []byte, id string) int {
	for i, line := range bytes.Split(rollout, []byte("\n")) {
		if id != "" && bytes.Contains(line, []byte(`"id":"`+id+`"`)) {
			return i + 1
		}
	}
	return 0
}

// TestPayloadGivesCapturedInput: from the rollout of each scenario, payload builds the input
// that was sent, bookkeeping left aside.
func TestPayloadGivesCapturedInput(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(capturesDir, "*", "expect.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no captures in %s: %v", capturesDir, err)
	}
	for _, path := range paths {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var expect struct{ Capture string }
			if err := json.Unmarshal(data, &expect); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "rollout.jsonl")
			rollout, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r, err := capture.Open(filepath.Join(dir, expect.Capture))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			compared := 0
			for {
				e, err := r.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if !e.Request.Warmup() {
					comparePayload(t, file, rollout, e)
					compared++
				}
			}
			if compared < 2 {
				t.Errorf("%d requests compared", compared)
			}
		})
	}
}

func comparePayload(t *testing.T, file string, rollout []byte, e *capture.Exchange) {
	t.Helper()
	var sent []json.RawMessage
	last := ""
	for _, it := range e.Request.Input {
		sent = append(sent, json.RawMessage(it.Raw))
		if id := it.ID(); id != "" {
			last = id
		}
	}
	line := lineOf(rollout, last)
	if line == 0 {
		t.Fatalf("request %d: item %s is not in the rollout", e.Index, last)
	}
	args := []string{"payload", "--wire", "--at", fmt.Sprintf("line:%d", line)}
	if e.Request.IsCompaction() {
		args = append(args, "--kind", "compaction", "--context-window", "auto")
	}
	res := runTool(nil, append(args, file)...)
	if res.code != exitOK {
		t.Fatalf("request %d: exit code %d, %s", e.Index, res.code, res.stderr)
	}
	var body struct{ Input []json.RawMessage }
	if err := json.Unmarshal([]byte(res.stdout), &body); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plainItems(t, sent), plainItems(t, body.Input)); diff != "" {
		t.Errorf("request %d (-sent +rebuilt):\n%.2000s", e.Index, diff)
	}
}

func TestValidateCapture(t *testing.T) {
	dump := filepath.Join(capturesDir, "trigger-reused", "dump")
	rollout := filepath.Join(capturesDir, "trigger-reused", "rollout.jsonl")
	cut := filepath.Join("..", "..", "fixtures", "invalid", "X001-cut-off", "bad.har")
	missing := filepath.Join("..", "..", "fixtures", "invalid", "X003-payload-missing", "bad")
	request, err := filepath.Glob(filepath.Join(dump, "000003-*-request.json"))
	if err != nil || len(request) != 1 {
		t.Fatalf("%v, %v", request, err)
	}
	for _, tt := range []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string
	}{
		{"a dump", []string{dump}, exitOK, "All checks passed: 1 file", ""},
		{"a dump and its rollout", []string{"--rollout", rollout, dump}, exitOK, "All checks passed: 1 file", ""},
		{"one request of it", []string{request[0]}, exitOK, "All checks passed: 1 file", ""},
		{"beside a rollout", []string{dump, rollout}, exitOK, "of 2 files", "2 files"},
		{"beside a file that is missing", []string{dump, "none.har"}, exitUnreadable, "", "none.har"},
		{"two captures", []string{dump, missing}, exitDifferent, "X003", "2 files"},
		{"cut off", []string{"--format", "concise", cut}, exitDifferent, "bad.har: byte ", ""},
		{"a payload is missing", []string{"--format", "json", missing}, exitDifferent, `"pointer":"","request":3,"file":"trace.jsonl"`, ""},
		{"family", []string{"--select", "J", cut}, exitOK, "", ""},
		{"--rollout alone", []string{"--rollout", rollout, rollout}, exitUsage, "", "--rollout needs a PATH that is a capture"},
		{"no rollout", []string{"--rollout", "none.jsonl", dump}, exitUnreadable, "", "none.jsonl"},
	} {
		r := runTool(nil, append([]string{"validate", "--no-config"}, tt.args...)...)
		if r.code != tt.code || !strings.Contains(r.stdout, tt.stdout) || !strings.Contains(r.stderr, tt.stderr) {
			t.Errorf("%s: exit code %d\n%s%s", tt.name, r.code, r.stdout, r.stderr)
		}
	}
}

// TestRolloutOfCapture: a file that is no rollout is no evidence against a capture.
func TestRolloutOfCapture(t *testing.T) {
	scenario := filepath.Join(capturesDir, "bedrock-automatic")
	har := filepath.Join(scenario, "capture.har")
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rollout, err := os.ReadFile(filepath.Join(scenario, "rollout.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for name, wrong := range map[string]string{
		"a capture":      har,
		"another file":   filepath.Join(scenario, "expect.json"),
		"an empty file":  file("empty.jsonl", ""),
		"a blank file":   file("blank.jsonl", "\n \n"),
		"one JSON value": file("item.jsonl", `{"type":"message","role":"user","content":[]}`+"\n"),
	} {
		r := runTool(nil, "validate", "--no-config", har, "--rollout", wrong)
		want := "rollout-tool: " + wrong + ": this is no rollout"
		if r.code != exitUnreadable || r.stdout != "" || !strings.HasPrefix(r.stderr, want) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d\n%s%s", name, r.code, r.stdout, r.stderr)
		}
	}
	// One with a defect at its start is a rollout all the same.
	damaged := file("damaged.jsonl", "{\n"+string(rollout))
	if r := runTool(nil, "validate", "--no-config", har, "--rollout", damaged); r.code != exitOK {
		t.Errorf("a damaged rollout: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	// Standard input holds for several captures.
	if r := runTool(bytes.NewReader(rollout), "validate", "--no-config", har, har, "--rollout", "-"); r.code != exitOK || !strings.Contains(r.stdout, "2 files") {
		t.Errorf("standard input: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

// TestCaptureOnStdin: a capture on standard input is judged like the file.
func TestCaptureOnStdin(t *testing.T) {
	invalid := filepath.Join("..", "..", "fixtures", "invalid")
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	for name, tt := range map[string]struct {
		path string
		args []string
		code int
	}{
		"HAR":          {filepath.Join(capturesDir, "bedrock-automatic", "capture.har"), nil, exitOK},
		"with rollout": {filepath.Join(capturesDir, "bedrock-automatic", "capture.har"), []string{"--rollout", filepath.Join(capturesDir, "bedrock-automatic", "rollout.jsonl")}, exitOK},
		"broken HAR":   {filepath.Join(capturesDir, "retries-within-budget", "broken", "X017-failed-summary.har"), nil, exitDifferent},
		"cut HAR":      {filepath.Join(invalid, "X001-cut-off", "bad.har"), nil, exitDifferent},
		"no request":   {filepath.Join(invalid, "X006-no-request", "bad.har"), nil, exitDifferent},
		"body":         {filepath.Join(invalid, "X005-previous-response", "bad.json"), nil, exitOK},
	} {
		text, err := os.ReadFile(tt.path)
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"validate", "--no-config", "--format", "json"}, tt.args...)
		want := runTool(nil, append(args, tt.path)...)
		for form, in := range map[string][]byte{"plain": text, "gzip": packed.Bytes()} {
			got := runTool(bytes.NewReader(in), append(args, "--stdin-filename", tt.path, "-")...)
			if got.code != tt.code || got.stdout != want.stdout || got.stderr != want.stderr {
				t.Errorf("%s, %s: exit code %d\n%s%s", name, form, got.code, cmp.Diff(want.stdout, got.stdout), got.stderr)
			}
		}
	}
	r := runTool(strings.NewReader("\x1f\x8b\x08"), "validate", "--no-config", "--format", "concise", "--stdin-filename", "a.har.gz", "-")
	if r.code != exitDifferent || !strings.HasPrefix(r.stdout, "a.har.gz: X001") {
		t.Errorf("cut off: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	if r := runTool(strings.NewReader("{}"), "validate", "--no-config", "-", "--rollout", "-"); r.code != exitUsage {
		t.Errorf("standard input twice: exit code %d\n%s", r.code, r.stderr)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestCaptureSecrets: no report shows what a header keeps secret.
func TestCaptureSecrets(t *testing.T) {
	body := `{"model":"m","input":[{"type":"compaction_trigger"},{"type":"message","role":"user","content":[]}]}`
	dir := t.TempDir()
	secret := "sk-live-0123456789"
	text := fmt.Sprintf(`{"method":"POST","url":"https://user:%s@bedrock.example/v1/other?key=%s","headers":[{"name":"Authorization","value":"Token %s"},{"name":"x-api-key","value":%q},{"name":"cookie","value":%q}],"body":%s}`,
		secret, secret, secret, secret, secret, body)
	if err := os.WriteFile(filepath.Join(dir, "000001-1000-request.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "json", "sarif", "junit"} {
		r := runTool(nil, "validate", "--no-config", "--format", format, dir)
		if r.code != exitDifferent {
			t.Errorf("%s: exit code %d\n%s", format, r.code, r.stderr)
		}
		if strings.Contains(r.stdout+r.stderr, secret) {
			t.Errorf("%s shows a secret", format)
		}
	}
}
