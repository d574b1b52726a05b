package report

import (
	"fmt"
	"io"

	"github.com/rollout-tool/rollout-tool/internal/textfmt"
)

// concise writes a line for each finding: path:line: CODE message.
type concise struct {
	out
	path string
}

func newConcise(w io.Writer, _ Options) Reporter { return &concise{out: out{w: w}} }

func (r *concise) Begin(path string) error {
	r.path = textfmt.Escape(path)
	return nil
}

func (r *concise) Finding(f Finding) error {
	if f.Expected {
		return nil
	}
	at := r.place(f.Line)
	if f.Line == 0 && (f.HasRequest || f.File != "" || f.Offset > 0) {
		at += ": " + requestOf(f)
	}
	r.text(at + ": " + f.Code + " " + textfmt.Line(f.Message, 0) + "\n")
	return r.err
}

func (r *concise) place(line int) string {
	if line == 0 {
		return r.path
	}
	return fmt.Sprintf("%s:%d", r.path, line)
}

func (r *concise) End(f File) error {
	if f.Err != nil {
		r.text(r.place(0) + ": cannot be read: " + textfmt.Line(f.Err.Error(), 0) + "\n")
	}
	return r.err
}

func (r *concise) Close(Totals) error { return r.err }
