package validate

import (
	"path/filepath"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// sidecarLine is a checkpoint with a sidecar as written.
func sidecarLine(sidecar string, items ...string) string {
	return compactedOn(newDay, `,"replacement_history_metadata":`+sidecar, items...)
}

const ghostItem = `{"type":"ghost_snapshot","ghost_commit":{"id":"a"}}`

// The words are the loader's (format.md 4.2).
func TestRule04Alignment(t *testing.T) {
	tests := []struct{ name, line, want, message string }{
		{"too short", sidecarLine(`[{}]`, userItem("q"), summaryItem), "M001 2 " + sidecarPointer,
			"replacement_history_metadata has 1 entries for 2 history items"},
		{"too long", sidecarLine(`[{},{},{}]`, userItem("q"), summaryItem), "M001 2 " + sidecarPointer,
			"replacement_history_metadata has 3 entries for 2 history items"},
		{"empty", sidecarLine(`[]`, userItem("q")), "M001 2 " + sidecarPointer,
			"replacement_history_metadata has 0 entries for 1 history items"},
		{"no history", recordLine("compacted", `{"message":"","replacement_history_metadata":[{}]}`), "M002 2 " + sidecarPointer,
			"replacement_history_metadata requires replacement_history"},
		{"null history", recordLine("compacted", `{"message":"","replacement_history":null,"replacement_history_metadata":[]}`), "M002 2 " + sidecarPointer,
			"replacement_history_metadata requires replacement_history"},
		{"a null entry", sidecarLine(`[{},null]`, userItem("q"), summaryItem), "M003 2 " + sidecarPointer + "/1", ""},
		{"ghosts and a sidecar of what is left", sidecarLine(`[{}]`, ghostItem, userItem("q")), "M004 2 " + sidecarPointer,
			"replacement_history_metadata has 1 entries for 2 history items, 1 of them ghost snapshots"},
		{"ghosts and a null", sidecarLine(`null`, ghostItem, ghostItem, userItem("q")), "M005 2 " + sidecarPointer,
			"null: 2 ghost snapshots stay in the history"},
		{"both empty", sidecarLine(`[]`), "", ""},
		{"a null and no ghosts", sidecarLine(`null`, userItem("q")), "", ""},
		{"ghosts and their entries", sidecarLine(`[{},{}]`, ghostItem, userItem("q")), "", ""},
		{"ghosts without a sidecar", compactedOn(newDay, "", ghostItem, userItem("q")), "", ""},
		{"an entry of another type", sidecarLine(`[{},7]`, userItem("q"), summaryItem), "R003 2 " + sidecarPointer + "/1", ""},
		{"a null inside an entry", sidecarLine(`[{"client_authored":null}]`, userItem("q")), "R002 2 " + sidecarPointer + "/0/client_authored", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := []string{}
			if tt.want != "" {
				want = append(want, tt.want)
			}
			found := checkFamilies(t, "MRJLI", []string{metaLine(""), tt.line}, want...)
			if tt.message != "" && len(found) == 1 && found[0].Message != tt.message {
				t.Errorf("%q, want %q", found[0].Message, tt.message)
			}
		})
	}
}

// What rejectRule leaves to this family has exactly one finding of it.
func TestEachMisalignedLineHasOneFinding(t *testing.T) {
	lines, _ := verdictLines(t, filepath.Join("..", "parse", "accept", "testdata", "verdicts.jsonl"))
	lines = append([]string{testMeta}, lines...)
	_, found := validateLines(t, 1, lines...)
	rejections := map[int]int{}
	for _, f := range found {
		switch f.Code {
		case "M001", "M002", "M003", "M004":
			rejections[f.Line]++
		}
	}
	check := accept.NewChecker()
	left := 0
	for i, line := range lines {
		want := 0
		if leftToMetadata(check.Line([]byte(line))) {
			want = 1
			left++
		}
		if rejections[i+1] != want {
			t.Errorf("%d findings, want %d, for %.200q", rejections[i+1], want, line)
		}
	}
	if left == 0 {
		t.Error("no line is misaligned")
	}
}

func TestSidecars(t *testing.T) {
	const at = "/payload/replacement_history_metadata/"
	tests := []struct {
		name  string
		lines []string
		want  []string
	}{
		{"what may be the client's", []string{
			itemWith(developerItem("d"), `{"client_authored":true}`), itemWith(clientTool, `{"client_authored":true}`),
			itemWith(userItem("q"), `{"client_authored":false}`), itemWith(userItem("q"), `null`), itemWith(userItem("q"), `{}`),
			sidecarLine(`[{"client_authored":true},{}]`, developerItem("d"), userItem("q")),
		}, nil},
		{"what is not", []string{
			itemWith(userItem("q"), `{"client_authored":true}`),
			itemWith(outputItem("f", "1"), `{"client_authored":true}`),
			itemWith(`{"type":"function_call_output","output":"o"}`, `{"client_authored":true}`),
			sidecarLine(`[{},{"client_authored":true}]`, userItem("q"), summaryItem),
			sidecarLine(`[{},{},{"client_authored":true}]`, ghostItem, developerItem("d"), userItem("q")),
		}, []string{
			"M010 2 /metadata/client_authored", "M010 3 /metadata/client_authored", "M010 4 /metadata/client_authored",
			"M010 5 " + at + "1/client_authored", "M010 6 " + at + "2/client_authored",
		}},
		{"a model hash", []string{
			sidecarLine(`[{"compaction_model_hash":null},{"compaction_model_hash":"a"}]`, userItem("q"), summaryItem),
			sidecarLine(`[{"compaction_model_hash":"a"},{}]`, userItem("q"), `{"type":"context_compaction"}`),
			sidecarLine(`[{"compaction_model_hash":"a"}]`, `{"type":"compaction_summary","encrypted_content":"gAAA"}`),
		}, []string{"M011 3 " + at + "0/compaction_model_hash"}},
		{"unknown keys, summed up by name", []string{
			itemWith(userItem("q"), `{"a/b":1,"~":2}`), itemWith(userItem("q"), `{"~":2,"c":null}`),
		}, []string{"M012 2 /metadata/a~1b", "M012 2 /metadata/~0", "M012 3 /metadata/c"}},
		{"the known keys", []string{
			itemWith(userItem("q"), `{"client_authored":false,"fallback_token_limit_override":1,"harness_authored_configuration":false,"user_input_order":1,`+
				`"compaction_output":false,"compaction_model_hash":null,"inherited_user_message":false,"delivered_assistant_message":"x",`+
				`"mcp_attribution":{"status":"none"},"sender_user_messages":null,"retained_source":null,"guardian_sources":[],"guardian_review_ids":[],`+
				`"guardian_source_order_guidance":false,"guardian_retained_omissions":null}`),
		}, nil},
		{"metadata elsewhere", []string{
			`{"timestamp":"2026-11-02T09:00:00.000Z","type":"world_state","payload":{"full":true,"state":{}},"metadata":null}`,
			itemLine(`{"type":"message","role":"user","content":[],"metadata":{"turn_id":"t"}}`),
			sidecarLine(`[{},{}]`, userItem("q"), `{"type":"message","role":"user","content":[],"metadata":null}`),
		}, []string{"M013 2 /metadata", "M014 3 /payload/metadata"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkFamilies(t, "M", append([]string{metaLine("")}, tt.lines...), tt.want...)
		})
	}
}

func TestAttribution(t *testing.T) {
	const source = `"server_name":"s","tool_name":"t","first_turn_id":"1"`
	tests := []struct {
		value string
		ok    bool
	}{
		{`{"status":"none"}`, true},
		{`{"status":"complete","sources":[]}`, true},
		{`{"status":"attribution_error","error_reason":"something new"}`, true},
		{`{"status":"complete","error_reason":null}`, true}, // a reason that is no string is none
		{`{"status":"complete","error_reason":{}}`, true},
		{`{"status":"complete","sources":[{` + source + `}]}`, true},
		{`{"status":"complete","sources":[{"connector_id":null,"plugin_id":"p",` + source + `}]}`, true},
		{`null`, false},
		{`"none"`, false},
		{`[]`, false},
		{`{}`, false},
		{`{"status":"partial"}`, false},
		{`{"status":null}`, false},
		{`{"status":"none","more":1}`, false},
		{`{"status":"none","sources":null}`, false}, // a default takes no null
		{`{"status":"none","sources":{}}`, false},
		{`{"status":"none","sources":[null]}`, false},
		{`{"status":"none","sources":[{"server_name":"s","tool_name":"t"}]}`, false},
		{`{"status":"none","sources":[{"connector_id":1,` + source + `}]}`, false},
		{`{"status":"none","sources":[{"uri":"u",` + source + `}]}`, false},
	}
	for _, tt := range tests {
		if why := attributionDefect(jsonraw.Value(tt.value)); (why == "") != tt.ok {
			t.Errorf("%s: %q", tt.value, why)
		}
		want := []string{}
		if !tt.ok {
			want = append(want, "M015 2 /metadata/mcp_attribution")
		}
		checkFamilies(t, "MRJL", []string{metaLine(""), itemWith(userItem("q"), `{"mcp_attribution":`+tt.value+`}`)}, want...)
	}
}

func TestRule24Kinds(t *testing.T) {
	const at = "/payload/internal_chat_message_metadata_passthrough/content_item_kinds"
	kinds := func(list string) string {
		return itemLine(messageItem("user", "q", `,"internal_chat_message_metadata_passthrough":{"content_item_kinds":`+list+`}`))
	}
	checkFamilies(t, "M", []string{
		metaLine(""), kinds(`["a"]`), kinds(`null`), kinds(`[]`), kinds(`["a","b"]`), kinds(`[1]`), kinds(`"a"`),
	}, "M016 4 "+at, "M016 5 "+at, "M016 6 "+at, "M016 7 "+at)
}
