package compaction

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// summaryPrefix is the sentence that Codex puts before a local summary: 399 bytes
// (compaction.md 3.8).
const summaryPrefix = "Another language model started to solve this problem and produced a summary of its thinking process. " +
	"You also have access to the state of the tools that were used by that language model. " +
	"Use this to build on the work that has already been done and avoid duplicating work. " +
	"Here is the summary produced by the other language model, " +
	"use the information in this summary to assist with your own analysis:"

const client = `{"client_authored":true}`

// row views an item and, if given, its sidecar.
func row(item string, meta ...string) history.Row {
	it, err := parse.ViewItem(jsonraw.Value(item))
	if err != nil {
		panic(fmt.Sprintf("%v in %.200s", err, item))
	}
	r := history.Row{Item: it}
	if len(meta) > 0 {
		r.Meta = parse.ViewSidecar(jsonraw.Value(meta[0]))
	}
	return r
}

// rows views items without sidecars, on lines 1, 2, ...
func rows(items ...string) []history.Row {
	out := make([]history.Row, len(items))
	for i, it := range items {
		out[i] = row(it)
		out[i].Line = i + 1
	}
	return out
}

func quote(s string) string { return string(jsonraw.Quote(s)) }

func text(s string) string { return `{"type":"input_text","text":` + quote(s) + `}` }

// image costs 10,000 tokens when charged; smallImage 1,844.
const (
	image      = `{"type":"input_image","file_id":"file_1","detail":"original"}`
	smallImage = `{"type":"input_image","image_url":"https://example.com/a.png"}`
	audio      = `{"type":"input_audio","audio_url":"https://example.com/a.wav"}`
)

func message(role string, parts ...string) string {
	return `{"type":"message","role":"` + role + `","content":[` + strings.Join(parts, ",") + `]}`
}

func user(s string) string      { return message("user", text(s)) }
func developer(s string) string { return message("developer", text(s)) }
func assistant(s string) string {
	return message("assistant", `{"type":"output_text","text":`+quote(s)+`}`)
}
func notice(body string) string {
	return developer("<image_resize_notice>" + body + "</image_resize_notice>")
}

func call(id string) string {
	return `{"type":"function_call","name":"exec_command","arguments":"{}","call_id":"` + id + `"}`
}
func output(id, body string) string {
	return `{"type":"function_call_output","call_id":"` + id + `","output":` + quote(body) + `}`
}

// clientOutput is a tool output that a client asked to retain; without call_id and
// namespace its estimate is that of its name ("t") and body.
func clientOutput(body string) history.Row {
	return row(`{"type":"function_call_output","name":"t","output":`+quote(body)+`}`, client)
}

func agent(author, recipient string, parts ...string) string {
	return `{"type":"agent_message","author":"` + author + `","recipient":"` + recipient +
		`","content":[` + strings.Join(parts, ",") + `]}`
}

func hookPrompt(s string) string { return `<hook_prompt hook_run_id="h1">` + s + `</hook_prompt>` }

func summary(s string) string { return `{"type":"compaction","encrypted_content":` + quote(s) + `}` }

// cutMessage is a message after a cut: its parts and as many unknown kinds.
func cutMessage(role string, parts ...string) string {
	kinds := strings.TrimSuffix(strings.Repeat(`"unknown",`, len(parts)), ",")
	return strings.TrimSuffix(message(role, parts...), "}") +
		`,"internal_chat_message_metadata_passthrough":{"content_item_kinds":[` + kinds + `]}}`
}

func budget(n int64) Options {
	opt := Defaults()
	opt.Budget, opt.Summary = n, "S"
	return opt
}

// checkItems compares rows with items, byte for byte.
func checkItems(t *testing.T, got []history.Row, want ...string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("item %d is missing: %.300s", i, want[i])
		case i >= len(want):
			t.Errorf("item %d is too many: %.300s", i, got[i].Item.Raw)
		case string(got[i].Item.Raw) != want[i]:
			t.Errorf("item %d:\n got %.400s\nwant %.400s", i, got[i].Item.Raw, want[i])
		}
	}
}

// compact plans and checks that the decisions cover everything.
func compact(t *testing.T, in []history.Row, opt Options) Plan {
	t.Helper()
	p := Compact(in, opt)
	checkDecisions(t, in, p.Items, p.Decisions)
	return p
}

// decisionFor is the decision on input row i.
func decisionFor(t *testing.T, list []Decision, i int) Decision {
	t.Helper()
	for _, d := range list {
		if d.Index == i {
			return d
		}
	}
	t.Fatalf("no decision for input %d", i)
	return Decision{}
}

// checkReason compares what a decision says.
func checkReason(t *testing.T, d Decision, action Action, rule int, reason string) {
	t.Helper()
	if d.Action != action || d.Rule != rule || !strings.Contains(d.Reason, reason) {
		t.Errorf("item %d: %s by rule %d: %q, want %s by rule %d: %q", d.Index, d.Action, d.Rule, d.Reason, action, rule, reason)
	}
}
