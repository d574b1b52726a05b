package parse

import (
	"fmt"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// Item types of the Responses API as stored in rollouts (format.md 5.1).
const (
	ItemMessage             = "message"
	ItemAgentMessage        = "agent_message"
	ItemReasoning           = "reasoning"
	ItemLocalShellCall      = "local_shell_call"
	ItemFunctionCall        = "function_call"
	ItemFunctionOutput      = "function_call_output"
	ItemCustomToolCall      = "custom_tool_call"
	ItemCustomToolOutput    = "custom_tool_call_output"
	ItemToolSearchCall      = "tool_search_call"
	ItemToolSearchOutput    = "tool_search_output"
	ItemWebSearchCall       = "web_search_call"
	ItemImageGenerationCall = "image_generation_call"
	ItemCompaction          = "compaction"
	ItemContextCompaction   = "context_compaction"
	ItemConfigurationUpdate = "configuration_update"
	ItemAdditionalTools     = "additional_tools"
	ItemCompactionTrigger   = "compaction_trigger"
	ItemGhostSnapshot       = "ghost_snapshot" // retired, format.md 2.7
	ItemOther               = "other"          // what Codex makes of any type it does not know
)

// compactionSummary is the alias that writers of November and December 2025 used.
const compactionSummary = "compaction_summary"

// knownItems are the types that Codex decodes; any other type is "other".
var knownItems = map[string]bool{
	ItemMessage: true, ItemAgentMessage: true, ItemReasoning: true, ItemLocalShellCall: true,
	ItemFunctionCall: true, ItemFunctionOutput: true, ItemCustomToolCall: true, ItemCustomToolOutput: true,
	ItemToolSearchCall: true, ItemToolSearchOutput: true, ItemWebSearchCall: true,
	ItemImageGenerationCall: true, ItemCompaction: true, ItemContextCompaction: true,
	ItemConfigurationUpdate: true, ItemAdditionalTools: true, ItemCompactionTrigger: true,
}

// KnownItem reports whether Codex decodes items of this type; an item of another
// type is readable but never recorded (rule 2).
func KnownItem(typ string) bool { return knownItems[typ] }

// Item is a view of one ResponseItem (format.md 5). The zero Item has no type.
type Item struct {
	Raw    jsonraw.Value  // as stored
	Type   string         // "compaction" for its alias too; "" when there is none
	Fields jsonraw.Object // the members of Raw
}

// ViewItem looks at raw, part of a record that was read, as a ResponseItem. It fails
// only when raw is no object; whether Codex accepts the item is for parse/accept.
func ViewItem(raw jsonraw.Value) (Item, error) {
	o, ok := jsonraw.SplitObject(raw)
	if !ok {
		return Item{Raw: raw}, fmt.Errorf("%s where an item is needed", raw.Kind().Name())
	}
	return itemOf(raw, o, o.Word("type")), nil
}

func itemOf(raw jsonraw.Value, fields jsonraw.Object, typ string) Item {
	it := Item{Raw: raw, Fields: fields, Type: typ}
	if it.Type == compactionSummary {
		it.Type = ItemCompaction
	}
	return it
}

// Replace returns the item with one member replaced or added; the other bytes stay.
func (it Item) Replace(name string, v jsonraw.Value) Item {
	out, err := ViewItem(it.Fields.Set(name, v))
	if err != nil {
		return it
	}
	return out
}

// Role is the role of a message, "" for other items.
func (it Item) Role() string {
	if it.Type != ItemMessage {
		return ""
	}
	return it.Fields.Word("role")
}

// IsMessage reports whether the item is a message of the given role.
func (it Item) IsMessage(role string) bool { return it.Type == ItemMessage && it.Role() == role }

// ID is the item's id, "" when it has none.
func (it Item) ID() string { return it.Fields.Text("id") }

// CallID is the call_id; false when it is absent or null.
func (it Item) CallID() (string, bool) { return it.Fields.Get("call_id").Text() }

// Content are the parts of a message, an agent message or a reasoning item.
func (it Item) Content() []Part { return viewParts(it.Fields.Get("content")) }

// IsToolOutput reports whether the item is one of the two outputs with a body:
// function_call_output or custom_tool_call_output.
func (it Item) IsToolOutput() bool {
	return it.Type == ItemFunctionOutput || it.Type == ItemCustomToolOutput
}

// Output is the body of a tool output.
func (it Item) Output() Output {
	raw := it.Fields.Get("output")
	return Output{Raw: raw, IsText: raw.Kind() == jsonraw.KindString}
}

// Passthrough is the item's internal_chat_message_metadata_passthrough.
func (it Item) Passthrough() Passthrough {
	raw := it.Fields.Get(PassthroughKey)
	if raw.Kind() != jsonraw.KindObject {
		return Passthrough{}
	}
	o, _ := jsonraw.SplitObject(raw)
	return Passthrough{Raw: raw, Fields: o}
}

// PassthroughKey is the member of an item that holds its passthrough (format.md 5.5).
const PassthroughKey = "internal_chat_message_metadata_passthrough"

// Passthrough is a view of an item's passthrough; the zero value stands for none.
type Passthrough struct {
	Raw    jsonraw.Value
	Fields jsonraw.Object
}

// TurnID is the turn id, "" when there is none.
func (p Passthrough) TurnID() string { return p.Fields.Text("turn_id") }

// ContentItemKinds is the list aligned with the content; false when it is
// missing or anything but a list of strings (format.md 5.5).
func (p Passthrough) ContentItemKinds() ([]string, bool) {
	return jsonraw.Strings(p.Fields.Get("content_item_kinds"))
}
