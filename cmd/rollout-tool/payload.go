package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

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
			atFlag(), outputLimitFlag(), modalitiesFlag(),
			&cli.BoolFlag{Name: "wire", Usage: "items as they leave: ids without a prefix, nulls and unknown members taken out, keys in Codex's order"},
			&cli.BoolFlag{Name: "full", Usage: "whole texts (--format text)"},
		}),
		Action: a.payload,
	}
}

func (a *app) payload(c *cli.Context) error {
	path, err := oneFile(c)
	if err != nil {
		return err
	}
	at, err := point(c, "at")
	if err != nil {
		return err
	}
	can, err := modalities(c)
	if err != nil {
		return err
	}
	s, err := a.open(c, path)
	if err != nil {
		return err
	}
	defer s.close()
	body, _, err := s.body(at, can)
	if err != nil {
		return err
	}
	if c.Bool("wire") {
		body.Body.Wire(body.openAI)
	}
	for _, n := range body.Notes {
		a.warn(c, "%s: %s", path, n)
	}
	a.warn(c, "%s: not proven by any record, left out: %s", path, strings.Join(body.Missing, ", "))
	if c.String("format") == "text" {
		a.payloadText(c, s, at, body.Body)
	} else if _, err := body.WriteTo(a.stdout); err != nil {
		return err
	}
	return s.readFailure()
}

// turnBody is a request body with what the command needs beside it.
type turnBody struct {
	request.Body
	openAI bool
}

// body builds the body of the next turn at a point. A fork without its parent is
// refused: half a history is no payload (rule 15).
func (s *session) body(at history.Point, can history.Modalities) (turnBody, history.State, error) {
	if err := s.BaseError(); err != nil {
		return turnBody{}, history.State{}, unreadable(fmt.Errorf("%s: %w", s.path, err))
	}
	st, err := s.At(at)
	if err != nil {
		return turnBody{}, st, err
	}
	facts, err := s.Facts(st.Line)
	if err != nil {
		return turnBody{}, st, unreadable(err)
	}
	p := history.Normalize(st.Rows, can)
	return turnBody{request.Turn(p.Rows, facts), facts.Provider() == "openai"}, st, nil
}

func (a *app) payloadText(c *cli.Context, s *session, at history.Point, b request.Body) {
	fmt.Fprintf(a.stdout, "%s at %s: request of %s, %s tokens of input\n", s.path, at,
		plural(len(b.Rows), "item"), number(totalTokens(b.Rows, s.est)))
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
	t := a.itemTable(c)
	for i, r := range b.Rows {
		t.row(i, r, s.est.Item(r.Item))
	}
}
