package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/textfmt"
)

// breaks says what keeps a prompt cache from being used, and where.
func (t *textWriter) breaks(r Result) {
	style := yellow
	if len(r.Breaks) == 0 {
		style = plain
	}
	t.styled(style, "breaks the prompt cache: "+r.breakParts())
	for _, b := range r.Breaks {
		t.wrapped("  ", b.Part+": "+b.Detail)
	}
}

// wrapped writes a paragraph, each line with the indent.
func (t *textWriter) wrapped(indent, s string) {
	for _, l := range textfmt.Wrap(textfmt.Line(s, 0), t.o.Width-len(indent)) {
		t.line(indent + l)
	}
}

// requests shows what differs around the inputs.
func (t *textWriter) requests(r Result) {
	if r.Instructions != nil {
		t.line("")
		t.styled(bold+yellow, "instructions: changed")
		t.text(*r.Instructions, false)
	}
	if r.Tools != nil && len(r.Tools.Changes) > 0 {
		t.line("")
		t.styled(bold+yellow, "tools: "+toolsWords(r.Tools))
		t.tools(r.Tools.Changes)
	}
	if len(r.Members) > 0 {
		t.line("")
		t.styled(bold+yellow, "other members and headers: "+membersWords(len(r.Members)))
		t.members(r.Members)
	}
	if len(r.NotCompared) > 0 {
		t.line("")
		t.wrapped("", notCompared+": "+strings.Join(r.NotCompared, ", "))
	}
}

func (t *textWriter) tools(cs []ToolChange) {
	shown := len(cs)
	if !t.o.Full && shown > groupItems+1 {
		shown = groupItems
	}
	for _, ch := range cs[:shown] {
		t.styled(toolStyle(ch.Op), "    "+toolWord(ch)+" "+textfmt.Line(ch.Name, 0)+"  "+toolPlace(ch))
		t.texts(ch.Text())
	}
	if shown < len(cs) {
		t.styled(faint, fmt.Sprintf("    … and %s more (use --full)", textfmt.Thousands(int64(len(cs)-shown))))
	}
}

func toolStyle(op Op) string {
	switch op {
	case Add:
		return green
	case Drop:
		return red
	case Altered:
		return yellow
	}
	return plain
}

// members shows what differs. What differs from turn to turn by its nature is shown in
// full reports only.
func (t *textWriter) members(list []TextChange) {
	hidden := 0
	if !t.o.Full {
		all := len(list)
		list = slices.DeleteFunc(slices.Clone(list), func(tc TextChange) bool { return ofSession(tc.Pointer) })
		hidden = all - len(list)
	}
	t.texts(list)
	if hidden > 0 {
		t.styled(faint, fmt.Sprintf("      … and %d that name session, turn or window (use --full)", hidden))
	}
}

// maxMembers bounds the members shown without Full: those of one request fit.
const maxMembers = 12

func (t *textWriter) texts(list []TextChange) {
	for n, tc := range list {
		if !t.o.Full && n >= maxMembers {
			t.styled(faint, fmt.Sprintf("      … and %d more (use --full)", len(list)-n))
			return
		}
		t.text(tc, false)
	}
}
