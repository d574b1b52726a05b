package validate

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
)

// What a rewrite has taken out of a history is no reason to find fault with the
// checkpoint that replaced it.
func TestThinnedHistories(t *testing.T) {
	const filler = `{"type":"other"}`
	removed := history.RemovedImageText("image/png, 70 bytes, sha256 6b7fa434f92a")
	withRemoved := `{"type":"message","role":"user","content":[{"type":"input_text","text":"` + tokensOf(1000) + `"},{"type":"input_text","text":"` + removed + `"}]}`
	cut := `{"type":"custom_tool_call_output","call_id":"c","output":"ab…3 tokens truncated…cd"}`
	call := `{"type":"custom_tool_call","call_id":"c","name":"n","input":""}`
	emptied := recordLine("compacted", `{"message":"","replacement_history":null,"resume_metadata":{}}`)
	grown := checkpointLine(userItem(tokensOf(1500)), summaryItem)
	few := itemLine(userItem(tokensOf(1000)))
	tests := []struct {
		name  string
		lines []string
		want  []string
	}{
		{"whole", []string{few, grown}, []string{"C021 3", "C025 3 " + listPointer}},
		{"image removed", []string{itemLine(withRemoved), grown}, []string{"C025 3 " + listPointer}},
		{"output cut", []string{few, itemLine(call), itemLine(cut), grown}, []string{"C025 5 " + listPointer}},
		{"record taken out", []string{few, itemLine(filler), grown}, nil},
		{"record taken out, long ago", []string{itemLine(filler), few, checkpointLine(userItem(tokensOf(1000)), summaryItem), grown},
			[]string{"C021 5", "C025 5 " + listPointer}},
		{"checkpoint emptied", []string{few, emptied, itemLine(assistantItem("a")), checkpointLine(summaryItem)}, nil},
		{"checkpoint emptied, long ago", []string{few, emptied, checkpointLine(userItem(tokensOf(1000)), summaryItem), grown},
			[]string{"C021 5", "C025 5 " + listPointer}},
		{"checkpoint not emptied", []string{few, recordLine("compacted", `{"message":"","resume_metadata":{}}`), checkpointLine(summaryItem)},
			[]string{"C020 4 " + listPointer, "C021 3"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkFamilies(t, "C", append([]string{metaLine("")}, tt.lines...), tt.want...)
		})
	}
	t.Run("budget", func(t *testing.T) {
		// 64,000 tokens of text and as many images as fit a request: their texts are not charged.
		item := `{"type":"message","role":"user","content":[{"type":"input_text","text":"` + tokensOf(64_000) + `"}` +
			strings.Repeat(`,{"type":"input_text","text":"`+removed+`"}`, 20) + `]}`
		lines := []string{metaLine(""), itemLine(item), itemLine(assistantItem(tokensOf(80_000))), checkpointLine(item, summaryItem)}
		for _, f := range checkFamilies(t, "C", lines, "C025 4 "+listPointer) {
			if f.Code == "C024" {
				t.Error(f.Message)
			}
		}
	})
}
