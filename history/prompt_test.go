package history_test

import (
	"slices"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
)

// rowsOf are rows of ready items, in lines from 1; items of any kind and order.
func rowsOf(t testing.TB, items ...string) []history.Row {
	t.Helper()
	rows := make([]history.Row, len(items))
	for i, raw := range items {
		rows[i] = history.Row{Line: i + 1, Item: viewed(t, raw)}
	}
	return rows
}

func normalized(t testing.TB, can history.Modalities, items ...string) history.Prompt {
	t.Helper()
	return history.Normalize(rowsOf(t, items...), can)
}

func functionCall(id, call string) string {
	return `{"type":"function_call"` + idMember(id) + `,"name":"f","arguments":"{}","call_id":"` + call + `"}`
}
func customCall(id, call string) string {
	return `{"type":"custom_tool_call"` + idMember(id) + `,"name":"f","input":"","call_id":"` + call + `"}`
}
func shellCall(id, call string) string {
	return `{"type":"local_shell_call"` + idMember(id) + `,"call_id":` + call + `,"status":"completed","action":{"type":"exec","command":[]}}`
}
func searchCall(id, call string) string {
	return `{"type":"tool_search_call"` + idMember(id) + `,"call_id":` + call + `,"execution":"client","arguments":{}}`
}
func functionOutput(id, call, body string) string {
	return `{"type":"function_call_output"` + idMember(id) + `,"call_id":"` + call + `","output":"` + body + `"}`
}
func customOutput(id, call, body string) string {
	return `{"type":"custom_tool_call_output"` + idMember(id) + `,"call_id":"` + call + `","output":"` + body + `"}`
}
func searchOutput(id, call, execution string) string {
	return `{"type":"tool_search_output"` + idMember(id) + `,"call_id":` + call + `,"status":"completed","execution":"` + execution + `","tools":[]}`
}
func idMember(id string) string {
	if id == "" {
		return ""
	}
	return `,"id":"` + id + `"`
}

func TestRule31MissingOutputs(t *testing.T) {
	tests := []struct {
		name   string
		items  []string
		want   []string
		source []int
	}{
		{"function call", []string{functionCall("", "c"), message("user", "u")},
			[]string{functionCall("", "c"), functionOutput("", "c", "aborted"), message("user", "u")}, []int{0, -1, 1}},
		{"local shell call", []string{shellCall("", `"c"`)},
			[]string{shellCall("", `"c"`), functionOutput("", "c", "aborted")}, []int{0, -1}},
		{"local shell call without call_id", []string{shellCall("", `null`)}, []string{shellCall("", `null`)}, []int{0}},
		{"custom tool call", []string{customCall("", "c")},
			[]string{customCall("", "c"), customOutput("", "c", "aborted")}, []int{0, -1}},
		{"tool search call", []string{searchCall("", `"c"`)},
			[]string{searchCall("", `"c"`), searchOutput("", `"c"`, "client")}, []int{0, -1}},
		{"tool search call without call_id", []string{searchCall("", `null`)}, []string{searchCall("", `null`)}, []int{0}},
		{"each behind its own call", []string{functionCall("", "a"), functionCall("", "b"), customCall("", "a")},
			[]string{functionCall("", "a"), functionOutput("", "a", "aborted"), functionCall("", "b"), functionOutput("", "b", "aborted"),
				customCall("", "a"), customOutput("", "a", "aborted")}, []int{0, -1, 1, -1, 2, -1}},
		{"outputs that are there", []string{functionCall("", "a"), shellCall("", `"b"`), customCall("", "c"), searchCall("", `"d"`),
			searchOutput("", `"d"`, "server"), customOutput("", "c", "x"), functionOutput("", "b", "x"), functionOutput("", "a", "x")},
			[]string{functionCall("", "a"), shellCall("", `"b"`), customCall("", "c"), searchCall("", `"d"`),
				searchOutput("", `"d"`, "server"), customOutput("", "c", "x"), functionOutput("", "b", "x"), functionOutput("", "a", "x")},
			[]int{0, 1, 2, 3, 4, 5, 6, 7}},
		{"an output before its call", []string{functionOutput("", "a", "x"), functionCall("", "a")},
			[]string{functionOutput("", "a", "x"), functionCall("", "a")}, []int{0, 1}},
		{"one output for two calls of one id", []string{functionCall("", "a"), shellCall("", `"a"`), functionOutput("", "a", "x")},
			[]string{functionCall("", "a"), shellCall("", `"a"`), functionOutput("", "a", "x")}, []int{0, 1, 2}},
		{"the other family's output", []string{functionCall("", "a"), customOutput("", "a", "x")},
			[]string{functionCall("", "a"), functionOutput("", "a", "aborted")}, []int{0, -1}},
		{"calls that need none", []string{`{"type":"web_search_call"}`, `{"type":"image_generation_call","status":"completed","result":"x"}`},
			[]string{`{"type":"web_search_call"}`, `{"type":"image_generation_call","status":"completed","result":"x"}`}, []int{0, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows := rowsOf(t, tt.items...)
			p := history.Normalize(rows, history.AllModalities)
			wantItems(t, p.Rows, tt.want...)
			if !slices.Equal(p.Source, tt.source) {
				t.Errorf("sources %v, want %v", p.Source, tt.source)
			}
			wantStored(t, rows, tt.items...) // the input stays
		})
	}
}

// A synthetic output has no metadata and no line.
func TestRule31NoMetadata(t *testing.T) {
	s := replayed(t, itemWith(functionCall("fc_1", "c"), `{"user_input_order":4}`))
	p := history.Normalize(s.Rows, history.AllModalities)
	wantSidecars(t, p.Rows, `{"user_input_order":4}`, "")
	if p.Rows[0].Line != 1 || p.Rows[1].Line != 0 {
		t.Errorf("lines %d and %d, want 1 and 0", p.Rows[0].Line, p.Rows[1].Line)
	}
}

// The values of compaction.md 6.1.
func TestRule32SyntheticIDs(t *testing.T) {
	tests := []struct{ call, want string }{
		{functionCall("fc_1", "c"), functionOutput("fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4", "c", "aborted")},
		{searchCall("tsc_1", `"c"`), searchOutput("tso_f380c6b3-5815-5031-91ee-dd1c77f963ee", `"c"`, "client")},
		{customCall("ctc_1", "c"), customOutput("ctco_ffd2c872-81a7-5a00-b6f6-884096d1f522", "c", "aborted")},
		{shellCall("lsh_1", `"c"`), functionOutput("fco_37093384-5cd0-5813-8a86-723bfcccbbb2", "c", "aborted")},
		{functionCall("fc_019f0000-0000-7000-8000-000000000001", "other"),
			functionOutput("fco_e43d39d0-f0ec-5b1c-9dc7-2028346df9be", "other", "aborted")},
		{functionCall("", "c"), functionOutput("", "c", "aborted")},
		{`{"type":"function_call","id":"","name":"f","arguments":"","call_id":"c"}`, functionOutput("", "c", "aborted")},
		{`{"type":"function_call","id":null,"name":"f","arguments":"","call_id":"c"}`, functionOutput("", "c", "aborted")},
	}
	for _, tt := range tests {
		p := normalized(t, history.AllModalities, tt.call)
		wantItems(t, p.Rows, tt.call, tt.want)
	}
}

func TestRule33Orphans(t *testing.T) {
	tests := []struct {
		name  string
		items []string
		gone  []int
	}{
		{"function output", []string{functionOutput("", "a", "x")}, []int{0}},
		{"custom output", []string{customOutput("", "a", "x")}, []int{0}},
		{"search output", []string{searchOutput("", `"a"`, "client")}, []int{0}},
		{"search output of the server", []string{searchOutput("", `"a"`, "server")}, nil},
		{"search output without call_id", []string{searchOutput("", `null`, "client")}, nil},
		{"function output without call_id", []string{`{"type":"function_call_output","name":"f","output":"x"}`,
			`{"type":"function_call_output","call_id":null,"output":"x"}`}, nil},
		{"a call of another id", []string{functionCall("", "b"), functionOutput("", "b", "x"), functionOutput("", "a", "x")}, []int{2}},
		{"a call of another family", []string{customCall("", "a"), functionOutput("", "a", "x"), customOutput("", "a", "x")}, []int{1}},
		{"a search call is no function call", []string{searchCall("", `"a"`), searchOutput("", `"a"`, "client"), functionOutput("", "a", "x")}, []int{2}},
		{"a local shell call is one", []string{shellCall("", `"a"`), functionOutput("", "a", "x")}, nil},
		{"duplicates stay", []string{functionCall("", "a"), functionOutput("", "a", "x"), functionOutput("", "a", "y")}, nil},
		{"order stays", []string{functionOutput("", "a", "x"), message("user", "u"), functionCall("", "a")}, nil},
		{"the call comes later", []string{customOutput("", "a", "x"), customCall("", "a")}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var want []string
			for i, it := range tt.items {
				if !slices.Contains(tt.gone, i) {
					want = append(want, it)
				}
			}
			p := normalized(t, history.AllModalities, tt.items...)
			if len(want) > 0 {
				wantStored(t, p.Rows, want...)
			} else if len(p.Rows) > 0 {
				t.Errorf("left: %q", brief(p.Rows))
			}
			if !slices.Equal(p.Removed, tt.gone) {
				t.Errorf("removed %v, want %v", p.Removed, tt.gone)
			}
		})
	}
}

func TestRule34Media(t *testing.T) {
	const (
		picture = `{"type":"input_image","file_id":"file_1","detail":"original"}`
		sound   = `{"type":"input_audio","audio_url":"data:audio/wav;base64,AAAA"}`
		cipher  = `{"type":"encrypted_content","encrypted_content":"x"}`
	)
	noImage := inputText("image content omitted because you do not support image input")
	noAudio := inputText("audio content omitted because you do not support audio input")
	kinds := func(list string) string { return passthrough(`"content_item_kinds":[` + list + `]`) }
	output := func(typ string, parts ...string) string {
		s := ""
		for i, p := range parts {
			if i > 0 {
				s += ","
			}
			s += p
		}
		return `{"type":"` + typ + `","output":[` + s + `],"extra":1.0}`
	}
	generated := `{"type":"image_generation_call","status":"completed","result":"AAAA"}`
	type outcome struct{ noImages, noAudio, neither string }
	tests := []struct {
		name string
		item string
		want outcome
	}{
		{"user", messageOf("", "user", inputText("x"), picture, sound), outcome{
			messageOf(kinds(`"unknown","images.unsupported","unknown"`), "user", inputText("x"), noImage, sound),
			messageOf(kinds(`"unknown","unknown","audio.unsupported"`), "user", inputText("x"), picture, noAudio),
			messageOf(kinds(`"unknown","images.unsupported","audio.unsupported"`), "user", inputText("x"), noImage, noAudio),
		}},
		{"kinds of other parts stay", messageOf(passthrough(`"turn_id":"t","content_item_kinds":["a","b"]`), "developer", picture, inputText("x")), outcome{
			messageOf(passthrough(`"turn_id":"t","content_item_kinds":["images.unsupported","b"]`), "developer", noImage, inputText("x")),
			messageOf(passthrough(`"turn_id":"t","content_item_kinds":["a","b"]`), "developer", picture, inputText("x")),
			messageOf(passthrough(`"turn_id":"t","content_item_kinds":["images.unsupported","b"]`), "developer", noImage, inputText("x")),
		}},
		{"a message without media", message("assistant", "x"), outcome{
			messageWith(kinds(`"unknown"`), "assistant", "x"), messageWith(kinds(`"unknown"`), "assistant", "x"), messageWith(kinds(`"unknown"`), "assistant", "x"),
		}},
		{"a message without parts", message("system"), outcome{
			messageWith(kinds(``), "system"), messageWith(kinds(``), "system"), messageWith(kinds(``), "system"),
		}},
		{"function output", output("function_call_output", picture, inputText("x"), sound, cipher), outcome{
			output("function_call_output", noImage, inputText("x"), sound, cipher),
			output("function_call_output", picture, inputText("x"), noAudio, cipher),
			output("function_call_output", noImage, inputText("x"), noAudio, cipher),
		}},
		{"text output", functionOutput("", "a", "x"), outcome{
			functionOutput("", "a", "x"), functionOutput("", "a", "x"), functionOutput("", "a", "x"),
		}},
		{"generated image", generated, outcome{
			`{"type":"image_generation_call","status":"completed","result":""}`, generated,
			`{"type":"image_generation_call","status":"completed","result":""}`,
		}},
		{"agent message", `{"type":"agent_message","author":"a","recipient":"b","content":[` + inputText("x") + `]}`, outcome{
			`{"type":"agent_message","author":"a","recipient":"b","content":[` + inputText("x") + `]}`,
			`{"type":"agent_message","author":"a","recipient":"b","content":[` + inputText("x") + `]}`,
			`{"type":"agent_message","author":"a","recipient":"b","content":[` + inputText("x") + `]}`,
		}},
		{"reasoning", `{"type":"reasoning","summary":[]}`, outcome{
			`{"type":"reasoning","summary":[]}`, `{"type":"reasoning","summary":[]}`, `{"type":"reasoning","summary":[]}`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			items := []string{tt.item}
			if tt.name == "text output" {
				items = append(items, functionCall("", "a"))
			}
			for _, c := range []struct {
				can  history.Modalities
				want string
			}{
				{history.AllModalities, tt.item},
				{history.Modalities{Audio: true}, tt.want.noImages},
				{history.Modalities{Image: true}, tt.want.noAudio},
				{history.Modalities{}, tt.want.neither},
			} {
				p := normalized(t, c.can, items...)
				wantItems(t, p.Rows, append([]string{c.want}, items[1:]...)...)
			}
		})
	}
	custom := output("custom_tool_call_output", picture)
	wantItems(t, normalized(t, history.Modalities{Audio: true}, custom).Rows, output("custom_tool_call_output", noImage))
}

// Sidecars and lines stay through all of it, and an untouched output keeps its bytes.
func TestRule34KeepsTheRest(t *testing.T) {
	spaced := `{ "type":"function_call_output", "output":[ {"type":"input_text","text":"x"} ] }`
	s := replayed(t, itemWith(message("user", "u"), `{"user_input_order":1}`), itemLine(spaced))
	p := history.Normalize(s.Rows, history.Modalities{})
	wantSidecars(t, p.Rows, `{"user_input_order":1}`, "")
	wantStored(t, p.Rows[1:], spaced)
	if p.Rows[0].Line != 1 || p.Rows[1].Line != 2 {
		t.Errorf("lines %d and %d, want 1 and 2", p.Rows[0].Line, p.Rows[1].Line)
	}
}
