package validate

import (
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

func itemFrom(t *testing.T, text string) parse.Item {
	t.Helper()
	it, err := parse.ViewItem(jsonraw.Value(text))
	if err != nil {
		t.Fatal(err)
	}
	return it
}

func cutOutput(t *testing.T, callID, text string) parse.Item {
	return itemFrom(t, `{"type":"function_call_output","call_id":"`+callID+`","output":`+string(jsonraw.Quote(text))+`}`)
}

// Cut texts are those of compaction.md 1.2.
func TestRule27CutOutputsAgree(t *testing.T) {
	const whole = "middle1234"
	for _, tt := range []struct {
		sent string
		want bool
	}{
		{"midd…1 tokens truncated…1234", true},
		{"mi…5 chars truncated…234", true},
		{"…3 tokens truncated…", true},
		{"midd…1 tokens truncated…5678", false},
		{"nidd…1 tokens truncated…1234", false},
		{"middle1234", false}, // nothing is cut: the items are equal
		{"midd… tokens truncated…1234", false},
		{"middle… 9 truncated", false},
		{"middle…1 tokens truncated…1234", false}, // nothing is missing
	} {
		if got := isCutOf(cutOutput(t, "c", tt.sent), cutOutput(t, "c", whole)); got != tt.want {
			t.Errorf("%q: %v", tt.sent, got)
		}
	}
	if isCutOf(cutOutput(t, "other", "midd…1 tokens truncated…1234"), cutOutput(t, "c", whole)) {
		t.Error("an output of another call")
	}
}

func TestAgree(t *testing.T) {
	const (
		stored   = `{"content":[{"type":"input_text","text":"a\u00e9"}],"role":"user","type":"message","id":"msg_1","internal_chat_message_metadata_passthrough":{"turn_id":"t"}}`
		wire     = `{"type":"message","role":"user","content":[{"text":"aé","type":"input_text"}]}`
		other    = `{"type":"message","role":"user","content":[{"type":"input_text","text":"b"}]}`
		sameText = `{"type":"message","role":"user","content":[{"type":"input_text","text":"a\u00e9"}]}`
	)
	for i, tt := range []struct {
		sent, rebuilt []string
		at            int
		want          bool
	}{
		{nil, nil, 0, true},
		{[]string{sameText}, []string{stored}, 1, true},
		{[]string{wire}, []string{stored}, 0, false}, // members of a part keep their order
		{[]string{other}, []string{stored}, 0, false},
		{[]string{sameText, other}, []string{stored}, 1, false},
		{[]string{sameText}, []string{stored, other}, 1, false},
	} {
		rows := func(texts []string) []history.Row {
			var out []history.Row
			for _, s := range texts {
				out = append(out, history.Row{Item: itemFrom(t, s)})
			}
			return out
		}
		at, got := agree(rows(tt.sent), rows(tt.rebuilt))
		if at != tt.at || got != tt.want {
			t.Errorf("case %d: item %d, %v", i, at, got)
		}
	}
}
