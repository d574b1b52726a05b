package parse

import "github.com/rollout-tool/rollout-tool/internal/jsonraw"

// Sidecar is a view of an item's harness metadata: the `metadata` beside a
// response_item's payload or an entry of replacement_history_metadata
// (format.md 6, rule 8). The zero Sidecar stands for "no metadata".
type Sidecar struct {
	Raw    jsonraw.Value
	Fields jsonraw.Object
}

// ViewSidecar looks at raw as a sidecar; null and absent give the zero Sidecar.
func ViewSidecar(raw jsonraw.Value) Sidecar {
	if raw.Missing() {
		return Sidecar{}
	}
	o, _ := jsonraw.SplitObject(raw)
	return Sidecar{Raw: raw, Fields: o}
}

// Present reports whether the item has metadata, be it all defaults.
func (s Sidecar) Present() bool { return s.Raw != nil }

// ClientAuthored is the field of that name, false by default.
func (s Sidecar) ClientAuthored() bool { return s.Fields.Get("client_authored").Bool() }

// HarnessAuthoredConfiguration is the field of that name, false by default.
func (s Sidecar) HarnessAuthoredConfiguration() bool {
	return s.Fields.Get("harness_authored_configuration").Bool()
}

// InheritedUserMessage is the field of that name, false by default.
func (s Sidecar) InheritedUserMessage() bool { return s.Fields.Get("inherited_user_message").Bool() }

// UserInputOrder is the acceptance order, false when there is none.
func (s Sidecar) UserInputOrder() (uint64, bool) { return s.Fields.Get("user_input_order").Uint64() }

// FallbackTokenLimit is fallback_token_limit_override in tokens, false when there is none.
func (s Sidecar) FallbackTokenLimit() (uint64, bool) {
	return s.Fields.Get("fallback_token_limit_override").Uint64()
}

// DeliveredAssistantMessage is the field of that name, "" when there is none.
func (s Sidecar) DeliveredAssistantMessage() string {
	return s.Fields.Text("delivered_assistant_message")
}
