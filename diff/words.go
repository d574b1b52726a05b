package diff

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/textfmt"
)

// breakParts names what breaks the prompt cache.
func (r Result) breakParts() string {
	if len(r.Breaks) == 0 {
		return "nothing"
	}
	parts := make([]string, len(r.Breaks))
	for i, b := range r.Breaks {
		parts[i] = b.Part
	}
	return strings.Join(parts, ", ")
}

// prefixWords is the common prefix; where something before the input differs, that of
// the inputs alone.
func prefixWords(r Result) string {
	var differ []string
	for _, b := range r.Breaks {
		switch b.Part {
		case "model", "instructions", "tools":
			differ = append(differ, b.Part)
		}
	}
	n := len(differ)
	switch {
	case n == 0:
		return sizeWords(r.Prefix)
	case n > 1:
		differ = []string{strings.Join(differ[:n-1], ", ") + " and " + differ[n-1]}
	}
	verb := " differ"
	if differ[0] == "model" {
		verb = " differs"
	}
	return "none, the " + differ[0] + verb + "; of the inputs alone " + sizeWords(r.InputPrefix)
}

func sizeWords(p Prefix) string {
	return textfmt.Count(int64(p.Items), "item") + ", " + textfmt.Count(p.Tokens, "token") + ", " + textfmt.Count(p.Bytes, "byte")
}

// toolsWords are the totals of the tools.
func toolsWords(d *ToolsDiff) string {
	return arrow(int64(d.Before), int64(d.After)) + ", " + arrow(d.BytesBefore, d.BytesAfter) + " bytes: " + d.Words()
}

// toolWord is what became of a tool, in a word or two.
func toolWord(ch ToolChange) string {
	for _, w := range toolWords {
		if w.op == ch.Op {
			if ch.Op == Altered && ch.Moved {
				return "changed, moved"
			}
			return w.word
		}
	}
	return string(ch.Op)
}

// toolPlace is where a tool stands: on both sides where that differs.
func toolPlace(ch ToolChange) string {
	b, a := pointerName(ch.PointerBefore), pointerName(ch.PointerAfter)
	switch {
	case b == "" || a == b:
		return a
	case a == "":
		return b
	}
	return b + " -> " + a
}

func membersWords(n int) string { return textfmt.Count(int64(n), "difference") }

// sameWords is said of payloads that do not differ.
func (r Result) sameWords() string {
	if len(r.NotCompared) > 0 {
		return "what was compared is the same"
	}
	return "the payloads are the same"
}

// notCompared goes before what was not.
const notCompared = "not compared, as a secret or known of one side only"
