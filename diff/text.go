package diff

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/textfmt"
)

// TextOptions of WriteText.
type TextOptions struct {
	// Width is the number of terminal cells of a line; 0 means 80, and less than 40
	// is taken as 40.
	Width int
	// Color allows ANSI colours.
	Color bool
	// Full shows every item and every changed line.
	Full bool
}

const (
	defaultWidth = 80
	minWidth     = 40
	// groupItems is how many items of a long group are shown without Full.
	groupItems = 5
)

// WriteText writes a report for people: what breaks the prompt cache, totals, a table
// by kind, what differs around the input, then what survived, what is new or changed,
// and what was dropped, grouped by reason. No
// line is wider than the width but for one: changed lines in full. Nothing from
// the files reaches the terminal unescaped.
func WriteText(w io.Writer, r Result, o TextOptions) error {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	o.Width = max(o.Width, minWidth)
	t := &textWriter{w: bufio.NewWriter(w), o: o}
	t.header(r)
	t.kinds(r)
	t.requests(r)
	if r.Equal() && r.Recorded == nil {
		t.line("")
		t.line(r.sameWords())
		return t.w.Flush()
	}
	t.survivors(r)
	t.news(r)
	t.dropped(r)
	return t.w.Flush()
}

// ANSI colours by meaning.
const (
	plain  = ""
	bold   = "\x1b[1m"
	faint  = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

// textWriter writes lines. Its buffer keeps the first error.
type textWriter struct {
	w *bufio.Writer
	o TextOptions
}

// line writes one line cut to the width, without spaces at its end.
func (t *textWriter) line(s string) { t.styled(plain, s) }

func (t *textWriter) styled(style, s string) {
	s = strings.TrimRight(textfmt.Cut(s, t.o.Width), " ")
	if style != plain && t.o.Color && s != "" {
		s = style + s + reset
	}
	_, _ = t.w.WriteString(s)
	_ = t.w.WriteByte('\n')
}

func (t *textWriter) header(r Result) {
	title := sideName(r.Before) + " -> " + sideName(r.After)
	if r.Before.File == r.After.File && r.Before.Point != "" && r.After.Point != "" {
		title = sideName(r.Before) + " -> " + textfmt.Line(r.After.Point, 0)
	}
	if textfmt.Width(title) > t.o.Width {
		t.styled(bold, sideName(r.Before))
		title = "-> " + sideName(r.After)
	}
	t.styled(bold, title)
	t.line("")
	t.breaks(r)
	t.line("")
	t.line(fmt.Sprintf("%-8s%14s%14s%10s", "", "before", "after", "change"))
	row := func(name string, before, after int64) {
		t.line(fmt.Sprintf("%-8s%14s%14s%10s", name,
			textfmt.Thousands(before), textfmt.Thousands(after), textfmt.Change(before, after)))
	}
	row("items", int64(r.Before.Items), int64(r.After.Items))
	row("tokens", r.Before.Tokens, r.After.Tokens)
	row("bytes", r.Before.Bytes, r.After.Bytes)
	t.line("")
	t.wrapped("", "common prefix: "+prefixWords(r))
	t.recorded(r.Recorded)
}

// recorded says whether the rules give the stored checkpoint.
func (t *textWriter) recorded(e *Explanation) {
	if e == nil {
		return
	}
	style := plain
	if !e.Matches {
		style = yellow
	}
	for _, line := range textfmt.Wrap("checked against the rules: "+e.Words(), t.o.Width) {
		t.styled(style, line)
	}
}

func sideName(s Summary) string {
	switch {
	case s.File == "":
		return textfmt.Line(s.Point, 0)
	case s.Point == "":
		return textfmt.Line(s.File, 0)
	}
	return textfmt.Line(s.File+" "+s.Point, 0)
}

func (t *textWriter) kinds(r Result) {
	if len(r.ByKind) == 0 {
		return
	}
	wide := len("kind")
	names := make([]string, len(r.ByKind))
	for i, k := range r.ByKind {
		names[i] = textfmt.Line(k.Kind, 24)
		wide = max(wide, textfmt.Width(names[i]))
	}
	t.line("")
	t.styled(faint, textfmt.PadRight("kind", wide)+fmt.Sprintf("%16s%24s%10s", "items", "tokens", "change"))
	for i, k := range r.ByKind {
		items := arrow(int64(k.ItemsBefore), int64(k.ItemsAfter))
		tokens := arrow(k.TokensBefore, k.TokensAfter)
		change := ""
		if k.TokensBefore != k.TokensAfter {
			change = textfmt.Change(k.TokensBefore, k.TokensAfter)
		}
		t.line(textfmt.PadRight(names[i], wide) + fmt.Sprintf("%16s%24s%10s", items, tokens, change))
	}
}

func arrow(before, after int64) string {
	if before == after {
		return textfmt.Thousands(before)
	}
	return textfmt.Thousands(before) + " -> " + textfmt.Thousands(after)
}
