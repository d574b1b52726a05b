package compaction

import (
	"slices"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// sidecarFields are the members of a sidecar in the order of rule 8.
func sidecarFields() []string {
	return []string{
		"guardian_sources", "guardian_review_ids", "guardian_source_order_guidance",
		"guardian_retained_omissions", "retained_source", clientAuthored,
		"fallback_token_limit_override", "delivered_assistant_message",
		"harness_authored_configuration", "compaction_model_hash", "user_input_order",
		"compaction_output", "inherited_user_message", mcpAttribution, "sender_user_messages",
	}
}

const (
	clientAuthored = "client_authored"
	mcpAttribution = "mcp_attribution"
)

// attributionError stands for an mcp_attribution that does not decode (rule 9).
const attributionError = `{"status":"attribution_error"}`

// WireSidecars is the sidecar list of a replacement history: one entry a row when any
// row has metadata, else nil (rule 9).
func WireSidecars(rows []history.Row) []jsonraw.Value {
	if !slices.ContainsFunc(rows, func(r history.Row) bool { return r.Meta.Present() }) {
		return nil
	}
	out := make([]jsonraw.Value, len(rows))
	for i, r := range rows {
		out[i] = WireSidecar(r.Meta)
	}
	return out
}

// WireSidecar is a sidecar as Codex writes it (rule 9): client_authored always, other
// known members only when they are not null, false or an empty list, in the order of
// rule 8; unknown members follow as stored. No metadata gives the default entry.
func WireSidecar(s parse.Sidecar) jsonraw.Value {
	known := sidecarFields()
	pairs := make([]jsonraw.Pair, 0, len(known))
	for _, name := range known {
		v := s.Fields.Get(name)
		switch name {
		case clientAuthored:
			v = jsonraw.Bool(v.Bool())
		case mcpAttribution:
			if v != nil && !isAttribution(v) {
				v = jsonraw.Value(attributionError)
			}
		default:
			if isDefault(v) {
				v = nil
			}
		}
		pairs = append(pairs, jsonraw.Pair{Name: name, Value: v})
	}
	seen := map[string]bool{}
	for _, m := range s.Fields.Members {
		if !seen[m.Name] && !slices.Contains(known, m.Name) {
			seen[m.Name] = true
			pairs = append(pairs, jsonraw.Pair{Name: m.Name, Value: s.Fields.Get(m.Name)})
		}
	}
	return jsonraw.Build(pairs...)
}

// isDefault reports whether a member is null, false or an empty list.
func isDefault(v jsonraw.Value) bool {
	switch v.Kind() {
	case jsonraw.KindNull, jsonraw.KindFalse:
		return true
	case jsonraw.KindArray:
		elems, err := jsonraw.Elements(v)
		return err == nil && len(elems) == 0
	}
	return false
}

// markCut records in a sidecar that its message was cut (rule 42): its sources are
// incomplete, and what a guardian concluded from them is gone.
func markCut(s parse.Sidecar) parse.Sidecar {
	s = history.MarkIncomplete(s)
	cleared := []string{"guardian_review_ids", "guardian_source_order_guidance", "guardian_retained_omissions"}
	if !slices.ContainsFunc(cleared, func(name string) bool { return s.Fields.Get(name) != nil }) {
		return s
	}
	var pairs []jsonraw.Pair
	for _, m := range s.Fields.Members {
		if !slices.Contains(cleared, m.Name) {
			pairs = append(pairs, jsonraw.Pair{Name: m.Name, Value: m.Value})
		}
	}
	return parse.ViewSidecar(jsonraw.Build(pairs...))
}
