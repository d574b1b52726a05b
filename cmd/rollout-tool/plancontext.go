package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/compaction"
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
		ctx, err := compaction.ReadContext(name)
		if err != nil {
			return nil, unreadable(fmt.Errorf("--context %s: %w", name, err))
		}
		return ctx, nil
	}
	return nil, usageError("--context %q: want none, latest or @FILE", v)
}
