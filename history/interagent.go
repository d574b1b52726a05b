package history

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// deliveryComplete and deliveryIncomplete mark a delivered assistant message (rule 6).
const (
	deliveryComplete   = "codex:code-mode-delivery:v1:complete"
	deliveryIncomplete = "codex:code-mode-delivery:v1:incomplete:"
)

// IsDelivery reports whether a response_item is a delivery event and no history
// item (rule 6, format.md 2.5).
func IsDelivery(it parse.Item, meta parse.Sidecar) bool {
	marker := meta.DeliveredAssistantMessage()
	if marker != deliveryComplete && !strings.HasPrefix(marker, deliveryIncomplete) {
		return false
	}
	if _, ok := meta.UserInputOrder(); !ok || !it.IsMessage("assistant") {
		return false
	}
	parts := it.Content()
	return len(parts) == 1 && parts[0].Type == parse.PartOutputText &&
		it.Passthrough().Fields.Get("turn_id").Kind() == jsonraw.KindString
}

// fromInterAgent is the agent message that an inter_agent_communication record
// stands for (rule 7, format.md 3.6).
func fromInterAgent(fields jsonraw.Object) parse.Item {
	content := []jsonraw.Value{TextPart(fields.Text("content")).Raw}
	if cipher := fields.Get("encrypted_content"); !cipher.Missing() {
		content = []jsonraw.Value{
			TextPart(agentHeader(fields)).Raw,
			jsonraw.Build(
				jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.PartEncryptedContent)},
				jsonraw.Pair{Name: "encrypted_content", Value: cipher}),
		}
	}
	return mustView(jsonraw.Build(
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.ItemAgentMessage)},
		jsonraw.Pair{Name: "id", Value: notNull(fields.Get("id"))},
		jsonraw.Pair{Name: "author", Value: fields.Get("author")},
		jsonraw.Pair{Name: "recipient", Value: fields.Get("recipient")},
		jsonraw.Pair{Name: "content", Value: jsonraw.Array(content)},
		jsonraw.Pair{Name: parse.PassthroughKey, Value: notNull(fields.Get(parse.PassthroughKey))},
	))
}

func agentHeader(fields jsonraw.Object) string {
	kind := "MESSAGE"
	if fields.Get("trigger_turn").Bool() {
		kind = "NEW_TASK"
	}
	return "Message Type: " + kind + "\nTask name: " + fields.Text("recipient") +
		"\nSender: " + fields.Text("author") + "\nPayload:\n"
}

func notNull(v jsonraw.Value) jsonraw.Value {
	if v.IsNull() {
		return nil
	}
	return v
}
