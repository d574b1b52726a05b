package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
)

// checkRetention compares what was retained with what the rules give.
func (c *compacted) checkRetention() {
	alone := c.stored.codes()
	if !c.knowsBefore() || saysEnough(alone) {
		return
	}
	if c.losesWords() {
		c.report("C020", historyPointer, fmt.Sprintf("no user message is left, before there were %d", countWords(c.before.Rows)))
		return
	}
	if c.stored.chosen() {
		return
	}
	items := c.stored.items
	e := c.explain(items)
	if last := c.stored.lastCompaction(); !e.Matches && slices.Contains(alone, "C002") {
		// What stands behind the compaction item is in the wrong place, which is said: it
		// is compared as if the compaction item stood behind it.
		inPlace := slices.Concat(items[:last], items[last+1:], items[last:last+1])
		if in := c.explain(inPlace); in.Missing+in.Extra < e.Missing+e.Extra {
			e, items = in, inPlace
		}
	}
	switch {
	case e.Matches:
	case len(e.Moved) > 0:
		pointer := fmt.Sprintf("%s/%d", historyPointer, items[e.Moved[0]].index)
		c.report("C026", pointer, fmt.Sprintf("the items are those that the rules retain, but %d out of their order, the first is %s; tried: %s",
			len(e.Moved), labelOf(items[e.Moved[0]].view()), strings.Join(e.Tried, "; ")))
	default:
		c.report("C025", historyPointer, fmt.Sprintf("items that the rules retain and the checkpoint lacks: %d, that they do not retain: %d; closest: %s; tried: %s",
			e.Missing, e.Extra, e.With, strings.Join(e.Tried, "; ")))
	}
}

// explain compares items with what the rules retain of the history before.
func (c *compacted) explain(items []storedItem) compaction.Explanation {
	// Without a window nothing is trimmed, so the facts (the instructions) do not matter.
	recorded := compaction.NewRecorded(c.before.Rows, rowsOf(items, c.rec.Number), history.Facts{}, *c.rec)
	if recorded.KeepsAll() {
		return compaction.Explanation{Matches: true}
	}
	return recorded.Explain()
}

// knowsBefore reports whether the history before the compaction is whole: from the file
// and its ancestors, without lines that Codex rejects.
func (c *compacted) knowsBefore() bool {
	if len(c.before.Rows) == 0 || c.baseless && c.before.BaseLine == 0 {
		return false
	}
	for _, n := range c.rejected {
		if n > c.before.BaseLine && n <= c.before.Line {
			return false
		}
	}
	return true
}

// codes are those of the findings about the checkpoint by itself.
func (s *stored) codes() []string {
	var out []string
	s.check(func(code string, _ int, _ string) { out = append(out, code) })
	return out
}

// saysEnough reports whether a finding about the checkpoint by itself is one that a
// comparison would only say again.
func saysEnough(codes []string) bool {
	return slices.ContainsFunc(codes, func(code string) bool {
		switch code {
		case "C001", "C003", "C007", "C008", "C009", "C010", "C011", "C012":
			return true
		}
		return false
	})
}
