package history_test

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
)

func summaryItem(text string) string {
	return messageWith(passthrough(`"content_item_kinds":["compaction.summary"]`), "user", text)
}

func TestRule23Rebuild(t *testing.T) {
	lines := []string{
		legacyMeta(),
		developer("<permissions instructions>"),
		user(env),
		user("u1"),
		assistant("a1"),
		user(hook),
		itemLine(message("user", "hi", env)), // one contextual part drops it
		user(summaryPrefix + "\nolder summary"),
		itemLine(`{"type":"agent_message","author":"/root","recipient":"/root/a","content":[]}`),
		user("u2"),
		itemLine(message("system", "x")),
		compacted(`,"replacement_history":null`),
		assistant("later"),
	}
	s := replayed(t, lines...)
	wantBrief(t, s.Rows, "12 message/user u1", "12 message/user u2", "12 message/user sum", "13 message/assistant later")
	wantItems(t, s.Rows[:3], message("user", "u1"), message("user", "u2"), summaryItem("sum"))
	wantSidecars(t, s.Rows, "", "", "", "")
	if s.BaseLine != 0 {
		t.Errorf("base in line %d: a local compaction is none", s.BaseLine)
	}
}

func TestRule23Summary(t *testing.T) {
	local := func(message string) string { return record("compacted", `{"message":`+quote(message)+`}`) }
	s := replayed(t, local(""))
	wantItems(t, s.Rows, summaryItem("(no summary available)"))

	// A summary that Codex wrote is not collected by the next compaction; another text is.
	codex := summaryPrefix + "\nfirst"
	s = replayed(t, user("u"), local(codex), local("second"), local("third"))
	wantItems(t, s.Rows, message("user", "u"), summaryItem("second"), summaryItem("third"))
	s = replayed(t, local(codex))
	wantItems(t, s.Rows, summaryItem(codex))
}

// A checkpoint's items are rebuilt too.
func TestRule23AfterCheckpoint(t *testing.T) {
	s := replayed(t, compacted(`,"replacement_history":[`+message("user", "a")+`,{"type":"compaction","encrypted_content":"x"}],`+
		`"replacement_history_metadata":[{"user_input_order":1},{}]`), user("b"), compacted(""))
	wantBrief(t, s.Rows, "3 message/user a", "3 message/user b", "3 message/user sum")
	wantSidecars(t, s.Rows, `{"user_input_order":1}`, "", "")
	if s.BaseLine != 1 {
		t.Errorf("base in line %d, want 1", s.BaseLine)
	}
}

func TestRule23Message(t *testing.T) {
	audio := `{"type":"input_audio","audio_url":"data:audio/wav;base64,"}`
	const all = `"turn_id":"t1","create_time":1.50,"content_item_kinds":["a","b"]`
	tests := []struct {
		name string
		item string
		want string
	}{
		{"parts stay", messageWith(`,"id":"msg_1","phase":"commentary"`+passthrough(all), "user", "x", "y"),
			messageWith(`,"id":"msg_1"`+passthrough(all), "user", "x", "y")},
		{"no parts", message("user"), message("user")},
		{"media flatten", messageOf(`,"id":"msg_1"`+passthrough(all), "user", inputText("x"), image, inputText("y")),
			messageOf(`,"id":"msg_1"`+passthrough(`"turn_id":"t1","create_time":1.50,"content_item_kinds":["user.text"]`), "user", inputText("xy"))},
		{"kinds are not invented", messageOf(passthrough(`"turn_id":"t1"`), "user", inputText("x"), audio),
			messageOf(passthrough(`"turn_id":"t1"`), "user", inputText("x"))},
		{"no passthrough is made", messageOf("", "user", inputText("x"), image), message("user", "x")},
		{"empty kinds are kinds", messageOf(passthrough(`"content_item_kinds":[]`), "user", inputText("x"), image),
			messageOf(passthrough(`"content_item_kinds":["user.text"]`), "user", inputText("x"))},
		{"image only", messageOf("", "user", image), message("user", "")},
		{"output_text does not count", messageOf("", "user", inputText("x"), `{"type":"output_text","text":"y"}`), message("user", "x")},
		{"image labels", messageOf("", "user", inputText("<image name=[Image #1]>"), image, inputText("</image>"), inputText("x"),
			inputText("<image>"), image, inputText("</image>")), message("user", "x")},
		{"audio labels", messageOf("", "user", inputText("<audio>"), audio, inputText("</audio>"), inputText("<audio name=a>"), audio, inputText("x")),
			message("user", "x")},
		{"labels of other media", messageOf("", "user", inputText("<image>"), audio, inputText("</image>")), message("user", "<image></image>")},
		{"labels apart from media", messageOf("", "user", inputText("<image>"), inputText("x"), image, inputText("y"), inputText("</image>")),
			message("user", "<image>xy</image>")},
		{"labels are exact", messageOf("", "user", inputText(" <image>"), image, inputText("</Image>")), message("user", " <image></Image>")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := replayed(t, itemWith(tt.item, `{"client_authored":false}`), compacted(""))
			wantItems(t, s.Rows, tt.want, summaryItem("sum"))
			wantSidecars(t, s.Rows, `{"client_authored":false}`, "")
		})
	}
}

// 20,000 tokens are 80,000 bytes.
func TestRule23Budget(t *testing.T) {
	text := func(n int) string { return strings.Repeat("x", n) }
	tests := []struct {
		name string
		old  []string // items, oldest first
		want []string // texts that are left
	}{
		{"exactly full stops the collection", []string{message("user", "old"), messageOf("", "user", image), message("user", text(80_000))},
			[]string{text(80_000)}},
		{"79,996 bytes leave one token", []string{message("user", "lost"), message("user", "four"), message("user", text(79_996))},
			[]string{"four", text(79_996)}},
		{"one byte too many", []string{message("user", "old"), message("user", text(80_001))},
			[]string{text(40_000) + "…1 tokens truncated…" + text(40_000)}},
		{"the first that does not fit is cut to the rest", []string{message("user", "old"), message("user", text(80_000)), message("user", text(37))},
			[]string{text(39_980) + "…10 tokens truncated…" + text(39_980), text(37)}}, // 37 bytes are 10 tokens
		{"a message without cost fits while anything is left", []string{messageOf("", "user", image), message("user", text(79_996))},
			[]string{"", text(79_996)}},
		{"parts are joined before the cut", []string{message("user", text(40_001), text(40_000))},
			[]string{text(40_000) + "…1 tokens truncated…" + text(40_000)}},
		{"bytes count, not characters", []string{message("user", "old"), message("user", strings.Repeat("é", 40_000))},
			[]string{strings.Repeat("é", 40_000)}},
		{"what is not collected is free", []string{message("user", "old"), message("assistant", text(90_000)), message("user", env+text(90_000)+"</environment_context>")},
			[]string{"old"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var lines []string
			for _, it := range tt.old {
				lines = append(lines, itemLine(it))
			}
			s := replayed(t, append(lines, compacted(""))...)
			if len(s.Rows) != len(tt.want)+1 {
				t.Fatalf("%d rows, want %d and the summary", len(s.Rows), len(tt.want))
			}
			for i, want := range tt.want {
				parts := s.Rows[i].Item.Content()
				if len(parts) != 1 || parts[0].Text() != want {
					t.Errorf("row %d: %d parts, not the text wanted", i, len(parts))
				}
			}
		})
	}
}

func TestRule23CutMarksSources(t *testing.T) {
	source := func(id, complete string) string {
		return `{"id":{"message_id":"` + id + `","turn_id":"t","role":"user"},"revision":"r","complete":` + complete + `}`
	}
	metadata := func(complete string) string {
		return `{"retained_source":` + source("a", complete) + `,"user_input_order":3,"guardian_sources":[` + source("b", complete) + `,` +
			source("c", "false") + `],"guardian_review_ids":["g"]}`
	}
	long := messageWith(passthrough(`"content_item_kinds":["user.typed"]`), "user", strings.Repeat("x", 80_001))
	s := replayed(t, itemWith(long, metadata("true")), compacted(""))
	if got := string(s.Rows[0].Meta.Raw); got != metadata("false") {
		t.Errorf("metadata %s, want %s", got, metadata("false"))
	}
	if kinds, _ := s.Rows[0].Item.Passthrough().ContentItemKinds(); len(kinds) != 1 || kinds[0] != "user.text" {
		t.Errorf("kinds %q, want user.text", kinds)
	}
	// A message that fits keeps them complete, flattened or not.
	s = replayed(t, itemWith(messageOf("", "user", inputText("x"), image), metadata("true")), compacted(""))
	if got := string(s.Rows[0].Meta.Raw); got != metadata("true") {
		t.Errorf("metadata %s, want it untouched", got)
	}
}

// A message that takes the whole budget fits: its parts stay and nothing is marked.
func TestRule23ExactFit(t *testing.T) {
	metadata := `{"retained_source":{"id":{"message_id":"m","turn_id":"t","role":"user"},"revision":"r","complete":true}}`
	half := strings.Repeat("x", 40_000)
	s := replayed(t, itemWith(message("user", half, half), metadata), compacted(""))
	wantItems(t, s.Rows, message("user", half, half), summaryItem("sum"))
	wantSidecars(t, s.Rows, metadata, "")
}

func TestRule24KindedContent(t *testing.T) {
	const two = `"content":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]`
	tests := []struct {
		name string
		item string
		want string // after dropping nothing
	}{
		{"kinds", `{"type":"message","role":"user",` + two + passthrough(`"content_item_kinds":["x","y"]`) + `}`,
			`{"type":"message","role":"user",` + two + passthrough(`"content_item_kinds":["x","y"]`) + `}`},
		{"short", `{"type":"message",` + two + passthrough(`"content_item_kinds":["x"],"turn_id":"t"`) + `}`,
			`{"type":"message",` + two + passthrough(`"content_item_kinds":["x","unknown"],"turn_id":"t"`) + `}`},
		{"long", `{"type":"message",` + two + passthrough(`"content_item_kinds":["x","y","z"]`) + `}`,
			`{"type":"message",` + two + passthrough(`"content_item_kinds":["x","y"]`) + `}`},
		{"not all strings", `{"type":"message",` + two + passthrough(`"content_item_kinds":["x",7]`) + `}`,
			`{"type":"message",` + two + passthrough(`"content_item_kinds":["unknown","unknown"]`) + `}`},
		{"no list", `{"type":"message",` + two + passthrough(`"content_item_kinds":"x"`) + `}`,
			`{"type":"message",` + two + passthrough(`"content_item_kinds":["unknown","unknown"]`) + `}`},
		{"missing, other fields stay", `{"type":"message",` + two + passthrough(`"create_time":1.50,"cell_id":"c"`) + `,"x":1E+3}`,
			`{"type":"message",` + two + passthrough(`"create_time":1.50,"cell_id":"c","content_item_kinds":["unknown","unknown"]`) + `,"x":1E+3}`},
		{"no passthrough", `{"type":"message",` + two + `,"x":null}`,
			`{"type":"message",` + two + `,"x":null` + passthrough(`"content_item_kinds":["unknown","unknown"]`) + `}`},
		{"null passthrough", `{"type":"message",` + two + `,"internal_chat_message_metadata_passthrough":null}`,
			`{"type":"message",` + two + passthrough(`"content_item_kinds":["unknown","unknown"]`) + `}`},
		{"no parts", `{"type":"message","content":[]}`,
			`{"type":"message","content":[]` + passthrough(`"content_item_kinds":[]`) + `}`},
	}
	for _, tt := range tests {
		it := viewed(t, tt.item)
		if got := string(history.WithContent(it, history.KindedContent(it)).Raw); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
