package tokens

import "github.com/rollout-tool/rollout-tool/internal/jsonraw"

// compactLen is the length of v as Codex's serializer writes it, 0 when absent.
func compactLen(v jsonraw.Value) int64 {
	if v == nil {
		return 0
	}
	c, err := jsonraw.Compact(v)
	if err != nil { // not JSON: no serializer would have written it
		return int64(len(v))
	}
	return int64(len(c))
}

// shellAction is the action of a local_shell_call with the members that Codex
// knows, null for those that are absent (rule 25); nil when it is no object.
func shellAction(action jsonraw.Value) jsonraw.Value {
	o, err := jsonraw.ParseObject(action)
	if err != nil {
		return nil
	}
	orNull := func(name string) jsonraw.Pair {
		v := o.Get(name)
		if v == nil {
			v = jsonraw.Value("null")
		}
		return jsonraw.Pair{Name: name, Value: v}
	}
	return jsonraw.Build(
		jsonraw.Pair{Name: "type", Value: o.Get("type")},
		jsonraw.Pair{Name: "command", Value: o.Get("command")},
		orNull("timeout_ms"), orNull("working_directory"), orNull("env"), orNull("user"),
	)
}

// searchAction is the action of a web_search_call with the members that Codex
// knows, absent and null ones left out (rule 25); nil when it is no object.
func searchAction(action jsonraw.Value) jsonraw.Value {
	o, err := jsonraw.ParseObject(action)
	if err != nil {
		return nil
	}
	var known []string
	switch o.Text("type") {
	case "search":
		known = []string{"query", "queries"}
	case "open_page":
		known = []string{"url"}
	case "find_in_page":
		known = []string{"url", "pattern"}
	default:
		return jsonraw.Value(otherAction)
	}
	pairs := []jsonraw.Pair{{Name: "type", Value: o.Get("type")}}
	for _, name := range known {
		if v := o.Get(name); !v.Missing() {
			pairs = append(pairs, jsonraw.Pair{Name: name, Value: v})
		}
	}
	return jsonraw.Build(pairs...)
}
