package compaction

import (
	"slices"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// isAttribution reports whether an mcp_attribution decodes (format.md 6.3): both
// objects are strict, and an error_reason of any type passes.
func isAttribution(v jsonraw.Value) bool {
	o, err := jsonraw.ParseObject(v)
	if err != nil || !onlyMembers(o, "status", "error_reason", "sources") {
		return false
	}
	switch o.Text("status") {
	case "none", "complete", "attribution_error":
	default:
		return false
	}
	sources := o.Get("sources")
	if sources == nil {
		return true
	}
	elems, err := jsonraw.Elements(sources)
	return err == nil && !slices.ContainsFunc(elems, func(e jsonraw.Value) bool { return !isAttributionSource(e) })
}

func isAttributionSource(v jsonraw.Value) bool {
	required := []string{"server_name", "tool_name", "first_turn_id"}
	optional := []string{"connector_id", "plugin_id"}
	o, err := jsonraw.ParseObject(v)
	if err != nil || !onlyMembers(o, slices.Concat(required, optional)...) {
		return false
	}
	for _, name := range required {
		if o.Get(name).Kind() != jsonraw.KindString {
			return false
		}
	}
	for _, name := range optional {
		if v := o.Get(name); !v.Missing() && v.Kind() != jsonraw.KindString {
			return false
		}
	}
	return true
}

func onlyMembers(o jsonraw.Object, names ...string) bool {
	return !slices.ContainsFunc(o.Members, func(m jsonraw.Member) bool { return !slices.Contains(names, m.Name) })
}
