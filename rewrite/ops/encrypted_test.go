package ops

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

func TestEncryptedCuresItsCodes(t *testing.T) {
	reasoning := []string{"reasoning", "true"}
	checkCodes(t, "encrypted", map[string][]string{"I012": reasoning, "I013": reasoning}, nil)
}

// The sentence has to be the one that Codex knows a summary by.
func TestRule17PlaceholderIsASummary(t *testing.T) {
	if !history.IsSummary(summaryPrefix + "\n(no summary available)") {
		t.Error("the placeholder is no summary")
	}
}

// session makes a file of payloads: a record type, a colon, and the payload.
func session(records ...string) string {
	var b strings.Builder
	for _, r := range records {
		typ, payload, _ := strings.Cut(r, ":")
		b.WriteString(`{"timestamp":"2026-11-02T09:00:01.000Z","type":"` + typ + `","payload":` + payload + "}\n")
	}
	return b.String()
}

const (
	encMeta     = `session_meta:{"id":"0199b001-0000-7000-8000-000000000001","timestamp":"2026-11-02T09:00:00.000Z","cwd":"/srv","originator":"o","cli_version":"0.160.0","model_provider":"openai"}`
	encOther    = `session_meta:{"id":"0199b001-0000-7000-8000-000000000001","timestamp":"2026-11-02T09:00:00.000Z","cwd":"/srv","originator":"o","cli_version":"0.160.0","model_provider":"azure"}`
	encUser     = `response_item:{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}`
	encThought  = `response_item:{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAAAA"}`
	encAnswer   = `response_item:{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"a"}]}`
	encCall     = `response_item:{"type":"function_call","id":"fc_1","name":"shell","arguments":"{}","call_id":"c1"}`
	encOutput   = `response_item:{"type":"function_call_output","call_id":"c1","output":"ok"}`
	looseAnswer = `response_item:{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}`
	looseCall   = `response_item:{"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"}`
)

func TestEncryptedStream(t *testing.T) {
	tests := []struct {
		name    string
		options []string
		in      []string
		want    []string
	}{
		{
			"foreign reasoning goes, with the ids that came with it", nil,
			[]string{encMeta, encUser, encThought, encCall, encOutput, encAnswer, encOther, encUser, encThought, encAnswer},
			[]string{encMeta, encUser, looseCall, encOutput, looseAnswer, encOther, encUser, encThought, encAnswer},
		},
		{
			"one provider: nothing is foreign", nil,
			[]string{encMeta, encUser, encThought, encAnswer, encMeta},
			[]string{encMeta, encUser, encThought, encAnswer, encMeta},
		},
		{
			"all reasoning", []string{"reasoning", "true"},
			[]string{encMeta, encUser, encThought, encAnswer, `response_item:{"type":"compaction","encrypted_content":"x"}`},
			[]string{encMeta, encUser, looseAnswer, `response_item:{"type":"compaction","encrypted_content":"x"}`},
		},
		{
			"compaction items only", []string{"compaction", "true"},
			[]string{encMeta, encThought, encAnswer, `response_item:{"type":"context_compaction","encrypted_content":"x"}`},
			[]string{encMeta, encThought, encAnswer},
		},
		{
			"all: parts and members", []string{"all", "true"},
			[]string{
				encMeta,
				`response_item:{"type":"agent_message","author":"/root","recipient":"/root/w","content":[{"type":"input_text","text":"h"},{"type":"encrypted_content","encrypted_content":"x"}]}`,
				`response_item:{"type":"function_call","name":"f","arguments":"{}","encrypted_function_args":["a"],"call_id":"c1"}`,
				`response_item:{"type":"function_call_output","call_id":"c1","output":[{"type":"encrypted_content","encrypted_content":"x"},{"type":"input_text","text":"t"}]}`,
				`response_item:{"type":"message","role":"assistant","content":[],"encrypted_content":"x"}`,
				`inter_agent_communication:{"author":"/root","recipient":"/root/w","other_recipients":[],"content":"","encrypted_content":"x","trigger_turn":true}`,
			},
			[]string{
				encMeta,
				`response_item:{"type":"agent_message","author":"/root","recipient":"/root/w","content":[{"type":"input_text","text":"h"},{"type":"input_text","text":"(encrypted content, not readable any more)"}]}`,
				`response_item:{"type":"function_call","name":"f","arguments":"{}","call_id":"c1"}`,
				`response_item:{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"(encrypted content, not readable any more)"},{"type":"input_text","text":"t"}]}`,
				`response_item:{"type":"message","role":"assistant","content":[]}`,
				`inter_agent_communication:{"author":"/root","recipient":"/root/w","other_recipients":[],"content":"(encrypted content, not readable any more)","trigger_turn":true}`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := run(t, session(tt.in...), rewrite.Options{}, operation(t, "encrypted", tt.options...))
			if want := session(tt.want...); err != nil || got != want {
				t.Errorf("%v\n got %s\nwant %s", err, got, want)
			}
		})
	}
}

func TestRule09EncryptedCheckpointStaysAligned(t *testing.T) {
	in := compactedWith(
		`[{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"x"},`+
			`{"type":"message","id":"msg_1","role":"assistant","content":[]},{"type":"compaction","id":"cmp_1","encrypted_content":"y"}]`,
		`[{"client_authored":false,"user_input_order":0},{"client_authored":false,"user_input_order":1},{"client_authored":false,"user_input_order":2},{"client_authored":false,"compaction_model_hash":"h"}]`)
	want := compactedWith(
		`[{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]},`+
			`{"type":"message","role":"assistant","content":[]},{"type":"message","role":"user","content":[{"type":"input_text","text":"`+summaryPrefix+`\nLost."}]}]`,
		`[{"client_authored":false,"user_input_order":0},{"client_authored":false,"user_input_order":2},{"client_authored":false}]`)
	got, _, err := run(t, in, rewrite.Options{}, operation(t, "encrypted", "all", "true", "placeholder", "Lost."))
	if err != nil || got != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
	if again, res, err := run(t, got, rewrite.Options{}, operation(t, "encrypted", "all", "true")); err != nil || again != got || res.Edits() > 0 {
		t.Errorf("second run: %v\n%s", err, again)
	}
	withMessage := strings.Replace(in, `"message":""`, `"message":"Sum."`, 1)
	if got, _, err := run(t, withMessage, rewrite.Options{}, operation(t, "encrypted", "compaction", "true")); err != nil || !strings.Contains(got, summaryPrefix+`\nSum."`) || !strings.Contains(got, `"rs_1"`) {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestEncryptedOptions(t *testing.T) {
	info, _ := Find("encrypted")
	for _, given := range []map[string][]string{{"foreign": {"false"}}, {"placeholder": {""}}} {
		if _, err := info.New(Given(info.Options, given)); err == nil || !strings.HasPrefix(err.Error(), "--") {
			t.Errorf("%v: %v", given, err)
		}
	}
}
