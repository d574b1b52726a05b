package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/diff"
	"github.com/rollout-tool/rollout-tool/history"
)

func (a *app) diffCommand() *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "compare what the model sees before and after a compaction, or any two requests",
		ArgsUsage: "FILE | A B",
		Description: `Compares two requests: first what breaks the prompt cache, then what was kept, cut,
dropped, added, changed or moved, with tokens before and after. A file is a rollout, a
request body, or a capture: a folder of responses-api-proxy --dump-dir, a trace bundle or
a HAR file. Of bodies and captures instructions, tools, other members and headers are
compared too; secrets are not read.

With one FILE: before and after a compaction, the last one unless --compaction says
another, or from --from to --to. With two: A at --from, B at --to. A POINT of a rollout is
end, line:N, turn:ID, compaction:K:before or compaction:K:after; of a capture end,
request:N (from 0, negative from the end), turn:ID (its last request) and the turn requests
around a compaction. A rollout against a capture stands by default where that request
was made.

Examples:
  rollout-tool diff fixtures/demo/rollout.jsonl
  rollout-tool diff --compaction all --full fixtures/demo/rollout.jsonl
  rollout-tool diff --from line:30 --to end --format json fixtures/demo/rollout.jsonl
  rollout-tool diff --format markdown fixtures/demo/rollout.jsonl
  rollout-tool diff fixtures/demo/rollout.jsonl fixtures/demo/local-compaction.jsonl
  rollout-tool diff fixtures/captures/trailing-outputs/dump
  rollout-tool diff fixtures/captures/trailing-outputs/rollout.jsonl fixtures/captures/trailing-outputs/dump --to request:3`,
		Flags: slices.Concat(commonFlags("text", "json", "markdown"), readingFlags(), []cli.Flag{
			&cli.StringFlag{Name: "compaction", Usage: "the `K`-th compaction, from 1, negative from the end, or all", Value: "-1"},
			&cli.StringFlag{Name: "from", Usage: "the `POINT` before"},
			&cli.StringFlag{Name: "to", Usage: "the `POINT` after"},
			&cli.BoolFlag{Name: "ignore-bookkeeping", Usage: "ids and passthrough metadata do not count, nor what names session, turn and window"},
			&cli.BoolFlag{Name: "full", Usage: "every item and whole texts"},
			&cli.BoolFlag{Name: "exit-code", Usage: "exit 1 when there is a difference"},
			modalitiesFlag(), outputLimitFlag(),
		}),
		Action: a.diff,
	}
}

// diffRun is one run of the command.
type diffRun struct {
	*app
	c   *cli.Context
	can history.Modalities
}

func (a *app) diff(c *cli.Context) error {
	can, err := modalities(c)
	if err != nil {
		return err
	}
	d := diffRun{a, c, can}
	switch c.NArg() {
	case 1:
		return d.oneFile(c.Args().First())
	case 2:
		return d.twoFiles(c.Args().Get(0), c.Args().Get(1))
	}
	return usageError("diff needs FILE or A B, got %d paths; see rollout-tool diff --help", c.NArg())
}

func (d diffRun) twoFiles(pathA, pathB string) error {
	if d.c.IsSet("compaction") {
		return usageError("--compaction goes with one FILE; for two use --from and --to")
	}
	if pathA == "-" && pathB == "-" {
		return usageError("standard input can be one side only")
	}
	from, to, err := d.points()
	if err != nil {
		return err
	}
	a, err := d.openSource(pathA)
	if err != nil {
		return err
	}
	defer a.close()
	b, err := d.openSource(pathB)
	if err != nil {
		return err
	}
	defer b.close()
	if err := d.show([][2]place{{{a, from}, {b, to}}}); err != nil {
		return err
	}
	if err := a.readFailure(); err != nil {
		return err
	}
	return b.readFailure()
}

func (d diffRun) oneFile(path string) error {
	ranged := d.c.IsSet("from") || d.c.IsSet("to")
	if ranged && d.c.IsSet("compaction") {
		return usageError("--compaction and --from/--to exclude each other")
	}
	which, err := d.compactionFlag()
	if err != nil {
		return err
	}
	s, err := d.openSource(path)
	if err != nil {
		return err
	}
	defer s.close()
	var pairs [][2]place
	add := func(from, to diffPoint) { pairs = append(pairs, [2]place{{s, from}, {s, to}}) }
	switch {
	case ranged:
		from, to, err := d.points()
		if err != nil {
			return err
		}
		if !d.c.IsSet("from") {
			return usageError("--to needs --from")
		}
		add(from, to)
	case s.compactions() == 0:
		d.nothing(path, "no compaction")
		return s.readFailure()
	case which == 0:
		for k := 1; k <= s.compactions(); k++ {
			if s.complete(k) {
				add(aroundCompaction(k))
			}
		}
	case d.c.IsSet("compaction"):
		add(aroundCompaction(s.fromStart(which)))
	default:
		if k := s.newest(); k > 0 {
			add(aroundCompaction(k))
		}
	}
	if len(pairs) == 0 {
		d.nothing(path, "no request after a compaction")
		return s.readFailure()
	}
	if err := d.show(pairs); err != nil {
		return err
	}
	return s.readFailure()
}

// compactionFlag reads --compaction; 0 stands for all.
func (d diffRun) compactionFlag() (int, error) {
	v := d.c.String("compaction")
	if v == "all" {
		return 0, nil
	}
	k, err := strconv.Atoi(v)
	if err != nil || k == 0 {
		return 0, usageError("--compaction %q: want a number (from 1, negative from the end) or all", v)
	}
	return k, nil
}

// nothing says that there is nothing to compare.
func (d diffRun) nothing(path, why string) {
	if d.c.String("format") != "json" {
		fmt.Fprintf(d.stdout, "%s: %s; compare two points with --from and --to\n", clean(path), why)
		return
	}
	doc := newDoc(d.stdout)
	doc.null("before")
	doc.null("after")
	doc.raw("changes", []byte("[]"))
	doc.text("note", why)
	doc.end()
}

// show compares each pair and prints the results.
func (d diffRun) show(pairs [][2]place) error {
	several := d.c.String("compaction") == "all"
	asJSON := d.c.String("format") == "json"
	differs := false
	var doc *jsonDoc
	if several && asJSON {
		doc = newDoc(d.stdout)
		doc.name("comparisons")
		d.stdout.WriteByte('[')
	}
	for i, p := range pairs {
		r, err := d.compare(p[0], p[1])
		if err != nil {
			return err
		}
		differs = differs || !r.Equal()
		switch {
		case asJSON:
			if i > 0 {
				d.stdout.WriteByte(',')
			}
			err = diff.WriteJSON(d.stdout, r, toolVersion())
		default:
			if i > 0 {
				d.stdout.WriteByte('\n')
			}
			write := diff.WriteText
			if d.c.String("format") == "markdown" {
				write = diff.WriteMarkdown
			}
			err = write(d.stdout, r, diff.TextOptions{Width: d.columns(), Color: d.color(d.c), Full: d.c.Bool("full")})
		}
		if err != nil {
			return err
		}
	}
	if doc != nil {
		d.stdout.WriteByte(']')
		doc.end()
	}
	if differs && d.c.Bool("exit-code") {
		return &codedError{code: exitDifferent, err: fmt.Errorf("they differ"), quiet: true}
	}
	return nil
}
