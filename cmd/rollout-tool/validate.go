package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/validate"
	"github.com/rollout-tool/rollout-tool/validate/config"
	"github.com/rollout-tool/rollout-tool/validate/report"
)

func (a *app) validateCommand() *cli.Command {
	formats := report.FormatNames()
	return &cli.Command{
		Name:      "validate",
		Usage:     "find what is wrong with rollouts: would Codex load them, is every checkpoint sound",
		ArgsUsage: "PATH...",
		Description: `Reports findings, each with a code, its place (line, byte offset, JSON pointer) and a
fix, and for each file whether Codex would load it. rollout-tool explain CODE says what
a code means. A PATH may also be captured requests: a request body, a folder of
responses-api-proxy --dump-dir, a trace bundle or a HAR file. Settings come from ` + config.FileName + ` in this folder or one above it.

Exit codes: 0 ok, 1 findings at or above the fail level, 2 usage or configuration,
3 a file that cannot be read. Formats never change the exit code.

Examples:
  rollout-tool validate fixtures/demo/rollout.jsonl
  rollout-tool validate --fail-level never fixtures/demo
  rollout-tool validate --select M,C,W fixtures/demo/rollout.jsonl
  rollout-tool validate --exit-zero --summary fixtures/demo
  rollout-tool validate --exit-zero --format json fixtures/demo/broken.jsonl
  rollout-tool validate fixtures/captures/bedrock-automatic/capture.har`,
		Flags: slices.Concat(commonFlags(formats...), readingFlags(), jobsFlags(), []cli.Flag{
			&cli.StringSliceFlag{Name: "output", Usage: "write the report in a format to standard output or a file `FORMAT[:FILE]` (repeatable)"},
			&cli.StringSliceFlag{Name: "select", Usage: "only these codes or families: `CODE,...`"},
			&cli.StringSliceFlag{Name: "ignore", Usage: "not these codes or families: `CODE,...`"},
			&cli.StringFlag{Name: "fail-level", Usage: "exit 1 from this severity on: error, warning, info or never `LEVEL` (default: error)"},
			&cli.StringFlag{Name: "baseline", Usage: "do not report the findings that are listed in `FILE`"},
			&cli.StringFlag{Name: "write-baseline", Usage: "list the findings in `FILE`; they do not fail this run"},
			&cli.BoolFlag{Name: "exit-zero", Usage: "exit 0 whatever is found"},
			&cli.BoolFlag{Name: "summary", Usage: "counts by code and by file only (text, json, jsonl)"},
			&cli.StringFlag{Name: "stdin-filename", Usage: "what standard input is called: a `FILE`"},
			&cli.StringFlag{Name: "config", Usage: "read the settings from `FILE`"},
			&cli.BoolFlag{Name: "no-config", Usage: "read no settings"},
			rolloutFlag(),
		}),
		Action: a.validate,
	}
}

func (a *app) validate(c *cli.Context) error {
	if c.NArg() == 0 {
		return usageError("validate needs a PATH: a file, a folder or -; see rollout-tool validate --help")
	}
	v := &validateRun{app: a, c: c, codes: append(validate.Codes(), config.ExpectedCode())}
	defer v.close()
	if err := v.policies(); err != nil {
		return err
	}
	date, err := profile(c)
	if err != nil {
		return err
	}
	v.accept = acceptOptions(date)
	inputs, err := v.find(c.Args().Slice())
	if err != nil {
		return err
	}
	if err := v.openSession(inputs); err != nil {
		return err
	}
	outs, err := v.outputs(inputs)
	if err != nil {
		return err
	}
	defer outs.close()
	v.run = report.NewRun(outs.reporters...)
	v.outs = outs
	err = v.all(inputs)
	if closeErr := outs.close(); err == nil {
		err = closeErr
	}
	return v.result(err)
}

// policies reads the settings and the baselines.
func (v *validateRun) policies() error {
	cfg, err := v.config()
	if err != nil {
		return err
	}
	opt := config.Options{
		Select: listFlag(v.c, "select"), Ignore: listFlag(v.c, "ignore"), FailLevel: v.c.String("fail-level"),
	}
	known := v.c.String("baseline")
	if known == "" && cfg != nil {
		known = cfg.Baseline
	}
	if known != "" {
		if opt.Baseline, err = config.LoadBaseline(known); err != nil {
			return usageError("%w", err)
		}
	}
	if v.c.IsSet("write-baseline") {
		v.learned = config.NewBaseline()
		v.learned.AddAll(opt.Baseline)
	}
	wd, err := os.Getwd()
	if err != nil {
		return err
	}
	if v.policy, err = config.NewPolicy(validate.Codes(), cfg, opt, wd); err != nil {
		return usageError("%w", err)
	}
	return nil
}

// config finds and reads the configuration file, nil when there is none.
func (v *validateRun) config() (*config.Config, error) {
	file := v.c.String("config")
	switch {
	case v.c.Bool("no-config") && file != "":
		return nil, usageError("--config and --no-config exclude each other")
	case v.c.Bool("no-config"):
		return nil, nil
	case file == "":
		var err error
		if file, err = config.Find("."); err != nil {
			return nil, usageError("%w", err)
		}
	}
	if file == "" {
		return nil, nil
	}
	cfg, err := config.Load(file, validate.Codes())
	if err != nil {
		return nil, usageError("%w", err)
	}
	return cfg, nil
}

// listFlag splits the values of a flag at commas, nil when it is not set.
func listFlag(c *cli.Context, name string) []string {
	if !c.IsSet(name) {
		return nil
	}
	out := []string{}
	for _, v := range c.StringSlice(name) {
		for _, s := range strings.Split(v, ",") {
			if s = strings.TrimSpace(s); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// result is how the run ends.
func (v *validateRun) result(err error) error {
	t := v.run.Totals()
	findings := t.Failing > 0 && !v.c.Bool("exit-zero") && v.learned == nil
	switch {
	case isBrokenPipe(err) && findings: // the reader has gone; what it saw stays true
		return errFindings()
	case isBrokenPipe(err) && v.learned != nil:
		return unreadable(fmt.Errorf("standard output was closed before all was read: no baseline is written"))
	case err != nil:
		return err
	}
	if v.learned != nil {
		file := v.c.String("write-baseline")
		if err := v.learned.Save(file); err != nil {
			return usageError("--write-baseline: %w", err)
		}
		v.warn(v.c, "%s: %s", file, plural(v.learned.Len(), "finding"))
	}
	switch {
	case t.Unreadable > 0 && t.Files == 1:
		return &codedError{code: exitUnreadable, err: fmt.Errorf("it could not be read"), quiet: true}
	case t.Unreadable > 0:
		return unreadable(fmt.Errorf("%d of %s could not be read", t.Unreadable, plural(t.Files, "file")))
	case v.rejected > 0 && v.c.Bool("strict"):
		return unreadable(fmt.Errorf("%s not accepted (--strict)", plural(v.rejected, "line")))
	case findings:
		return errFindings()
	}
	return nil
}

func errFindings() error {
	return &codedError{code: exitDifferent, err: fmt.Errorf("findings"), quiet: true}
}
