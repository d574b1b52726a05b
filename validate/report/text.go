package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/textfmt"
	"github.com/rollout-tool/rollout-tool/validate"
)

// textReport is for reading: findings below the name of their file, a last line that
// sums up.
type textReport struct {
	out
	opt   Options
	codes validate.Registry
	path  string
	shown int             // findings of the present file that are shown
	told  map[string]bool // codes whose fix has been told
}

func newText(w io.Writer, opt Options) Reporter {
	opt.Width = max(opt.Width, 20)
	if opt.Summary {
		return &textSummary{out: out{w: w}, opt: opt, codes: registry(opt.Codes)}
	}
	return &textReport{out: out{w: w}, opt: opt, codes: registry(opt.Codes), told: map[string]bool{}}
}

// The paints of severities and of what stands beside.
const (
	paintError   = "31"
	paintWarning = "33"
	paintInfo    = "36"
	paintPath    = "1"
	paintDim     = "2"
)

func paintOf(s validate.Severity) string {
	switch s {
	case validate.Error:
		return paintError
	case validate.Warning:
		return paintWarning
	}
	return paintInfo
}

func paint(on bool, code, s string) string {
	if !on || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (r *textReport) Begin(path string) error {
	r.path, r.shown = path, 0
	return nil
}

func (r *textReport) line(s string) { r.text(s + "\n") }

// head names the file before the first line about it.
func (r *textReport) head() {
	if r.shown++; r.shown == 1 {
		r.line(paint(r.opt.Color, paintPath, textfmt.Escape(r.path)))
	}
}

func (r *textReport) Finding(f Finding) error {
	if f.Expected {
		return nil
	}
	r.head()
	r.line("  " + placeOf(f))
	r.message(f)
	if excerpt := textfmt.Line(f.Excerpt, r.opt.Width-6); excerpt != "" {
		r.line(paint(r.opt.Color, paintDim, "    > "+excerpt))
	}
	if fix := r.fix(f); fix != "" {
		for _, l := range textfmt.Wrap(textfmt.Escape("fix: "+fix), r.opt.Width-4) {
			r.line("    " + l)
		}
	}
	return r.err
}

// placeOf says where a finding is.
func placeOf(f Finding) string {
	var s string
	switch {
	case f.HasRequest || f.File != "" || f.Line == 0 && f.Offset > 0:
		s = requestOf(f)
	case f.Line == 0:
		return "the file"
	default:
		s = fmt.Sprintf("line %d byte %d", f.Line, f.Offset)
	}
	if f.Pointer != "" {
		s += " " + textfmt.Escape(f.Pointer)
	}
	return s
}

// requestOf names the request of a finding in a capture, else the place in the file.
func requestOf(f Finding) string {
	var words []string
	if f.HasRequest {
		words = append(words, fmt.Sprintf("request %d", f.Request))
	}
	if f.File != "" {
		words = append(words, textfmt.Escape(f.File))
	}
	if f.Offset > 0 {
		words = append(words, fmt.Sprintf("byte %d", f.Offset))
	}
	return strings.Join(words, ", ")
}

// message writes severity, code and message.
func (r *textReport) message(f Finding) {
	label := f.Severity.String()
	if f.Preview {
		label = "preview"
	}
	for i, l := range textfmt.Wrap(label+" "+f.Code+": "+textfmt.Line(f.Message, 0), r.opt.Width-4) {
		if rest, ok := strings.CutPrefix(l, label); ok && i == 0 {
			l = paint(r.opt.Color, paintOf(f.Severity), label) + rest
		}
		r.line("    " + l)
	}
}

// fix is the fix of the finding; that of a code is told once in a run.
func (r *textReport) fix(f Finding) string {
	if f.Fix == "" {
		if r.told[f.Code] {
			return ""
		}
		r.told[f.Code] = true
	}
	return fixOf(f, r.codes)
}

func (r *textReport) End(f File) error {
	if f.Err != nil {
		r.head()
		r.line("  " + paint(r.opt.Color, paintError, "cannot be read: "+textfmt.Line(f.Err.Error(), 0)))
	}
	if r.shown > 0 && f.Loadable != "" {
		r.line("  " + paint(r.opt.Color, paintDim, "loads: "+loadWords(f)))
	}
	return r.err
}

// loadWords says what Codex would do with a file.
func loadWords(f File) string {
	switch f.Loadable {
	case validate.DoesNotLoad:
		return "no, " + textfmt.Line(f.Why, 0)
	case validate.LoadsWithLoss:
		return fmt.Sprintf("with loss, %s rejected", textfmt.Count(int64(len(f.Rejected)), "line"))
	}
	return "yes"
}

func (r *textReport) Close(t Totals) error {
	if !r.opt.Quiet {
		r.line(lastLine(t, r.opt.Color))
	}
	return r.err
}

// lastLine sums up a run.
func lastLine(t Totals, color bool) string {
	files := textfmt.Count(int64(t.Files), "file")
	s := "All checks passed: " + files
	if n := t.Errors + t.Warnings + t.Infos + t.Preview; n > 0 || t.Unreadable > 0 {
		s = fmt.Sprintf("%s, %s, %d info in %d of %s", textfmt.Count(int64(t.Errors), "error"),
			textfmt.Count(int64(t.Warnings), "warning"), t.Infos, t.Flagged, files)
	}
	var more []string
	for _, p := range []struct {
		n    int
		what string
	}{
		{t.Preview, "preview"}, {t.Expected, "expected"}, {t.Hidden, "in the baseline"},
		{t.Unreadable, "unreadable"},
	} {
		if p.n > 0 {
			more = append(more, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	if more != nil {
		s += " (" + strings.Join(more, ", ") + ")"
	}
	code := "32"
	if t.Failing > 0 || t.Unreadable > 0 {
		code = paintError
	} else if t.Errors+t.Warnings > 0 {
		code = paintWarning
	}
	return paint(color, code, s)
}

// textSummary counts by file and by code.
type textSummary struct {
	out
	opt   Options
	codes validate.Registry
	path  string
	count Counts

	headed bool
}

func (r *textSummary) Begin(path string) error {
	r.path, r.count = path, Counts{}
	return nil
}

func (r *textSummary) Finding(f Finding) error {
	r.count.add(f)
	return nil
}

func (r *textSummary) End(f File) error {
	loads := string(f.Loadable)
	if f.Err != nil {
		loads = "unreadable"
	}
	c := r.count
	if c.Errors+c.Warnings+c.Infos+c.Preview == 0 && f.Err == nil {
		return nil
	}
	if !r.headed {
		r.headed = true
		r.text(" errors warnings    info loads      file\n")
	}
	r.text(fmt.Sprintf("%7d %8d %7d %-10s %s\n", c.Errors, c.Warnings, c.Infos, loads, textfmt.Escape(r.path)))
	return r.err
}

func (r *textSummary) Close(t Totals) error {
	if r.headed && t.Codes != nil {
		r.text("\n  count code   severity title\n")
	}
	for _, c := range t.Codes {
		label := textfmt.PadRight(c.Severity.String(), 8)
		line := fmt.Sprintf("%7d %-6s %s %s", c.Count, c.Code, paint(r.opt.Color, paintOf(c.Severity), label), r.codes[c.Code].Title)
		r.text(strings.TrimRight(line, " ") + "\n")
	}
	if !r.opt.Quiet {
		r.text(lastLine(t, r.opt.Color) + "\n")
	}
	return r.err
}
