package history_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// The functions below write one line of a rollout each; a rollout is a list of
// lines, so that the n-th argument of a table entry is line n.

func record(typ, payload string) string {
	return `{"timestamp":"2026-11-02T09:00:00.000Z","type":"` + typ + `","payload":` + payload + `}`
}

const threadID = "0199aaaa-0000-7000-8000-000000000001"

// sessionMeta is a session_meta; more are members with a leading comma.
func sessionMeta(more string) string {
	return record("session_meta", `{"id":"`+threadID+`","timestamp":"2026-11-02T09:00:00.000Z","cwd":"/srv/demo",`+
		`"originator":"demo","cli_version":"0.0.1"`+more+`}`)
}

func legacyMeta() string    { return sessionMeta("") }
func paginatedMeta() string { return sessionMeta(`,"history_mode":"paginated"`) }

func itemLine(item string) string { return record("response_item", item) }

func itemWith(item, metadata string) string {
	return `{"timestamp":"2026-11-02T09:00:00.000Z","type":"response_item","payload":` + item + `,"metadata":` + metadata + `}`
}

func quote(s string) string { return string(jsonraw.Quote(s)) }

func inputText(s string) string { return `{"type":"input_text","text":` + quote(s) + `}` }

// message is a message item of the given texts; an assistant's are output_text.
func message(role string, texts ...string) string { return messageWith("", role, texts...) }

// messageWith is a message with more members, each with a leading comma.
func messageWith(more, role string, texts ...string) string {
	part := "input_text"
	if role == "assistant" {
		part = "output_text"
	}
	parts := make([]string, len(texts))
	for i, t := range texts {
		parts[i] = `{"type":"` + part + `","text":` + quote(t) + `}`
	}
	return messageOf(more, role, parts...)
}

// messageOf is a message of ready parts.
func messageOf(more, role string, parts ...string) string {
	return `{"type":"message","role":"` + role + `","content":[` + strings.Join(parts, ",") + `]` + more + `}`
}

func passthrough(members string) string {
	return `,"internal_chat_message_metadata_passthrough":{` + members + `}`
}

func user(text string) string      { return itemLine(message("user", text)) }
func assistant(text string) string { return itemLine(message("assistant", text)) }
func developer(text string) string { return itemLine(message("developer", text)) }

func event(payload string) string { return record("event_msg", payload) }

func userEvent() string { return event(`{"type":"user_message","message":"m"}`) }
func started(turn string) string {
	return event(`{"type":"task_started","turn_id":"` + turn + `","model_context_window":null}`)
}
func completed(turn string) string {
	return event(`{"type":"task_complete","turn_id":"` + turn + `","last_agent_message":null}`)
}
func aborted(turn string) string {
	id := "null"
	if turn != "" {
		id = quote(turn)
	}
	return event(`{"type":"turn_aborted","turn_id":` + id + `,"reason":"interrupted"}`)
}
func rolledBack(n uint32) string {
	return event(`{"type":"thread_rolled_back","num_turns":` + strconv.FormatUint(uint64(n), 10) + `}`)
}

// turnContext is a turn_context; turn "" stands for none, more has a leading comma.
func turnContext(turn, more string) string {
	if turn != "" {
		more = `,"turn_id":` + quote(turn) + more
	}
	return record("turn_context", `{"cwd":"/srv/demo","approval_policy":"never",`+
		`"sandbox_policy":{"type":"danger-full-access"},"model":"demo-model"`+more+`}`)
}

func worldState() string { return record("world_state", `{"full":true,"state":{}}`) }

// interAgent is an inter_agent_communication from /root to /root/w1.
func interAgent(content string) string {
	return record("inter_agent_communication", agentPayload(content, ""))
}

func agentPayload(content, more string) string {
	return `{"author":"/root","recipient":"/root/w1","other_recipients":[],"content":` + quote(content) +
		`,"trigger_turn":false` + more + `}`
}

// compacted is a compacted record; more are members with a leading comma.
func compacted(more string) string { return record("compacted", `{"message":"sum"`+more+`}`) }

// checkpoint is a compacted record whose replacement history is one user message.
func checkpoint(text, more string) string {
	return compacted(`,"replacement_history":[` + message("user", text) + `]` + more)
}

// rejected is a line that Codex's loader refuses.
func rejected() string { return record("no_such_type", `{}`) }

func file(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// load opens a rollout given as text.
func load(t testing.TB, text string, opt history.Options) *history.Rollout {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rollout.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return loadPath(t, path, opt)
}

func loadPath(t testing.TB, path string, opt history.Options) *history.Rollout {
	t.Helper()
	src, err := parse.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	r, err := history.Load(src, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// at replays a loaded rollout to a point as a user writes it.
func at(t testing.TB, r *history.Rollout, point string) history.State {
	t.Helper()
	p, err := history.ParsePoint(point)
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.At(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func replayed(t testing.TB, lines ...string) history.State {
	t.Helper()
	return at(t, load(t, file(lines...), history.Options{}), "end")
}

// brief shows rows as "line label text", the text of all text parts joined with "|".
func brief(rows []history.Row) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		var texts []string
		for _, p := range r.Item.Content() {
			if p.IsText() {
				texts = append(texts, p.Text())
			}
		}
		out[i] = strings.TrimRight(fmt.Sprintf("%d %s %s", r.Line, parse.ItemLabel(r.Item), strings.Join(texts, "|")), " ")
	}
	return out
}

func wantBrief(t testing.TB, rows []history.Row, want ...string) {
	t.Helper()
	if got := brief(rows); len(got)+len(want) > 0 && !cmp.Equal(got, want) {
		t.Errorf("history (-want +got):\n%s", cmp.Diff(want, got))
	}
}

// wantItems compares items as JSON: key order does not matter, number literals do.
func wantItems(t testing.TB, rows []history.Row, want ...string) {
	t.Helper()
	got := make([]string, len(rows))
	for i, r := range rows {
		got[i] = string(r.Item.Raw)
	}
	wantJSON(t, "["+strings.Join(got, ",")+"]", "["+strings.Join(want, ",")+"]")
}

// wantStored compares items byte for byte.
func wantStored(t testing.TB, rows []history.Row, want ...string) {
	t.Helper()
	got := make([]string, len(rows))
	for i, r := range rows {
		got[i] = string(r.Item.Raw)
	}
	if !cmp.Equal(got, want) {
		t.Errorf("items (-want +got):\n%s", cmp.Diff(want, got))
	}
}

// wantSidecars compares sidecars byte for byte; "" stands for none.
func wantSidecars(t testing.TB, rows []history.Row, want ...string) {
	t.Helper()
	got := make([]string, len(rows))
	for i, r := range rows {
		got[i] = string(r.Meta.Raw)
	}
	if !cmp.Equal(got, want) {
		t.Errorf("sidecars (-want +got):\n%s", cmp.Diff(want, got))
	}
}

func wantJSON(t testing.TB, got, want string) {
	t.Helper()
	if d := cmp.Diff(decodeJSON(t, want), decodeJSON(t, got)); d != "" {
		t.Errorf("JSON (-want +got):\n%s", d)
	}
}

// decodeJSON keeps number literals.
func decodeJSON(t testing.TB, text string) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return v
}
