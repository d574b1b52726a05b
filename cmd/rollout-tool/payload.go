package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/request"
)

func (a *app) payloadCommand() *cli.Command {
	return &cli.Command{
		Name:      "payload",
		Usage:     "build the body of the next request at a point",
		ArgsUsage: "FILE",
		Description: `The input is the history made ready for a request: missing outputs inserted, outputs
without a call removed, media that the model cannot take replaced. Only what the
records prove is written; what a real request has besides is named on standard error.

Examples:
  rollout-tool payload fixtures/demo/rollout.jsonl
  rollout-tool payload --at compaction:1:before --wire fixtures/demo/rollout.jsonl
  rollout-tool payload --modalities text,image --format text fixtures/demo/rollout.jsonl`,
		Flags: slices.Concat(commonFlags("json", "text"), readingFlags(), []cli.Flag{
			atFlag(), modalitiesFlag(),
			&cli.StringFlag{Name: "kind", Usage: "`KIND` of request: turn or compaction (trimmed when a window is given, the trigger last)", Value: "turn"},
			&cli.BoolFlag{Name: "wire", Usage: "items as they leave: ids without a prefix, nulls and unknown members taken out, keys in Codex's order"},
			&cli.BoolFlag{Name: "full", Usage: "whole texts (--format text)"},
		}, trimFlags()),
		Action: a.payload,
	}
}

func (a *app) payload(c *cli.Context) error {
	can, err := modalities(c)
	if err != nil {
		return err
	}
	kind := c.String("kind")
	if kind != "turn" && kind != "compaction" {
		return usageError("--kind %q: want turn or compaction", kind)
	}
	for _, name := range []string{"context-window", "instructions", "retain-client-tool-outputs"} {
		if c.IsSet(name) && kind != "compaction" {
			return usageError("--%s goes with --kind compaction: a turn is not trimmed", name)
		}
	}
	p, err := a.openPlan(c)
	if err != nil {
		return err
	}
	defer p.close()
	var body request.Body
	if kind == "compaction" {
		opt, err := p.trimOptions(c)
		if err != nil {
			return err
		}
		trimmed := compaction.Trim(p.state.Rows, opt)
		body = request.Compaction(history.Normalize(trimmed.Rows, can).Rows, p.facts)
	} else {
		body = request.Turn(history.Normalize(p.state.Rows, can).Rows, p.facts)
	}
	if c.Bool("wire") {
		body.Wire(p.facts.Provider() == "openai")
	}
	for _, n := range body.Notes {
		a.warn(c, "%s: %s", p.path, n)
	}
	a.warn(c, "%s: not proven by any record, left out: %s", p.path, strings.Join(body.Missing, ", "))
	if c.String("format") == "text" {
		a.payloadText(c, p, body)
	} else if _, err := body.WriteTo(a.stdout); err != nil {
		return err
	}
	return p.readFailure()
}

func (a *app) payloadText(c *cli.Context, p *planned, b request.Body) {
	fmt.Fprintf(a.stdout, "%s at %s: request of %s, %s tokens of input\n", clean(p.path), p.at,
		plural(len(b.Rows), "item"), number(totalTokens(b.Rows, p.est)))
	for _, f := range [][2]string{
		{"model", b.Model}, {"effort", b.Effort}, {"summary", b.Summary}, {"cache key", b.CacheKey},
	} {
		if f[1] != "" {
			fmt.Fprintf(a.stdout, "  %-13s %s\n", f[0], clean(f[1]))
		}
	}
	if b.Instructions != "" {
		fmt.Fprintf(a.stdout, "  %-13s %s tokens\n", "instructions", number(instructionTokens(b.Instructions)))
	}
	if len(b.Rows) == 0 {
		return
	}
	fmt.Fprintln(a.stdout)
	t := a.itemTable(c, p.state.Files)
	for i, r := range b.Rows {
		t.row(i, r, p.est.Item(r.Item))
	}
}
