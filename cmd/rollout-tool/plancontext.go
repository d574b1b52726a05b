package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// context reads --context.
func (p *planned) context(c *cli.Context) (*compaction.Context, error) {
	v := c.String("context")
	switch name, isFile := strings.CutPrefix(v, "@"); {
	case v == "none":
		return nil, nil
	case v == "latest":
		return compaction.LatestContext(p.state.Rows), nil
	case isFile:
		ctx, err := readContext(name)
		if err != nil {
			return nil, unreadable(fmt.Errorf("--context %s: %w", name, err))
		}
		return ctx, nil
	}
	return nil, usageError("--context %q: want none, latest or @FILE", v)
}

// readContext reads a JSON list of items.
func readContext(name string) (*compaction.Context, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	items, err := jsonraw.Elements(bytes.TrimSpace(b))
	if err != nil {
		return nil, err
	}
	ctx := &compaction.Context{}
	for i, raw := range items {
		it, err := parse.ViewItem(raw)
		if err != nil {
			return nil, fmt.Errorf("/%d: %w", i, err)
		}
		ctx.Normal = append(ctx.Normal, history.Row{Item: it})
	}
	return ctx, nil
}
