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
	head, rest, err := firstLine(in)
	if err != nil {
		return unreadable(fmt.Errorf("%s: %w", path, err))
	}
	if rec, err := parse.ViewRecord(parse.Line{Bytes: head}); err == nil {
		switch {
		case isBody(rec.Envelope):
			return a.bodyTokens(c, rec.Envelope, est)
		case isItem(rec.Envelope):
			return a.itemTokens(c, path, head, rest, est)
		}
		return a.rolloutTokens(c, path, io.MultiReader(bytes.NewReader(head), bytes.NewReader([]byte{'\n'}), rest), scanOptions{jobs: 1, date: date}, est)
	}
	return a.otherTokens(c, path, head, rest, scanOptions{jobs: 1, date: date}, est)
}

// otherTokens takes input whose first line is no JSON object: a body or an item
// over several lines, or a rollout with a damaged first line.
func (a *app) otherTokens(c *cli.Context, path string, head []byte, rest io.Reader, opt scanOptions, est tokens.Estimator) error {
	joined := io.MultiReader(bytes.NewReader(head), bytes.NewReader([]byte{'\n'}), rest)
	if trimmed := bytes.TrimLeft(head, " \t\r"); !bytes.Equal(bytes.TrimSpace(trimmed), []byte("{")) {
		return a.rolloutTokens(c, path, joined, opt, est)
	}
	all, err := io.ReadAll(joined)
	if err != nil {
		return unreadable(fmt.Errorf("%s: %w", path, err))
	}
	o, err := jsonraw.ParseObject(bytes.TrimSpace(all))
	switch {
	case err == nil && isBody(o):
		return a.bodyTokens(c, o, est)
	case err == nil && isItem(o):
		return a.itemTokens(c, path, all, bytes.NewReader(nil), est)
	case err == nil:
		err = fmt.Errorf("the object is no item (type), no request body (input) and no record (payload)")
	}
	return unreadable(fmt.Errorf("%s: %w", path, err))
}

func isItem(o jsonraw.Object) bool { return o.Get("type") != nil && o.Get("payload") == nil }
func isBody(o jsonraw.Object) bool { return o.Get("input").Kind() == jsonraw.KindArray }

// firstLine reads up to the first line that is not blank.
func firstLine(in io.Reader) ([]byte, *bufio.Reader, error) {
	br := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := br.ReadBytes('\n')
		line = bytes.TrimSuffix(line, []byte{'\n'})
		if !parse.IsBlank(line) {
			if err == io.EOF {
				err = nil
			}
			return line, br, err
		}
		if err == io.EOF {
			return nil, nil, fmt.Errorf("empty: an item, a request body or a rollout is needed")
		}
		if err != nil {
			return nil, nil, err
		}
	}
}

// itemTokens prints the estimate of an item, one integer for each further line.
func (a *app) itemTokens(c *cli.Context, path string, head []byte, rest io.Reader, est tokens.Estimator) error {
	lines := parse.NewLineReader(rest, 2, 0)
	line, n := bytes.TrimSpace(head), 1
	for {
		_, err := jsonraw.ParseObject(line)
		it, _ := parse.ViewItem(line)
		if err != nil {
			return unreadable(fmt.Errorf("%s:%d: %w", path, n, err))
		}
		fmt.Fprintln(a.stdout, est.Item(it))
		for {
			l, err := lines.Next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return unreadable(fmt.Errorf("%s: %w", path, err))
			}
			if !parse.IsBlank(l.Bytes) {
				line, n = bytes.TrimSpace(l.Bytes), l.Number
				break
			}
		}
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
	if err := run.scanStream(path, in, func(s *seen) error {
		if !s.readable || s.res.Verdict != accept.OK && !s.rec.Bare {
			return nil
		}
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
