package history

import (
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// UnknownKind is the kind of a content part that has none (rule 24).
const UnknownKind = "unknown"

// KindedPart is one part of a message with its entry of content_item_kinds.
type KindedPart struct {
	parse.Part
	ItemKind string
}

// KindedContent pairs the parts of a message with their kinds (rule 24): "unknown"
// where the list is missing, short, or not a list of strings.
func KindedContent(it parse.Item) []KindedPart {
	kinds, _ := it.Passthrough().ContentItemKinds()
	parts := it.Content()
	out := make([]KindedPart, len(parts))
	for i, p := range parts {
		out[i] = KindedPart{p, UnknownKind}
		if i < len(kinds) {
			out[i].ItemKind = kinds[i]
		}
	}
	return out
}

// WithContent returns the message with its parts replaced. Its passthrough gets
// content_item_kinds, one entry a part, and is created when it is missing; other
// passthrough members and all other bytes of the item stay (rule 24).
func WithContent(it parse.Item, parts []KindedPart) parse.Item {
	raws := make([]jsonraw.Value, len(parts))
	kinds := make([]jsonraw.Value, len(parts))
	for i, p := range parts {
		raws[i], kinds[i] = p.Raw, jsonraw.Quote(p.ItemKind)
	}
	it = it.Replace("content", jsonraw.Array(raws))
	return it.Replace(parse.PassthroughKey, withKinds(it, jsonraw.Array(kinds)))
}

func withKinds(it parse.Item, kinds jsonraw.Value) jsonraw.Value {
	pass := it.Passthrough()
	if pass.Raw == nil {
		return jsonraw.Build(jsonraw.Pair{Name: "content_item_kinds", Value: kinds})
	}
	return pass.Fields.Set("content_item_kinds", kinds)
}

// TextPart is an input_text part as Codex writes it.
func TextPart(text string) parse.Part {
	return parse.ViewPart(jsonraw.Build(
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.PartInputText)},
		jsonraw.Pair{Name: "text", Value: jsonraw.Quote(text)},
	))
}

// WithText returns a text part with another text; its other members stay.
func WithText(p parse.Part, text string) parse.Part {
	return parse.ViewPart(p.Fields.Set("text", jsonraw.Quote(text)))
}
