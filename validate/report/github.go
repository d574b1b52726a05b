package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/rollout-tool/rollout-tool/validate"
)

// github writes workflow commands, which GitHub Actions shows as annotations.
type github struct {
	out
	codes validate.Registry
	path  string
}

func newGitHub(w io.Writer, opt Options) Reporter {
	return &github{out: out{w: w}, codes: registry(opt.Codes)}
}

func (r *github) Begin(path string) error {
	r.path = filepath.ToSlash(path)
	return nil
}

func (r *github) Finding(f Finding) error {
	if f.Expected {
		return nil
	}
	title := f.Code
	if t := r.codes[f.Code].Title; t != "" {
		title += " " + t
	}
	msg := f.Message
	if f.HasRequest {
		msg = requestOf(f) + ": " + msg
	}
	if f.Pointer != "" {
		msg += " at " + f.Pointer
	}
	if fix := fixOf(f, r.codes); fix != "" {
		msg += "\nfix: " + fix
	}
	r.command(f.Severity, f.Preview, f.Line, title, msg)
	return r.err
}

func (r *github) command(s validate.Severity, preview bool, line int, title, msg string) {
	level := "notice"
	switch {
	case preview:
	case s == validate.Error:
		level = "error"
	case s == validate.Warning:
		level = "warning"
	}
	at := ""
	if line > 0 {
		at = fmt.Sprintf(",line=%d", line)
	}
	r.text(fmt.Sprintf("::%s file=%s%s,title=%s::%s\n", level, githubProperty(r.path), at, githubProperty(title), githubData(msg)))
}

func (r *github) End(f File) error {
	if f.Err != nil {
		r.command(validate.Error, false, 0, "cannot be read", f.Err.Error())
	}
	return r.err
}

func (r *github) Close(Totals) error { return r.err }

// What the runner undoes in the text and in the properties of a workflow command.
var (
	githubText  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubValue = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func githubData(s string) string     { return githubText.Replace(s) }
func githubProperty(s string) string { return githubValue.Replace(s) }
