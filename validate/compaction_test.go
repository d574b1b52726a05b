package validate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// The functions below write the lines of a rollout; the n-th argument of a table entry
// is line n.

const (
	newDay      = "2026-11-02"
	betweenDay  = "2026-07-01" // both endpoints existed
	endpointDay = "2026-02-02" // only the older one
)

func recordOn(day, typ, payload string) string {
	return `{"timestamp":"` + day + `T09:00:00.000Z","type":"` + typ + `","payload":` + payload + `}`
}

func recordLine(typ, payload string) string { return recordOn(newDay, typ, payload) }

// metaLine has more members, each with a leading comma.
func metaLine(more string) string {
	return recordLine("session_meta", `{"id":"0199aaaa-0000-7000-8000-000000000001","timestamp":"2026-11-02T09:00:00.000Z","cwd":"/srv/demo",`+
		`"originator":"demo","cli_version":"0.0.1"`+more+`}`)
}

func itemLine(item string) string { return recordLine("response_item", item) }

func itemWith(item, metadata string) string {
	return `{"timestamp":"2026-11-02T09:00:00.000Z","type":"response_item","payload":` + item + `,"metadata":` + metadata + `}`
}

func eventRecord(payload string) string { return recordLine("event_msg", payload) }

func startLine(turn string) string {
	return eventRecord(`{"type":"task_started","turn_id":"` + turn + `","model_context_window":null}`)
}

func completeLine(turn string) string {
	return eventRecord(`{"type":"task_complete","turn_id":"` + turn + `","last_agent_message":null}`)
}

func rollbackLine(n int) string {
	return eventRecord(fmt.Sprintf(`{"type":"thread_rolled_back","num_turns":%d}`, n))
}

// messageItem has the text as its only part; more are members with a leading comma.
func messageItem(role, text, more string) string {
	part := "input_text"
	if role == "assistant" {
		part = "output_text"
	}
	return `{"type":"message","role":"` + role + `","content":[{"type":"` + part + `","text":` + string(jsonraw.Quote(text)) + `}]` + more + `}`
}

func userItem(text string) string      { return messageItem("user", text, "") }
func assistantItem(text string) string { return messageItem("assistant", text, "") }
func developerItem(text string) string { return messageItem("developer", text, "") }

const (
	environmentText = "<environment_context>\n</environment_context>"
	noticeText      = "<image_resize_notice>\nImage 1 of 1\n</image_resize_notice>"
	summaryItem     = `{"type":"compaction","encrypted_content":"gAAA"}`
	reasoningItem   = `{"type":"reasoning","summary":[],"encrypted_content":"gAAA"}`
	agentItem       = `{"type":"agent_message","author":"/root","recipient":"/root/w1","content":[{"type":"input_text","text":"go"}]}`
	clientTool      = `{"type":"function_call_output","name":"ci","output":"green"}`
)

// compactedOn is a compacted record; more are members with a leading comma.
func compactedOn(day, more string, items ...string) string {
	return recordOn(day, "compacted", `{"message":"","replacement_history":[`+strings.Join(items, ",")+`]`+more+`}`)
}

// checkpointLine is one of the newest generation.
func checkpointLine(items ...string) string {
	return compactedOn(newDay, `,"resume_metadata":{}`, items...)
}

// checkFamilies validates a file of these lines and compares the findings of the families, a
// code, a line and a pointer each: "C001 2 /payload".
func checkFamilies(t *testing.T, families string, lines []string, want ...string) []Finding {
	t.Helper()
	var found []Finding
	_, all := validateLines(t, 2, lines...)
	got := []string{}
	for _, f := range all {
		if strings.Contains(families, f.Code[:1]) {
			found = append(found, f)
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s %d %s", f.Code, f.Line, f.Pointer)))
		}
	}
	slices.Sort(got)
	if want == nil {
		want = []string{}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("findings (-want +got):\n%s%s", d, messages(found))
	}
	return found
}

const listPointer = "/payload/replacement_history"

// checkAlone validates a checkpoint behind a question; what compares it with the history is
// left out.
func checkAlone(t *testing.T, record string, want ...string) {
	t.Helper()
	_, all := validateLines(t, 1, metaLine(""), itemLine(userItem("q")), record)
	got := []string{}
	for _, f := range all {
		if f.Code[:2] == "C0" && f.Code < "C020" {
			got = append(got, f.Code+strings.TrimPrefix(f.Pointer, listPointer))
		}
	}
	slices.Sort(got)
	if want == nil {
		want = []string{}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("findings (-want +got):\n%s%s", d, messages(all))
	}
}

func TestCheckpointItems(t *testing.T) {
	id := func(item, id string) string { return `{"id":"` + id + `",` + item[1:] }
	tests := []struct {
		name   string
		record string
		want   []string
	}{
		{"usual", checkpointLine(userItem("q"), summaryItem), nil},
		{"with context", checkpointLine(developerItem("<permissions instructions>"), userItem(environmentText), userItem("q"), summaryItem), nil},
		{"no replacement history", recordLine("compacted", `{"message":"s"}`), nil},
		{"rejected", compactedOn(newDay, `,"replacement_history_metadata":[]`, userItem("q")), nil},

		{"two", checkpointLine(userItem("q"), summaryItem, summaryItem), []string{"C001/2"}},
		{"three are one finding", checkpointLine(summaryItem, userItem("q"), summaryItem, summaryItem), []string{"C001/2"}},
		{"both types count", checkpointLine(userItem("q"), `{"type":"context_compaction"}`, summaryItem), []string{"C001/2"}},
		{"two of the older endpoint", compactedOn(endpointDay, "", userItem("q"), summaryItem, summaryItem), nil},
		{"two with assistants when both existed", compactedOn(betweenDay, "", userItem("q"), assistantItem("a"), summaryItem, summaryItem), nil},
		{"two without assistants when both existed", compactedOn(betweenDay, "", userItem("q"), summaryItem, summaryItem), []string{"C001/2"}},

		{"goal edits behind", checkpointLine(userItem("q"), summaryItem, userItem("e"), userItem("f")), nil},
		{"agent behind", checkpointLine(userItem("q"), summaryItem, userItem("e"), agentItem, agentItem), []string{"C002/3"}},
		{"behind, older endpoint", compactedOn(endpointDay, "", userItem("q"), summaryItem, assistantItem("a")), nil},
		{"trigger", checkpointLine(userItem("q"), summaryItem, `{"type":"compaction_trigger"}`), []string{"C003/2"}},

		{"same id", checkpointLine(id(userItem("q"), "m"), id(userItem("r"), "m"), id(summaryItem, "c")), []string{"C005/1"}},
		{"empty ids", checkpointLine(id(userItem("q"), ""), id(userItem("r"), ""), summaryItem), nil},
		{"no ids beside window ids", compactedOn(newDay, `,"resume_metadata":{},"window_id":"w"`, id(userItem("q"), "m"), userItem("r"), summaryItem), []string{"C006/1"}},
		{"null id", compactedOn(newDay, `,"resume_metadata":{},"first_window_id":"w"`, id(userItem("q"), "m"), id(summaryItem, "c"), `{"id":null,`+userItem("e")[1:]), []string{"C006/2"}},
		{"types without ids", compactedOn(newDay, `,"resume_metadata":{},"window_id":"w"`, id(userItem("q"), "m"), `{"type":"later"}`, id(summaryItem, "c")), nil},
		{"no ids beside a numeric window", compactedOn(betweenDay, `,"window_id":4`, userItem("q"), summaryItem), nil},

		{"reasoning and a call", checkpointLine(userItem("q"), reasoningItem, `{"type":"function_call","name":"sh","arguments":"{}","call_id":"c"}`, summaryItem), []string{"C007/1"}},
		{"ghosts count for the pointer", checkpointLine(`{"type":"ghost_snapshot","ghost_commit":{}}`, userItem("q"), reasoningItem, summaryItem), []string{"C007/2"}},
		{"output of a client", compactedOn(newDay, `,"resume_metadata":{},"replacement_history_metadata":[{"client_authored":true},{},{}]`, clientTool, userItem("q"), summaryItem), nil},
		{"output of no client", checkpointLine(clientTool, userItem("q"), summaryItem), []string{"C007/0"}},
		{"additional tools", checkpointLine(`{"type":"additional_tools","role":"developer","tools":[]}`, userItem("q"), summaryItem), nil},
		{"assistant", checkpointLine(userItem("q"), assistantItem("a"), summaryItem), []string{"C008/1"}},
		{"system", checkpointLine(messageItem("system", "s", ""), userItem("q"), summaryItem), []string{"C008/0"}},
		{"assistant when both existed", compactedOn(betweenDay, "", userItem("q"), assistantItem("a"), summaryItem), nil},
		{"assistant with a newer key", compactedOn(betweenDay, `,"compaction_response_id":null`, userItem("q"), assistantItem("a"), summaryItem), []string{"C008/1"}},
		{"assistant with an unreadable date", strings.Replace(compactedOn(newDay, "", userItem("q"), assistantItem("a"), summaryItem), newDay+"T09:00:00.000Z", "now", 1), []string{"C008/1"}},

		{"notice", checkpointLine(userItem("q"), developerItem(noticeText), summaryItem), nil},
		{"notice behind an agent", checkpointLine(agentItem, developerItem(noticeText), summaryItem), nil},
		{"notice first", checkpointLine(developerItem(noticeText), userItem("q"), summaryItem), []string{"C009/0"}},
		{"notice behind a notice", checkpointLine(userItem("q"), developerItem(noticeText), developerItem(noticeText), summaryItem), []string{"C009/2"}},
		{"notice behind context", checkpointLine(userItem("q"), userItem(environmentText), developerItem(noticeText), summaryItem), []string{"C009/2"}},
		{"notice by a client", compactedOn(newDay, `,"resume_metadata":{},"replacement_history_metadata":[{"client_authored":true},{},{}]`, developerItem(noticeText), userItem("q"), summaryItem), nil},

		{"empty", checkpointLine(), []string{"C010"}},
		{"only ghosts", checkpointLine(`{"type":"ghost_snapshot","ghost_commit":{}}`), []string{"C010"}},
		{"context only", checkpointLine(developerItem("be kind"), userItem(environmentText)), []string{"C011"}},
		{"context and an agent", checkpointLine(userItem(environmentText), agentItem), []string{"C012"}},
		{"no summary", checkpointLine(userItem("q")), []string{"C012"}},
		{"no summary, older endpoint", compactedOn(endpointDay, "", userItem("q")), nil},
		{"summary in the record", strings.Replace(checkpointLine(userItem("q"), userItem("s")), `"message":""`, `"message":"s"`, 1), nil},
		{"summary by its kind", checkpointLine(userItem("q"), messageItem("user", "s", `,"internal_chat_message_metadata_passthrough":{"content_item_kinds":["compaction.summary"]}`)), nil},

		{"context three times", checkpointLine(userItem(environmentText), userItem("q"), userItem(environmentText), userItem(environmentText), summaryItem), []string{"C013/2"}},
		{"user messages may repeat", checkpointLine(userItem("q"), userItem("q"), summaryItem), nil},
		{"roles differ", checkpointLine(developerItem("<tools>"), messageItem("user", "<tools>", ""), userItem("q"), summaryItem), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkAlone(t, tt.record, tt.want...) })
	}
}

func TestCheckpointInPlaceOfTheTranscript(t *testing.T) {
	cp := checkpointLine(userItem("q"), summaryItem)
	base := `,"history_base":{"thread_id":"0199aaaa-0000-7000-8000-000000000009","end_ordinal_exclusive":1,"end_byte_offset":1}`
	tests := []struct {
		name  string
		lines []string
		want  []string
	}{
		{"first", []string{metaLine(""), cp}, []string{"C030 2"}},
		{"first behind a rejected line", []string{metaLine(""), recordLine("no_such_type", "{}"), cp}, []string{"C030 3"}},
		{"first behind two session_metas", []string{metaLine(""), metaLine(""), cp, cp}, []string{"C030 3"}},
		{"behind an event", []string{metaLine(""), startLine("t"), cp}, nil},
		{"fork", []string{metaLine(`,"forked_from_id":"0199aaaa-0000-7000-8000-000000000009"`), cp}, nil},
		{"base", []string{metaLine(base), cp}, nil},
		{"null", []string{metaLine(`,"forked_from_id":null`), cp}, []string{"C030 2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkFamilies(t, "C", tt.lines, tt.want...) })
	}
}

func TestContextBehindCheckpoint(t *testing.T) {
	cp, question, answer := checkpointLine(userItem("q"), summaryItem), itemLine(userItem("q")), itemLine(assistantItem("a"))
	context := recordLine("turn_context", `{"cwd":"/srv/demo","approval_policy":"never","sandbox_policy":{"type":"read-only"},"model":"m"}`)
	tests := []struct {
		name  string
		lines []string // from line 3 on
		want  []string
	}{
		{"none", []string{cp, answer}, []string{"C034 3"}},
		{"a call", []string{cp, itemLine(`{"type":"function_call","name":"sh","arguments":"{}","call_id":"c"}`)}, []string{"C034 3"}},
		{"said once", []string{cp, answer, answer}, []string{"C034 3"}},
		{"before the answer", []string{cp, context, answer}, nil},
		{"no answer yet", []string{cp, itemLine(developerItem("d"))}, nil},
		{"a generation without resume_metadata", []string{compactedOn(newDay, "", userItem("q"), summaryItem), answer}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkFamilies(t, "C", append([]string{metaLine(""), question}, tt.lines...), tt.want...)
		})
	}
}

func TestTriggerAsRecord(t *testing.T) {
	checkFamilies(t, "C", []string{metaLine(""), itemLine(`{"type":"compaction_trigger"}`)}, "C004 2 /payload/type")
}

func TestCountedString(t *testing.T) {
	var c counted
	for i, name := range []string{"reasoning", "function_call", "reasoning"} {
		c.add(4+i, name)
	}
	if got := c.String(); got != "1 function_call, 2 reasoning" || c.first != 4 || c.total != 3 {
		t.Errorf("got %q, first %d, total %d", got, c.first, c.total)
	}
}
