package compaction

import (
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
)

// verdict is the answer of the keep test for one source.
type verdict struct {
	keep   bool
	reason string
}

func keep(reason string) verdict { return verdict{true, reason} }
func drop(reason string) verdict { return verdict{false, reason} }

// filter keeps the groups whose source passes the keep test, notice included (rules
// 35, 36).
func (c *compactor) filter(in []entry, mode Mode) []entry {
	test := c.retains
	if mode == RemoteV1 {
		test = retainsV1
	}
	kept := make([]entry, 0, len(in))
	for _, g := range groupRows(in, c.opt.Profile.since(attachesNotices()), true) {
		source := in[g.source]
		v := test(source)
		if !v.keep {
			c.note(source, 36, "not retained")
			c.decide(source, Dropped, 36, v.reason)
			if g.notice != noNotice {
				c.note(in[g.notice], 35, "attached to the item in front of it, which is not retained")
				c.decide(in[g.notice], Dropped, 36, "resize notice of an item that is not retained")
			}
			continue
		}
		c.note(source, 36, "may be retained")
		c.retained(source, v.reason)
		kept = append(kept, source)
		if g.notice != noNotice {
			c.note(in[g.notice], 35, "attached to the item in front of it, which may be retained")
			c.retained(in[g.notice], "resize notice of a retained item")
			kept = append(kept, in[g.notice])
		}
	}
	return kept
}

// retained records an item that stays, unless the budget decides otherwise.
func (c *compactor) retained(e entry, reason string) {
	if e.anew != "" {
		c.decide(e, Rewritten, 34, reason+", "+e.anew)
		return
	}
	c.decide(e, Kept, 36, reason)
}

// retains is the keep test of rule 36.
func (c *compactor) retains(e entry) verdict {
	it, p := e.row.Item, c.opt.Profile
	switch {
	case it.Type == parse.ItemAgentMessage:
		if !p.since(retainsAgents()) {
			return drop("agent message: only user messages are retained before C2d")
		}
		return c.retainsAgent(e)
	case it.Type == parse.ItemMessage:
		return c.retainsMessage(e.row)
	case isClientOutput(e.row) && p.since(retainsClientOutputs()):
		if c.opt.RetainClientToolOutputs {
			return keep("tool output that a client asked to retain")
		}
		return drop("client tool output: not retained unless asked for")
	case it.Type == parse.ItemCompaction || it.Type == parse.ItemContextCompaction:
		return drop("older summary: the new one takes its place")
	}
	return drop(it.Type + ": only user and agent messages are retained")
}

func (c *compactor) retainsMessage(r history.Row) verdict {
	switch history.ClassifyUser(r.Item) {
	case history.RealUser:
		return keep("user message")
	case history.HookPrompt:
		return keep("hook prompt")
	case history.Contextual:
		return drop("context message: it is put in again, not retained")
	}
	switch {
	case isClientDeveloper(r) && c.opt.Profile.since(hasSidecars()):
		if c.opt.RetainClientDeveloper {
			return keep("client developer message")
		}
		return drop("client developer message: not retained unless asked for")
	case r.Item.Role() == "developer" && history.IsResizeNotice(r.Item):
		return drop("resize notice without an item in front of it")
	}
	return drop(r.Item.Role() + " message: only user and agent messages are retained")
}

// retainsV1 is the filter on what the older endpoint returned (compaction.md 3.7).
// Nothing is cut.
func retainsV1(e entry) verdict {
	it := e.row.Item
	switch it.Type {
	case parse.ItemAgentMessage, parse.ItemCompaction, parse.ItemContextCompaction:
		return keep(it.Type)
	case parse.ItemMessage:
		switch k := history.ClassifyUser(it); {
		case k == history.RealUser || k == history.HookPrompt:
			return keep("user message")
		case it.IsMessage("assistant"):
			return keep("assistant message")
		}
		return drop(kindOf(e.row) + ": only user and assistant messages pass")
	}
	return drop(it.Type + ": only messages and summaries pass")
}
