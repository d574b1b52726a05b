package validate

import (
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/request"
)

// bareItems stand for items as they are compared: in wire form (compaction.md 6.3), without
// id, status and passthrough; equal for equal ones.
func bareItems(rows []history.Row) []uint64 {
	b := request.Turn(rows, history.Facts{})
	b.Wire(true)
	out := make([]uint64, len(b.Rows))
	for i, r := range b.Rows {
		out[i] = bare(r.Item)
	}
	return out
}

func bare(it parse.Item) uint64 {
	var pairs []jsonraw.Pair
	for _, m := range it.Fields.Members {
		switch m.Name {
		case "id", "status", parse.PassthroughKey:
			continue
		}
		pairs = append(pairs, jsonraw.Pair{Name: m.Name, Value: m.Value})
	}
	text, err := jsonraw.Compact(jsonraw.Build(pairs...))
	if err != nil {
		return recordKey(it.Raw)
	}
	return recordKey(text)
}
