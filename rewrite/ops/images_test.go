package ops

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/rewrite"
)

// Two small images, and what texts say of them: sizes and sums are those that base64 -d,
// wc and sha256sum give.
const (
	pngData = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	gifData = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
	pngURL  = "data:image/png;base64," + pngData
	gifURL  = "data:image/gif;base64," + gifData
	pngWhat = "image/png, 70 bytes, sha256 6b7fa434f92a"
	gifWhat = "image/gif, 42 bytes, sha256 ef1955ae757c"
	pngGone = "[image removed: " + pngWhat + "]"
	pngCopy = "[image removed: " + pngWhat + ", a copy is in this session]"
	gifGone = "[image removed: " + gifWhat + "]"
)

const imagesMeta = `{"timestamp":"2026-11-02T09:00:00.000Z","type":"session_meta","payload":{"id":"0199b001-0000-7000-8000-000000000001","timestamp":"2026-11-02T09:00:00.000Z","cwd":"/srv","originator":"o","cli_version":"0.160.0"}}` + "\n"

func imagesLine(typ, payload string) string {
	return `{"timestamp":"2026-11-02T09:00:01.000Z","type":"` + typ + `","payload":` + payload + `}` + "\n"
}

func imagePart(url string) string { return `{"type":"input_image","image_url":"` + url + `"}` }
func textPart(text string) string { return `{"type":"input_text","text":"` + text + `"}` }

func userWith(parts ...string) string {
	return `{"type":"message","role":"user","content":[` + strings.Join(parts, ",") + `]}`
}

func imagesCheckpoint(items ...string) string {
	return imagesLine("compacted", `{"message":"","replacement_history":[`+strings.Join(items, ",")+`],"window_number":1,"resume_metadata":{}}`)
}

const imagesEnd = `{"type":"compaction","encrypted_content":"b3BhcXVl"}`

func TestImagesCuresItsCodes(t *testing.T) {
	checkCodes(t, "images", nil, map[string]string{
		"B001": "the long record of the fixture is ciphertext; one with an image is in TestImagesLongRecord",
	})
	t.Run("invalid", func(t *testing.T) {
		invalid := []string{"which", "invalid"}
		for _, c := range []string{"I020", "I021", "I022", "I023", "I024", "I025", "I026", "I028", "R019"} {
			checkOne(t, "images", c, invalid...)
		}
	})
	t.Run("dedupe", func(t *testing.T) { checkOne(t, "images", "B011", "mode", "dedupe") })
	t.Run("superseded", func(t *testing.T) {
		// The only checkpoint of this fixture counts: its images are needed.
		text := readText(t, fixtureOf(t, "B010"))
		if out, res, err := run(t, text, rewrite.Options{}, operation(t, "images", "which", "superseded")); err != nil || codes(t, out)["B010"] == 0 || res.Edits() == 0 {
			t.Errorf("%d edits, %v, %v", res.Edits(), codes(t, out), err)
		}
	})
}

// Each place that can hold an image, what it becomes, and that Codex takes both.
func TestImagesPlaces(t *testing.T) {
	const thread = `"thread_id":"0199b001-0000-7000-8000-000000000001","turn_id":"t"`
	completed := func(item string) string {
		return imagesLine("event_msg", `{"type":"item_completed",`+thread+`,"item":`+item+`}`)
	}
	tests := []struct{ name, in, want string }{
		{"message", imagesLine("response_item", userWith(textPart("q"), imagePart(pngURL))), imagesLine("response_item", userWith(textPart("q"), textPart(pngGone)))},
		{"detail goes, labels stay",
			imagesLine("response_item", userWith(textPart("<image name=[1]>"), `{"type":"input_image","image_url":"`+pngURL+`","detail":"high"}`, textPart("</image>"))),
			imagesLine("response_item", userWith(textPart("<image name=[1]>"), textPart(pngGone), textPart("</image>")))},
		{"kinds",
			imagesLine("response_item", `{"type":"message","role":"user","content":[`+textPart("q")+`,`+imagePart(pngURL)+`],"internal_chat_message_metadata_passthrough":{"turn_id":"t","content_item_kinds":["user.text", "user.image"]}}`),
			imagesLine("response_item", `{"type":"message","role":"user","content":[`+textPart("q")+`,`+textPart(pngGone)+`],"internal_chat_message_metadata_passthrough":{"turn_id":"t","content_item_kinds":["user.text", "images.unsupported"]}}`)},
		{"kinds of another length",
			imagesLine("response_item", `{"type":"message","role":"user","content":[`+imagePart(pngURL)+`],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["a","b"]}}`),
			imagesLine("response_item", `{"type":"message","role":"user","content":[`+textPart(pngGone)+`],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["a","b"]}}`)},
		{"outputs",
			imagesLine("response_item", `{"type":"function_call_output","call_id":"c","output":[`+imagePart(pngURL)+`]}`) + imagesLine("response_item", `{"type":"custom_tool_call_output","call_id":"c","output":[`+imagePart(gifURL)+`,`+textPart("x")+`]}`),
			imagesLine("response_item", `{"type":"function_call_output","call_id":"c","output":[`+textPart(pngGone)+`]}`) + imagesLine("response_item", `{"type":"custom_tool_call_output","call_id":"c","output":[`+textPart(gifGone)+`,`+textPart("x")+`]}`)},
		{"generated",
			imagesLine("response_item", `{"type":"image_generation_call","status":"completed","result":"`+pngData+`"}`),
			imagesLine("response_item", `{"type":"image_generation_call","status":"completed","result":""}`)},
		{"checkpoint", imagesCheckpoint(userWith(imagePart(pngURL)), imagesEnd), imagesCheckpoint(userWith(textPart(pngGone)), imagesEnd)},
		{"guardian history",
			imagesLine("compacted", `{"message":"","replacement_history":[`+imagesEnd+`],"guardian_history":[`+userWith(imagePart(pngURL))+`]}`),
			imagesLine("compacted", `{"message":"","replacement_history":[`+imagesEnd+`],"guardian_history":[`+userWith(textPart(pngGone))+`]}`)},
		{"user message event",
			imagesLine("event_msg", `{"type":"user_message","message":"m","images":["`+pngURL+`", "https://a.example/b.png"],"image_details":["high",null],"image_order":["file","inline","inline"]}`),
			imagesLine("event_msg", `{"type":"user_message","message":"m","images":["https://a.example/b.png"],"image_details":[null],"image_order":["file","inline"]}`)},
		{"its only image",
			imagesLine("event_msg", `{"type":"user_message","message":"m","images":["`+pngURL+`"]}`), imagesLine("event_msg", `{"type":"user_message","message":"m","images":[]}`)},
		{"generation event",
			imagesLine("event_msg", `{"type":"image_generation_end","call_id":"c","status":"completed","result":"`+pngData+`"}`),
			imagesLine("event_msg", `{"type":"image_generation_end","call_id":"c","status":"completed","result":""}`)},
		{"mcp event",
			imagesLine("event_msg", `{"type":"mcp_tool_call_end","call_id":"c","invocation":{"server":"s","tool":"t"},"duration":{"secs":1,"nanos":0},"result":{"Ok":{"content":[{"type":"image","data":"`+gifData+`","mimeType":"image/gif"},{"type":"text","text":"x"}]}}}`),
			imagesLine("event_msg", `{"type":"mcp_tool_call_end","call_id":"c","invocation":{"server":"s","tool":"t"},"duration":{"secs":1,"nanos":0},"result":{"Ok":{"content":[{"type":"text","text":"`+gifGone+`"},{"type":"text","text":"x"}]}}}`)},
		{"dynamic tool event",
			imagesLine("event_msg", `{"type":"dynamic_tool_call_response","call_id":"c","turn_id":"t","tool":"x","arguments":{},"content_items":[{"type":"inputImage","imageUrl":"`+pngURL+`"}],"success":true,"duration":{"secs":1,"nanos":0}}`),
			imagesLine("event_msg", `{"type":"dynamic_tool_call_response","call_id":"c","turn_id":"t","tool":"x","arguments":{},"content_items":[{"type":"inputText","text":"`+pngGone+`"}],"success":true,"duration":{"secs":1,"nanos":0}}`)},
		{"turn: user message",
			completed(`{"type":"UserMessage","id":"u","content":[{"type":"text","text":"q"},{"type":"image","image_url":"` + pngURL + `","detail":"low"}]}`),
			completed(`{"type":"UserMessage","id":"u","content":[{"type":"text","text":"q"},{"type":"text","text":"` + pngGone + `"}]}`)},
		{"turn: output",
			completed(`{"type":"FunctionCallOutput","id":"u","name":"n","output":[` + imagePart(pngURL) + `]}`),
			completed(`{"type":"FunctionCallOutput","id":"u","name":"n","output":[` + textPart(pngGone) + `]}`)},
		{"turn: dynamic tool",
			completed(`{"type":"DynamicToolCall","id":"u","tool":"n","arguments":{},"status":"completed","content_items":[{"type":"inputImage","imageUrl":"` + pngURL + `"}]}`),
			completed(`{"type":"DynamicToolCall","id":"u","tool":"n","arguments":{},"status":"completed","content_items":[{"type":"inputText","text":"` + pngGone + `"}]}`)},
		{"turn: mcp",
			completed(`{"type":"McpToolCall","id":"u","server":"s","tool":"n","arguments":{},"status":"completed","result":{"content":[{"type":"image","data":"` + pngData + `","mimeType":"image/png"}]}}`),
			completed(`{"type":"McpToolCall","id":"u","server":"s","tool":"n","arguments":{},"status":"completed","result":{"content":[{"type":"text","text":"` + pngGone + `"}]}}`)},
		{"turn: generation", completed(`{"type":"ImageGeneration","id":"u","status":"completed","result":"` + pngData + `"}`), completed(`{"type":"ImageGeneration","id":"u","status":"completed","result":""}`)},
		{"turn: extension",
			completed(`{"type":"Extension","kind":"image_gen.generation","id":"u","status":"completed","result":"` + pngData + `"}`),
			completed(`{"type":"Extension","kind":"image_gen.generation","id":"u","status":"completed","result":""}`)},
		{"escapes", imagesLine("response_item", `{"type":"message","role":"user","content":[{"type":"input\u005fimage","image\u005furl":"data:image\/png;base64,`+strings.ReplaceAll(pngData, "/", `\/`)+`"}]}`), imagesLine("response_item", userWith(textPart(pngGone)))},
		// Left as they are.
		{"web address", imagesLine("response_item", userWith(imagePart("https://a.example/b.png"))), ""},
		{"file id", imagesLine("response_item", userWith(`{"type":"input_image","file_id":"f"}`)), ""},
		{"words", imagesLine("response_item", userWith(textPart("input_image "+pngURL))), ""},
		{"result that is none", imagesLine("response_item", `{"type":"image_generation_call","status":"failed","result":"no image"}`), ""},
		{"rejected record", imagesLine("response_item", `{"type":"message","content":[`+imagePart(pngURL)+`]}`), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want == "" {
				want = tt.in
			}
			for _, end := range []string{"\n", "\r\n"} {
				in := imagesMeta + strings.ReplaceAll(tt.in, "\n", end)
				got := checkCured(t, in, operation(t, "images"))
				if want := imagesMeta + strings.ReplaceAll(want, "\n", end); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
				if tt.want != "" && (codes(t, in)["R001"] > 0 || rejected(t, got) > 0) {
					t.Errorf("rejected: %v", codes(t, got))
				}
			}
		})
	}
	t.Run("generation 0", func(t *testing.T) {
		meta := `{"id":"5973b6c0-94b8-487b-a530-2aeb6098ae0e","timestamp":"2025-06-01T10:00:00.000Z","instructions":null}` + "\n"
		got, _, err := run(t, meta+userWith(imagePart(pngURL))+"\n", rewrite.Options{}, operation(t, "images"))
		if want := meta + userWith(textPart(pngGone)) + "\n"; err != nil || got != want {
			t.Errorf("%v\n%s", err, got)
		}
	})
}

// What the server refuses becomes the text that Codex itself writes; a wrong media type is
// corrected; what is fine stays.
func TestImagesInvalid(t *testing.T) {
	tests := []struct{ name, part, want string }{
		{"empty", imagePart(""), textPart("Invalid image")},
		{"path", imagePart("/srv/a.png"), textPart("Invalid image")},
		{"no type", imagePart("data:image;base64," + pngData), textPart("Invalid image")},
		{"not base64", imagePart("data:image/svg+xml,<svg/>"), textPart("Invalid image")},
		{"no source", `{"type":"input_image","detail":"low"}`, textPart("Invalid image")},
		{"null source", `{"type":"input_image","image_url":null}`, textPart("Invalid image")},
		{"other format", imagePart("data:image/jpeg;x=1;base64," + pngData), imagePart("data:image/png;x=1;base64," + pngData)},
		{"fine", imagePart(pngURL), imagePart(pngURL)},
		{"web address", imagePart("https://a.example/b.png"), imagePart("https://a.example/b.png")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := imagesMeta + imagesLine("response_item", userWith(tt.part)) + imagesCheckpoint(userWith(tt.part), imagesEnd) +
				imagesLine("response_item", `{"type":"function_call_output","name":"n","output":[`+tt.part+`]}`)
			want := imagesMeta + imagesLine("response_item", userWith(tt.want)) + imagesCheckpoint(userWith(tt.want), imagesEnd) +
				imagesLine("response_item", `{"type":"function_call_output","name":"n","output":[`+tt.want+`]}`)
			if got, _, err := run(t, in, rewrite.Options{}, operation(t, "images", "which", "invalid")); err != nil || got != want {
				t.Errorf("%v\n got %s\nwant %s", err, got, want)
			}
		})
	}
	event := imagesMeta + imagesLine("event_msg", `{"type":"user_message","message":"m","images":["/srv/a.png"]}`)
	if got, _, err := run(t, event, rewrite.Options{}, operation(t, "images", "which", "invalid")); err != nil || got != event {
		t.Errorf("an event goes to no server: %v\n%s", err, got)
	}
}

func TestImagesOptions(t *testing.T) {
	info, _ := Find("images")
	for _, tt := range [][]string{
		{"mode", "remove", "--mode"}, {"which", "some", "--which"}, {"mode", "externalise", "--to"}, {"to", "x", "--to"},
	} {
		if _, err := info.New(Given(info.Options, map[string][]string{tt[0]: {tt[1]}})); err == nil || !strings.HasPrefix(err.Error(), tt[2]) {
			t.Errorf("%v: %v", tt, err)
		}
	}
	if _, err := info.New(Given(info.Options, map[string][]string{"mode": {"dedupe"}, "which": {"invalid"}})); err == nil {
		t.Error("dedupe of invalid images is made")
	}
}
