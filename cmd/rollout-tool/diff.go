package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/diff"
	"github.com/rollout-tool/rollout-tool/history"
)

func (a *app) diffCommand() *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "compare what the model sees before and after a compaction, or at any two points",
		ArgsUsage: "FILE | A B",
		Description: `Compares two inputs of a request: what was kept, cut, dropped, added, changed or moved,
with tokens before and after, and how much of the start is the same (what a prompt
cache can reuse). With one FILE: before and after a compaction, the last one unless
--compaction says another, or from --from to --to. With two: A at --from, B at --to.

Examples:
  rollout-tool diff fixtures/demo/rollout.jsonl
  rollout-tool diff --compaction all --full fixtures/demo/rollout.jsonl
  rollout-tool diff --from line:30 --to end --format json fixtures/demo/rollout.jsonl
  rollout-tool diff --format markdown fixtures/demo/rollout.jsonl
  rollout-tool diff fixtures/demo/rollout.jsonl fixtures/demo/local-compaction.jsonl`,
		Flags: slices.Concat(commonFlags("text", "json", "markdown"), readingFlags(), []cli.Flag{
			&cli.StringFlag{Name: "compaction", Usage: "the `K`-th compaction, from 1, negative from the end, or all", Value: "-1"},
			&cli.StringFlag{Name: "from", Usage: "the `POINT` before"},
			&cli.StringFlag{Name: "to", Usage: "the `POINT` after"},
			&cli.BoolFlag{Name: "ignore-bookkeeping", Usage: "ids and passthrough metadata do not count"},
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

// place is a point of an opened session.
type place struct {
	s  *session
	at history.Point
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
	sa, err := d.open(d.c, pathA)
	if err != nil {
		return err
	}
	defer sa.close()
	sb, err := d.open(d.c, pathB)
	if err != nil {
		return err
	}
	defer sb.close()
	if err := d.show([][2]place{{{sa, from}, {sb, to}}}); err != nil {
		return err
	}
	if err := sa.readFailure(); err != nil {
		return err
	}
	return sb.readFailure()
}

// points are --from and --to, the end where they are not given.
func (d diffRun) points() (from, to history.Point, err error) {
	for flag, p := range map[string]*history.Point{"from": &from, "to": &to} {
		if d.c.IsSet(flag) {
			if *p, err = point(d.c, flag); err != nil {
				return from, to, err
			}
		}
	}
	return from, to, nil
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
	s, err := d.open(d.c, path)
	if err != nil {
		return err
	}
	defer s.close()
	var pairs [][2]place
	switch {
	case ranged:
		from, to, err := d.points()
		if err != nil {
			return err
		}
		if !d.c.IsSet("from") {
			return usageError("--to needs --from")
		}
		pairs = [][2]place{{{s, from}, {s, to}}}
	case s.Compactions() == 0:
		d.noCompaction(path)
		return s.readFailure()
	case which == 0:
		for k := 1; k <= s.Compactions(); k++ {
			pairs = append(pairs, aroundCompaction(s, k))
		}
	default:
		pairs = [][2]place{aroundCompaction(s, which)}
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

// aroundCompaction names compaction k by its number from the start where it exists.
func aroundCompaction(s *session, k int) [2]place {
	if k < 0 && -k <= s.Compactions() {
		k += s.Compactions() + 1
	}
	return [2]place{
		{s, history.Point{Kind: history.BeforeCompaction, N: k}},
		{s, history.Point{Kind: history.AfterCompaction, N: k}},
	}
}

func (d diffRun) noCompaction(path string) {
	if d.c.String("format") != "json" {
		fmt.Fprintf(d.stdout, "%s: no compaction; compare two points with --from and --to\n", clean(path))
		return
	}
	doc := newDoc(d.stdout)
	doc.null("before")
	doc.null("after")
	doc.raw("changes", []byte("[]"))
	doc.text("note", "no compaction")
	doc.end()
}

// show compares each pair and prints the results.
func (d diffRun) show(pairs [][2]place) error {
	several := len(pairs) > 1
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

func (d diffRun) compare(from, to place) (diff.Result, error) {
	before, err := d.view(from)
	if err != nil {
		return diff.Result{}, err
	}
	after, err := d.view(to)
	if err != nil {
		return diff.Result{}, err
	}
	opt := diff.Options{Estimator: from.s.est, IgnoreBookkeeping: d.c.Bool("ignore-bookkeeping")}
	if !aroundOne(from, to) {
		return diff.Compare(before.side(d.can), after.side(d.can), opt), nil
	}
	e, err := d.recorded(before, after)
	if err != nil {
		return diff.Result{}, err
	}
	opt.Explain = e.Reason
	r := diff.Compare(before.side(d.can), after.side(d.can), opt)
	r.Recorded = e
	return r, nil
}

// aroundOne reports whether the two places are before and after the same compaction.
func aroundOne(from, to place) bool {
	return from.s == to.s && from.at.N == to.at.N &&
		from.at.Kind == history.BeforeCompaction && to.at.Kind == history.AfterCompaction
}

// recorded computes a stored compaction again, so that each item gets its rule.
func (d diffRun) recorded(before, after placeView) (*diff.Explanation, error) {
	rec, err := before.s.CompactionRecord(before.at.N)
	if err != nil {
		return nil, err
	}
	recorded := compaction.NewRecorded(before.rows, after.rows, before.facts, rec)
	recorded.Options.Modalities = d.can
	date, err := profile(d.c)
	if err != nil {
		return nil, err
	}
	if !date.IsZero() { // else the generation that wrote the record
		recorded.Date = date
	}
	return &diff.Explanation{Explanation: recorded.Explain()}, nil
}

// placeView is a place with the history there.
type placeView struct {
	place
	rows  []history.Row
	facts history.Facts
}

func (d diffRun) view(p place) (placeView, error) {
	st, err := p.s.At(p.at)
	if err != nil {
		return placeView{}, err
	}
	facts, err := p.s.Facts(st.Line)
	return placeView{p, st.Rows, facts}, unreadable(err)
}

func (v placeView) side(can history.Modalities) diff.Side {
	return diff.Side{
		Point: v.at.String(), File: v.s.path, Instructions: v.facts.BaseInstructions,
		Rows: history.Normalize(v.rows, can).Rows,
	}
}
