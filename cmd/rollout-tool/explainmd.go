package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/rollout-tool/rollout-tool/validate"
)

// explainMarkdown writes docs/rules.md: the codes by family.
func explainMarkdown(w *bufio.Writer, codes []validate.Code) {
	fmt.Fprintf(w, "# Codes of validate\n\nRules version %d. Generated from the registry:\n\n", validate.RulesVersion)
	w.WriteString("    go run ./cmd/rollout-tool explain --format markdown > docs/rules.md\n\n")
	w.WriteString("`error`: Codex refuses, loses data, or a later request fails. `warning`: it works, but not as meant. `info`: worth\n" +
		"knowing. A code that is a preview is shown and never fails a run. How to pick codes: [validate](validate.md).\n")
	family := ""
	for _, c := range codes {
		if title := familyTitle(c.ID); title != family {
			family = title
			fmt.Fprintf(w, "\n## %s\n", title)
		}
		fmt.Fprintf(w, "\n### %s\n\n**%s.** %s\n\n", c.ID, markdown(strings.TrimSuffix(c.Title, ".")), markdown(c.Meaning))
		fmt.Fprintf(w, "- severity: %s\n", severityText(c))
		for _, part := range [][2]string{{"Codex", c.Codex}, {"fix", c.Fix}, {"source", c.Source}} {
			if part[1] != "" {
				fmt.Fprintf(w, "- %s: %s\n", part[0], markdown(part[1]))
			}
		}
		if c.Op != "" {
			fmt.Fprintf(w, "- operation: `rewrite %s`\n", c.Op)
		}
		if c.Since > 1 {
			fmt.Fprintf(w, "- since rules version %d\n", c.Since)
		}
	}
}

// markdown escapes what Markdown would take for markup, code spans left out.
func markdown(s string) string {
	escape := strings.NewReplacer(`\`, `\\`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", `\*`, "[", `\[`, "]", `\]`, "|", `\|`, "_", `\_`)
	parts := strings.Split(s, "`")
	for i := range parts {
		if i%2 == 0 || i == len(parts)-1 { // an odd last quote opens no span
			parts[i] = escape.Replace(parts[i])
		}
	}
	return strings.Join(parts, "`")
}
