package compaction

import (
	"fmt"
	"strings"

	"github.com/rollout-tool/rollout-tool/parse"
)

// retainsAgent is the keep test for agent messages (rule 36).
func (c *compactor) retainsAgent(e entry) verdict {
	head := headerText(e.row.Item)
	switch {
	case strings.HasPrefix(head, finalAnswerHeader):
		return drop("agent message: final answers are not retained")
	case c.isProgress(e.row.Item, head):
		return drop("agent message: progress of a descendant is not retained")
	}
	if n := c.tokens(e); n > maxAgentTokens {
		return drop(fmt.Sprintf("agent message: its %d tokens are over the limit of %d", n, maxAgentTokens))
	}
	return keep("agent message")
}

// isProgress reports whether an agent below the recipient tells how it is doing.
func (c *compactor) isProgress(it parse.Item, head string) bool {
	if !c.opt.Profile.since(dropsProgress()) {
		return false
	}
	below, ok := strings.CutPrefix(it.Fields.Text("author"), it.Fields.Text("recipient"))
	if !ok || !strings.HasPrefix(below, "/") {
		return false
	}
	return strings.HasPrefix(head, messageHeader) ||
		strings.HasPrefix(head, channelPostHeader) && c.opt.Profile.since(dropsChannelPosts())
}

// headerText is the text of an agent message's first part, "" when that is no
// input_text.
func headerText(it parse.Item) string {
	parts := it.Content()
	if len(parts) == 0 || parts[0].Type != parse.PartInputText {
		return ""
	}
	return parts[0].Text()
}
