package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/request/capture"
	"github.com/rollout-tool/rollout-tool/validate"
)

// rolloutFlag pairs captures with their session.
func rolloutFlag() cli.Flag {
	return &cli.StringFlag{Name: "rollout", Usage: "hold captured requests against the rollout of their session, a `FILE`"}
}

// splitCaptures takes the captures out of the paths of the command line. Folders are not
// searched for captures.
func (v *validateRun) splitCaptures(paths []string) (captures []input, rest []string, err error) {
	for _, p := range paths {
		if p == parse.Stdin {
			in, ok, err := v.sniffStdin()
			if err != nil {
				return nil, nil, err
			}
			if ok {
				captures = append(captures, in)
				continue
			}
		} else if form, err := capture.Sniff(p); err == nil && form != capture.FormNone {
			captures = append(captures, input{path: p, capture: true})
			continue
		}
		rest = append(rest, p)
	}
	return captures, rest, nil
}

// openSession opens what --rollout names, once for all captures. It refuses it where there
// is nothing to pair it with, and a file that is no rollout: held against it, every capture
// would be wrong.
func (v *validateRun) openSession(inputs []input) error {
	name := v.c.String("rollout")
	if name == "" {
		return nil
	}
	if !slices.ContainsFunc(inputs, func(in input) bool { return in.capture }) {
		return usageError("--rollout needs a PATH that is a capture: a request body, a folder of responses-api-proxy --dump-dir, a trace bundle or a HAR file")
	}
	src, err := parse.Open(name, v.stdin)
	if err != nil {
		return unreadable(fmt.Errorf("--rollout: %w", err))
	}
	v.session = src
	v.atEnd(func() { src.Close() })
	known, err := v.hasRecord(src)
	if known {
		return nil
	}
	if err != nil {
		return unreadable(fmt.Errorf("--rollout: %s: %w", name, err))
	}
	if form, err := capture.Sniff(name); name != parse.Stdin && err == nil && form != capture.FormNone {
		return unreadable(fmt.Errorf("%s: this is no rollout but a capture; --rollout takes the rollout of the session", name))
	}
	return unreadable(fmt.Errorf("%s: this is no rollout: none of its lines is a record; --rollout takes the rollout of the session", name))
}

// hasRecord reports whether any line is a record that Codex accepts, or one of the oldest
// generation. The error is that of reading before the first.
func (v *validateRun) hasRecord(src *parse.Source) (bool, error) {
	in, err := src.ReadFrom(0)
	if err != nil {
		return false, err
	}
	defer in.Close()
	date, err := profile(v.c)
	if err != nil {
		return false, err
	}
	known := false
	err = scan(in, scanOptions{jobs: 1, date: date}, func(s *seen) error {
		if known = s.readable && (s.res.Verdict == accept.OK || s.rec.Bare); known {
			return io.EOF
		}
		return nil
	})
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return known, err
}

// capture validates one capture, with its rollout if there is one.
func (v *validateRun) capture(checker *validate.Validator, path string, judge func(validate.Finding)) (validate.File, error) {
	r, err := capture.Open(path)
	if err != nil {
		return validate.File{}, err
	}
	defer r.Close()
	return checker.Capture(path, r, validate.CaptureOptions{Rollout: v.session}, judge)
}

// lookAtCapture is look for a capture.
func (v *validateRun) lookAtCapture(checker *validate.Validator, in input, out looked, emit func(found)) looked {
	policy := v.policy.For(out.name)
	judge := v.judge(policy, nil, emit)
	known, err := v.capture(checker, cmp.Or(in.spool, in.path), judge)
	if err == nil {
		for _, f := range policy.Missing() {
			judge(f)
		}
	}
	if err != nil && in.spool != "" {
		err = fmt.Errorf("%s: %w", out.name, err)
	}
	known.Path = out.name
	out.file.File, out.file.Err, out.file.Hidden = known, err, policy.Hidden()
	return out
}
