package ops

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/validate"
)

// summaryItem is the message that stands for what was dropped; its id is the first one
// that was made.
func summaryItem(text string) string {
	return `{"type":"message","id":"msg_0199c0de-0000-7000-8000-00000000f001","role":"user","content":[{"type":"input_text","text":"` + text +
		`"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["compaction.summary"]}}`
}

// The record, byte for byte: keys and order of format.md 4.1, time in UTC, the summary
// last, the windows of compaction.md 3.6.
func TestCompactWritten(t *testing.T) {
	const made = `"window_id":"0199c0de-0000-7000-8000-00000000f002","compaction_response_id":null,"latest_token_usage_record":null}}`
	inWindow := metaLine(`,"context_window":{"window_id":"` + window0 + `"}`)
	side := `,"metadata":{"client_authored":false,"user_input_order":0}`
	checkpoint := checkpointLine(`,"window_number":1,"first_window_id":"`+window0+`","previous_window_id":"`+window0+`","window_id":"`+window1+`"`, userItem("a"), compactionOf+`x"}`)
	tests := []struct {
		name    string
		in      []string
		options []string
		payload string // up to window_id
	}{
		{"the first", []string{inWindow, itemLine(userItem("a")), itemLine(assistantItem("b"))}, []string{"summary", "done"},
			`{"message":"done","replacement_history":[` + userItem("a") + `,` + summaryItem("done") + `],"window_number":1,"first_window_id":"` + window0 + `","previous_window_id":"` + window0 + `",`},
		{"with a sidecar, by rule 9", []string{inWindow, itemLine(userItem("a"), side)}, []string{"summary", "done"},
			`{"message":"done","replacement_history":[` + userItem("a") + `,` + summaryItem("done") + `],"replacement_history_metadata":[{"client_authored":false,"user_input_order":0},{"client_authored":false}],"window_number":1,"first_window_id":"` + window0 + `","previous_window_id":"` + window0 + `",`},
		{"no window known", []string{metaLine(""), itemLine(userItem("a"))}, []string{"summary", "done"},
			`{"message":"done","replacement_history":[` + userItem("a") + `,` + summaryItem("done") + `],"window_number":1,`},
		{"the next", []string{inWindow, itemLine(userItem("a")), checkpoint, itemLine(userItem("c"))}, []string{"summary", "done", "summary-prefix", "Before:"},
			`{"message":"Before:\ndone","replacement_history":[` + userItem("a") + `,` + userItem("c") + `,` + summaryItem(`Before:\ndone`) + `],"window_number":2,"first_window_id":"` + window0 + `","previous_window_id":"` + window1 + `",`},
		{"behind one without a number", []string{inWindow, itemLine(userItem("a")), recLine("compacted", `{"message":"m"}`)}, []string{"summary", "done", "budget", "0"},
			`{"message":"done","replacement_history":[` + summaryItem("done") + `],"window_number":2,"first_window_id":"` + window0 + `",`},
		{"with a numeric window_id", []string{inWindow, itemLine(userItem("a")), checkpointLine(`,"window_id":7`, userItem("a"))}, []string{"summary", "done"},
			`{"message":"done","replacement_history":[` + userItem("a") + `,` + summaryItem("done") + `],"window_number":8,"first_window_id":"` + window0 + `",`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := fileOf(tt.in...)
			out, res, err := run(t, in, fixed(), operation(t, "compact", tt.options...))
			if err != nil {
				t.Fatal(err)
			}
			want := in + `{"timestamp":"2026-09-02T10:00:00.007Z","type":"compacted","payload":` + tt.payload + made + "\n"
			if diff := cmp.Diff(want, out); diff != "" || res.Edits() != 1 {
				t.Errorf("%d edits (-want +got):\n%s", res.Edits(), diff)
			}
		})
	}
}

// A stored compaction item goes on with its id and sidecar.
func TestCompactCiphertext(t *testing.T) {
	stored := `{"type":"compaction","id":"cmp_1","encrypted_content":"x"}`
	in := fileOf(metaLine(""), itemLine(userItem("a")), checkpointLine(`,"replacement_history_metadata":[{},{"compaction_model_hash":"h"}]`, userItem("a"), stored), itemLine(userItem("c")))
	out, _, err := run(t, in, fixed(), operation(t, "compact", "ciphertext-from", "compaction:1"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{userItem("a") + ` | {"client_authored":false}`, userItem("c") + ` | {"client_authored":false}`, stored + ` | {"client_authored":false,"compaction_model_hash":"h"}`}
	if diff := cmp.Diff(want, rowsAtEnd(t, out)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if f := lastRecord(t, out).Fields(); f.Get("message").HasText() {
		t.Errorf("message %s", f.Get("message"))
	}
	checkCured(t, in, operation(t, "compact", "ciphertext-from", "compaction:-1"))
}

func TestCompactPaginated(t *testing.T) {
	in := withOrdinals(metaLine(`,"history_mode":"paginated"`), itemLine(userItem("a")))
	out, _, err := run(t, in, fixed(), operation(t, "compact", "summary", "s"))
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := lastRecord(t, out).Ordinal(); n != 2 || !ok {
		t.Errorf("ordinal %d, want 2", n)
	}
	checkCured(t, in, operation(t, "compact", "summary", "s"))
}

// Behind a rollback the record would belong to the turns that were rolled back (rules 11
// to 14): it gets a turn of its own.
func TestRule14CompactBehindRollback(t *testing.T) {
	turn := func(id, text string) []string {
		return []string{
			eventLine(`{"type":"task_started","turn_id":"` + id + `","model_context_window":900}`), itemLine(userItem(text)),
			eventLine(`{"type":"task_complete","turn_id":"` + id + `","last_agent_message":null}`),
		}
	}
	lines := append(append([]string{metaLine("")}, turn("t1", "a")...), turn("t2", "b")...)
	in := fileOf(append(lines, eventLine(`{"type":"thread_rolled_back","num_turns":1}`))...)
	out, res, err := run(t, in, fixed(), operation(t, "compact", "summary", "s"))
	if err != nil || res.Edits() != 3 {
		t.Fatalf("%d edits, %v", res.Edits(), err)
	}
	if diff := cmp.Diff([]string{userItem("a"), summaryItem("s")}, rowsAtEnd(t, out)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	const stampOf = `{"timestamp":"2026-09-02T10:00:00.007Z","type":"event_msg","payload":`
	const id = `"turn_id":"0199c0de-0000-7000-8000-00000000f003"`
	got := strings.Split(strings.TrimPrefix(out, in), "\n")
	want := []string{stampOf + `{"type":"task_started",` + id + `,"model_context_window":900}}`, got[1], stampOf + `{"type":"task_complete",` + id + `,"last_agent_message":null}}`, ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	checkNothingNew(t, in, out)
}

// The window goes on from the files that the history starts in.
func TestCompactOfFork(t *testing.T) {
	old := withOrdinals(metaLine(`,"history_mode":"paginated","context_window":{"window_id":"`+window0+`"}`), itemLine(userItem("a")),
		checkpointLine(`,"window_number":4,"first_window_id":"`+window0+`","window_id":"`+window1+`"`, userItem("a")))
	own := strings.Replace(metaLine(`,"history_mode":"paginated","context_window":{"window_id":"`+window2+`"},"history_base":`+string(baseOf(old, 3))), `"type":`, `"ordinal":3,"type":`, 1)
	opt := fixed()
	opt.FindBase = withBase(t, old).FindBase
	out, _, err := run(t, fileOf(own), opt, operation(t, "compact", "summary", "s"))
	if err != nil {
		t.Fatal(err)
	}
	f := lastRecord(t, out).Fields()
	got := []string{string(f.Get("window_number")), f.Text("first_window_id"), f.Text("previous_window_id")}
	if diff := cmp.Diff([]string{"5", window0, window1}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Time does not go backwards, and line ends stay what they are.
func TestCompactGoesOnFromTheLastRecord(t *testing.T) {
	in := strings.ReplaceAll(fileOf(metaLine(""), itemLine(userItem("a"))), "\n", "\r\n")
	opt := fixed()
	opt.Now = func() time.Time { return time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC) }
	out, _, err := run(t, in, opt, operation(t, "compact", "summary", "s"))
	if err != nil || !strings.HasSuffix(out, "\r\n") {
		t.Fatalf("%v %q", err, out)
	}
	if got, want := lastRecord(t, out).Timestamp(), "2026-09-01T10:00:00.000Z"; got != want {
		t.Errorf("timestamp %s, want %s", got, want)
	}
}

func TestCompactRefuses(t *testing.T) {
	start := eventLine(`{"type":"task_started","turn_id":"t","model_context_window":1}`)
	twice := `{"type":"message","id":"msg_1","role":"user","content":[{"type":"input_text","text":"a"}]}`
	long := userItem(strings.Repeat("x", 5000))
	for name, c := range map[string]struct{ text, want string }{
		"generation 0":          {readText(t, "../../fixtures/demo/legacy-gen0.jsonl"), "migrate it first"},
		"an empty history":      {fileOf(metaLine("")), "nothing to compact"},
		"a torn end":            {fileOf(metaLine(""), itemLine(userItem("a"))) + `{"timestamp"`, "ends inside a record"},
		"a call under way":      {fileOf(metaLine(""), start, itemLine(userItem("a")), itemLine(callItem("c"))), "has no output"},
		"one id twice":          {fileOf(metaLine(""), itemLine(twice), itemLine(twice)), "rollout-tool explain C005"},
		"nothing gained":        {fileOf(metaLine(""), itemLine(long)), "smaller --budget"},
		"no such checkpoint":    {fileOf(metaLine(""), itemLine(userItem("a"))), "compaction:3"},
		"numbers used up":       {fileOf(metaLine(""), checkpointLine(`,"window_number":18446744073709551615`, userItem("a"))), "used up"},
		"a local compaction":    {fileOf(metaLine(""), checkpointLine("", userItem("a"), compactionOf+`x"}`)), "compacts locally"},
		"no item in checkpoint": {fileOf(metaLine(""), itemLine(userItem("a")), recLine("compacted", `{"message":"m"}`)), "no compaction item"},
	} {
		options := []string{"summary", "s"}
		switch name {
		case "no such checkpoint":
			options = []string{"ciphertext-from", "compaction:3"}
		case "a local compaction":
			options = []string{"ciphertext-from", "compaction:1", "profile", "2025-10"}
		case "no item in checkpoint":
			options = []string{"ciphertext-from", "compaction:1"}
		}
		_, _, err := run(t, c.text, fixed(), operation(t, "compact", options...))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestCompactOptions(t *testing.T) {
	info, _ := Find("compact")
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.json")
	if err := os.WriteFile(bad, []byte(`[1]`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		set  map[string][]string
		want string
	}{
		{nil, "--summary is needed"},
		{map[string][]string{"summary": {" \n"}}, "--summary is empty"},
		{map[string][]string{"summary": {"@no such file"}}, "--summary "},
		{map[string][]string{"summary": {"s"}, "ciphertext-from": {"compaction:1"}}, "--ciphertext-from and --summary"},
		{map[string][]string{"ciphertext-from": {"end"}}, `--ciphertext-from "end"`},
		{map[string][]string{"summary": {"s"}, "at": {"line:2"}}, `--at "line:2"`},
		{map[string][]string{"summary": {"s"}, "budget": {"-1"}}, "--budget -1"},
		{map[string][]string{"summary": {"s"}, "modalities": {"image"}}, `--modalities "image"`},
		{map[string][]string{"summary": {"s"}, "modalities": {"text,smell"}}, `--modalities "text,smell"`},
		{map[string][]string{"summary": {"s"}, "context": {"some"}}, `--context "some"`},
		{map[string][]string{"summary": {"s"}, "context": {"@" + bad}}, "--context "},
	} {
		if _, err := info.New(Given(info.Options, c.set)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.set, err, c.want)
		}
	}
}

// Context from a file goes before the last message of the user, on one line.
func TestCompactContextFromFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "context.json")
	if err := os.WriteFile(name, []byte("[\n  "+strings.ReplaceAll(noticeItem(), ",", ",\n  ")+"\n]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	in := fileOf(metaLine(""), itemLine(userItem("a")), itemLine(userItem("b")))
	out, _, err := run(t, in, fixed(), operation(t, "compact", "summary", "s", "context", "@"+name))
	if err == nil {
		want := []string{userItem("a"), noticeItem(), userItem("b"), summaryItem("s")}
		if diff := cmp.Diff(want, rowsAtEnd(t, out)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		return
	}
	t.Fatal(err)
}

// checkCompacted holds a written checkpoint to the plan: the same rows, the compaction
// item replaced by the summary.
func checkCompacted(t *testing.T, text, out, summary string) {
	t.Helper()
	h, err := history.Load(open(t, text), history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	st, err := h.At(history.Point{})
	if err != nil {
		t.Fatal(err)
	}
	opt := compaction.Defaults()
	opt.Summary = summary
	plan := compaction.Compact(st.Rows, opt)
	want := make([]string, len(plan.Items))
	for i, r := range plan.Items {
		if want[i] = string(r.Item.Raw); i == len(want)-1 {
			want[i] = summaryItem(summary)
		}
		if plan.Metadata != nil {
			want[i] += " | " + string(plan.Metadata[i])
		}
	}
	if diff := cmp.Diff(want, rowsAtEnd(t, out)); diff != "" {
		t.Errorf("history (-plan +file):\n%s", diff)
	}
	checkNothingNew(t, text, out)
}

func checkNothingNew(t *testing.T, text, out string) {
	t.Helper()
	before, registry := codes(t, text), validate.NewRegistry()
	for c, n := range codes(t, out) {
		if n > before[c] && registry[c].Severity != validate.Info {
			t.Errorf("%s: %d before, %d after", c, before[c], n)
		}
	}
}

func TestCompactIsThePlan(t *testing.T) {
	for name, path := range map[string]string{"demo": "demo/rollout", "local": "demo/local-compaction", "reported": "cures/compact/cannot-be-compacted"} {
		t.Run(name, func(t *testing.T) {
			text := readText(t, filepath.Join("..", "..", "fixtures", filepath.FromSlash(path)+".jsonl"))
			out, _, err := run(t, text, fixed(), operation(t, "compact", "summary", "what was done"))
			if err != nil {
				t.Fatal(err)
			}
			checkCompacted(t, text, out, "what was done")
		})
	}
}

func TestCompactOfVectors(t *testing.T) {
	refused := 0
	rollouts := vectorRollouts(t)
	for name, text := range rollouts {
		out, _, err := run(t, text, fixed(), operation(t, "compact", "summary", "s"))
		if rewrite.AsRefusal(err) != nil {
			refused++
			t.Logf("%s: %v", name, err)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Run(name, func(t *testing.T) { checkCompacted(t, text, out, "s") })
	}
	if refused*2 > len(rollouts) {
		t.Errorf("%d of %d refused", refused, len(rollouts))
	}
}

// An older profile compacts locally: its summary is a message of its own.
func TestRule23CompactOfAnOlderProfile(t *testing.T) {
	in := fileOf(metaLine(""), itemLine(userItem("a")), itemLine(assistantItem("b")))
	out, _, err := run(t, in, fixed(), operation(t, "compact", "summary", "s", "profile", "2025-10"))
	if err != nil {
		t.Fatal(err)
	}
	rows := rowsAtEnd(t, out)
	if len(rows) != 2 || rows[0] != userItem("a") || !strings.Contains(rows[1], `"text":"s"`) {
		t.Errorf("%q", rows)
	}
	if items, _, _, ok := checkpointOf(strings.Split(out, "\n")[3]); !ok || len(items) != 2 || jsonraw.Lookup(items[1], "role") == nil {
		t.Errorf("%s", out)
	}
}
