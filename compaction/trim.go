package compaction

import (
	"fmt"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// TrimOptions says what a history has to fit into.
type TrimOptions struct {
	// Window is the effective context window in tokens. Nil: nothing is trimmed; 0 is
	// a window.
	Window *int64
	// Instructions is the estimate of the base instructions in tokens (rules 29, 30).
	Instructions int64
	// RetainClientToolOutputs stops trimming at a tool output that a client asked to
	// retain (rule 29) and, in Compact, retains such outputs (rule 36).
	RetainClientToolOutputs bool
	// Estimator is the generation of the item estimate.
	Estimator tokens.Estimator
	// Profile is the generation of the rules, the newest by default.
	Profile Profile
}

// InstructionTokens is the default of TrimOptions.Instructions: the session's base
// instructions, 0 when the history itself holds them (rule 30).
func InstructionTokens(f history.Facts, rows []history.Row) int64 {
	if history.HasRecordedInstructions(rows) {
		return 0
	}
	return tokens.Instructions(f.BaseInstructions)
}

// TrimPlan is a history with its trailing tool outputs trimmed.
type TrimPlan struct {
	// Rows are what is left. A rewritten output keeps its line and sidecar.
	Rows []history.Row
	// Rewritten is the number of rewritten outputs, changed or not (rule 30); before
	// generation C2a, that of deleted items.
	Rewritten int
	// DeletedTokens is the estimate before less that after; it can be negative.
	DeletedTokens int64
	Decisions     []Decision

	ledger *ledger
}

// Story tells, rule by rule, what happened to the items of a 1-based line; nil when
// none came from it.
func (p TrimPlan) Story(line int) []string { return p.ledger.story(line) }

// Trim rewrites trailing tool outputs until the history fits the window (rules 28
// to 30). rows is not changed.
func Trim(rows []history.Row, opt TrimOptions) TrimPlan {
	l, in := open(rows, opt.Estimator)
	t := trimmer{ledger: l, opt: opt}
	out := t.run(in)
	p := TrimPlan{Rewritten: t.rewritten, DeletedTokens: t.initial - t.total, ledger: l}
	p.Rows, p.Decisions = l.close(out)
	return p
}

type trimmer struct {
	*ledger
	opt            TrimOptions
	initial, total int64 // tokens, instructions included
	rewritten      int
}

func (t *trimmer) run(in []entry) []entry {
	if t.opt.Window == nil {
		for _, e := range in {
			t.decide(e, Kept, 28, "no window given: nothing is trimmed")
		}
		return in
	}
	t.total = t.opt.Instructions
	for _, e := range in {
		t.total += t.before(e)
	}
	t.initial = t.total
	if !t.opt.Profile.since(rewritesOutputs()) {
		return t.deleteLast(in)
	}
	return t.rewriteLast(in)
}

func (t *trimmer) fits() bool { return t.total <= *t.opt.Window }

// rewriteLast is the walk of rule 29.
func (t *trimmer) rewriteLast(in []entry) []entry {
	groups := groupRows(in, t.opt.Profile.since(attachesNotices()), false)
	stop := len(groups) - 1
	var tail []entry // rewritten outputs, newest first
	why := ""
	for ; stop >= 0; stop-- {
		g := groups[stop]
		source := in[g.source]
		if why = t.stopsAt(source); why != "" {
			break
		}
		old := t.before(source)
		if g.notice != noNotice {
			notice := in[g.notice]
			old += t.before(notice)
			t.note(notice, 28, "attached to the tool output in front of it")
			t.decide(notice, Dropped, 29, "resize notice of a trimmed tool output")
		}
		total := t.total
		source.row.Item, source.changed = trimmedItem(source.row.Item), true
		t.total += t.tokens(source) - old
		t.rewritten++
		t.note(source, 29, "total %d over the window of %d: output replaced, %d tokens left of %d",
			total, *t.opt.Window, t.tokens(source), old)
		t.decide(source, Rewritten, 29, fmt.Sprintf("trailing tool output trimmed: %d tokens are over the window of %d", total, *t.opt.Window))
		tail = append(tail, source)
	}
	keep := 0
	if stop >= 0 {
		keep = groups[stop].source + 1
		if groups[stop].notice != noNotice {
			keep++
		}
	}
	t.untouched(in[:keep], groups, stop, why)
	out := append(make([]entry, 0, keep+len(tail)), in[:keep]...)
	for i := len(tail) - 1; i >= 0; i-- {
		out = append(out, tail[i])
	}
	return out
}

// stopsAt says why trimming ends at a source, "" when it goes on.
func (t *trimmer) stopsAt(source entry) string {
	switch {
	case t.fits():
		return fmt.Sprintf("the history fits: %d tokens in a window of %d", t.total, *t.opt.Window)
	case !isTrimmable(source.row.Item):
		return "no tool output: trimming stops here"
	case t.opt.RetainClientToolOutputs && t.opt.Profile.since(retainsClientOutputs()) && isClientOutput(source.row):
		return "tool output that a client asked to retain: trimming stops here"
	}
	return ""
}

// untouched records the items in front of the place where trimming stopped.
func (t *trimmer) untouched(kept []entry, groups []group, stop int, why string) {
	older := why
	if !t.fits() {
		older = "older than the item where trimming stopped"
	}
	for i := range groups[:stop+1] {
		g := groups[i]
		reason := older
		if i == stop {
			reason = why
		}
		t.note(kept[g.source], 29, "not trimmed; the total is %d, the window %d", t.total, *t.opt.Window)
		t.decide(kept[g.source], Kept, 29, reason)
		if g.notice != noNotice {
			t.note(kept[g.notice], 28, "attached to the item in front of it, which is not trimmed")
			t.decide(kept[g.notice], Kept, 29, "resize notice of an item that is not trimmed")
		}
	}
}

func isTrimmable(it parse.Item) bool {
	return it.IsToolOutput() || it.Type == parse.ItemToolSearchOutput
}

// trimmedItem is the output with its body replaced; everything else stays
// (compaction.md 2.3).
func trimmedItem(it parse.Item) parse.Item {
	if it.Type == parse.ItemToolSearchOutput {
		return it.Replace("tools", jsonraw.Array(nil))
	}
	return it.Replace("output", jsonraw.Quote(trimmedOutput))
}
