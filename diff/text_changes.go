package diff

import (
	"fmt"

	"github.com/rollout-tool/rollout-tool/internal/textfmt"
	"github.com/rollout-tool/rollout-tool/parse"
)

// survivors are the items of before that are still there, whole or cut.
func (t *textWriter) survivors(r Result) {
	t.section("kept", plain, pick(r, Keep))
	t.section("moved", plain, pick(r, Move))
	t.section("cut", yellow, pick(r, Cut))
}

// news are the items that are new or have other content.
func (t *textWriter) news(r Result) {
	t.section("changed", yellow, pick(r, Altered))
	t.section("added", green, pick(r, Add))
}

func (t *textWriter) dropped(r Result) { t.section("dropped", red, pick(r, Drop)) }

func pick(r Result, op Op) []Change {
	var out []Change
	for _, c := range r.Changes {
		if c.Op == op {
			out = append(out, c)
		}
	}
	return out
}

// section shows the changes of one operation, grouped by reason in the order the
// reasons first occur.
func (t *textWriter) section(title, style string, cs []Change) {
	if len(cs) == 0 {
		return
	}
	t.line("")
	t.styled(bold+style, title+": "+total(cs))
	groups := byReason(cs)
	for _, g := range groups {
		if len(groups) > 1 || cs[0].Op != Keep && cs[0].Op != Move {
			for _, l := range textfmt.Wrap(textfmt.Line(g[0].Reason, 0)+ruleNote(g)+" ("+total(g)+")", t.o.Width-2) {
				t.line("  " + l)
			}
		}
		t.group(g, style)
	}
}

// byReason groups changes by rule and reason, in the order these first occur.
func byReason(cs []Change) [][]Change {
	type key struct {
		rule   int
		reason string
	}
	at := map[key]int{}
	var out [][]Change
	for _, c := range cs {
		k := key{c.Rule, c.Reason}
		n, ok := at[k]
		if !ok {
			n = len(out)
			at[k] = n
			out = append(out, nil)
		}
		out[n] = append(out[n], c)
	}
	return out
}

func ruleNote(g []Change) string {
	if g[0].Rule == 0 {
		return ""
	}
	return fmt.Sprintf(", rule %d", g[0].Rule)
}

// total counts items and tokens: both numbers where they may differ.
func total(cs []Change) string {
	var before, after int64
	for _, c := range cs {
		before += c.TokensBefore
		after += c.TokensAfter
	}
	n := textfmt.Count(int64(len(cs)), "item") + ", "
	switch {
	case cs[0].Op == Drop, before == after:
		return n + textfmt.Count(before, "token")
	case cs[0].Op == Add:
		return n + textfmt.Count(after, "token")
	}
	return n + arrow(before, after) + " tokens"
}

func (t *textWriter) group(g []Change, style string) {
	shown := shownOf(g, t.o.Full)
	cols := columnsOf(g[:shown])
	for _, c := range g[:shown] {
		t.item(c, cols, style)
	}
	if shown < len(g) {
		t.styled(faint, fmt.Sprintf("    … and %s more (use --full)", textfmt.Thousands(int64(len(g)-shown))))
	}
}

// shownOf is how many items of a group are shown. "1 more" would take the line of
// that one, so a group is at least two longer than what is shown of it.
func shownOf(g []Change, full bool) int {
	if full || len(g) <= groupItems+1 {
		return len(g)
	}
	return groupItems
}

// columns are the widths of an item's line.
type columns struct{ index, line, kind, tokens int }

func columnsOf(g []Change) columns {
	var w columns
	for _, c := range g {
		w.index = max(w.index, len(indexText(c)))
		w.line = max(w.line, len(lineText(c)))
		w.kind = max(w.kind, textfmt.Width(textfmt.Line(c.Kind, 24)))
		w.tokens = max(w.tokens, len(tokensText(c)))
	}
	return w
}

// item is one line: index, line, kind, tokens, and as much of its text as fits.
func (t *textWriter) item(c Change, w columns, style string) {
	s := "    " + textfmt.PadRight(indexText(c), w.index) + "  "
	if w.line > 0 {
		s += textfmt.PadRight(lineText(c), w.line) + "  "
	}
	s += textfmt.PadRight(textfmt.Line(c.Kind, 24), w.kind) + "  " + textfmt.PadLeft(tokensText(c), w.tokens) + "  "
	if left := t.o.Width - textfmt.Width(s); left > 0 {
		s += textfmt.Line(parse.Preview(ref(c).Item, 4*t.o.Width), left)
	}
	t.styled(style, s)
	t.details(c)
}

// ref is the item that stands for the change: the one before where there is one.
func ref(c Change) *Ref {
	if c.Before != nil {
		return c.Before
	}
	return c.After
}

func indexText(c Change) string {
	if c.Before != nil && c.After != nil && c.Before.Index != c.After.Index {
		return fmt.Sprintf("#%d -> #%d", c.Before.Index, c.After.Index)
	}
	return fmt.Sprintf("#%d", ref(c).Index)
}

// lineText is empty for an item that comes from no line.
func lineText(c Change) string {
	if n := ref(c).Line; n > 0 {
		return fmt.Sprintf("line %d", n)
	}
	return ""
}

func tokensText(c Change) string {
	switch {
	case c.Before == nil:
		return textfmt.Thousands(c.TokensAfter)
	case c.After == nil:
		return textfmt.Thousands(c.TokensBefore)
	}
	return arrow(c.TokensBefore, c.TokensAfter)
}
