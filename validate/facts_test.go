package validate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// Rules pass over plain items: one of which any of them says or counts something is not.
func TestPlainItems(t *testing.T) {
	hello := userItem("hello")
	with := func(more string) string { return strings.TrimSuffix(hello, "}") + more + "}" }
	tests := []struct {
		name, item, meta string
		want             bool
	}{
		{"user message", hello, "", true},
		{"with an id", with(`,"id":"msg_1"`), "", true},
		{"developer message", developerItem("x"), `{"client_authored":true}`, true},
		{"known sidecar", hello, `{"user_input_order":3,"client_authored":false}`, true},
		{"null sidecar", hello, "null", true},
		{"kinds that fit", with(`,"internal_chat_message_metadata_passthrough":{"content_item_kinds":["user.text"]}`), "", true},
		{"I001", with(`,"id":"msg_` + strings.Repeat("x", 61) + `"`), "", false},
		{"I003", with(`,"id":""`), "", false},
		{"I020", `{"type":"message","role":"user","content":[{"type":"input_image","image_url":""}]}`, "", false},
		{"M010", hello, `{"client_authored":true}`, false},
		{"M012", hello, `{"shade":1}`, false},
		{"M014", with(`,"metadata":{}`), "", false},
		{"M015", hello, `{"mcp_attribution":3}`, false},
		{"M016", with(`,"internal_chat_message_metadata_passthrough":{"content_item_kinds":[]}`), "", false},
		{"system message", messageItem("system", "x", ""), "", false},
		{"counted by E001", with(`,"encrypted_content":"x"`), "", false},
		{"call", `{"type":"function_call","name":"f","arguments":"{}","call_id":"c"}`, "", false},
		{"summary", summaryItem, "", false},
		{"agent message", agentItem, "", false},
		{"reasoning", reasoningItem, "", false},
	}
	memo := newFactMemo()
	for _, tt := range tests {
		for range 2 { // looked at, then remembered
			f, ok := memo.of(jsonraw.Value(tt.item), jsonraw.Value(tt.meta))
			if !ok || f.is(traitPlain) != tt.want {
				t.Errorf("%s: plain %v, want %v", tt.name, ok && f.is(traitPlain), tt.want)
			}
		}
	}
}

func TestFactMemo(t *testing.T) {
	memo := newFactMemo()
	item := jsonraw.Value(developerItem("x"))
	own, _ := memo.of(item, jsonraw.Value(`{"client_authored":true}`))
	other, _ := memo.of(item, nil)
	if !own.is(traitClients) || other.is(traitClients) {
		t.Error("the sidecar does not tell items apart")
	}
	if again, _ := memo.of(item, jsonraw.Value("null")); again != other {
		t.Error("a null sidecar is not none")
	}
	if _, ok := memo.of(jsonraw.Value("3"), nil); ok {
		t.Error("a number is an item")
	}
	for i := range maxFacts + 1 {
		memo.of(jsonraw.Value(fmt.Sprintf(`{"type":"x%d"}`, i)), nil)
	}
	if n := len(memo.known); n > maxFacts {
		t.Errorf("%d items are remembered, at most %d should be", n, maxFacts)
	}
}
