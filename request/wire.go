package request

import (
	"slices"
	"strings"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// wireFields are the members of an item in the order Codex writes them
// (compaction.md 6.3 rule 4, format.md 5.1). A name with a trailing "!" is written
// as null when there is no value. Members that are not listed are lost on the wire.
var wireFields = map[string][]string{
	parse.ItemMessage:             {"encrypted_content", "status", "id", "role", "content", "phase"},
	parse.ItemAgentMessage:        {"id", "author", "recipient", "content"},
	parse.ItemReasoning:           {"id", "summary", "content", "encrypted_content!"},
	parse.ItemLocalShellCall:      {"id", "call_id!", "status", "action", "encrypted_content"},
	parse.ItemFunctionCall:        {"id", "name", "namespace", "arguments", "encrypted_function_args", "call_id", "status", "encrypted_content"},
	parse.ItemFunctionOutput:      {"id", "call_id", "name", "namespace", "output"},
	parse.ItemCustomToolCall:      {"id", "status", "call_id", "name", "namespace", "input", "encrypted_content"},
	parse.ItemCustomToolOutput:    {"id", "call_id", "name", "output"},
	parse.ItemToolSearchCall:      {"id", "call_id!", "status", "execution", "arguments", "encrypted_content"},
	parse.ItemToolSearchOutput:    {"id", "call_id!", "status", "execution", "tools"},
	parse.ItemWebSearchCall:       {"id", "status", "action", "encrypted_content"},
	parse.ItemImageGenerationCall: {"id", "status", "revised_prompt", "result", "encrypted_content"},
	parse.ItemCompaction:          {"id", "encrypted_content"},
	parse.ItemContextCompaction:   {"id", "encrypted_content"},
	parse.ItemConfigurationUpdate: {"reasoning"},
	parse.ItemAdditionalTools:     {"id", "role", "tools"},
	parse.ItemCompactionTrigger:   {},
}

// wirePassthrough are the members of a passthrough that survive being read back.
var wirePassthrough = []string{"turn_id", "create_time", "content_item_kinds"}

// Wire applies the clean-up of compaction.md 6.3 rules 2 to 5 to every item:
// members that Codex does not know or reads as absent go, ids without a prefix go,
// nulls go where Codex leaves them out, keys come in Codex's order. openAI says that
// the provider takes passthrough metadata.
func (b *Body) Wire(openAI bool) {
	rows := make([]history.Row, len(b.Rows))
	for i, r := range b.Rows {
		if it, err := parse.ViewItem(wireItem(r.Item, openAI)); err == nil {
			r.Item = it
		}
		rows[i] = r
	}
	b.Rows = rows
}

func wireItem(it parse.Item, openAI bool) jsonraw.Value {
	names, known := wireFields[it.Type]
	if !known {
		return it.Raw // an unknown type in a replacement history is echoed (U11)
	}
	pairs := []jsonraw.Pair{{Name: "type", Value: jsonraw.Quote(it.Type)}}
	for _, name := range names {
		name, always := strings.CutSuffix(name, "!")
		v := it.Fields.Get(name)
		switch {
		case name == "id" && !hasPrefix(it.ID()):
			continue
		case name == "encrypted_function_args" && !openAI:
			continue
		case name == "content" && it.Type == parse.ItemReasoning:
			v = reasoningContent(v)
		case v.Missing() && always:
			v = jsonraw.Value("null")
		case v.Missing():
			continue
		}
		pairs = append(pairs, jsonraw.Pair{Name: name, Value: v})
	}
	if openAI && hasPassthrough(it.Type) {
		pairs = append(pairs, jsonraw.Pair{Name: parse.PassthroughKey, Value: wirePass(it)})
	}
	return jsonraw.Build(pairs...)
}

// hasPassthrough reports whether items of a type have a passthrough (format.md 5.1).
func hasPassthrough(typ string) bool {
	switch typ {
	case parse.ItemConfigurationUpdate, parse.ItemAdditionalTools, parse.ItemCompactionTrigger:
		return false
	}
	return true
}

// hasPrefix reports whether an id looks prefixed: text on both sides of its first
// underscore (compaction.md 6.3 rule 3).
func hasPrefix(id string) bool {
	prefix, rest, ok := strings.Cut(id, "_")
	return ok && prefix != "" && rest != ""
}

// reasoningContent is null when absent, left out (nil) when it has no
// reasoning_text, else itself (compaction.md 6.3 rule 5).
func reasoningContent(v jsonraw.Value) jsonraw.Value {
	if v.Missing() {
		return jsonraw.Value("null")
	}
	elems, _ := jsonraw.Elements(v)
	if slices.ContainsFunc(elems, func(e jsonraw.Value) bool {
		return parse.ViewPart(e).Type == parse.PartReasoningText
	}) {
		return v
	}
	return nil
}

func wirePass(it parse.Item) jsonraw.Value {
	pass := it.Passthrough()
	if pass.Raw == nil {
		return nil
	}
	var pairs []jsonraw.Pair
	for _, name := range wirePassthrough {
		v := pass.Fields.Get(name)
		if name == "content_item_kinds" {
			if _, ok := pass.ContentItemKinds(); !ok {
				continue
			}
		}
		if !v.Missing() {
			pairs = append(pairs, jsonraw.Pair{Name: name, Value: v})
		}
	}
	return jsonraw.Build(pairs...)
}
