package history_test

import (
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
)

func TestRule20Recorded(t *testing.T) {
	tests := []struct {
		name     string
		item     string
		metadata string
		recorded bool
	}{
		{"user", message("user", "x"), `null`, true},
		{"assistant", message("assistant", "x"), `null`, true},
		{"developer", message("developer", "x"), `null`, true},
		{"another role", message("tool", "x"), `null`, true},
		{"system", message("system", "x"), `null`, false},
		{"system of the harness", message("system", "x"), `{"harness_authored_configuration":true}`, false},
		{"configuration update", `{"type":"configuration_update","reasoning":{"effort":"low"}}`, `null`, false},
		{"configuration update, default metadata", `{"type":"configuration_update","reasoning":{"effort":"low"}}`, `{}`, false},
		{"configuration update of the harness", `{"type":"configuration_update","reasoning":{"effort":"low"}}`,
			`{"harness_authored_configuration":true}`, true},
		{"compaction trigger", `{"type":"compaction_trigger"}`, `null`, false},
		{"unknown", `{"type":"other"}`, `null`, false},
		{"reasoning", `{"type":"reasoning","summary":[]}`, `null`, true},
		{"compaction", `{"type":"compaction","encrypted_content":"x"}`, `null`, true},
		{"its alias", `{"type":"compaction_summary","encrypted_content":"x"}`, `null`, true},
		{"context compaction", `{"type":"context_compaction"}`, `null`, true},
		{"additional tools", `{"type":"additional_tools","role":"developer","tools":[]}`, `null`, true},
		{"web search", `{"type":"web_search_call"}`, `null`, true},
		{"image generation", `{"type":"image_generation_call","status":"completed","result":""}`, `null`, true},
		{"local shell", `{"type":"local_shell_call","call_id":null,"status":"completed","action":{"type":"exec","command":[]}}`, `null`, true},
		{"tool search", `{"type":"tool_search_call","call_id":null,"execution":"client","arguments":{}}`, `null`, true},
		{"tool search output", `{"type":"tool_search_output","call_id":null,"status":"completed","execution":"client","tools":[]}`, `null`, true},
		{"output without call", `{"type":"custom_tool_call_output","call_id":"c","output":""}`, `null`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := replayed(t, itemWith(tt.item, tt.metadata))
			if got := len(s.Rows) == 1; got != tt.recorded {
				t.Errorf("recorded: %v, want %v", got, tt.recorded)
			}
			if tt.recorded {
				wantStored(t, s.Rows, tt.item)
			}
		})
	}
}

func outputItem(typ, body string) string {
	return `{"type":"` + typ + `","call_id":"c","output":` + body + `,"extra":1.0}`
}

// limited replays one output; metadata "" stands for none, limit below 0 for none.
func limited(t *testing.T, item, metadata string, limit int) string {
	t.Helper()
	line := itemLine(item)
	if metadata != "" {
		line = itemWith(item, metadata)
	}
	var opt history.Options
	if limit >= 0 {
		n := uint64(limit)
		opt.ToolOutputLimit = &n
	}
	s := at(t, load(t, file(line), opt), "end")
	if len(s.Rows) != 1 {
		t.Fatalf("%d rows, want 1", len(s.Rows))
	}
	if got := string(s.Rows[0].Meta.Raw); got != metadata {
		t.Errorf("metadata %q, want %q", got, metadata)
	}
	return string(s.Rows[0].Item.Raw)
}

// Worked values of compaction.md 1.2.
func TestRule21OwnLimit(t *testing.T) {
	tests := []struct {
		text  string
		limit string
		want  string
	}{
		{"middle1234", "2", "midd…1 tokens truncated…1234"},
		{"uvwxyz", "1", "uv…1 tokens truncated…yz"},
		{"abcdefgh", "2", "abcdefgh"},
		{"abcdefghi", "2", "abcd…1 tokens truncated…fghi"},
		{"héllo wörld", "2", "hél…2 tokens truncated…rld"},
		{"日本語テキスト", "3", "日本…3 tokens truncated…スト"},
		{"abc", "0", "…1 tokens truncated…"},
		{"", "0", ""},
		{strings.Repeat("x", 100), "10", strings.Repeat("x", 20) + "…15 tokens truncated…" + strings.Repeat("x", 20)},
		{"abc", "18446744073709551615", "abc"},
	}
	for _, typ := range []string{"function_call_output", "custom_tool_call_output"} {
		for _, tt := range tests {
			metadata := `{"fallback_token_limit_override":` + tt.limit + `}`
			got := limited(t, outputItem(typ, quote(tt.text)), metadata, -1)
			wantJSON(t, got, outputItem(typ, quote(tt.want)))
			// The own limit goes before the model's, and has no allowance on top.
			wantJSON(t, limited(t, outputItem(typ, quote(tt.text)), metadata, 1000), outputItem(typ, quote(tt.want)))
		}
	}
}

func TestRule21OnlyToolOutputs(t *testing.T) {
	const limit = `{"fallback_token_limit_override":0}`
	for _, item := range []string{
		message("user", "0123456789"),
		`{"type":"function_call","name":"f","arguments":"{}","call_id":"c"}`,
		`{"type":"tool_search_output","call_id":"c","status":"completed","execution":"client","tools":[{"x":1}]}`,
	} {
		if got := limited(t, item, limit, 0); got != item {
			t.Errorf("cut to %s", got)
		}
	}
}

func TestRule22ModelLimit(t *testing.T) {
	tests := []struct {
		name     string
		metadata string
		limit    int
		bytes    int // of the output
		budget   int // what it is cut to in bytes, -1 for not at all
	}{
		{"no limit", "", -1, 1000, -1},
		{"no limit, metadata without one", `{}`, -1, 1000, -1},
		{"null override", `{"fallback_token_limit_override":null}`, 10, 100, 48},
		{"ten tokens become twelve", "", 10, 49, 48},
		{"which fit", "", 10, 48, -1},
		{"one becomes two", "", 1, 9, 8},     // ceil(1.2)
		{"three become four", "", 3, 17, 16}, // ceil(3.6)
		{"five become six", "", 5, 25, 24},   // 6 exactly
		{"zero is a limit", "", 0, 10, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Repeat("x", tt.bytes)
			want := text
			if tt.budget >= 0 {
				half := strings.Repeat("x", tt.budget/2)
				want = half + "…" + strconv.Itoa((tt.bytes-tt.budget+3)/4) + " tokens truncated…" + half
			}
			wantJSON(t, limited(t, outputItem("function_call_output", quote(text)), tt.metadata, tt.limit),
				outputItem("function_call_output", quote(want)))
		})
	}
}

// wav is a data URL of so many seconds of 8-bit mono sound at 10 Hz: one byte a
// frame, ten tokens a second, so one token a frame.
func wav(frames int) string {
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt ")
	b = binary.LittleEndian.AppendUint32(b, 16)
	b = append(b, 1, 0, 1, 0) // PCM, mono
	b = binary.LittleEndian.AppendUint32(b, 10)
	b = binary.LittleEndian.AppendUint32(b, 10)
	b = append(b, 1, 0, 8, 0)
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(frames))
	b = append(b, make([]byte, frames)...)
	return `{"type":"input_audio","audio_url":"data:audio/wav;base64,` + base64.StdEncoding.EncodeToString(b) + `"}`
}

func TestRule22Parts(t *testing.T) {
	const cipher = `{"type":"encrypted_content","encrypted_content":"AAAA"}`
	text := func(n int) string { return inputText(strings.Repeat("x", n)) }
	tests := []struct {
		name   string
		tokens int // by fallback_token_limit_override
		parts  []string
		want   []string
	}{
		{"all fit", 5, []string{text(8), text(9)}, []string{text(8), text(9)}}, // 2 + 3
		{"cut at the first overflow", 4, []string{text(8), text(9), text(1), text(1)},
			[]string{text(8), inputText("xxxx…1 tokens truncated…xxxx"), inputText("[omitted 2 text items ...]")}},
		{"nothing left for the second", 2, []string{text(8), text(1)}, []string{text(8), inputText("[omitted 1 text items ...]")}},
		{"no budget at all", 0, []string{text(1), text(1)}, []string{inputText("[omitted 2 text items ...]")}},
		{"empty texts vanish", 5, []string{text(0), text(4), text(0)}, []string{text(4)}},
		{"and are not counted as omitted", 1, []string{text(4), text(0), text(1)}, []string{text(4), inputText("[omitted 1 text items ...]")}},
		{"nothing but an empty text", 0, []string{text(0)}, nil},
		{"no parts", 0, nil, nil},
		{"images and encrypted parts are free", 1, []string{image, text(4), cipher, image, text(1)},
			[]string{image, text(4), cipher, image, inputText("[omitted 1 text items ...]")}},
		{"audio that fits is charged", 5, []string{wav(4), text(8)},
			[]string{wav(4), inputText("xx…1 tokens truncated…xx")}},
		{"audio that does not fit leaves the budget", 5, []string{wav(6), text(8), wav(3)},
			[]string{text(8), wav(3), inputText("[omitted 1 audio items ...]")}},
		{"audio exactly", 5, []string{wav(5), wav(1)}, []string{wav(5), inputText("[omitted 1 audio items ...]")}},
		{"texts before audio in the note", 0, []string{wav(1), text(1), wav(2)},
			[]string{inputText("[omitted 1 text items ...]"), inputText("[omitted 2 audio items ...]")}},
		{"members of a cut part stay", 1, []string{`{"type":"input_text","new":1.0,"text":"uvwxyz"}`},
			[]string{`{"type":"input_text","new":1.0,"text":"uv…1 tokens truncated…yz"}`}},
	}
	for _, typ := range []string{"function_call_output", "custom_tool_call_output"} {
		for _, tt := range tests {
			t.Run(typ+"/"+tt.name, func(t *testing.T) {
				item := outputItem(typ, "["+strings.Join(tt.parts, ",")+"]")
				want := outputItem(typ, "["+strings.Join(tt.want, ",")+"]")
				wantJSON(t, limited(t, item, `{"fallback_token_limit_override":`+strconv.Itoa(tt.tokens)+`}`, -1), want)
			})
		}
	}
}

// The model's allowance goes for part lists too: 5 tokens become 6.
func TestRule22PartsWithAllowance(t *testing.T) {
	parts := "[" + inputText(strings.Repeat("x", 24)) + "," + inputText("y") + "]"
	want := "[" + inputText(strings.Repeat("x", 24)) + "," + inputText("[omitted 1 text items ...]") + "]"
	wantJSON(t, limited(t, outputItem("function_call_output", parts), "", 5), outputItem("function_call_output", want))
}
