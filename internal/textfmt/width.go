package textfmt

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Ellipsis marks where Cut has cut. It is one cell wide.
const Ellipsis = "…"

// Width is the number of terminal cells s takes.
func Width(s string) int { return displaywidth.String(s) }

// Cut shortens s to at most width cells, the ellipsis included; it never splits a
// character and ambiguous characters count as one cell. It returns "" for a width
// below 1.
func Cut(s string, width int) string {
	if len(s) <= width {
		return s // no character takes more cells than bytes
	}
	if width < 1 {
		return ""
	}
	return displaywidth.TruncateString(s, width, Ellipsis)
}

// CutFront shortens s to at most width cells by taking off its start.
func CutFront(s string, width int) string {
	if len(s) <= width || Width(s) <= width {
		return s
	}
	if width < 1 {
		return ""
	}
	// The last width cells lie in the last few graphemes: drop from the front.
	over := Width(s) - (width - 1)
	g := displaywidth.StringGraphemes(s)
	for at := 0; g.Next(); {
		at += len(g.Value())
		if over -= g.Width(); over <= 0 {
			return Ellipsis + s[at:]
		}
	}
	return Ellipsis
}

// PadRight fills s up with spaces to width cells; longer text stays as it is.
func PadRight(s string, width int) string {
	return s + spaces(width-Width(s))
}

// PadLeft puts spaces before s up to width cells; longer text stays as it is.
func PadLeft(s string, width int) string {
	return spaces(width-Width(s)) + s
}

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }
