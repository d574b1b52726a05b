package textfmt

import "strings"

// Wrap breaks one printable line at spaces into lines of at most width cells; the
// later ones are indented by two. A word that is wider stands alone and is left whole.
func Wrap(s string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		switch {
		case line == "":
			line = word
		case Width(line)+1+Width(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = "  " + word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
