package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/rollout-tool/rollout-tool/validate/report"
)

// outputs are the reports of a run and where they go.
type outputs struct {
	reporters []report.Reporter
	stdout    *bufio.Writer // nil when no report goes there
	writers   []*bufio.Writer
	files     []*os.File
	flushed   time.Time

	excerpts bool // some format needs them
	digests  bool
}

// target is one --output.
type target struct {
	format report.Format
	file   string // "" for standard output
}

// parseTarget reads FORMAT[:FILE]; the file may have colons of its own.
func parseTarget(s string) (target, error) {
	name, file, colon := strings.Cut(s, ":")
	f, err := report.FormatOf(name)
	if err != nil {
		return target{}, usageError("--output %s: %w", s, err)
	}
	if colon && file == "" {
		return target{}, usageError("--output %s: a file is wanted behind the colon", s)
	}
	if file == "-" {
		file = ""
	}
	return target{f, file}, nil
}

// targets are the reports that the flags ask for: --format F is one to standard output.
func (v *validateRun) targets() ([]target, error) {
	var all []target
	for _, s := range v.c.StringSlice("output") {
		t, err := parseTarget(s)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	if v.c.IsSet("format") || len(all) == 0 {
		f, err := report.FormatOf(v.c.String("format"))
		if err != nil {
			return nil, usageError("%w", err)
		}
		all = append(all, target{format: f})
	}
	seen := map[string]bool{}
	for _, t := range all {
		if seen[t.file] && t.file == "" {
			return nil, usageError("two reports to standard output: give one a file, as in --output sarif:FILE")
		}
		if seen[t.file] {
			return nil, usageError("two reports to %s", t.file)
		}
		seen[t.file] = true
		if v.c.Bool("summary") && !t.format.Summary {
			return nil, usageError("--summary: the format %s has no summary; text, json and jsonl have", t.format.Name)
		}
	}
	return all, nil
}

// outputs makes the reporters. No report overwrites an input.
func (v *validateRun) outputs(inputs []input) (*outputs, error) {
	targets, err := v.targets()
	if err != nil {
		return nil, err
	}
	o := &outputs{flushed: time.Now()}
	opt := report.Options{
		Codes: v.codes, Version: toolVersion(), Width: v.columns(), Quiet: v.c.Bool("quiet"), Summary: v.c.Bool("summary"),
	}
	for _, t := range targets {
		w := v.stdout
		opt.Color = t.file == "" && v.color(v.c)
		if t.file == "" {
			o.stdout = w
		} else if w, err = o.create(t.file, inputs); err != nil {
			o.close()
			return nil, err
		}
		o.excerpts = o.excerpts || t.format.Excerpts && !opt.Summary
		o.digests = o.digests || t.format.Digests
		o.writers = append(o.writers, w)
		o.reporters = append(o.reporters, t.format.New(w, opt))
	}
	return o, nil
}

func (o *outputs) create(file string, inputs []input) (*bufio.Writer, error) {
	if info, err := os.Stat(file); err == nil {
		for _, in := range inputs {
			if other, err := os.Stat(in.path); err == nil && os.SameFile(info, other) {
				return nil, &codedError{code: exitRefused, err: fmt.Errorf("--output %s: it is one of the files to validate", file)}
			}
		}
	}
	f, err := os.Create(file)
	if err != nil {
		return nil, usageError("--output: %w", err)
	}
	o.files = append(o.files, f)
	return bufio.NewWriterSize(f, 64<<10), nil
}

// flush writes out what the reports hold back.
func (o *outputs) flush() error {
	o.flushed = time.Now()
	var all error
	for _, w := range o.writers {
		all = errors.Join(all, w.Flush())
	}
	return all
}

// freshen flushes standard output when its reader has waited long enough.
func (o *outputs) freshen() error {
	if o.stdout == nil || time.Since(o.flushed) < freshEvery {
		return nil
	}
	o.flushed = time.Now()
	return o.stdout.Flush()
}

// close closes the files.
func (o *outputs) close() error {
	var all error
	for _, f := range o.files {
		all = errors.Join(all, f.Close())
	}
	o.files = nil
	return all
}

// freshEvery is how long what was found in a long file may wait to be seen.
const freshEvery = 200 * time.Millisecond
