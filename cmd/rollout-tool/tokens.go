package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/tokens"
)

func (a *app) tokensCommand() *cli.Command {
	return &cli.Command{
		Name:      "tokens",
		Usage:     "estimate the tokens of an item, a request body or a rollout",
		ArgsUsage: "FILE|-",
		Description: `What it is, is told by its members: an item has type and no payload (a bare integer is
printed), a body has input, anything else is a rollout. The estimate is Codex's own:
bytes of what the model sees, four to a token.

Examples:
  rollout-tool tokens fixtures/demo/rollout.jsonl
  rollout-tool payload fixtures/demo/rollout.jsonl | rollout-tool tokens -`,
		Flags: slices.Concat(commonFlags("text", "json"), []cli.Flag{
			&cli.StringFlag{Name: "profile", Usage: "estimator of a `DATE` (2025-09 to newest)", Value: "newest"},
		}),
		Action: a.tokens,
	}
}

func (a *app) tokens(c *cli.Context) error {
	path, err := oneFile(c)
	if err != nil {
		return err
	}
	date, err := profile(c)
	if err != nil {
		return err
	}
	in, _, err := parse.Stream(path, a.stdin)
	if err != nil {
		return unreadable(err)
	}
	defer in.Close()
	est := tokens.ForProfile(date)
	br := bufio.NewReaderSize(in, 64<<10)
	first, err := firstObject(br)
	if err != nil {
		return unreadable(fmt.Errorf("%s: %w", path, err))
	}
	switch {
	case first.is("input"):
		return a.bodyTokens(c, first.object, est)
	case first.is("type") && !first.is("payload"):
		return a.itemTokens(path, first, br, est)
	}
	return a.rolloutTokens(c, path, io.MultiReader(bytes.NewReader(first.text), br), scanOptions{jobs: 1, date: date}, est)
}

// itemTokens prints the estimate of an item, one integer for each further line.
func (a *app) itemTokens(path string, first inputHead, rest io.Reader, est tokens.Estimator) error {
	it, err := parse.ViewItem(first.object.Raw)
	if err != nil {
		return unreadable(fmt.Errorf("%s: %w", path, err))
	}
	fmt.Fprintln(a.stdout, est.Item(it))
	lines := parse.NewLineReader(rest, first.lines+1, int64(len(first.text)))
	for {
		l, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return unreadable(fmt.Errorf("%s: %w", path, err))
		}
		if parse.IsBlank(l.Bytes) {
			continue
		}
		o, err := jsonraw.ParseObject(bytes.TrimSpace(l.Bytes))
		if err == nil && (o.Get("type") == nil || o.Get("payload") != nil) {
			err = fmt.Errorf("no item (type and no payload), as the first line is")
		}
		if err != nil {
			return unreadable(fmt.Errorf("%s:%d: byte offset %d: %w", path, l.Number, l.Offset, err))
		}
		if it, err = parse.ViewItem(o.Raw); err != nil {
			return unreadable(fmt.Errorf("%s:%d: byte offset %d: %w", path, l.Number, l.Offset, err))
		}
		fmt.Fprintln(a.stdout, est.Item(it))
	}
}

// kindSum is what the items of one kind cost.
type kindSum struct {
	kind   string
	items  int64
	tokens int64
}

// kindSums adds up by kind, in order of first appearance.
type kindSums struct {
	sums []kindSum
	at   map[string]int
}

func (k *kindSums) add(kind string, tokens int64) {
	if k.at == nil {
		k.at = map[string]int{}
	}
	i, ok := k.at[kind]
	if !ok {
		i = len(k.sums)
		k.at[kind] = i
		k.sums = append(k.sums, kindSum{kind: kind})
	}
	k.sums[i].items++
	k.sums[i].tokens += tokens
}

func (k *kindSums) total() (t kindSum) {
	t.kind = "total"
	for _, s := range k.sums {
		t.items, t.tokens = t.items+s.items, t.tokens+s.tokens
	}
	return t
}

func (a *app) bodyTokens(c *cli.Context, body jsonraw.Object, est tokens.Estimator) error {
	var sums kindSums
	if text := body.Text("instructions"); text != "" {
		sums.add("instructions", tokens.Instructions(text))
	}
	items, err := jsonraw.Elements(body.Get("input"))
	if err != nil {
		return unreadable(err)
	}
	for i, raw := range items {
		it, err := parse.ViewItem(raw)
		if err != nil {
			return unreadable(fmt.Errorf("/input/%d: %w", i, err))
		}
		sums.add(parse.ItemLabel(it), est.Item(it))
	}
	return a.printSums(c, "body", sums)
}

func (a *app) rolloutTokens(c *cli.Context, path string, in io.Reader, opt scanOptions, est tokens.Estimator) error {
	var sums kindSums
	run := &parseRun{app: a, c: c, opt: opt}
	records := 0
	if err := run.scanStream(path, in, func(s *seen) error {
		if !s.readable || s.res.Verdict != accept.OK && !s.rec.Bare {
			return nil
		}
		records++
		switch s.rec.Type {
		case parse.RecordResponseItem:
			sums.add(parse.ItemLabel(s.rec.Item()), est.Item(s.rec.Item()))
		case parse.RecordCompacted:
			if n := compactedTokens(&s.rec, est); n >= 0 {
				sums.add("checkpoint", n)
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if records == 0 {
		return unreadable(fmt.Errorf("%s: no item (type), no request body (input) and no record that Codex would accept", path))
	}
	return a.printSums(c, "rollout", sums)
}

// compactedTokens is the estimate of a checkpoint's items, -1 when it has none.
func compactedTokens(r *parse.Record, est tokens.Estimator) int64 {
	items, ok := jsonraw.SplitArray(r.Fields().Get("replacement_history"))
	if !ok {
		return -1
	}
	var sum int64
	for _, raw := range items {
		if it, err := parse.ViewItem(raw); err == nil {
			sum += est.Item(it)
		}
	}
	return sum
}

func (a *app) printSums(c *cli.Context, what string, sums kindSums) error {
	total := sums.total()
	if c.String("format") == "json" {
		d := newDoc(a.stdout)
		d.text("input", what)
		d.list("by_kind", len(sums.sums), func(i int) {
			s := sums.sums[i]
			row := openObject(d.w)
			row.text("kind", s.kind)
			row.int("items", s.items)
			row.int("tokens", s.tokens)
			row.close()
		})
		d.int("items", total.items)
		d.int("tokens", total.tokens)
		d.end()
		return nil
	}
	for _, s := range append(sums.sums, total) {
		fmt.Fprintf(a.stdout, "%-30s %9s %12s\n", clean(s.kind), number(s.items), number(s.tokens))
	}
	return nil
}
