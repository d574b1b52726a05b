package main

import (
	"bufio"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/internal/textfmt"
	"github.com/rollout-tool/rollout-tool/validate"
	"github.com/rollout-tool/rollout-tool/validate/config"
)

func (a *app) explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "say what a code of validate means, what Codex does, and how to fix it",
		ArgsUsage: "[CODE...]",
		Description: `Without a CODE it lists all of them by family; a family's letter explains the codes of
that family.

Examples:
  rollout-tool explain
  rollout-tool explain J002
  rollout-tool explain J`,
		Flags:  commonFlags("text", "json", "markdown"),
		Action: a.explain,
	}
}

func (a *app) explain(c *cli.Context) error {
	codes, err := pickCodes(c.Args().Slice())
	if err != nil {
		return err
	}
	switch c.String("format") {
	case "json":
		explainJSON(a.stdout, codes)
	case "markdown":
		explainMarkdown(a.stdout, codes)
	default:
		if c.NArg() == 0 {
			a.listCodes(codes)
			return nil
		}
		for i, code := range codes {
			if i > 0 {
				a.stdout.WriteByte('\n')
			}
			a.explainText(code, a.color(c))
		}
	}
	return nil
}

// pickCodes are the codes that names and families name, all for none.
func pickCodes(names []string) ([]validate.Code, error) {
	all := append(validate.Codes(), config.ExpectedCode())
	slices.SortStableFunc(all, func(a, b validate.Code) int { return familyPlace(a.ID) - familyPlace(b.ID) })
	if len(names) == 0 {
		return all, nil
	}
	var out []validate.Code
	for _, name := range names {
		want := strings.ToUpper(name)
		n := len(out)
		for _, code := range all {
			if code.ID == want || codeFamily(code.ID) == want {
				out = append(out, code)
			}
		}
		if len(out) > n {
			continue
		}
		var ids []string
		for _, code := range all {
			ids = append(ids, code.ID)
		}
		hint := "rollout-tool explain lists them"
		if near := config.Near(name, ids); len(near) > 0 {
			hint = "near: " + strings.Join(near, ", ")
		}
		return nil, usageError("no code and no family is called %q; %s", name, hint)
	}
	return out, nil
}

// codeFamily is the letter of a code.
func codeFamily(id string) string { return strings.TrimRight(id, "0123456789") }

// familyPlace orders codes by the list of families; what belongs to none comes last.
func familyPlace(id string) int {
	families := validate.Families()
	i := slices.IndexFunc(families, func(f [2]string) bool { return f[0] == codeFamily(id) })
	if i < 0 {
		return len(families)
	}
	return i
}

// familyTitle is what a family is about.
func familyTitle(id string) string {
	if i := familyPlace(id); i < len(validate.Families()) {
		f := validate.Families()[i]
		return f[0] + ": " + f[1]
	}
	return "Settings"
}

func (a *app) listCodes(codes []validate.Code) {
	family := ""
	for _, code := range codes {
		if title := familyTitle(code.ID); title != family {
			if family != "" {
				a.stdout.WriteByte('\n')
			}
			family = title
			a.stdout.WriteString(title + "\n")
		}
		line := "  " + textfmt.PadRight(code.ID, 7) + textfmt.PadRight(severityLabel(code), 9) + code.Title
		a.stdout.WriteString(textfmt.Cut(line, a.columns()) + "\n")
	}
}

// severityLabel is the severity, or preview for a code that fails nothing yet.
func severityLabel(c validate.Code) string {
	if c.Preview {
		return "preview"
	}
	return c.Severity.String()
}

func (a *app) explainText(c validate.Code, color bool) {
	head := c.ID + ": " + c.Title
	if color {
		head = "\x1b[1m" + head + "\x1b[0m"
	}
	a.stdout.WriteString(head + "\n")
	for _, part := range [][2]string{
		{"severity", severityText(c)}, {"meaning", c.Meaning}, {"codex", c.Codex}, {"fix", c.Fix},
		{"rewrite", c.Op}, {"source", c.Source},
	} {
		if part[1] == "" {
			continue
		}
		label := textfmt.PadRight(part[0], 10)
		for i, line := range textfmt.Wrap(part[1], max(a.columns()-12, 20)) {
			if i > 0 {
				label = strings.Repeat(" ", 10)
			}
			a.stdout.WriteString("  " + label + strings.TrimLeft(line, " ") + "\n")
		}
	}
}

func severityText(c validate.Code) string {
	s := c.Severity.String()
	if c.Preview {
		s += "; preview: it never fails a run"
	}
	return s
}

func explainJSON(w *bufio.Writer, codes []validate.Code) {
	d := newDoc(w)
	d.int("rules", validate.RulesVersion)
	d.list("codes", len(codes), func(i int) {
		c := codes[i]
		row := openObject(w)
		row.text("code", c.ID)
		row.text("severity", c.Severity.String())
		row.text("title", c.Title)
		row.text("meaning", c.Meaning)
		row.text("codex", c.Codex)
		row.text("fix", c.Fix)
		if c.Op == "" {
			row.null("rewrite")
		} else {
			row.text("rewrite", c.Op)
		}
		row.int("since", int64(c.Since))
		row.bool("preview", c.Preview)
		row.text("source", c.Source)
		row.close()
	})
	d.end()
}
