package compaction

import (
	"fmt"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// localBudget is what a local compaction keeps of the user's messages, in tokens
// (rule 23).
const localBudget = 20_000

// LocalCompact plans a local compaction: the newest user messages and the summary as
// a user message (rule 23). Of the options it takes the summary, the estimator and the
// context; nothing is trimmed or normalised. rows is not changed.
func LocalCompact(rows []history.Row, opt Options) Plan {
	l, in := open(rows, opt.Estimator)
	c := compactor{ledger: l, opt: opt}
	rebuilt := history.LegacyRebuild(rows, opt.Summary, 0)
	out := make([]entry, len(rebuilt))
	last := len(rebuilt) - 1
	left := int64(localBudget)
	images := 0
	next := last - 1 // the rebuilt rows are the newest candidates, in order
	for i := len(in) - 1; i >= 0; i-- {
		text, ok := c.localCandidate(in[i])
		if !ok {
			continue
		}
		if next < 0 {
			c.note(in[i], 23, "%d of %d tokens left", left, localBudget)
			c.decide(in[i], Dropped, 23, fmt.Sprintf("past the budget: %d of %d tokens left", left, localBudget))
			continue
		}
		e := in[i]
		e.row.Item, e.row.Meta, e.changed = rebuilt[next].Item, rebuilt[next].Meta, true
		_, allText := history.UserText(in[i].row.Item)
		left = c.localKeep(e, text, allText, left)
		images += countImages(e.row.Item)
		out[next] = e
		next--
	}
	out[last] = c.add(rebuilt[last], len(rows), 23, "the new summary")
	p := c.plan(c.inject(out))
	p.RetainedImages = images
	return p
}

// localCandidate reports whether rule 23 looks at an item, and the text it costs.
func (c *compactor) localCandidate(e entry) (string, bool) {
	why := ""
	switch history.ClassifyUser(e.row.Item) {
	case history.RealUser:
		text, _ := history.UserText(e.row.Item)
		if !history.IsSummary(text) {
			return text, true
		}
		why = "older summary: the new one takes its place"
	case history.HookPrompt, history.Contextual:
		why = kindOf(e.row) + ": only what the user wrote is retained"
	default:
		why = kindOf(e.row) + ": only user messages are retained"
	}
	c.note(e, 23, "not retained")
	c.decide(e, Dropped, 23, why)
	return "", false
}

// localKeep records what became of a retained message and returns the tokens left.
func (c *compactor) localKeep(e entry, text string, allText bool, left int64) int64 {
	n := tokens.Text(text)
	c.note(e, 23, "its text costs %d of the %d tokens left", n, left)
	if n > left {
		c.decide(e, Cut, 23, fmt.Sprintf("cut to the %d tokens that were left", left))
		return 0
	}
	if allText {
		c.decide(e, Kept, 23, "user message")
	} else {
		c.decide(e, Rewritten, 23, "user message, reduced to its text")
	}
	return left - n
}
