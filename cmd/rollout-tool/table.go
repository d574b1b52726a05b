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
}

// grid writes rows as they come: fixed columns and a last one that takes the rest of
// the line. No trailing spaces.
type grid struct {
	w     *bufio.Writer
	cols  []column
	width int
	color bool
}

func (g *grid) header() {
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
		if i > 0 {
			b.WriteByte(' ')
			used++
		}
		width := c.width
		if i == len(g.cols)-1 {
			width = max(g.width-used, 1)
			b.WriteString(textfmt.Line(cells[i], width))
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

// itemTable lists items: index, line, kind, tokens, preview.
type itemTable struct {
	grid
	full bool
}

func (a *app) itemTable(c *cli.Context) *itemTable {
	t := &itemTable{full: c.Bool("full"), grid: grid{w: a.stdout, width: a.columns(), color: a.color(c), cols: []column{
		{"#", 4, true}, {"line", 6, true}, {"kind", 24, false}, {"tokens", 8, true}, {"text", 0, false},
	}}}
	if t.width >= 120 {
		t.cols[2].width = 28
	}
	t.header()
	return t
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
	text := parse.Preview(r.Item)
	if !t.full {
		t.grid.row(paint, fmt.Sprint(i), line, parse.ItemLabel(r.Item), number(cost), text)
		return
	}
	t.grid.row(paint, fmt.Sprint(i), line, parse.ItemLabel(r.Item), number(cost), "")
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		t.w.WriteString(strings.TrimRight("       "+textfmt.Escape(l), " ") + "\n")
	}
}
