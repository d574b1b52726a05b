package main

import (
	"bufio"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/tokens"
)

func (a *app) historyCommand() *cli.Command {
	return &cli.Command{
		Name:      "history",
		Usage:     "show the model-visible history at a point",
		ArgsUsage: "FILE",
		Description: `Replays the records as Codex does on resume: the newest checkpoint that counts, what
came after it, rollbacks, old compactions without a checkpoint. Items and their
sidecars are shown as stored; outputs are cut only to a limit that is recorded or given.

Examples:
  rollout-tool history fixtures/demo/rollout.jsonl
  rollout-tool history --at compaction:-1:before fixtures/demo/rollout.jsonl
  rollout-tool history --at line:20 --format json fixtures/demo/rollout.jsonl`,
		Flags: slices.Concat(commonFlags("text", "json"), readingFlags(), []cli.Flag{
			atFlag(), outputLimitFlag(),
			&cli.BoolFlag{Name: "full", Usage: "whole texts instead of one line an item"},
		}),
		Action: a.history,
	}
}

func (a *app) history(c *cli.Context) error {
	path, err := oneFile(c)
	if err != nil {
		return err
	}
	at, err := point(c, "at")
	if err != nil {
		return err
	}
	s, err := a.open(c, path)
	if err != nil {
		return err
	}
	defer s.close()
	st, err := s.At(at)
	if err != nil {
		return err
	}
	if c.String("format") == "json" {
		a.historyJSON(s, at, st)
	} else {
		a.historyText(c, s, at, st)
	}
	return s.readFailure()
}

func (a *app) historyJSON(s *session, at history.Point, st history.State) {
	d := newDoc(a.stdout)
	d.text("path", s.path)
	d.text("point", at.String())
	writeRows(d, "items", st.Rows, s.est)
	d.int("line", int64(st.Line))
	d.int("base_line", int64(st.BaseLine))
	d.raw("lineage", textList(st.Files))
	d.int("tokens", totalTokens(st.Rows, s.est))
	d.end()
}

// writeRows writes rows of history: line, item, metadata (when there is any), tokens.
func writeRows(d *jsonDoc, name string, rows []history.Row, est tokens.Estimator) {
	d.list(name, len(rows), func(i int) { writeRow(d.w, rows[i], est) })
}

func writeRow(w *bufio.Writer, r history.Row, est tokens.Estimator) {
	row := openObject(w)
	row.int("line", int64(r.Line))
	row.raw("item", r.Item.Raw)
	if r.Meta.Present() {
		row.raw("metadata", r.Meta.Raw)
	}
	row.int("tokens", est.Item(r.Item))
	row.close()
}

func totalTokens(rows []history.Row, est tokens.Estimator) int64 {
	var sum int64
	for _, r := range rows {
		sum += est.Item(r.Item)
	}
	return sum
}

func (a *app) historyText(c *cli.Context, s *session, at history.Point, st history.State) {
	fmt.Fprintf(a.stdout, "%s at %s: %s, %s tokens\n", s.path, at, plural(len(st.Rows), "item"),
		number(totalTokens(st.Rows, s.est)))
	if st.BaseLine > 0 {
		fmt.Fprintf(a.stdout, "from the checkpoint of line %d%s\n", st.BaseLine, inFile(st, st.BaseFile))
	}
	if len(st.Rows) == 0 {
		return
	}
	fmt.Fprintln(a.stdout)
	t := a.itemTable(c, st.Files)
	for i, r := range st.Rows {
		t.row(i, r, s.est.Item(r.Item))
	}
}

// inFile names the file of a lineage where that is not evident.
func inFile(st history.State, file int) string {
	if len(st.Files) < 2 {
		return ""
	}
	return " of " + st.Files[file]
}
