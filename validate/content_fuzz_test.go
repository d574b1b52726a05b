package validate

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// FuzzContent: whatever a line holds, no rule fails on it, each finding has a code of the
// registry and a message, and those about what is in a record point at something.
func FuzzContent(f *testing.F) {
	for _, s := range []string{
		testUser,
		itemLine(`{"type":"message","id":"a b","role":"system","content":[{"type":"input_image","image_url":"data:image/png;base64,QQ=="}],"metadata":1}`),
		itemLine(`{"type":"message","role":"user","content":[{"type":"input\u005fimage","image_url":"data:"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":[1]}}`),
		itemLine(`{"type":"function_call_output","output":[{"type":"input_image","image_url":""}]}`),
		itemLine(`{"type":"reasoning","id":"","summary":[]}`), itemLine(`{"type":"x/y~z"}`),
		itemWith(userItem("q"), `{"a/~b":1,"client_authored":true,"mcp_attribution":{"sources":[{}]},"compaction_model_hash":"a"}`),
		checkpointLine(callItem("f", "1"), outputItem("f", "2"), outputItem("f", ""), summaryItem, ghostItem),
		sidecarLine(`[{"client_authored":true},null]`, userItem("q"), ghostItem), sidecarLine(`null`, ghostItem),
		rollbackLine(3), settingsLine("azure"), otherMeta(`"x"`),
		eventRecord(`{"type":"image_generation_end","call_id":"c","status":"s","result":"\u0041"}`),
	} {
		f.Add([]byte(s))
	}
	known := NewRegistry()
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.IndexByte(line, '\n') >= 0 {
			return
		}
		text := testMeta + "\n" + itemLine(callItem("f", "1")) + "\n" + string(line) + "\n" + itemLine(outputItem("f", "1")) + "\n"
		_, all := validateText(t, 1, text)
		for _, found := range all {
			_, ok := known[found.Code]
			if !ok || found.Message == "" {
				t.Fatalf("%q: code %q, message %q", line, found.Code, found.Message)
			}
			if found.Line != 3 || !strings.Contains("IPMEB", found.Code[:1]) {
				continue
			}
			if _, _, there := jsonraw.Locate(line, found.Pointer); !there {
				t.Errorf("%q: %s points at %q: nothing is there", line, found.Code, found.Pointer)
			}
		}
	})
}
