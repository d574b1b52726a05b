package validate

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// validateLines validates a file of these lines.
func validateLines(t *testing.T, workers int, lines ...string) (File, []Finding) {
	t.Helper()
	return validateText(t, workers, strings.Join(lines, "\n")+"\n")
}

func validateText(t *testing.T, workers int, text string) (File, []Finding) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return validateFile(t, newTestValidator(workers), path)
}

const (
	testMeta = `{"timestamp":"2026-11-02T09:00:00.000Z","type":"session_meta","payload":{"id":"0199b001-0000-7000-8000-000000000001","timestamp":"2026-11-02T09:00:00.000Z","cwd":"/srv/tide","originator":"demo","cli_version":"0.160.0"}}`
	testUser = `{"timestamp":"2026-11-02T09:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}}`
)

// isRejection reports whether a code says that Codex rejects the line.
func isRejection(code string) bool {
	switch code[0] {
	case 'R':
		return true
	case 'J':
		return code != "J014"
	case 'L':
		return code <= "L006" || code == "L012"
	}
	return code == "S002"
}

// TestEachRejectedLineHasOneFinding holds the mapping to what the real decoder rejects.
func TestEachRejectedLineHasOneFinding(t *testing.T) {
	t.Run("selection", func(t *testing.T) {
		testOneFinding(t, filepath.Join("..", "parse", "accept", "testdata", "verdicts.jsonl"))
	})
	t.Run("all", func(t *testing.T) {
		path := os.Getenv("ROLLOUT_VERDICTS")
		if path == "" {
			t.Skip("ROLLOUT_VERDICTS is not set")
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			path = filepath.Join(path, "cases.jsonl")
		}
		testOneFinding(t, path)
	})
}

func testOneFinding(t *testing.T, path string) {
	lines, expect := verdictLines(t, path)
	lines, expect = append([]string{testMeta}, lines...), append([]string{"ok"}, expect...)
	_, found := validateLines(t, 1, lines...)
	rejections := map[int][]Finding{}
	for _, f := range found {
		if isRejection(f.Code) {
			rejections[f.Line] = append(rejections[f.Line], f)
		}
	}
	check := accept.NewChecker()
	rejected := 0
	for i, line := range lines {
		got := rejections[i+1]
		want := 0
		if expect[i] == "err" {
			rejected++
			if want = 1; leftToMetadata(check.Line([]byte(line))) {
				want = 0
			}
		}
		if len(got) != want {
			t.Errorf("%d findings, want %d, for %.200q\n%s", len(got), want, line, messages(got))
		}
		for _, f := range got {
			if f.Message == "" {
				t.Errorf("%s without a message: %.200q", f.Code, line)
			}
		}
	}
	if rejected < 150 {
		t.Errorf("only %d rejected lines", rejected)
	}
}

// verdictLines are the lines of all cases, and what the real decoder does with each.
// Cases that hang on how its library works are left out.
func verdictLines(t *testing.T, path string) (lines, expect []string) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var c struct {
			Lines    []string `json:"lines"`
			LinesB64 [][]byte `json:"lines_b64"`
			Expect   []string `json:"expect"`
			Tags     []string `json:"tags"`
		}
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if slices.Contains(c.Tags, "serde-only") {
			continue
		}
		for _, b := range c.LinesB64 {
			c.Lines = append(c.Lines, string(b))
		}
		lines, expect = append(lines, c.Lines...), append(expect, c.Expect...)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return lines, expect
}

func eventLine(body string) string {
	return `{"timestamp":"2026-11-02T09:00:01.000Z","type":"event_msg","payload":{` + body + `}}`
}

func turnContextLine(body string) string {
	return `{"timestamp":"2026-11-02T09:00:01.000Z","type":"turn_context","payload":{"cwd":"/a","approval_policy":"never","model":"m",` + body + `}}`
}

func TestRejectionCodes(t *testing.T) {
	decode := func(s string) string {
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	const warning = `"type":"warning","message":`
	tests := []struct {
		name, line, code, pointer string
		at                        string // what stands at the offset; "" is not looked at
	}{
		{"torn and then whole on one line", testUser[:100] + testUser, "J007", "", testUser},
		{"two whole records", testUser + testMeta, "J007", "", testMeta},
		{"whole and then torn", testUser + testMeta[:70], "J007", "", testMeta[:70]},
		{"torn with an object that has a timestamp", eventLine(`"x":{"timestamp":"t"}`)[:88], "J006", "", ""},
		{"trailing NUL", testUser + "\x00", "J003", "", "\x00"},
		{"NUL in a string", strings.Replace(testUser, "hi", "h\x00", 1), "J003", "", "\x00"},
		{"UTF-16", decode("//57AA=="), "J004", "", "\xff"},
		{"cut in a character", testUser[:140] + "\xe4", "J004", "", "\xe4"},
		{"cut in a literal", `{"timestamp":"t","x":tru`, "J006", "", "tru"},
		{"cut in a number", `{"timestamp":"t","x":1.`, "J006", "", ""},
		{"cut in an escape", `{"timestamp":"t","x":"\u00`, "J006", "", `\u00`},
		{"cut in a pair of surrogates", `{"timestamp":"t","x":"\ud83c\ud`, "J006", "", `\ud83c`},
		{"bad literal", `{"timestamp":"t","x":tru}`, "J001", "", "tru}"},
		{"bad escape", eventLine(warning + `"\x"`), "J001", "", `\x`},
		{"bad escape at the end", `{"x":"\u0"}`, "J001", "", `\u0`},
		{"lone surrogate at the end", `{"x":"\ud83c"}`, "J010", "", `\ud83c`},
		{"a number alone", "12", "L001", "", "12"},
		{"integer in an ignored key", `{"x":18446744073709551616,` + testUser[1:], "J012", "/x", "18446744073709551616"},
		{"a map where a float is needed", eventLine(`"type":"token_count","rate_limits":{"primary":{"used_percent":{}}}`), "R003",
			"/payload/rate_limits/primary/used_percent", "{}}}"},
		{"timestamp is a number", `{"timestamp":5,"type":"event_msg","payload":{` + warning + `""}}`, "L002", "/timestamp", "5"},
		{"type is a number", `{"timestamp":"","type":5,"payload":{}}`, "L005", "/type", "5"},
		{"ordinal is text", `{"timestamp":"","ordinal":"3","type":"event_msg","payload":{}}`, "L003", "/ordinal", `"3"`},
		{"payload is null", `{"timestamp":"","type":"event_msg","payload":null}`, "R002", "/payload", "null"},
		{"event without type", eventLine(`"message":""`), "R001", "/payload", `{"message"`},
		{"a delta of 2025", eventLine(`"type":"agent_message_delta","delta":""`), "R006", "/payload/type", `"agent_message_delta"`},
		{"sandbox policy without kind", turnContextLine(`"sandbox_policy":{}`), "R001", "/payload/sandbox_policy", "{}}"},
		{"sandbox policy of another kind", turnContextLine(`"sandbox_policy":{"type":"open"}`), "R005", "/payload/sandbox_policy/type", `"open"`},
		{"collaboration mode alone", turnContextLine(`"sandbox_policy":{"type":"read-only"},"collaboration_mode":{"mode":"plan"}`), "R001",
			"/payload/collaboration_mode", `{"mode"`},
		{"review without target", eventLine(`"type":"entered_review_mode"`), "R001", "/payload", `{"type":"entered`},
		{"history_mode after the first session_meta", strings.Replace(testMeta, `"cwd"`, `"history_mode":"","cwd"`, 1), "R005",
			"/payload/history_mode", `"","cwd"`},
		{"cwd of another command", eventLine(`"type":"exec_command_end","call_id":"","turn_id":"","command":[],"cwd":"srv","parsed_cmd":[],"exit_code":0,"duration":{"secs":0,"nanos":0},"status":"completed"`),
			"R010", "/payload/cwd", `"srv"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, found := validateLines(t, 1, testMeta, tt.line, testUser)
			found = slices.DeleteFunc(found, func(f Finding) bool { return f.Line != 2 || !isRejection(f.Code) })
			if len(found) != 1 {
				t.Fatalf("%d findings:\n%s", len(found), messages(found))
			}
			f := found[0]
			if f.Code != tt.code || f.Pointer != tt.pointer {
				t.Errorf("got %s at %q (%s), want %s at %q", f.Code, f.Pointer, f.Message, tt.code, tt.pointer)
			}
			at := int(f.Offset) - len(testMeta) - 1
			if at < 0 || at > len(tt.line) || !strings.HasPrefix(tt.line[at:], tt.at) {
				t.Errorf("the place is byte %d of %s", at, tt.line)
			}
		})
	}
}

func TestLeftToMetadata(t *testing.T) {
	compacted := func(body string) string {
		return `{"timestamp":"t","type":"compacted","payload":{"message":"",` + body + `}}`
	}
	tests := []struct {
		line string
		want bool
	}{
		{compacted(`"replacement_history":[],"replacement_history_metadata":[{}]`), true},
		{compacted(`"replacement_history_metadata":[]`), true},
		{compacted(`"replacement_history":[{"type":"other"}],"replacement_history_metadata":[null]`), true},
		{compacted(`"replacement_history":[{"type":"other"}],"replacement_history_metadata":[[]]`), false},
		{compacted(`"replacement_history":[{"type":"other"}],"replacement_history_metadata":[{"client_authored":null}]`), false},
		{compacted(`"replacement_history":[null]`), false},
	}
	check := accept.NewChecker()
	for _, tt := range tests {
		res := check.Line([]byte(tt.line))
		if res.Verdict != accept.Err {
			t.Fatalf("%s is accepted", tt.line)
		}
		if got := leftToMetadata(res); got != tt.want {
			t.Errorf("%s: %v, want %v (%s)", tt.line, got, tt.want, res.Message)
		}
	}
}

// TestWorkersAgree: what a goroutine sees of the lines before and after must not matter.
// Torn lines stand everywhere, also where blocks of lines meet.
func TestWorkersAgree(t *testing.T) {
	var file bytes.Buffer
	fmt.Fprintln(&file, testMeta)
	record := func(n int) string {
		return strings.Replace(testUser, "hi", fmt.Sprintf("%d %s", n, strings.Repeat("tide ", 2000)), 1)
	}
	const rounds = 300 // three lines of about 10 kB: nine blocks of 1 MiB
	for n := range rounds {
		whole := record(n)
		fmt.Fprintf(&file, "%s\n%s\n", whole[:len(whole)-1000], whole) // retried
		fmt.Fprintln(&file, record(n + rounds)[:5000])                 // lost
	}
	var first []Finding
	for workers := 1; workers <= 4; workers++ {
		_, found := validateText(t, workers, file.String())
		count := map[string]int{}
		for _, f := range found {
			count[f.Code]++
		}
		if count["L012"] != rounds || count["J006"] != rounds {
			t.Errorf("%d workers: %d retried and %d lost records, want %d of each", workers, count["L012"], count["J006"], rounds)
		}
		if workers == 1 {
			first = found
		} else if !slices.Equal(first, found) {
			t.Errorf("%d workers find something else than one", workers)
		}
	}
}

// TestBareItemsAreJudged: the items of a generation 0 file have no envelope, and the
// places of findings are those in the line as it is.
func TestBareItemsAreJudged(t *testing.T) {
	_, found := validateLines(t, 1,
		`{"id":"5973b6c0-94b8-487b-a530-2aeb6098ae0e","timestamp":"2025-06-01T10:00:00.000Z","instructions":null}`,
		`{"type":"message","role":5,"content":[]}`, `{"record_type":"state"}`)
	want := []place{{"S006", 1, ""}, {"R003", 2, "/role"}}
	if got := places(found); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, f := range found {
		if f.Code == "R003" && f.Offset != 105+25 {
			t.Errorf("role is at byte %d, want 130", f.Offset)
		}
	}
}
