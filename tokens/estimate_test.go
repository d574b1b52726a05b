package tokens

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

func viewPart(raw string) parse.Part { return parse.ViewPart(jsonraw.Value(raw)) }

func TestRule25ContentBytes(t *testing.T) {
	const seal = `{"type":"encrypted_content","encrypted_content":"0123456789abcdef"}` // 16 -> 9
	tests := []struct {
		name, item string
		want       int64 // bytes
	}{
		{"message counts decoded text only", `{"type":"message","id":"msg_1","role":"user","phase":"x","content":[{"type":"input_text","text":"a\"\n\u00e9\ud83d\ude42"},{"type":"output_text","text":"<&>","annotations":[1]}],"internal_chat_message_metadata_passthrough":{"turn_id":"t"}}`, 1 + 1 + 1 + 2 + 4 + 3},
		{"message of any role", `{"type":"message","role":"system","content":[{"type":"input_text","text":"abc"}]}`, 3},
		{"empty message", `{"type":"message","role":"user","content":[]}`, 0},
		{"image and audio", `{"type":"message","role":"user","content":[{"type":"input_image","image_url":"https://e/a.png"},{"type":"input_audio","audio_url":"https://e/a.mp3"}]}`, 7373 + 16},
		{"agent message", `{"type":"agent_message","author":"/root","recipient":"/root/a","content":[{"type":"input_text","text":"hi"},` + seal + `]}`, 5 + 7 + 2 + 9},
		{"plain reasoning", `{"type":"reasoning","summary":[{"type":"summary_text","text":"abc"}],"content":[{"type":"reasoning_text","text":"abc"}],"encrypted_content":null}`, 0},
		{"call without namespace", `{"type":"function_call","name":"run","arguments":"{\"a\":1}","call_id":"c"}`, 3 + 9 + 7},
		{"call with null namespace", `{"type":"function_call","name":"run","namespace":null,"arguments":"","call_id":"c"}`, 3 + 9},
		{"call with empty namespace", `{"type":"function_call","name":"run","namespace":"","arguments":"x","call_id":"c"}`, 3 + 1},
		{"call with namespace", `{"type":"function_call","name":"run","namespace":"mcp__a","arguments":"x","call_id":"c"}`, 3 + 6 + 1},
		{"custom call", `{"type":"custom_tool_call","name":"patch","input":"abc","call_id":"c"}`, 5 + 9 + 3},
		{"function output", `{"type":"function_call_output","call_id":"call_1","name":"n","namespace":"ns","output":"é"}`, 2 + 6 + 1 + 2},
		{"function output list", `{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"ab"},{"type":"input_image","image_url":"u"},` + seal + `]}`, 1 + 2 + 7373 + 9},
		{"function output without call id", `{"type":"function_call_output","output":""}`, 0},
		{"custom output has no namespace", `{"type":"custom_tool_call_output","call_id":"call_1","name":"n","namespace":"ns","output":"ab"}`, 2 + 6 + 1},
		{"search call", `{"type":"tool_search_call","call_id":"c","execution":"client","arguments":{ "query": "a\u00e9", "limit": 2 }}`, int64(len(`{"query":"aé","limit":2}`))},
		{"search call keeps numbers", `{"type":"tool_search_call","execution":"client","arguments":[123456789012345678901234567890,1.0,1E3]}`, int64(len(`[123456789012345678901234567890,1.0,1e+3]`))},
		{"search call does not escape HTML", `{"type":"tool_search_call","execution":"client","arguments":"<&>\u2028"}`, 2 + 3 + 3},
		{"search call with null arguments", `{"type":"tool_search_call","execution":"client","arguments":null}`, 4},
		{"no tools", `{"type":"tool_search_output","call_id":"c","status":"completed","execution":"client","tools":[]}`, 2},
		{"tools", `{"type":"additional_tools","role":"developer","tools":[ {"a" : 0.50} ]}`, int64(len(`[{"a":0.50}]`))},
		{"shell call", `{"type":"local_shell_call","status":"completed","action":{"type":"exec","command":["ls"," "]}}`, int64(len(`{"type":"exec","command":["ls"," "],"timeout_ms":null,"working_directory":null,"env":null,"user":null}`))},
		{"shell call in full, another order, unknown members", `{"type":"local_shell_call","action":{"user":"me","env":{"B":"1","A":"2","B":"34"},"x":[1],"working_directory":"/r","timeout_ms":1000,"command":["ls"],"type":"exec"}}`, int64(len(`{"type":"exec","command":["ls"],"timeout_ms":1000,"working_directory":"/r","env":{"A":"2","B":"34"},"user":"me"}`))},
		{"web search", `{"type":"web_search_call","action":{"type":"search","query":"q","queries":["a","b"],"sources":[1]}}`, int64(len(`{"type":"search","query":"q","queries":["a","b"]}`))},
		{"web search without anything", `{"type":"web_search_call","action":{"type":"search","query":null}}`, int64(len(`{"type":"search"}`))},
		{"open page", `{"type":"web_search_call","action":{"type":"open_page","url":"u","query":"q"}}`, int64(len(`{"type":"open_page","url":"u"}`))},
		{"find in page", `{"type":"web_search_call","action":{"pattern":"p","type":"find_in_page","url":null}}`, int64(len(`{"type":"find_in_page","pattern":"p"}`))},
		{"unknown web action", `{"type":"web_search_call","action":{"type":"hover","url":"u"}}`, int64(len(`{"type":"other"}`))},
		{"no web action", `{"type":"web_search_call","status":"completed"}`, 0},
		{"null web action", `{"type":"web_search_call","action":null}`, 0},
		{"image generation", `{"type":"image_generation_call","status":"completed","revised_prompt":"é","result":"AA"}`, 2 + 7373},
		{"image generation without result", `{"type":"image_generation_call","status":"completed","revised_prompt":"é","result":""}`, 2},
		{"configuration update", `{"type":"configuration_update","reasoning":{"effort":"high"}}`, 0},
		{"trigger", `{"type":"compaction_trigger"}`, 0},
		{"unknown type", `{"type":"novelty","text":"abc"}`, 0},
		{"ghost snapshot", `{"type":"ghost_snapshot","ghost_commit":{"id":"x"}}`, 0},
		{"context compaction without content", `{"type":"context_compaction"}`, 0},
		{"no type", `{}`, 0},
	}
	for _, tt := range tests {
		if got := Content.ItemBytes(viewItem(t, tt.item)); got != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.name, got, tt.want)
		}
	}
}

func TestRule25RoundsOncePerItem(t *testing.T) {
	// Two texts of 5 bytes are 10 bytes, 3 tokens, though each alone is 2.
	it := viewItem(t, `{"type":"message","role":"user","content":[{"type":"input_text","text":"abcde"},{"type":"input_text","text":"abcde"}]}`)
	if got := Content.Item(it); got != 3 {
		t.Errorf("item: %d tokens, want 3", got)
	}
	for _, p := range it.Content() {
		if got := PartText(p); got != 2 {
			t.Errorf("part: %d tokens, want 2", got)
		}
	}
	if got := Content.Items([]parse.Item{it, it}); got != 6 {
		t.Errorf("two items: %d tokens, want 6", got)
	}
	if got := PartText(viewPart(`{"type":"input_image","image_url":"u","text":"abc"}`)); got != 0 {
		t.Errorf("an image has %d text tokens, want 0", got)
	}
}

func TestRule25EncryptedItems(t *testing.T) {
	for _, tt := range []struct {
		len           int
		bytes, tokens int64
	}{{0, 0, 0}, {866, 0, 0}, {867, 0, 0}, {868, 1, 1}, {1000, 100, 25}, {4000, 2350, 588}, {10_000, 6850, 1713}} {
		for _, typ := range []string{"reasoning", "compaction", "compaction_summary", "context_compaction"} {
			it := viewItem(t, fmt.Sprintf(`{"type":%q,"id":"x","encrypted_content":%q}`, typ, strings.Repeat("r", tt.len)))
			for _, e := range []Estimator{Content, JSON} {
				if b, n := e.ItemBytes(it), e.Item(it); b != tt.bytes || n != tt.tokens {
					t.Errorf("%s of %d, estimator %d: %d bytes, %d tokens, want %d and %d", typ, tt.len, e, b, n, tt.bytes, tt.tokens)
				}
			}
		}
	}
}

func TestRule25EncryptedParts(t *testing.T) {
	for _, tt := range []struct {
		len           int
		bytes, tokens int64
	}{{0, 0, 0}, {1, 1, 1}, {16, 9, 3}, {25, 15, 4}, {100, 57, 15}, {40_022, 22_513, 5629}} {
		p := viewPart(fmt.Sprintf(`{"type":"encrypted_content","encrypted_content":%q}`, strings.Repeat("e", tt.len)))
		if b := PartBytes(p); b != tt.bytes || FromBytes(b) != tt.tokens {
			t.Errorf("%d: %d bytes, %d tokens, want %d and %d", tt.len, b, FromBytes(b), tt.bytes, tt.tokens)
		}
	}
}

func TestJSONGeneration(t *testing.T) {
	const head = `{"type":"message","role":"user","content":[`
	tests := []struct {
		name, item string
		want       int64
	}{
		{"whole item, compact", `{ "type": "message", "id": "m", "role": "user", "content": [ {"type":"input_text","text":"a\"\u00e9"} ] }`,
			int64(len(`{"type":"message","id":"m","role":"user","content":[{"type":"input_text","text":"a\"é"}]}`))},
		{"inline image: payload out, cost in", head + `{"type":"input_image","image_url":"data:image/png;base64,QUJD"}]}`,
			int64(len(head+`{"type":"input_image","image_url":"data:image/png;base64,"}]}`)) + 7373},
		{"other URLs stay", head + `{"type":"input_image","image_url":"https://e/a.png"},{"type":"input_image","image_url":"data:image/png,raw"}]}`,
			int64(len(head + `{"type":"input_image","image_url":"https://e/a.png"},{"type":"input_image","image_url":"data:image/png,raw"}]}`))},
		{"inline audio of any type", head + `{"type":"input_audio","audio_url":"data:audio/flac;base64,QUJD"}]}`,
			int64(len(head+`{"type":"input_audio","audio_url":"data:audio/flac;base64,"}]}`)) + 4*7}, // URL of 27 bytes
		{"sealed function output", `{"type":"function_call_output","call_id":"c","output":[{"type":"encrypted_content","encrypted_content":"0123456789abcdef"}]}`,
			int64(len(`{"type":"function_call_output","call_id":"c","output":[{"type":"encrypted_content","encrypted_content":""}]}`)) + 9},
		{"sealed custom output stays", `{"type":"custom_tool_call_output","call_id":"c","output":[{"type":"encrypted_content","encrypted_content":"0123456789abcdef"}]}`,
			int64(len(`{"type":"custom_tool_call_output","call_id":"c","output":[{"type":"encrypted_content","encrypted_content":"0123456789abcdef"}]}`))},
		{"plain reasoning", `{"type":"reasoning","summary":[],"encrypted_content":null}`, int64(len(`{"type":"reasoning","summary":[],"encrypted_content":null}`))},
		{"unknown type", `{"type":"novelty","text":"abc"}`, int64(len(`{"type":"other"}`))},
		{"ghost snapshot", `{"type":"ghost_snapshot","ghost_commit":{"id":"x"}}`, 0},
	}
	for _, tt := range tests {
		it := viewItem(t, tt.item)
		if got := JSON.ItemBytes(it); got != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.name, got, tt.want)
		}
		if got := JSON.Item(it); got != (tt.want+3)/4 {
			t.Errorf("%s: %d tokens, want %d", tt.name, got, (tt.want+3)/4)
		}
	}
}

func TestForProfile(t *testing.T) {
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	tests := []struct {
		date time.Time
		want Estimator
	}{
		{time.Time{}, Content}, {day(2025, 9, 1), JSON}, {day(2026, 8, 21), JSON},
		{day(2026, 8, 21).Add(23 * time.Hour), JSON}, {day(2026, 8, 22), Content}, {day(2026, 12, 1), Content},
	}
	for _, tt := range tests {
		if got := ForProfile(tt.date); got != tt.want {
			t.Errorf("%v: %d, want %d", tt.date, got, tt.want)
		}
	}
}
