package diff

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/textfmt"
	"github.com/rollout-tool/rollout-tool/parse"
)

// previewCells is how much of an item's text a line of Markdown shows.
const previewCells = 100

// WriteMarkdown writes the report of WriteText as GitHub-flavoured Markdown, for a
// pull request or an issue. Text from the files cannot act as markup. Width and
// Color of the options are not used.
func WriteMarkdown(w io.Writer, r Result, o TextOptions) error {
	m := &markdown{w: bufio.NewWriter(w), full: o.Full}
	m.line("## " + literal(sideName(r.Before)) + " → " + literal(sideName(r.After)))
	m.line("")
	m.breaks(r)
	m.line("| | before | after | change |")
	m.line("| --- | ---: | ---: | ---: |")
	m.row("items", int64(r.Before.Items), int64(r.After.Items))
	m.row("tokens", r.Before.Tokens, r.After.Tokens)
	m.row("bytes", r.Before.Bytes, r.After.Bytes)
	m.line("")
	m.line("Common prefix: " + prefixWords(r) + ".")
	if r.Recorded != nil {
		m.line("")
		m.line("Checked against the rules: " + literal(r.Recorded.Words()))
	}
	m.kinds(r.ByKind)
	m.requests(r)
	if r.Equal() {
		m.line("")
		m.line(sentence(r.sameWords()) + ".")
		return m.w.Flush()
	}
	for _, s := range []struct {
		title string
		op    Op
	}{
		{"Kept", Keep}, {"Moved", Move}, {"Cut", Cut}, {"Changed", Altered}, {"Added", Add}, {"Dropped", Drop},
	} {
		m.section(s.title, pick(r, s.op))
	}
	return m.w.Flush()
}

// markdown writes lines. Its buffer keeps the first error.
type markdown struct {
	w    *bufio.Writer
	full bool
}

func (m *markdown) line(s string) {
	_, _ = m.w.WriteString(s)
	_ = m.w.WriteByte('\n')
}

func (m *markdown) row(name string, before, after int64) {
	m.line(fmt.Sprintf("| %s | %s | %s | %s |", name,
		textfmt.Thousands(before), textfmt.Thousands(after), textfmt.Change(before, after)))
}

func (m *markdown) kinds(ks []KindTotal) {
	if len(ks) == 0 {
		return
	}
	m.line("")
	m.line("| kind | items before | after | tokens before | after |")
	m.line("| --- | ---: | ---: | ---: | ---: |")
	for _, k := range ks {
		m.line(fmt.Sprintf("| %s | %s | %s | %s | %s |", literal(textfmt.Line(k.Kind, 0)),
			textfmt.Thousands(int64(k.ItemsBefore)), textfmt.Thousands(int64(k.ItemsAfter)),
			textfmt.Thousands(k.TokensBefore), textfmt.Thousands(k.TokensAfter)))
	}
}

func (m *markdown) section(title string, cs []Change) {
	if len(cs) == 0 {
		return
	}
	m.line("")
	m.line("### " + title + ": " + total(cs))
	for _, g := range byReason(cs) {
		m.line("")
		m.line("- " + literal(textfmt.Line(g[0].Reason, 0)) + ruleNote(g) + " (" + total(g) + ")")
		shown := shownOf(g, m.full)
		for _, c := range g[:shown] {
			m.item(c)
		}
		if shown < len(g) {
			m.line(fmt.Sprintf("  - … and %s more", textfmt.Thousands(int64(len(g)-shown))))
		}
	}
}

func (m *markdown) item(c Change) {
	words := []string{indexText(c)}
	if l := lineText(c); l != "" {
		words = append(words, l)
	}
	words = append(words, literal(textfmt.Line(c.Kind, 0)), tokensText(c)+" tokens")
	s := "  - " + strings.Join(words, ", ")
	if p := textfmt.Line(parse.Preview(ref(c).Item, 4*previewCells), previewCells); p != "" {
		s += ": " + literal(p)
	}
	m.line(s)
	m.details(c)
}

// details are what the text report shows inside an item.
func (m *markdown) details(c Change) {
	m.block("    ", func(t *textWriter) { t.details(c) })
}

// block is what show writes to a text report, in a block of kind diff.
func (m *markdown) block(indent string, show func(*textWriter)) {
	var out bytes.Buffer
	t := &textWriter{w: bufio.NewWriter(&out), o: TextOptions{Width: previewCells, Full: m.full}}
	show(t)
	_ = t.w.Flush() // a buffer takes everything
	if out.Len() == 0 {
		return
	}
	fence := strings.Repeat("`", max(3, longestRun(out.String(), '`')+1))
	m.line("")
	m.line(indent + fence + "diff")
	for l := range strings.Lines(out.String()) {
		l = strings.TrimSuffix(l, "\n")
		if rest, ok := strings.CutPrefix(l, "        "); ok {
			l = rest // a changed line: its sign has to come first
		} else {
			l = "@@ " + strings.TrimSpace(l) + " @@"
		}
		m.line(indent + l)
	}
	m.line(indent + fence)
	m.line("")
}

// sentence starts with a capital.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// literal escapes what Markdown could take for markup.
func literal(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte("\\`*_{}[]<>()#+!|~&$@", s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
