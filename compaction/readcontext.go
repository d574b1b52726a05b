package compaction

import (
	"bytes"
	"fmt"
	"os"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// ReadContext reads a file with a JSON list of items, as context to put into a plan. The
// error names the item that is none, as a JSON pointer.
func ReadContext(name string) (*Context, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	items, err := jsonraw.Elements(bytes.TrimSpace(b))
	if err != nil {
		return nil, err
	}
	ctx := &Context{}
	for i, raw := range items {
		one, err := jsonraw.Compact(raw) // it has to fit on a line
		if err != nil {
			return nil, err
		}
		it, err := parse.ViewItem(one)
		if err != nil {
			return nil, fmt.Errorf("/%d: %w", i, err)
		}
		ctx.Normal = append(ctx.Normal, history.Row{Item: it})
	}
	return ctx, nil
}
