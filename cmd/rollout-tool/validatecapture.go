package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/request/capture"
	"github.com/rollout-tool/rollout-tool/validate"
)

// rolloutFlag pairs captures with their session.
func rolloutFlag() cli.Flag {
	return &cli.StringFlag{Name: "rollout", Usage: "hold captured requests against the rollout of their session, a `FILE`"}
}

// splitCaptures takes the captures out of the paths of the command line. Folders are not
// searched for captures.
func splitCaptures(paths []string) (captures []input, rest []string) {
	for _, p := range paths {
		if p != parse.Stdin {
			if form, err := capture.Sniff(p); err == nil && form != capture.FormNone {
				captures = append(captures, input{path: p, capture: true})
				continue
			}
		}
		rest = append(rest, p)
	}
	return captures, rest
}

// checkRollout refuses --rollout where there is nothing to pair it with.
func (v *validateRun) checkRollout(inputs []input) error {
	if v.c.String("rollout") == "" {
		return nil
	}
	for _, in := range inputs {
		if in.capture {
			return nil
		}
	}
	return usageError("--rollout needs a PATH that is a capture: a request body, a folder of responses-api-proxy --dump-dir, a trace bundle or a HAR file")
}

// capture validates one capture, with its rollout if there is one.
func (v *validateRun) capture(checker *validate.Validator, path string, judge func(validate.Finding)) (validate.File, error) {
	r, err := capture.Open(path)
	if err != nil {
		return validate.File{}, err
	}
	defer r.Close()
	var opt validate.CaptureOptions
	if name := v.c.String("rollout"); name != "" {
		src, err := parse.Open(name, v.stdin)
		if err != nil {
			return validate.File{}, fmt.Errorf("--rollout: %w", err)
		}
		defer src.Close()
		opt.Rollout = src
	}
	return checker.Capture(path, r, opt, judge)
}

// lookAtCapture is look for a capture.
func (v *validateRun) lookAtCapture(checker *validate.Validator, in input, out looked, emit func(found)) looked {
	policy := v.policy.For(out.name)
	judge := v.judge(policy, nil, emit)
	known, err := v.capture(checker, in.path, judge)
	if err == nil {
		for _, f := range policy.Missing() {
			judge(f)
		}
	}
	known.Path = out.name
	out.file.File, out.file.Err, out.file.Hidden = known, err, policy.Hidden()
	return out
}
