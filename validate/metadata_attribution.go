package validate

import (
	"slices"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// Keys of an mcp_attribution and of its sources: both take no others (format.md 6.3).
var (
	attributionKeys = [...]string{"status", "error_reason", "sources"}
	sourceKeys      = [...]string{"connector_id", "plugin_id", "server_name", "tool_name", "first_turn_id"}
)

// attributionDefect says why an mcp_attribution does not decode, "" when it does.
func attributionDefect(v jsonraw.Value) string {
	if v.Kind() != jsonraw.KindObject {
		return v.Kind().Name() + " where an object is needed"
	}
	o, _ := jsonraw.SplitObject(v)
	if key := strangeKey(o, attributionKeys[:]); key != "" {
		return "unknown key " + clip(key)
	}
	switch status := o.Text("status"); status {
	case "none", "complete", "attribution_error":
	default:
		return "status is not none, complete or attribution_error"
	}
	sources := o.Get("sources")
	if sources == nil {
		return ""
	}
	if sources.Kind() != jsonraw.KindArray {
		return "sources is " + sources.Kind().Name()
	}
	list, _ := jsonraw.SplitArray(sources)
	for _, s := range list {
		if why := sourceDefect(s); why != "" {
			return "a source: " + why
		}
	}
	return ""
}

func sourceDefect(v jsonraw.Value) string {
	if v.Kind() != jsonraw.KindObject {
		return v.Kind().Name() + " where an object is needed"
	}
	o, _ := jsonraw.SplitObject(v)
	if key := strangeKey(o, sourceKeys[:]); key != "" {
		return "unknown key " + clip(key)
	}
	for i, key := range sourceKeys {
		optional := i < 2 // connector_id, plugin_id
		value := o.Get(key)
		if value.Kind() != jsonraw.KindString && !(optional && value.Missing()) {
			return key + " is no string"
		}
	}
	return ""
}

// strangeKey is a key of the object that is not among the known ones, "" for none.
func strangeKey(o jsonraw.Object, known []string) string {
	for _, m := range o.Members {
		if !slices.Contains(known, m.Name) {
			return m.Name
		}
	}
	return ""
}
