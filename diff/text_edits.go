package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/internal/textfmt"
)

const (
	// shownTexts, shownLines bound the details of one item without Full.
	shownTexts = 4
	shownLines = 6
	// around is how many cells of equal text stand beside a change within a line.
	around = 24
)

// details shows what differs inside a cut or changed item. Ids and passthrough
// differ in every item that was written again: they are shown in full reports only.
func (t *textWriter) details(c Change) {
	if c.Op != Cut && c.Op != Altered {
		return
	}
	texts := c.Text()
	if !t.o.Full {
		texts = slices.DeleteFunc(texts, func(tc TextChange) bool {
			name, _, _ := strings.Cut(strings.TrimPrefix(tc.Pointer, "/"), "/")
			return bookkeeping(name)
		})
	}
	for n, tc := range texts {
		if !t.o.Full && n >= shownTexts {
			t.styled(faint, fmt.Sprintf("      … and %d more changed members (use --full)", len(texts)-n))
			return
		}
		t.text(tc, c.Op == Cut && !t.o.Full)
	}
}

// text shows one member. Of a text that was cut, what is left says enough: the
// item's own line shows how it began.
func (t *textWriter) text(tc TextChange, leftOnly bool) {
	t.styled(faint, "      "+textfmt.Escape(tc.Pointer))
	switch {
	case tc.Note != "":
		t.line("        " + tc.Note)
	case tc.Edits != nil:
		t.edits(tc.Edits, leftOnly)
	default:
		t.rawLine(red, "- ", tc.Before)
		t.rawLine(green, "+ ", tc.After)
	}
}

// rawLine shows a value that is on one side only, or is no string on both.
func (t *textWriter) rawLine(style, sign string, v jsonraw.Value) {
	if v == nil {
		return
	}
	s := string(v)
	if len(s) > 16*t.o.Width { // only the start can show
		s = s[:16*t.o.Width]
	}
	t.styled(style, "        "+sign+textfmt.Line(s, t.o.Width-10))
}

// edits shows the deleted and inserted text. A change within a line shows what is
// around it; changed lines show alone.
func (t *textWriter) edits(es []Edit, leftOnly bool) {
	shown, hidden := 0, 0
	put := func(style, s string) {
		if !t.o.Full && shown >= shownLines {
			hidden++
			return
		}
		shown++
		t.styled(style, "        "+s)
	}
	for k := 0; k < len(es); {
		if es[k].Op == Equal {
			k++
			continue
		}
		var removed, added string
		left := k
		for ; k < len(es) && es[k].Op != Equal; k++ {
			switch {
			case es[k].Op == Insert:
				added += es[k].Text
			case !leftOnly:
				removed += es[k].Text
			}
		}
		before, behind := "", ""
		if left > 0 {
			before = es[left-1].Text
		}
		if k < len(es) {
			behind = es[k].Text
		}
		for _, s := range t.signed("- ", before, removed, behind) {
			put(red, s)
		}
		for _, s := range t.signed("+ ", before, added, behind) {
			put(green, s)
		}
	}
	if hidden > 0 {
		t.styled(faint, fmt.Sprintf("        … and %d more changed lines (use --full)", hidden))
	}
}

// signed are the lines of a deleted or inserted text. What is around it stands on
// its first and last line.
func (t *textWriter) signed(sign, before, text, behind string) []string {
	if text == "" {
		return nil
	}
	width := t.o.Width - 10
	head := textfmt.CutFront(textfmt.Escape(lastLine(before)), around)
	tail := ""
	if !strings.HasSuffix(text, "\n") {
		tail = textfmt.Cut(visible(firstLine(behind)), around)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	out := make([]string, len(lines))
	for i, l := range lines {
		room := width
		l = visible(l)
		if i == 0 {
			room -= textfmt.Width(head)
		}
		if i == len(lines)-1 {
			room -= textfmt.Width(tail)
		}
		l = middleCut(l, max(room, 8))
		if i == 0 {
			l = head + l
		}
		if i == len(lines)-1 {
			l += tail
		}
		out[i] = sign + l
	}
	return out
}

// middleCut keeps the start and the end of a line that is too long.
func middleCut(s string, width int) string {
	if textfmt.Width(s) <= width {
		return s
	}
	left := width / 2
	return textfmt.Cut(s, width-left) + strings.TrimPrefix(textfmt.CutFront(s, left+1), textfmt.Ellipsis)
}

func lastLine(s string) string  { return s[strings.LastIndexByte(s, '\n')+1:] }
func firstLine(s string) string { f, _, _ := strings.Cut(s, "\n"); return f }

// visible escapes a line and shows the spaces at its end, which would get lost.
func visible(s string) string {
	s = textfmt.Escape(s)
	trimmed := strings.TrimRight(s, " ")
	return trimmed + strings.Repeat("·", len(s)-len(trimmed))
}
