package compaction

import (
	"bytes"
	"slices"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// Options says how to compact. Start from Defaults: the zero Options has a budget of
// 0 and a model that takes text only.
type Options struct {
	// TrimOptions is what the history is trimmed to first; its estimator, profile and
	// RetainClientToolOutputs hold for the whole plan.
	TrimOptions
	// Budget is what the retained items may cost, in tokens (rule 37). 0 is a budget.
	Budget int64
	// RetainClientDeveloper retains developer messages of clients (rule 36).
	RetainClientDeveloper bool
	// NoImageBudget leaves images out of the budget (rule 37).
	NoImageBudget bool
	// Modalities are what the model takes (rule 34).
	Modalities history.Modalities
	// Summary is the encrypted_content of the compaction item (rule 43), or the text
	// of a local summary.
	Summary string
	// Context is injected into the result; nil for none.
	Context *Context
}

// Defaults are the options of the newest Codex for a model that takes everything.
func Defaults() Options {
	return Options{Budget: DefaultBudget, Modalities: history.AllModalities}
}

// Plan is the history that a compaction leaves.
type Plan struct {
	// Items are the rows of the replacement history: what was retained, in order,
	// and the compaction item, which has line 0, with the context if any.
	Items []history.Row
	// Metadata is the sidecar list in wire form (rule 9), one entry an item; nil when
	// no item has metadata.
	Metadata []jsonraw.Value
	// RetainedImages counts the images in retained messages and tool outputs (rule 43).
	RetainedImages int
	Decisions      []Decision
	// BudgetLeft is what of the budget was not spent, in tokens (rule 37).
	BudgetLeft int64
	// TrimmedOutputs and DeletedTokens are those of the trim that went before.
	TrimmedOutputs int
	DeletedTokens  int64

	ledger *ledger
}

// Story tells, rule by rule, what happened to the items of a 1-based line; nil when
// none came from it.
func (p Plan) Story(line int) []string { return p.ledger.story(line) }

// Compact plans a remote compaction: trim when a window is given (rules 28 to 30),
// normalise (31 to 34), retain within the budget (35 to 42), the compaction item last
// (43). Profiles before C1 compact locally, as LocalCompact does. rows is not changed.
func Compact(rows []history.Row, opt Options) Plan {
	mode := opt.Profile.Mode()
	if mode == Local {
		return LocalCompact(rows, opt)
	}
	l, in := open(rows, opt.Estimator)
	c := compactor{ledger: l, opt: opt}
	t := trimmer{ledger: l, opt: opt.TrimOptions}
	in = c.normalize(t.run(in))
	kept := c.filter(in, mode)
	if mode == RemoteV2 {
		kept = c.spend(kept)
	}
	images := 0
	for i, e := range kept {
		images += countImages(e.row.Item)
		if !opt.Profile.since(hasSidecars()) {
			kept[i].row.Meta = parse.Sidecar{}
		}
	}
	summary := history.Row{Item: compactionItem(opt.Summary)}
	kept = append(kept, l.add(summary, len(rows), 43, "the new summary"))
	p := c.plan(c.inject(kept))
	p.RetainedImages, p.BudgetLeft = images, c.left
	p.TrimmedOutputs, p.DeletedTokens = t.rewritten, t.initial-t.total
	return p
}

type compactor struct {
	*ledger
	opt  Options
	left int64 // of the budget
}

func (c *compactor) plan(result []entry) Plan {
	p := Plan{ledger: c.ledger}
	p.Items, p.Decisions = c.close(result)
	p.Metadata = WireSidecars(p.Items)
	return p
}

// normalize applies rules 31 to 34 and records what they did.
func (c *compactor) normalize(in []entry) []entry {
	p := history.Normalize(rowsOf(in), c.opt.Modalities)
	for _, i := range p.Removed {
		if i < 0 {
			continue
		}
		c.note(in[i], 33, "no call with its call_id: removed")
		c.decide(in[i], Dropped, 33, "tool output without its call")
	}
	out := make([]entry, len(p.Rows))
	after := 0
	for i, source := range p.Source {
		if source < 0 {
			out[i] = c.add(p.Rows[i], after, 31, "output added for a call without one")
			continue
		}
		e := in[source]
		after = e.track
		if old := e.row.Item.Raw; !bytes.Equal(old, p.Rows[i].Item.Raw) {
			e.changed, e.anew = true, "content kinds listed"
			if lacks(e.row.Item, c.opt.Modalities) {
				e.anew = "media that the model does not take replaced by a note"
			}
			c.note(e, 34, e.anew)
		}
		e.row = p.Rows[i]
		out[i] = e
	}
	return out
}

// compactionItem holds the summary (rule 43).
func compactionItem(summary string) parse.Item {
	it, _ := parse.ViewItem(jsonraw.Build(
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.ItemCompaction)},
		jsonraw.Pair{Name: "encrypted_content", Value: jsonraw.Quote(summary)},
	))
	return it
}

// partsOf are the parts of a message or a tool output.
func partsOf(it parse.Item) []parse.Part {
	switch {
	case it.Type == parse.ItemMessage:
		return it.Content()
	case it.IsToolOutput():
		return it.Output().Parts()
	}
	return nil
}

func countImages(it parse.Item) int {
	n := 0
	for _, p := range partsOf(it) {
		if p.Type == parse.PartInputImage {
			n++
		}
	}
	return n
}

// lacks reports whether an item holds media that a model cannot take (rule 34).
func lacks(it parse.Item, can history.Modalities) bool {
	return it.Type == parse.ItemImageGenerationCall || slices.ContainsFunc(partsOf(it), func(p parse.Part) bool {
		return p.Type == parse.PartInputImage && !can.Image || p.Type == parse.PartInputAudio && !can.Audio
	})
}
