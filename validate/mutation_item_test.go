package validate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// TestMutatePairs breaks calls and outputs (rules 31 and 33).
func TestMutatePairs(t *testing.T) {
	b, demo := newBench(t, demoFile)
	check := func(name string, line int, change func(jsonraw.Value) jsonraw.Value, want string) {
		t.Helper()
		b.check(t, name, demo.edit(line, change), hits(t, want))
	}
	for _, p := range demoPairs() {
		lonely := fmt.Sprintf("P001@%d P002@%d", p[0], p[1])
		check("another call_id of the call", p[0], setTo("/payload/call_id", `"call_x"`), lonely)
		check("another call_id of the output", p[1], setTo("/payload/call_id", `"call_x"`), lonely)
		check("empty call_id of the output", p[1], setTo("/payload/call_id", `""`), lonely)
	}
	// The same call_id for two calls of a family: one output too many, one too few (the
	// family of 44 and 48 is another one).
	check("two calls with one call_id", 13, setTo("/payload/call_id", `"call_92bd531652bf60fc16247285"`), "P004@13 P002@18")
	check("two outputs with one call_id", 18, setTo("/payload/call_id", `"call_92bd531652bf60fc16247285"`), "P005@18 P001@13")
	check("call_id of another family", 44, setTo("/payload/call_id", `"call_92bd531652bf60fc16247285"`), "P001@44 P002@47")
	// A call may have no call_id where it may be null: nothing can answer it, nothing has to.
	for _, null := range []func(jsonraw.Value) jsonraw.Value{without("/payload/call_id"), setTo("/payload/call_id", "null")} {
		check("tool search without call_id", 48, null, "P002@49")
		check("output of a tool search without call_id", 49, null, "P001@48") // stays (rule 33)
		check("output without call_id and name", 16, null, "P001@12 P006@16")
		check("output without call_id, with a name", 16, all(null, setTo("/payload/name", `"exec_command"`)), "P001@12")
		check("call without call_id", 12, without("/payload/call_id"), "R001@12 P002@16")
	}
	// What the server ran needs no call.
	check("tool search of the server", 49, setTo("/payload/execution", `"server"`), "")
	check("tool search of the server, another call_id", 49,
		all(setTo("/payload/execution", `"server"`), setTo("/payload/call_id", `"call_x"`)), "P001@48")
	// Types changed: a call of another family does not pair.
	check("output of a custom tool", 16, setTo("/payload/type", `"custom_tool_call_output"`), "P001@12 P002@16")
	check("output of an unknown type", 16, setTo("/payload/type", `"zz"`), "I010@16 P001@12")
	check("call of an unknown type", 12, setTo("/payload/type", `"zz"`), "I010@12 P002@16")
	check("item type missing", 12, without("/payload/type"), "R001@12 P002@16")
	check("item type null", 12, setTo("/payload/type", "null"), "R002@12 P002@16")
	check("item type number", 12, setTo("/payload/type", "7"), "R003@12 P002@16")
	// A rollback takes the last turn (its prompt is line 83) with both.
	marker := `{"timestamp":"2026-10-14T09:16:37.000Z","ordinal":94,"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}` + "\n"
	renumbered := demo.with(88, 0, []byte(marker))
	for n := 88; n <= len(renumbered); n++ {
		renumbered = renumbered.edit(n, setTo("/ordinal", fmt.Sprint(n-1)))
	}
	b.check(t, "rolled back between call and output", renumbered, hits(t, "P002@89"))
}

// TestMutateEvents: unknown and retired ones, and the old shapes (format.md 3.9, 8).
func TestMutateEvents(t *testing.T) {
	b, demo := newBench(t, demoFile)
	kinds := newBenchOf(t, "kinds.jsonl", kindsLines())
	tests := []struct {
		name   string
		line   int
		change func(jsonraw.Value) jsonraw.Value
		want   string
	}{
		{"unknown event", 15, setTo("/payload/type", `"zz"`), "R004@15"},
		{"event in PascalCase", 15, setTo("/payload/type", `"TokenCount"`), "R004@15"},
		{"event type missing", 15, without("/payload/type"), "R001@15"},
		{"event type null", 15, setTo("/payload/type", "null"), "R002@15"},
		{"undo_completed", 15, setTo("/payload/type", `"undo_completed"`), "R006@15"},
		{"thread_name_updated", 15, setTo("/payload/type", `"thread_name_updated"`), "R006@15"},
		{"background_event", 15, setTo("/payload/type", `"background_event"`), "R006@15"},
		{"a delta", 15, setTo("/payload/type", `"agent_message_delta"`), "R006@15"},
		{"turn_started is an alias", 2, setTo("/payload/type", `"turn_started"`), ""},
		{"turn_complete is an alias", 26, setTo("/payload/type", `"turn_complete"`), ""},
		{"turn item in snake_case", 8, setTo("/payload/item/type", `"user_message"`), "R005@8"},
		{"sandbox policy with mode", 3, all(without("/payload/sandbox_policy/type"), setTo("/payload/sandbox_policy/mode", `"read-only"`)), "R007@3"},
		{"flat collaboration mode", 3, setTo("/payload/collaboration_mode", `{"mode":"plan","model":"m","reasoning_effort":null}`), "R011@3"},
		{"cwd of Windows", 3, setTo("/payload/cwd", `"C:\\srv"`), "R012@3"},
		{"approval on-failure is an alias", 3, setTo("/payload/approval_policy", `"on-failure"`), ""},
		{"granular approval", 3, setTo("/payload/approval_policy", `{"granular":{"sandbox_approval":true,"rules":true,"mcp_elicitations":true}}`), ""},
		{"granular approval without rules", 3, setTo("/payload/approval_policy", `{"granular":{"sandbox_approval":true,"mcp_elicitations":true}}`), "R001@3"},
		{"unknown record of another program", 5, setTo("/type", `"post_compact_recovery_applied"`), "L004@5"},
		{"agent_role and agent_type", 1, all(setTo("/payload/agent_role", `"a"`), setTo("/payload/agent_type", `"b"`)), "R018@1 S001@0"},
		{"agent_type is an alias", 1, setTo("/payload/agent_type", `"b"`), ""},
		{"UUID in capitals", 8, setTo("/payload/thread_id", `"01A139AE-DF16-7098-9ADD-6C886611494A"`), ""},
		{"UUID without hyphens", 8, setTo("/payload/thread_id", `"01a139aedf1670989add6c886611494a"`), ""},
		{"UUID as a URN", 8, setTo("/payload/thread_id", `"urn:uuid:01a139ae-df16-7098-9add-6c886611494a"`), ""},
		{"UUID in braces", 8, setTo("/payload/thread_id", `"{01a139ae-df16-7098-9add-6c886611494a}"`), ""},
		{"unknown source", 1, setTo("/payload/source", `"zz"`), ""},
		{"unknown source, empty object", 1, setTo("/payload/source", `{"zz":{}}`), ""},
		{"unknown source with content", 1, setTo("/payload/source", `{"zz":{"a":1}}`), "R005@1 S001@0"},
		{"event beside metadata", 15, setTo("/metadata", "{}"), "M013@15"},
		{"metadata beside an event is not read", 15, setTo("/metadata", "7"), "M013@15"},
	}
	for _, tt := range tests {
		b.check(t, tt.name, demo.edit(tt.line, tt.change), hits(t, tt.want))
	}
	rest := []struct {
		name   string
		line   int
		change func(jsonraw.Value) jsonraw.Value
		want   string
	}{
		{"review with prompt", 7, all(without("/payload/target"), setTo("/payload/prompt", `"p"`)), "R008@7"},
		{"resets_at as text", 17, setTo("/payload/rate_limits/primary/resets_at", `"2025-10-18T00:00:00Z"`), "R009@17"},
		{"context_compacted with a key", 30, setTo("/payload/x", "1"), "R013@30"},
		{"answer with two results", 10, setTo("/payload/result", `{"Ok":{"content":[]},"Err":"e"}`), "R020@10"},
		{"error info unknown", 16, setTo("/payload/codex_error_info", `"zz"`), ""},
		{"image without source", 24, without("/payload/output/1/file_id"), "R019@24 P001@23"},
		{"output is an object", 24, setTo("/payload/output", "{}"), "R003@24 P001@23"},
		{"output part of a message", 24, setTo("/payload/output/0/type", `"output_text"`), "R005@24 P001@23"},
		{"score 1e400", 21, setTo("/payload/scores/demo", "1e400"), "R017@21"},
		{"score 1e-400", 21, setTo("/payload/scores/demo", "1e-400"), "J013@21"},
		{"retained context of another type", 18, setTo("/payload/type", `"zz"`), "R005@18"},
		{"realtime item of another type", 19, setTo("/payload/type", `"zz"`), "R005@19"},
		{"configuration update without effort", 27, setTo("/payload/reasoning", "{}"), "R001@27"},
		{"rollback of -1 turns", 15, setTo("/payload/num_turns", "-1"), "R017@15"},
		{"rollback of 2^32 turns", 15, setTo("/payload/num_turns", "4294967296"), "R017@15"},
	}
	for _, tt := range rest {
		kinds.check(t, tt.name, kindsLines().edit(tt.line, tt.change), hits(t, tt.want))
	}
}

// TestMutateItems: what Codex reads and a server refuses, or what nobody uses.
func TestMutateItems(t *testing.T) {
	b, demo := newBench(t, demoFile)
	text := func(mediaType, text string) string { return `"data:` + mediaType + ";base64," + text + `"` }
	image := func(line int, url string) func(jsonraw.Value) jsonraw.Value {
		return setTo("/payload/content/1/image_url", url)
	}
	// Line 83 is the last user message; the checkpoint does not know it.
	withImage := func(url string) func(jsonraw.Value) jsonraw.Value {
		return all(setTo("/payload/content/1", `{"type":"input_image","image_url":""}`), image(83, url),
			setTo("/payload/internal_chat_message_metadata_passthrough/content_item_kinds", `["user.text","user.image"]`))
	}
	const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	tests := []struct {
		name   string
		line   int
		change func(jsonraw.Value) jsonraw.Value
		want   string
	}{
		{"id of 64 characters", 83, setTo("/payload/id", `"msg_`+strings.Repeat("a", 60)+`"`), ""},
		{"id of 65 characters", 83, setTo("/payload/id", `"msg_`+strings.Repeat("a", 61)+`"`), "I001"},
		{"id with a colon", 83, setTo("/payload/id", `"msg_a:b"`), "I002"},
		{"id empty", 83, setTo("/payload/id", `""`), "I003"},
		{"id without prefix", 83, setTo("/payload/id", `"a1"`), "I004"},
		{"id with nothing behind the prefix", 83, setTo("/payload/id", `"msg_"`), "I004"},
		{"id missing", 83, without("/payload/id"), ""},
		{"unknown item", 90, setTo("/payload/type", `"zz"`), "I010 C032@92"}, // read and not recorded: the response left nothing
		{"system message", 83, setTo("/payload/role", `"system"`), "I011"},
		{"reasoning without content", 20, without("/payload/encrypted_content"), "I012"},
		{"reasoning with content null", 20, setTo("/payload/encrypted_content", "null"), "I012"},
		{"reasoning without content and id", 20, all(without("/payload/encrypted_content"), without("/payload/id")), "I013"},
		{"reasoning in the open", 20, all(without("/payload/encrypted_content"), setTo("/payload/content", `[{"type":"reasoning_text","text":"t"}]`)), "I013"},
		{"an image", 83, withImage(text("image/png", png)), ""},
		{"an image in capitals", 83, withImage(text("IMAGE/PNG", png)), ""},
		{"empty URL", 83, withImage(`""`), "I020"},
		{"text", 83, withImage(text("text/plain", "YQ==")), "I021"},
		{"no subtype", 83, withImage(text("image", png)), "I021"},
		{"a bitmap", 83, withImage(text("image/bmp", "Qk0=")), "I022"},
		{"not padded", 83, withImage(text("image/png", strings.TrimRight(png, "="))), "I023"},
		{"cut off", 83, withImage(text("image/png", png[:41])), "I023"},
		{"a line break", 83, withImage(text("image/png", png[:40]+`\n`+png[40:])), "I023"},
		{"not base64", 83, withImage(`"data:image/png,abc"`), "I023"},
		{"another format", 83, withImage(text("image/jpeg", png)), "I024"},
		{"markup", 83, withImage(text("image/png", "PHN2Zy8+")), "I025"}, // <svg/>
		{"no image", 83, withImage(text("image/png", "AAAA")), "I026"},
		{"cut off between groups of base64", 83, withImage(text("image/png", png[:60])), "I026"},
		{"a checksum that is wrong", 83, withImage(text("image/png", strings.Replace(png, "WjR9", "WjR8", 1))), "I026"},
		{"a web address", 83, withImage(`"https://example.com/a.png"`), "I027"},
		{"a path", 83, withImage(`"/tmp/a.png"`), "I028"},
		{"null", 83, withImage("null"), "R019"},
		{"a file and a bad image_url", 83, all(withImage("7"), setTo("/payload/content/1/file_id", `"f"`)), ""}, // falls back
		{"image of an output", 88, setTo("/payload/output", `[{"type":"input_image","image_url":""}]`), "I020"},
		{"kinds too few", 83, setTo("/payload/internal_chat_message_metadata_passthrough/content_item_kinds", "[]"), "M016"},
		{"kinds too many", 83, setTo("/payload/internal_chat_message_metadata_passthrough/content_item_kinds", `["a","b"]`), "M016"},
		{"kinds no strings", 83, setTo("/payload/internal_chat_message_metadata_passthrough/content_item_kinds", "[7]"), "M016"}, // none, not an error (5.5)
		{"kinds no list", 83, setTo("/payload/internal_chat_message_metadata_passthrough/content_item_kinds", `"a"`), "M016"},
		{"metadata in the item", 83, setTo("/payload/metadata", `{"turn_id":"t"}`), "M014"},
		{"metadata with an unknown key", 83, setTo("/metadata/zz", "1"), "M012"},
		{"client_authored user message", 83, setTo("/metadata/client_authored", "true"), "M010"},
		{"hash of a model", 83, setTo("/metadata/compaction_model_hash", `"a"`), "M011"},
		{"attribution null", 83, setTo("/metadata/mcp_attribution", "null"), "M015"},
		{"attribution without status", 83, setTo("/metadata/mcp_attribution", "{}"), "M015"},
		{"metadata null", 83, setTo("/metadata", "null"), ""},
		{"metadata a list", 83, setTo("/metadata", `"x"`), "R003"},
		{"content of an unknown kind", 83, setTo("/payload/content/0/type", `"text"`), "R005"},
		{"content text", 83, setTo("/payload/content", `"text"`), "R003"},
		{"large output", 88, setTo("/payload/output", `"`+strings.Repeat("abc ", 12001)+`"`), "B014"},
		{"large, but not too large", 88, setTo("/payload/output", `"`+strings.Repeat("abc ", 12000)+`"`), ""},
		{"empty compaction item", 84, all(setTo("/type", `"response_item"`), setTo("/payload", `{"type":"compaction","encrypted_content":""}`)), "E003"},
	}
	for _, tt := range tests {
		var want []hit
		for _, code := range strings.Fields(tt.want) {
			if strings.Contains(code, "@") {
				want = append(want, hits(t, code)...)
				continue
			}
			want = append(want, hit{code, tt.line})
		}
		b.check(t, tt.name, demo.edit(tt.line, tt.change), want)
	}
}
