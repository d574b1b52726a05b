package parse_test

import (
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

func TestPreview(t *testing.T) {
	for raw, want := range map[string]string{
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"a\n b"}]}`:                                                                             "a\n b",
		`{"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:x"},{"type":"input_text","text":" "},{"type":"input_text","text":"look"}]}`: "look",
		`{"type":"message","role":"user","content":[{"type":"input_text","text":""},{"type":"input_image","image_url":"data:x"}]}`:                                      "[input_image]",
		`{"type":"message","role":"user","content":[]}`:                                                                                                                 "",
		`{"type":"agent_message","author":"/root","recipient":"/root/a","content":[{"type":"input_text","text":"go"}]}`:                                                 "/root -> /root/a go",
		`{"type":"agent_message","author":"/root","recipient":"/b","content":[{"type":"encrypted_content","encrypted_content":"QUJD"}]}`:                                "/root -> /b [encrypted, 4 bytes]",
		`{"type":"reasoning","summary":[{"type":"summary_text","text":"why"}],"encrypted_content":"QUJD"}`:                                                              "why",
		`{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"how"}]}`:                                                                          "how",
		`{"type":"reasoning","summary":[],"content":null,"encrypted_content":"QUJD"}`:                                                                                   "[encrypted, 4 bytes]",
		`{"type":"function_call","name":"sh","arguments":"{\"a\":1}"}`:                                                                                                  `sh {"a":1}`,
		`{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin"}`:                                                                                          "apply_patch *** Begin",
		`{"type":"function_call_output","output":"ok"}`:                                                                                                                 "ok",
		`{"type":"custom_tool_call_output","output":[{"type":"input_text","text":"part"}]}`:                                                                             "part",
		`{"type":"local_shell_call","action":{"type":"exec","command":["ls","-l"]}}`:                                                                                    "ls -l",
		`{"type":"web_search_call","action":{"type":"search","query":"q","queries":["q","r"]}}`:                                                                         "q",
		`{"type":"web_search_call","action":{"type":"search","queries":["q","r"]}}`:                                                                                     "q, r",
		`{"type":"web_search_call","action":{"type":"open_page","url":"https://x"}}`:                                                                                    "https://x",
		`{"type":"tool_search_call","arguments":{"query":"x"}}`:                                                                                                         `{"query":"x"}`,
		`{"type":"tool_search_output","tools":[{"name":"a"},{"name":"b"}]}`:                                                                                             "a, b",
		`{"type":"tool_search_output","tools":[]}`:                                                                                                                      "[0 tools]",
		`{"type":"image_generation_call","revised_prompt":"a cat","result":"AAAA"}`:                                                                                     "a cat",
		`{"type":"compaction","encrypted_content":"QUJD"}`:                                                                                                              "[encrypted, 4 bytes]",
		`{"type":"compaction"}`:               "",
		`{"type":"new_thing"}`:                "",
		`{}`:                                  "",
		`{"type":"message","content":"text"}`: "",
	} {
		it, err := parse.ViewItem(jsonraw.Value(raw))
		if err != nil {
			t.Fatal(err)
		}
		if got := parse.Preview(it, 0); got != want {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
	}
}
