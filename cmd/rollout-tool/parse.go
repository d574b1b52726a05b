package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/internal/textfmt"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

func (a *app) parseCommand() *cli.Command {
	return &cli.Command{
		Name:      "parse",
		Usage:     "list the records of a rollout, or sum up many",
		ArgsUsage: "PATH...",
		Description: `One file: a row per physical line. Several files or a folder: a row per file.

Each line gets Codex's verdict: ok, err (the loader rejects it, with the reason and
a JSON pointer), blank, or dropped (a legacy ghost snapshot).

Examples:
  rollout-tool parse fixtures/demo/rollout.jsonl
  rollout-tool parse --summary fixtures/demo
  rollout-tool parse --type compacted --format jsonl fixtures/demo/rollout.jsonl
  rollout-tool parse --filter '.payload.role == "user"' fixtures/demo/rollout.jsonl
  rollout-tool parse --raw --line 1:3 fixtures/demo/rollout.jsonl`,
		Flags: slices.Concat(commonFlags("table", "json", "jsonl"), jobsFlags(), []cli.Flag{
			&cli.StringFlag{Name: "profile", Usage: "reader and estimator of a `DATE` (2025-09 to newest)", Value: "newest"},
			&cli.BoolFlag{Name: "summary", Usage: "sum up each file instead of listing its records"},
			&cli.StringSliceFlag{Name: "type", Usage: "only records of a `TYPE`: a record type or the type inside its payload (repeatable, or a comma list)"},
			&cli.StringFlag{Name: "turn", Usage: "only records of the turn `ID`"},
			&cli.StringFlag{Name: "line", Usage: "only physical lines `A:B`"},
			&cli.StringFlag{Name: "since", Usage: "only records stamped at or after `TIME` (RFC 3339 or YYYY-MM-DD)"},
			&cli.StringFlag{Name: "until", Usage: "only records stamped before `TIME`"},
			&cli.StringFlag{Name: "filter", Usage: "only records for which the `JQ` expression is neither false nor null"},
			&cli.BoolFlag{Name: "raw", Usage: "print the lines as they are, byte for byte"},
		}),
		Action: a.parse,
	}
}

func (a *app) parse(c *cli.Context) error {
	if c.NArg() == 0 {
		return usageError("parse needs a PATH: a file, a folder or -; see rollout-tool parse --help")
	}
	sel, err := newSelection(c)
	if err != nil {
		return err
	}
	date, err := profile(c)
	if err != nil {
		return err
	}
	files, warnings, err := parse.Find(c.Args().Slice())
	for _, w := range warnings {
		a.warn(c, "%s", w)
	}
	if err != nil {
		return unreadable(err)
	}
	if len(files) == 0 {
		return unreadable(fmt.Errorf("no rollout found in %s", strings.Join(c.Args().Slice(), ", ")))
	}
	isFolder := len(files) > 1 || files[0] != c.Args().First()
	if isFolder {
		a.warn(c, "%s", plural(len(files), "file"))
	}
	p := &parseRun{app: a, c: c, sel: sel, opt: scanOptions{jobs: c.Int("jobs"), date: date}}
	switch {
	case c.Bool("raw"):
		if c.IsSet("format") && c.String("format") != "jsonl" {
			return usageError("--raw prints lines as they are; it goes with --format jsonl only")
		}
		return p.eachFile(files, p.rawFile)
	case c.Bool("summary") || isFolder:
		return p.summarize(files)
	}
	return p.list(files[0])
}

// parseRun is one run of the command.
type parseRun struct {
	*app
	c   *cli.Context
	sel *selection
	opt scanOptions
}

// eachFile works on every file; a file that cannot be read is said and the rest
// still done. The error then carries exit code 3.
func (p *parseRun) eachFile(files []string, do func(string) error) error {
	failed := 0
	var last error
	for _, f := range files {
		if err := do(f); err != nil {
			if isBrokenPipe(err) || exitCode(err) == exitUsage {
				return err
			}
			failed++
			last = err
			if len(files) > 1 {
				fmt.Fprintf(p.stderr, "rollout-tool: %v\n", err)
			}
		}
	}
	if len(files) == 1 || failed == 0 {
		return last
	}
	return &codedError{code: exitUnreadable, err: fmt.Errorf("%d of %d files could not be read", failed, len(files))}
}

// scanFile runs the scan over one file.
func (p *parseRun) scanFile(path string, take func(*seen) error) error {
	in, _, err := parse.Stream(path, p.stdin)
	if err != nil {
		return unreadable(err)
	}
	defer in.Close()
	return p.scanStream(path, in, take)
}

// scanStream runs the scan over a stream and says what a user should know.
func (p *parseRun) scanStream(path string, in io.Reader, take func(*seen) error) error {
	rejected, first, lines, bare := 0, 0, 0, false
	err := scan(in, p.opt, func(s *seen) error {
		lines, bare = s.Number, s.rec.Bare
		if s.res.Verdict == accept.Err {
			if rejected++; rejected == 1 {
				first = s.Number
			}
		}
		return take(s)
	})
	var broken *parse.StreamError
	var coded *codedError
	switch {
	case err == io.EOF:
	case isBrokenPipe(err), errors.As(err, &coded):
		return err
	case errors.As(err, &broken):
		return unreadable(fmt.Errorf("%s: after line %d: %w", path, lines, err))
	default:
		return unreadable(fmt.Errorf("%s: %w", path, err))
	}
	switch {
	case lines == 0:
		p.warn(p.c, "%s: Codex would refuse to load this file: empty session file", path)
	case bare:
		p.warn(p.c, "%s: generation 0 file (before the envelope): Codex itself refuses it", path)
	}
	if rejected > 0 && !bare {
		p.warn(p.c, "%s: %d of %s not accepted by Codex (first: line %d)", path, rejected, plural(lines, "line"), first)
	}
	if rejected > 0 && p.c.Bool("strict") {
		return unreadable(fmt.Errorf("%s: %d lines are not accepted (--strict)", path, rejected))
	}
	return nil
}

func (p *parseRun) rawFile(path string) error {
	return p.scanFile(path, func(s *seen) error {
		ok, err := p.sel.takes(s)
		if err != nil || !ok {
			return err
		}
		p.stdout.Write(s.Bytes)
		if s.Terminated {
			return p.stdout.WriteByte('\n')
		}
		return nil
	})
}

func plural(n int, word string) string { return textfmt.Count(int64(n), word) }

// parseTime reads --since and --until.
func parseTime(flag, v string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, v); err == nil {
			return t, nil
		}
	}
	return time.Time{}, usageError("--%s %q: want a time like 2026-11-02T09:00:00Z or a day", flag, v)
}
