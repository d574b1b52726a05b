package main

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/validate"
	"github.com/rollout-tool/rollout-tool/validate/config"
	"github.com/rollout-tool/rollout-tool/validate/report"
)

// validateRun is one run of the command.
type validateRun struct {
	*app
	c      *cli.Context
	codes  []validate.Code
	accept []accept.Option
	policy *config.Policy
	// learned collects what --write-baseline writes, nil without it.
	learned  *config.Baseline
	outs     *outputs
	run      *report.Run
	rejected int
	session  *parse.Source // what --rollout names, nil for none
	ends     []func()      // what is to be done after the run

	under *meter // of the file under way, nil for none
	read  atomic.Int64
}

// atEnd has something done after the run.
func (v *validateRun) atEnd(do func()) { v.ends = append(v.ends, do) }

func (v *validateRun) close() {
	for _, do := range slices.Backward(v.ends) {
		do()
	}
}

// all looks at every input; reports are in order.
func (v *validateRun) all(inputs []input) error {
	names := make([]string, len(inputs))
	for i, in := range inputs {
		names[i] = in.path
	}
	bar := (&parseRun{app: v.app, c: v.c}).progress(names)
	jobs := max(v.c.Int("jobs"), 1)
	checker := v.checker(jobs, &v.read)
	for len(inputs) > 0 {
		n := 0
		for n < len(inputs) && inputs[n].small() {
			n++
		}
		var err error
		if n > 1 && jobs > 1 {
			err = v.several(inputs[:n], jobs, bar)
		} else {
			n = 1
			err = v.one(checker, inputs[0])
			bar.done()
		}
		if err != nil {
			return err
		}
		inputs = inputs[n:]
	}
	if err := v.run.Close(); err != nil {
		return err
	}
	return v.outs.flush()
}

// checker makes a validator that works on so many cores, and says in read, unless it is
// nil, how many bytes of a file it has read.
func (v *validateRun) checker(workers int, read *atomic.Int64) *validate.Validator {
	return validate.New(validate.Options{
		Workers: workers, Accept: v.accept, Read: read,
		FindBase: func(near string, id uuid.UUID) (*parse.Source, error) {
			return findBase(near, v.c.StringSlice("base"), id)
		},
	})
}

// found is a finding to report.
type found struct {
	report.Finding
	learn bool // --write-baseline has it
}

// look looks at one input and hands on its findings as they come. It touches nothing
// that runs share but what does not change.
func (v *validateRun) look(checker *validate.Validator, in input, emit func(found)) looked {
	out := looked{name: v.display(in.path), file: report.File{Err: in.err}}
	out.file.Path = out.name
	if in.err != nil {
		return out
	}
	if in.capture {
		return v.lookAtCapture(checker, in, out, emit)
	}
	src, digest, err := v.open(in.path, out.name)
	if err != nil {
		out.file.Err = err
		return out
	}
	defer src.Close()
	policy := v.policy.For(out.name)
	excerpts := report.Excerpts{Open: src.ReadFrom, Seekable: !src.Compressed}
	defer excerpts.Close()
	judge := v.judge(policy, &excerpts, emit)
	known, err := checker.File(src, judge)
	if err == nil {
		for _, f := range policy.Missing() {
			judge(f)
		}
	}
	known.Path, known.SHA256 = out.name, digest()
	out.file = report.File{File: known, Err: err, Hidden: policy.Hidden()}
	return out
}

// judge decides about findings and hands on those to report, with what stands in the file
// where excerpts can show it.
func (v *validateRun) judge(policy *config.FilePolicy, excerpts *report.Excerpts, emit func(found)) func(validate.Finding) {
	return func(f validate.Finding) {
		d, shown := policy.Judge(f)
		if !shown {
			return
		}
		r := report.Finding{Finding: f, Severity: d.Severity, Preview: d.Preview, Expected: d.Expected, Fails: d.Fails}
		if excerpts != nil && v.outs.excerpts {
			excerpts.Fill(&r)
		}
		emit(found{r, v.learned != nil && !d.Expected && f.Code != config.Expected})
	}
}

// looked is what is known of an input after its last finding.
type looked struct {
	name string
	file report.File
}

// display is what reports call a file.
func (v *validateRun) display(path string) string {
	if path == parse.Stdin && v.c.IsSet("stdin-filename") {
		return v.c.String("stdin-filename")
	}
	return path
}

// one looks at an input with all cores. The error is one of writing: what cannot be
// read is reported.
func (v *validateRun) one(checker *validate.Validator, in input) error {
	name := v.display(in.path)
	if err := v.run.Begin(name); err != nil {
		return err
	}
	known := v.policy.Name(name)
	var writeErr error
	v.under = v.meter(in)
	out := v.look(checker, in, func(f found) {
		if writeErr == nil {
			writeErr = v.report(f, known)
		}
	})
	v.under.stop()
	v.under = nil
	if writeErr != nil {
		return writeErr
	}
	return v.end(out.file)
}

// report reports a finding; known is what baselines call its file.
func (v *validateRun) report(f found, known string) error {
	if f.learn {
		v.learned.Add(f.Finding.Finding, known)
	}
	if v.outTTY {
		v.under.hide()
	}
	if err := v.run.Finding(f.Finding); err != nil {
		return err
	}
	err := v.outs.freshen()
	if v.stdout.Buffered() == 0 { // what was found stands on the terminal in whole lines
		v.under.show()
	}
	return err
}

// end reports the end of a file.
func (v *validateRun) end(f report.File) error {
	v.rejected += len(f.Rejected)
	if f.Err != nil {
		text := f.Err.Error()
		if !strings.Contains(text, f.Path) {
			text = f.Path + ": " + text
		}
		fmt.Fprintf(v.stderr, "rollout-tool: %s\n", text)
	}
	if err := v.run.End(f); err != nil {
		return err
	}
	return v.outs.flush()
}
