package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/textfmt"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

func number(n int64) string { return textfmt.Thousands(n) }

// clean makes text of a file fit to print on one line.
func clean(s string) string { return textfmt.Line(s, 0) }

func instructionTokens(text string) int64 { return tokens.Instructions(text) }

// column of a table: fixed width, cut or padded; the last one takes what is left.
type column struct {
	title string
	width int
	right bool
	front bool // cut at the front: the end says more
	drop  int  // in a narrow terminal the column with the highest number goes first; 0 stays
}

// grid writes rows as they come: fixed columns and a last one that takes the rest of
// the line. No trailing spaces.
type grid struct {
	w     *bufio.Writer
	cols  []column
	width int
	color bool
	shown []bool // by column
}

// minText is what the last column should have at least, in cells.
const minText = 12

// fit leaves out columns until the last one has room.
func (g *grid) fit() {
	g.shown = make([]bool, len(g.cols))
	for i := range g.shown {
		g.shown[i] = true
	}
	for {
		used, victim := 0, -1
		for i, c := range g.cols[:len(g.cols)-1] {
			if !g.shown[i] {
				continue
			}
			used += c.width + 1
			if c.drop > 0 && (victim < 0 || c.drop > g.cols[victim].drop) {
				victim = i
			}
		}
		if used+minText <= g.width || victim < 0 {
			return
		}
		g.shown[victim] = false
	}
}

func (g *grid) header() {
	g.fit()
	cells := make([]string, len(g.cols))
	for i, c := range g.cols {
		cells[i] = c.title
	}
	line := g.line(cells)
	if g.color {
		line = "\x1b[1m" + line + "\x1b[0m"
	}
	g.w.WriteString(line + "\n")
}

func (g *grid) line(cells []string) string {
	var b strings.Builder
	used := 0
	for i, c := range g.cols {
		if !g.shown[i] {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
			used++
		}
		width := c.width
		if i == len(g.cols)-1 {
			width = max(g.width-used, 1)
			if c.front {
				b.WriteString(textfmt.CutFront(textfmt.Line(cells[i], 0), width))
			} else {
				b.WriteString(textfmt.Line(cells[i], width))
			}
			break
		}
		// A number that is wider than its column is never cut: it would lie.
		text := cells[i]
		if !c.right {
			text = textfmt.Line(text, width)
		}
		if c.right {
			text = textfmt.PadLeft(text, width)
		} else {
			text = textfmt.PadRight(text, width)
		}
		b.WriteString(text)
		used += max(textfmt.Width(text), width)
	}
	return strings.TrimRight(b.String(), " ")
}

func (g *grid) row(paint string, cells ...string) {
	line := g.line(cells)
	if g.color && paint != "" {
		line = paint + line + "\x1b[0m"
	}
	g.w.WriteString(line + "\n")
}

// Paints of rows.
const (
	paintNone = ""
	paintBad  = "\x1b[31m"
	paintMark = "\x1b[36m"
	paintDim  = "\x1b[2m"
)

// itemTable lists items: index, file (of a fork), line, kind, tokens, preview.
type itemTable struct {
	grid
	full  bool
	files int // in the lineage
}

func (a *app) itemTable(c *cli.Context, lineage []string) *itemTable {
	t := &itemTable{full: c.Bool("full"), files: len(lineage), grid: grid{w: a.stdout, width: a.columns(), color: a.color(c)}}
	kind := 24
	switch {
	case t.width >= 120:
		kind = 28
	case t.width < 60:
		kind = 18
	}
	t.cols = []column{{title: "#", width: 4, right: true, drop: 2}}
	if t.files > 1 {
		t.cols = append(t.cols, column{title: "file", width: 5})
	}
	t.cols = append(t.cols, column{title: "line", width: 6, right: true}, column{title: "kind", width: kind},
		column{title: "tokens", width: 8, right: true, drop: 1}, column{title: "text"})
	t.header()
	return t
}

// origin names the file of a row in a fork: its own, its base, the base of that.
func (t *itemTable) origin(r history.Row) string {
	switch up := t.files - 1 - r.File; {
	case up <= 0:
		return "own"
	case up == 1:
		return "base"
	default:
		return fmt.Sprintf("base%d", up)
	}
}

func (t *itemTable) row(i int, r history.Row, cost int64) {
	line := fmt.Sprint(r.Line)
	if r.Line == 0 {
		line = "-"
	}
	paint := paintNone
	if r.Item.Type == parse.ItemCompaction || r.Item.Type == parse.ItemContextCompaction {
		paint = paintMark
	}
	limit := 4 * t.width
	if t.full {
		limit = 0
	}
	text, shown := parse.Preview(r.Item, limit), ""
	if !t.full {
		shown = text
	}
	cells := []string{fmt.Sprint(i)}
	if t.files > 1 {
		cells = append(cells, t.origin(r))
	}
	t.grid.row(paint, append(cells, line, parse.ItemLabel(r.Item), number(cost), shown)...)
	if !t.full {
		return
	}
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		t.w.WriteString(strings.TrimRight("       "+textfmt.Escape(l), " ") + "\n")
	}
}
