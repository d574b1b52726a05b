package diff

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/parse"
)

// reasoner names the reasons that are evident from the items alone.
type reasoner struct {
	// compaction: the after side is what a compaction made of the before side. Only
	// then "not retained" is a reason.
	compaction bool
	// rebuilt: the after side comes from records, where an item without a line was
	// inserted by normalisation.
	rebuilt bool
}

// compacts reports whether the step from before to after is a compaction: its
// points say so, or only after has a compaction item or a summary.
func compacts(before, after Side, c *comparison) reasoner {
	if strings.HasPrefix(before.Point, "compaction:") && strings.HasSuffix(before.Point, ":before") &&
		strings.TrimSuffix(before.Point, ":before") == strings.TrimSuffix(after.Point, ":after") {
		return reasoner{true, !after.Sent}
	}
	for _, e := range c.after {
		if e.mate < 0 && isSummary(e.kind) {
			return reasoner{true, !after.Sent}
		}
	}
	return reasoner{false, !after.Sent}
}

func isSummary(kind string) bool {
	return kind == KindSummary || kind == parse.ItemCompaction || kind == parse.ItemContextCompaction
}

// reason is the evident rule (0 for none) and reason of a change.
func (r reasoner) reason(c *comparison, ch Change) (int, string) {
	switch ch.Op {
	case Keep:
		return 0, "unchanged"
	case Move:
		return 0, "moved"
	case Cut:
		return cutReason(cutOf(ch.Before.Item, ch.After.Item))
	case Altered:
		return 0, c.alteredReason(ch)
	case Add:
		return r.addReason(ch)
	}
	if !r.compaction {
		return 0, "only before"
	}
	return 0, dropReason(ch.Kind, c.before[ch.Before.Index].row.Meta.ClientAuthored())
}

func cutReason(k cutKind) (int, string) {
	switch k {
	case trimmed:
		return 29, "output taken out to fit the context window"
	case lessText:
		return 0, "texts dropped: over the token budget"
	case lessMedia:
		return 0, "image or audio dropped"
	case emptied:
		return 0, "all parts dropped"
	}
	return 0, "cut to the token budget"
}

func (c *comparison) alteredReason(ch Change) string {
	switch {
	case c.before[ch.Before.Index].bare == c.after[ch.After.Index].bare:
		return "bookkeeping only: ids or passthrough metadata differ"
	case c.before[ch.Before.Index].kind == KindContext && ch.Kind == KindContext:
		return "context refreshed"
	}
	return "changed: " + strings.Join(c.differing(ch), ", ")
}

// differing names the members of an item that differ.
func (c *comparison) differing(ch Change) []string {
	b, a := ch.Before.Item.Fields, ch.After.Item.Fields
	var out []string
	for _, name := range memberNames(b, a) {
		if c.opt.IgnoreBookkeeping && bookkeeping(name) {
			continue
		}
		if !sameValue(b.Get(name), a.Get(name)) {
			out = append(out, name)
		}
	}
	if out == nil {
		return []string{"its JSON"}
	}
	return out
}

func (r reasoner) addReason(ch Change) (int, string) {
	switch {
	case r.rebuilt && ch.After.Line == 0 && isOutput(ch.Kind):
		return 31, "missing output inserted"
	case r.compaction && isSummary(ch.Kind):
		return 0, "summary of this compaction"
	case ch.Kind == KindContext:
		return 0, "injected context: added"
	}
	return 0, "only after"
}

func isOutput(kind string) bool {
	return kind == parse.ItemFunctionOutput || kind == parse.ItemCustomToolOutput || kind == parse.ItemToolSearchOutput
}

// dropReason is why a compaction leaves out an item of this kind (rule 36).
func dropReason(kind string, clientAuthored bool) string {
	switch kind {
	case parse.ItemFunctionCall, parse.ItemFunctionOutput, parse.ItemCustomToolCall, parse.ItemCustomToolOutput,
		parse.ItemLocalShellCall, parse.ItemToolSearchCall, parse.ItemToolSearchOutput,
		parse.ItemWebSearchCall, parse.ItemImageGenerationCall:
		return "tool call and output: not retained"
	case parse.ItemReasoning:
		return "reasoning: not retained"
	case parse.ItemCompaction, parse.ItemContextCompaction:
		return "older checkpoint replaced"
	case KindSummary:
		return "older summary replaced"
	case KindContext:
		return "injected context: dropped"
	case KindNotice:
		return "image resize notice: goes with its source"
	case "message/assistant":
		return "assistant message: not retained"
	case "message/system":
		return "system message: not retained"
	case "message/developer":
		if clientAuthored {
			return "client-authored developer message: not retained"
		}
	case "message/user":
		return "user message: not retained"
	}
	noun := strings.ReplaceAll(strings.TrimPrefix(kind, "message/"), "_", " ")
	if strings.HasPrefix(kind, "message/") {
		noun += " message"
	}
	return noun + ": not retained"
}
