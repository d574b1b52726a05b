package diff

import (
	"fmt"

	"github.com/rollout-tool/rollout-tool/internal/textfmt"
)

// breaks says what keeps a prompt cache from being used, and where.
func (m *markdown) breaks(r Result) {
	m.line("Breaks the prompt cache: " + literal(r.breakParts()))
	m.line("")
	for _, b := range r.Breaks {
		m.line("- " + literal(textfmt.Line(b.Part+": "+b.Detail, 0)))
	}
	if len(r.Breaks) > 0 {
		m.line("")
	}
}

// requests shows what differs around the inputs.
func (m *markdown) requests(r Result) {
	if r.Instructions != nil {
		m.line("")
		m.line("### Instructions: changed")
		m.block("", func(t *textWriter) { t.text(*r.Instructions, false) })
	}
	if r.Tools != nil && len(r.Tools.Changes) > 0 {
		m.line("")
		m.line("### Tools: " + toolsWords(r.Tools))
		m.line("")
		m.tools(r.Tools.Changes)
	}
	if len(r.Members) > 0 {
		m.line("")
		m.line("### Other members and headers: " + membersWords(len(r.Members)))
		m.block("", func(t *textWriter) { t.members(r.Members) })
	}
	if len(r.NotCompared) > 0 {
		m.line("")
		m.line(sentence(notCompared) + ":")
		m.line("")
		for _, p := range r.NotCompared {
			m.line("- " + literal(textfmt.Line(p, 0)))
		}
	}
}

func (m *markdown) tools(cs []ToolChange) {
	shown := len(cs)
	if !m.full && shown > groupItems+1 {
		shown = groupItems
	}
	for _, ch := range cs[:shown] {
		m.line("- " + toolWord(ch) + " " + literal(textfmt.Line(ch.Name, 0)) + ", " + literal(toolPlace(ch)))
		m.block("  ", func(t *textWriter) { t.texts(ch.Text()) })
	}
	if shown < len(cs) {
		m.line(fmt.Sprintf("- … and %s more", textfmt.Thousands(int64(len(cs)-shown))))
	}
}
