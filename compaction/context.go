package compaction

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
)

// Context is what a session puts into the new history (compaction.md 3.5). It cannot
// be rendered offline; callers take it from a history that has it.
type Context struct {
	// Normal rows go before the last real user or agent message.
	Normal []history.Row
	// Prefix rows go to the front.
	Prefix []history.Row
}

// inject puts the context into the retained items and the summary.
func (c *compactor) inject(items []entry) []entry {
	if c.opt.Context == nil {
		return items
	}
	at := contextPlace(items)
	out := make([]entry, 0, len(items)+len(c.opt.Context.Prefix)+len(c.opt.Context.Normal))
	put := func(rows []history.Row, reason string) {
		for _, r := range rows {
			out = append(out, c.add(r, c.inputs, contextRule, reason))
		}
	}
	put(c.opt.Context.Prefix, "context, at the front")
	out = append(out, items[:at]...)
	put(c.opt.Context.Normal, "context, before the last user or agent message")
	return append(out, items[at:]...)
}

// contextRule is the rule under which injected context is listed: it belongs to the
// assembly of the result; the placement itself is compaction.md 3.5.
const contextRule = 43

// contextPlace is the index that normal context is put in front of (compaction.md
// 3.5 rule 2): the last real user or agent message, else the newest local summary,
// else the last compaction item, else the end.
func contextPlace(items []entry) int {
	summary, compacted := -1, -1
	for i := len(items) - 1; i >= 0; i-- {
		it := items[i].row.Item
		switch {
		case it.Type == parse.ItemAgentMessage:
			if !strings.HasPrefix(headerText(it), finalAnswerHeader) {
				return i
			}
		case it.Type == parse.ItemCompaction || it.Type == parse.ItemContextCompaction:
			if compacted < 0 {
				compacted = i
			}
		case history.ClassifyUser(it) == history.RealUser:
			if text, _ := history.UserText(it); !history.IsSummary(text) {
				return i
			}
			if summary < 0 {
				summary = i
			}
		}
	}
	switch {
	case summary >= 0:
		return summary
	case compacted >= 0:
		return compacted
	}
	return len(items)
}
