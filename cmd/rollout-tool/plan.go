package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/textfmt"
	"github.com/rollout-tool/rollout-tool/parse"
)

func (a *app) compactJSON(plan compaction.Plan) {
	d := newDoc(a.stdout)
	d.list("replacement_history", len(plan.Items), func(i int) { d.w.Write(plan.Items[i].Item.Raw) })
	if plan.Metadata == nil {
		d.null("replacement_history_metadata")
	} else {
		d.list("replacement_history_metadata", len(plan.Metadata), func(i int) { d.w.Write(plan.Metadata[i]) })
	}
	d.int("retained_images", int64(plan.RetainedImages))
	writeDecisions(d, plan.Decisions)
	d.end()
}

func writeDecisions(d *jsonDoc, list []compaction.Decision) {
	d.list("decisions", len(list), func(i int) {
		x := list[i]
		row := openObject(d.w)
		row.intOrNull("index", x.Index, x.Index >= 0)
		row.intOrNull("line", x.Line, x.Line > 0)
		if x.OutputIndex >= 0 {
			row.int("output_index", int64(x.OutputIndex))
		}
		row.text("kind", x.Kind)
		row.text("action", string(x.Action))
		row.int("rule", int64(x.Rule))
		row.text("reason", x.Reason)
		row.int("tokens_before", x.TokensBefore)
		row.int("tokens_after", x.TokensAfter)
		row.close()
	})
}

func (a *app) trimText(c *cli.Context, p *planned, opt compaction.TrimOptions, plan compaction.TrimPlan) {
	before := totalTokens(p.state.Rows, p.est) + opt.Instructions
	fmt.Fprintf(a.stdout, "%s at %s\n", clean(p.path), p.at)
	fmt.Fprintf(a.stdout, "window %s tokens; instructions %s, history %s tokens\n", number(*opt.Window),
		number(opt.Instructions), number(before-opt.Instructions))
	fmt.Fprintf(a.stdout, "%s rewritten, %s tokens less: %s\n", plural(plan.Rewritten, "output"),
		number(plan.DeletedTokens), fits(before-plan.DeletedTokens, *opt.Window))
	view := planView{app: a, c: c, in: p.state.Rows, out: plan.Rows}
	view.write(plan.Decisions)
}

func fits(total, window int64) string {
	if total <= window {
		return fmt.Sprintf("fits with %s tokens", number(total))
	}
	return fmt.Sprintf("still %s tokens, over the window", number(total))
}

func (a *app) compactText(c *cli.Context, p *planned, opt compaction.Options, plan compaction.Plan) {
	before, after := totalTokens(p.state.Rows, p.est), totalTokens(plan.Items, p.est)
	fmt.Fprintf(a.stdout, "%s at %s\n", clean(p.path), p.at)
	fmt.Fprintf(a.stdout, "history %s, %s tokens -> checkpoint %s, %s tokens (%s)\n",
		plural(len(p.state.Rows), "item"), number(before), plural(len(plan.Items), "item"), number(after), textfmt.Change(before, after))
	fmt.Fprintf(a.stdout, "budget %s tokens, %s left; %s retained\n", number(opt.Budget), number(plan.BudgetLeft), plural(plan.RetainedImages, "image"))
	if plan.TrimmedOutputs > 0 {
		fmt.Fprintf(a.stdout, "trimmed first: %s rewritten, %s tokens less\n", plural(plan.TrimmedOutputs, "output"), number(plan.DeletedTokens))
	}
	view := planView{app: a, c: c, in: p.state.Rows, out: plan.Items}
	view.write(plan.Decisions)
}

// planView writes the decisions of a plan for a person, grouped by action and reason.
type planView struct {
	*app
	c       *cli.Context
	in, out []history.Row
}

// shownPerGroup bounds the items listed under one reason without --full.
const shownPerGroup = 5

func (v planView) write(list []compaction.Decision) {
	for _, action := range []compaction.Action{
		compaction.Kept, compaction.Cut, compaction.Rewritten, compaction.Added, compaction.Dropped,
	} {
		v.section(action, list)
	}
}

// section writes the decisions of one action; a reason that several items share
// stands once.
func (v planView) section(action compaction.Action, list []compaction.Decision) {
	groups := map[string][]compaction.Decision{}
	var order []string
	var items int
	var before, after int64
	for _, d := range list {
		if d.Action != action {
			continue
		}
		key := fmt.Sprintf("rule %d: %s", d.Rule, d.Reason)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], d)
		items, before, after = items+1, before+d.TokensBefore, after+d.TokensAfter
	}
	if items == 0 {
		return
	}
	title := fmt.Sprintf("%s: %s, %s", action, plural(items, "item"), arrow(before, after))
	if v.color(v.c) {
		title = "\x1b[1m" + title + "\x1b[0m"
	}
	fmt.Fprintf(v.stdout, "\n%s\n", title)
	for _, key := range order {
		fmt.Fprintln(v.stdout, textfmt.Cut("  "+clean(key), v.columns()))
		for i, d := range groups[key] {
			if i == shownPerGroup && !v.c.Bool("full") {
				fmt.Fprintf(v.stdout, "    … and %d more (use --full)\n", len(groups[key])-i)
				break
			}
			v.item(d)
		}
	}
}

func arrow(before, after int64) string {
	if before == after {
		return number(before) + " tokens"
	}
	return number(before) + " -> " + number(after) + " tokens"
}

func (v planView) item(d compaction.Decision) {
	line := "-"
	if d.Line > 0 {
		line = fmt.Sprint(d.Line)
	}
	row := v.row(d)
	head := fmt.Sprintf("    line %-6s %s %s  ", line, textfmt.PadRight(textfmt.Line(d.Kind, 22), 22), textfmt.PadLeft(number(max(d.TokensBefore, d.TokensAfter)), 8))
	room := max(v.columns()-textfmt.Width(head), 8)
	fmt.Fprintln(v.stdout, strings.TrimRight(head+textfmt.Line(parse.Preview(row.Item, 4*room), room), " "))
	if d.Action == compaction.Cut || d.Action == compaction.Rewritten {
		v.cutText(d)
	}
}

// row is the item as it was, or as it came in when it was not there before.
func (v planView) row(d compaction.Decision) history.Row {
	if d.Index >= 0 && d.Index < len(v.in) {
		return v.in[d.Index]
	}
	if d.OutputIndex >= 0 && d.OutputIndex < len(v.out) {
		return v.out[d.OutputIndex]
	}
	return history.Row{}
}

// cutText shows what a cut or rewritten item says now, around the marker of rule 27.
func (v planView) cutText(d compaction.Decision) {
	if d.OutputIndex < 0 || d.OutputIndex >= len(v.out) {
		return
	}
	text := parse.Preview(v.out[d.OutputIndex].Item, 0)
	const indent = "           now "
	if v.c.Bool("full") {
		fmt.Fprintln(v.stdout, indent+clean(text))
		return
	}
	room := max(v.columns()-len(indent), 20)
	if i := strings.Index(text, "…"); i >= 0 {
		half := max(room/2-12, 4)
		head := textfmt.Line(text[:i], 0)
		text = textfmt.CutFront(head, half) + textfmt.Line(text[i:], 0)
	}
	fmt.Fprintln(v.stdout, indent+textfmt.Line(text, room))
}
