package accept

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestDuplicateKeysLastWins(t *testing.T) {
	expectAll(t, NewChecker(), []judgement{
		{`{"timestamp":5,"timestamp":"t","type":"response_item","payload":` + userHi + `}`, OK, "", ""},
		{`{"timestamp":"t","timestamp":5,"type":"response_item","payload":` + userHi + `}`, Err, "", "/timestamp"},
		{`{"timestamp":"t","type":"event_msg","type":"response_item","payload":` + userHi + `}`, OK, "", ""},
		{`{"timestamp":"t","type":"response_item","payload":7,"payload":` + userHi + `}`, OK, "", ""},
		{record("response_item", `{"type":"message","role":"user","content":5,"content":[]}`), OK, "", ""},
		{record("response_item", `{"type":"message","role":"user","content":[],"r\u006fle":5}`), Err, "", "/payload/role"},
		{record("response_item", `{"type":"function_call","name":1,"arguments":"","call_id":"c","name":"n"}`), OK, "", ""},
		{record("response_item", `{"type":"zz","n":18446744073709551616,"n":1}`), OK, "", ""},
		{record("world_state", `{"full":true,"state":{"a":{"b":18446744073709551616,"b":1}}}`), OK, "", ""},
		{record("world_state", `{"full":true,"state":{"a":{"b":1,"b":18446744073709551616}}}`), Err, "", "/payload/state/a/b"},
		{record("security_risk_score", `{"scores":{"a":"x","a":1}}`), OK, "", ""},
		{record("turn_context", `{"cwd":"rel","cwd":"/a","approval_policy":"never","sandbox_policy":{"type":"zz","type":"read-only"},"model":"m"}`), OK, "", ""},
		// A name together with its alias is an error, whatever the values.
		{record("event_msg", `{"type":"collab_waiting_begin","sender_thread_id":"0199aaaa-0000-7000-8000-000000000001","call_id":"c","receiver_thread_ids":[],"receiver_agents":[{"thread_id":"0199aaaa-0000-7000-8000-000000000001","agent_role":"a","agent_type":"a"}]}`),
			Err, "duplicate field `agent_role`", "/payload/receiver_agents/0/agent_type"},
		{record("event_msg", `{"type":"collab_waiting_begin","sender_thread_id":"0199aaaa-0000-7000-8000-000000000001","call_id":"c","receiver_thread_ids":[],"receiver_agents":[{"thread_id":"0199aaaa-0000-7000-8000-000000000001","agent_type":"a","agent_type":"a"}]}`), OK, "", ""},
	})
}

// Tags may come after what they explain.
func TestLateTag(t *testing.T) {
	expectAll(t, NewChecker(), []judgement{
		{`{"payload":{"content":[{"text":"hi","type":"input_text"}],"role":"user","type":"message"},"type":"response_item","timestamp":"t"}`, OK, "", ""},
		{`{"payload":{"content":[{"text":5,"type":"input_text"}],"role":"user","type":"message"},"type":"response_item","timestamp":"t"}`,
			Err, "expected a string", "/payload/content/0/text"},
	})
}

func TestCombinedFields(t *testing.T) {
	image := func(fields string) string {
		return record("response_item", `{"type":"message","role":"user","content":[{"type":"input_image"`+fields+`}]}`)
	}
	took := func(d string) string {
		return record("event_msg", `{"type":"mcp_tool_call_end","call_id":"c","invocation":{"server":"s","tool":"t"},"result":{"Ok":{"content":[]}},"duration":`+d+`}`)
	}
	expectAll(t, NewChecker(), []judgement{
		{image(`,"image_url":5,"file_id":"f"`), OK, "", ""},
		{image(`,"image_url":"u","file_id":5`), OK, "", ""},
		{image(`,"image_url":null`), Err, "did not match any variant", "/payload/content/0"},
		{took(`{"secs":1,"nanos":2000000000}`), OK, "", ""},
		{took(`{"secs":18446744073709551615,"nanos":999999999}`), OK, "", ""},
		{took(`{"secs":18446744073709551615,"nanos":1000000000}`), Err, "overflow", "/payload/duration"},
		{took(`{"secs":1,"nanos":2,"zz":3}`), Err, "unknown field `zz`", "/payload/duration/zz"},
		{took(`[1,2]`), OK, "", ""}, {took(`[1]`), Err, "invalid length", "/payload/duration"},
		{took(`[1,2,3]`), Err, "invalid length", "/payload/duration"},
	})
}

func TestProfile(t *testing.T) {
	line := []byte(record("token_usage_record", `{}`))
	for profile, want := range map[Profile]string{
		Newest: "missing field", "2026-12": "missing field", "2026-08-21": "unknown variant", "2025-10": "unknown variant",
	} {
		if r := NewChecker(WithProfile(profile)).Line(line); r.Verdict != Err || !strings.Contains(r.Message, want) {
			t.Errorf("%q: %v %q, want %q", profile, r.Verdict, r.Message, want)
		}
	}
	// Before it knew replacement_history a reader ignored the key.
	checkpoint := []byte(record("compacted", `{"message":"s","replacement_history":5}`))
	if r := NewChecker(WithProfile("2025-11-17")).Line(checkpoint); r.Verdict != OK {
		t.Errorf("2025-11-17: %s", r.Message)
	}
	if r := NewChecker(WithProfile("2025-11-18")).Line(checkpoint); r.Verdict != Err {
		t.Error("2025-11-18: accepted")
	}
}

func TestOnWindows(t *testing.T) {
	in := func(cwd string) []byte {
		return []byte(record("turn_context", `{"cwd":"`+cwd+`","approval_policy":"never","sandbox_policy":{"type":"read-only"},"model":"m"}`))
	}
	unix, windows := NewChecker(), NewChecker(OnWindows())
	for cwd, onUnix := range map[string]bool{`/srv`: true, `C:\\x`: false, `c:/x`: false, `\\\\srv\\x`: false} {
		if r := unix.Line(in(cwd)); (r.Verdict == OK) != onUnix {
			t.Errorf("Unix, %s: %v", cwd, r.Verdict)
		}
		if r := windows.Line(in(cwd)); (r.Verdict == OK) == onUnix {
			t.Errorf("Windows, %s: %v", cwd, r.Verdict)
		}
	}
}

func TestFile(t *testing.T) {
	meta := func(id, mode string) string {
		return record("session_meta", `{"id":"`+id+`","timestamp":"t","cwd":"/","originator":"o","cli_version":"v","history_mode":`+mode+`}`)
	}
	const a, b = "0199AAAA000070008000000000000001", "0199bbbb-0000-7000-8000-000000000001"
	hi := record("response_item", userHi)
	for _, c := range []struct {
		lines         []string
		load, thread  string
		items, errors int
		abortedAt     int
	}{
		{[]string{meta(a, `"legacy"`), hi, "", "torn", meta(b, `"legacy"`)}, "ok", "0199aaaa-0000-7000-8000-000000000001", 3, 1, 0},
		{[]string{hi, record("response_item", ghost)}, "ok", "", 1, 0, 0},
		{[]string{meta(a, `"legacy"`), meta(b, `"zz"`)}, "ok", "0199aaaa-0000-7000-8000-000000000001", 1, 1, 0},
		{[]string{hi, meta(b, `null`), meta(a, `"legacy"`)}, "abort", "", 1, 0, 2},
		{[]string{hi, "\xff", meta(b, `"zz"`)}, "abort", "", 1, 0, 2},
		{[]string{"", " "}, "abort", "", 0, 0, 0},
		{nil, "abort", "", 0, 0, 0},
	} {
		check, f := NewChecker(), File{}
		for _, l := range c.lines {
			f.Add(check.Line([]byte(l)))
		}
		at, message, aborted := f.Aborted()
		if f.Load() != c.load || f.ThreadID != c.thread || f.Items != c.items || f.Errors != c.errors || at != c.abortedAt {
			t.Errorf("%q: got %s, aborted at %d, %+v", c.lines, f.Load(), at, f)
		}
		if aborted == (message == "") || aborted != (c.load == "abort") {
			t.Errorf("%q: aborted %v, message %q", c.lines, aborted, message)
		}
	}
}

// The synthetic examples of format.md 9.
func TestExamples(t *testing.T) {
	for _, c := range []struct{ file, verdicts, kinds string }{
		{"examples-current.jsonl", strings.Repeat("ok ", 18), "13:retained_context 14:retained_context"},
		{"examples-legacy.jsonl", "err err err ok ok ok dropped ok ok ok", ""},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", c.file))
		if err != nil {
			t.Fatal(err)
		}
		check := NewChecker()
		want := strings.Fields(c.verdicts)
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		if len(lines) != len(want) {
			t.Fatalf("%s: %d lines, want %d", c.file, len(lines), len(want))
		}
		var kinds []string
		for i, l := range lines {
			r := check.Line([]byte(l))
			if r.Verdict.String() != want[i] {
				t.Errorf("%s:%d: got %v (%s at %q), want %s", c.file, i+1, r.Verdict, r.Message, r.Pointer, want[i])
			}
			if r.Kind == "retained_context" {
				kinds = append(kinds, fmt.Sprintf("%d:%s", i+1, r.Kind))
			}
		}
		if got := strings.Join(kinds, " "); got != c.kinds {
			t.Errorf("%s: kinds %q, want %q", c.file, got, c.kinds)
		}
	}
}

// allocated is the memory that f allocates, in bytes.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestMemory(t *testing.T) {
	check := NewChecker()
	const most = 64 << 10
	for name, line := range map[string][]byte{
		"brackets": bytes.Repeat([]byte("["), 18<<20),
		"braces":   bytes.Repeat([]byte(`{"a":`), 1<<20),
		"text":     []byte(record("event_msg", `{"type":"warning","message":"`+strings.Repeat("0123456789abcdef", 1<<21)+`"}`)),
		"bad text": []byte(record("event_msg", `{"type":"warning","text":"`+strings.Repeat("0123456789abcdef", 1<<21)+`"}`)),
		"late tag": []byte(record("event_msg", `{"message":"`+strings.Repeat("0123456789abcdef", 1<<21)+`","type":"warning"}`)),
	} {
		if n := allocated(func() { check.Line(line) }); n > most {
			t.Errorf("%s: %d bytes for a line of %d", name, n, len(line))
		}
	}
	lines := append(textLines(), tokenLines()...)
	if n := testing.AllocsPerRun(100, func() {
		for _, l := range lines {
			check.Line(l)
		}
	}); n > 0 {
		t.Errorf("%v allocations for accepted lines", n)
	}
}
