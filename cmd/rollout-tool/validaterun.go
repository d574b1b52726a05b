package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"
	"time"

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
}

// input is a file to look at, or why a path leads to none.
type input struct {
	path string
	err  error
}

// find lists the files that paths name. A path that does not exist is an input that
// cannot be read: the others are looked at all the same.
func (v *validateRun) find(paths []string) ([]input, error) {
	var missing []input
	var there []string
	for _, p := range paths {
		if _, err := os.Stat(p); p != parse.Stdin && err != nil {
			_, _, err = parse.Find([]string{p}) // it names the other form of a rollout
			missing = append(missing, input{p, err})
			continue
		}
		there = append(there, p)
	}
	files, warnings, err := parse.Find(there)
	if err != nil {
		return nil, unreadable(err)
	}
	for _, w := range warnings {
		if err := opens(w.Path); err != nil {
			missing = append(missing, input{w.Path, err})
			continue
		}
		v.warn(v.c, "%s", w)
	}
	if len(files)+len(missing) == 0 {
		return nil, unreadable(fmt.Errorf("no rollout found in %s", strings.Join(paths, ", ")))
	}
	if len(files) > 1 || len(files) == 1 && files[0] != v.c.Args().First() {
		v.warn(v.c, "%s", plural(len(files), "file"))
	}
	for _, f := range files {
		missing = append(missing, input{path: f})
	}
	return missing, nil
}

// opens reports why a path cannot be opened: a walk only warns of that.
func opens(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

// all looks at every input, in order.
func (v *validateRun) all(inputs []input) error {
	names := make([]string, len(inputs))
	for i, in := range inputs {
		names[i] = in.path
	}
	bar := (&parseRun{app: v.app, c: v.c}).progress(names)
	checker := validate.New(validate.Options{
		Workers: max(v.c.Int("jobs"), 1), Accept: v.accept,
		FindBase: func(near string, id uuid.UUID) (*parse.Source, error) {
			return findBase(near, v.c.StringSlice("base"), id)
		},
	})
	for _, in := range inputs {
		if err := v.file(checker, in); err != nil {
			return err
		}
		bar.done()
	}
	if err := v.run.Close(); err != nil {
		return err
	}
	return v.outs.flush()
}

// file looks at one input. The error is one of writing: what cannot be read is reported.
func (v *validateRun) file(checker *validate.Validator, in input) error {
	name := in.path
	if name == parse.Stdin && v.c.IsSet("stdin-filename") {
		name = v.c.String("stdin-filename")
	}
	if err := v.run.Begin(name); err != nil {
		return err
	}
	if in.err != nil {
		return v.end(report.File{File: validate.File{Path: name}, Err: in.err})
	}
	src, digest, err := v.open(in.path, name)
	if err != nil {
		return v.end(report.File{File: validate.File{Path: name}, Err: err})
	}
	defer src.Close()
	policy := v.policy.For(name)
	excerpts := report.Excerpts{Open: src.ReadFrom, Seekable: !src.Compressed}
	defer excerpts.Close()
	var writeErr error
	emit := func(f validate.Finding) {
		d, shown := policy.Judge(f)
		if !shown || writeErr != nil {
			return
		}
		if v.learned != nil && !d.Expected {
			v.learned.Add(f, policy.Name())
		}
		found := report.Finding{
			Finding: f, Severity: d.Severity, Preview: d.Preview, Expected: d.Expected, Fails: d.Fails,
		}
		if v.outs.excerpts {
			excerpts.Fill(&found)
		}
		if writeErr = v.run.Finding(found); writeErr == nil {
			writeErr = v.outs.freshen()
		}
	}
	known, err := checker.File(src, emit)
	known.Path, known.SHA256 = name, digest()
	v.rejected += len(known.Rejected)
	if err == nil {
		for _, f := range policy.Missing() {
			emit(f)
		}
	}
	if writeErr != nil {
		return writeErr
	}
	return v.end(report.File{File: known, Err: err, Hidden: policy.Hidden()})
}

// end reports the end of a file.
func (v *validateRun) end(f report.File) error {
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

// open opens a file. digest is called after the last byte was read and gives the
// SHA-256 of the stored bytes, "" when no report shows it.
func (v *validateRun) open(path, name string) (src *parse.Source, digest func() string, err error) {
	none := func() string { return "" }
	stream := v.stdin
	if path != parse.Stdin {
		info, err := os.Stat(path)
		if err != nil {
			return nil, none, err
		}
		if info.Mode().IsRegular() || info.IsDir() {
			src, err := parse.Open(path, nil)
			if err != nil || !v.outs.digests {
				return src, none, err
			}
			return src, hashBeside(path), nil
		}
		f, err := os.Open(path) // a pipe gives its bytes once
		if err != nil {
			return nil, none, err
		}
		defer f.Close()
		stream = f
	}
	sum := sha256.New()
	if v.outs.digests && stream != nil {
		stream = io.TeeReader(stream, sum)
	}
	if src, err = parse.Open(parse.Stdin, stream); err != nil {
		return nil, none, err
	}
	src.Path = name
	if !v.outs.digests {
		return src, none, nil
	}
	return src, func() string { return hexSum(sum) }, nil
}

func hexSum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// hashBeside hashes a file on a goroutine of its own. A file that cannot be read has
// no hash: whoever reads it for its content says why.
func hashBeside(path string) func() string {
	done := make(chan string, 1)
	go func() {
		defer close(done)
		f, err := os.Open(path)
		if err != nil {
			return
		}
		defer f.Close()
		h := sha256.New()
		if _, err := io.Copy(h, f); err == nil {
			done <- hexSum(h)
		}
	}()
	return func() string { return <-done }
}

// freshEvery is how long what was found in a long file may wait to be seen.
const freshEvery = 200 * time.Millisecond
