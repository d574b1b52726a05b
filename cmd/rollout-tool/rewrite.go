package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

func (a *app) rewriteCommand(args []string) *cli.Command {
	cmd := &cli.Command{
		Name:      "rewrite",
		UsageText: "rollout-tool rewrite OP[,OP...] [options] PATH...\n   rollout-tool rewrite --recipe FILE [options] PATH...",
		Usage:     "change stored sessions, safely; a dry run unless told otherwise",
		Description: `Runs operations over rollouts. Several run in one pass, in the given order:
rollout-tool rewrite OP,OP PATH... Without -o, --out-dir or --in-place nothing is
written: the plan is shown. A result is checked before it takes its place; files that a
session may be writing to, or that others point into, are refused with the reason.

A recipe is a YAML file with a list called operations.

Examples:
  rollout-tool rewrite compact --budget 2000 fixtures/demo/rollout.jsonl`,
		Flags:       append([]cli.Flag{&cli.StringFlag{Name: "recipe", Usage: "run the operations of a YAML `FILE`"}}, rewriteFlags()...),
		Subcommands: append(a.operationCommands(args), a.alsoWrites(a.trimCommand()), a.alsoWrites(a.compactCommand())),
		Action: func(c *cli.Context) error {
			if c.IsSet("recipe") {
				return a.recipe(c)
			}
			if name := c.Args().First(); name != "" {
				if _, err := findOperations(name); err != nil {
					return err
				}
			}
			c.App.Writer = a.stderr
			cli.ShowSubcommandHelp(c)
			return &codedError{code: exitUsage, err: fmt.Errorf("no operation"), quiet: true}
		},
	}
	for _, sub := range cmd.Subcommands {
		sub.OnUsageError = onUsageError
		sub.HideHelpCommand = true
	}
	return cmd
}

// trimFlags stand on every command that may trim.
func trimFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "context-window", Usage: "the effective context window in tokens `N` (95 % of the model's), or auto: the newest one recorded"},
		&cli.StringFlag{Name: "instructions", Usage: "base instructions `TEXT|@FILE` instead of the recorded ones"},
		&cli.BoolFlag{Name: "retain-client-tool-outputs", Usage: "tool outputs that a client asked to retain stay"},
		outputLimitFlag(),
	}
}

func explainFlag() cli.Flag {
	return &cli.IntFlag{Name: "explain", Usage: "tell the story of the items of physical line `LINE`, rule by rule", DefaultText: "none"}
}

func (a *app) trimCommand() *cli.Command {
	return &cli.Command{
		Name:      "trim",
		Usage:     "plan how tool outputs are trimmed before a remote compaction, or do it",
		ArgsUsage: "FILE",
		Description: `From the end of the history backwards, tool outputs are replaced by a sentence until
the history fits the window or an item that is no tool output stops the walk. The plan
is shown; with -o, --out-dir or --in-place it is done to the end of the file.

Examples:
  rollout-tool rewrite trim --context-window 3000 fixtures/demo/rollout.jsonl
  rollout-tool rewrite trim --context-window auto --format json fixtures/demo/rollout.jsonl`,
		Flags:  slices.Concat(commonFlags("text", "json"), readingFlags(), []cli.Flag{atFlag(), explainFlag(), fullFlag()}, trimFlags()),
		Action: a.trim,
	}
}

func fullFlag() cli.Flag {
	return &cli.BoolFlag{Name: "full", Usage: "every item and whole texts"}
}

func (a *app) compactCommand() *cli.Command {
	return &cli.Command{
		Name:      "compact",
		Usage:     "plan the checkpoint that a compaction would leave, or append it",
		ArgsUsage: "FILE",
		Description: `The history is trimmed (when a window is given) and made ready for a request; then user
and agent messages are retained newest first within the budget, and the summary comes
last. Every item gets its rule and its reason. The plan is shown; with -o, --out-dir or
--in-place the checkpoint is appended to the file, with --summary as a message.

Examples:
  rollout-tool rewrite compact --at compaction:-1:before fixtures/demo/rollout.jsonl
  rollout-tool rewrite compact --budget 2000 --summary "what was done" fixtures/demo/rollout.jsonl
  rollout-tool rewrite compact --at compaction:1:before --explain 56 fixtures/demo/rollout.jsonl`,
		Flags: slices.Concat(commonFlags("text", "json"), readingFlags(), []cli.Flag{atFlag(), explainFlag(), fullFlag(),
			&cli.StringFlag{Name: "summary", Usage: "the summary `TEXT|@FILE` of the compaction item"},
			&cli.StringFlag{Name: "ciphertext-from", Usage: "take the summary from the stored `compaction:K`"},
			&cli.Int64Flag{Name: "budget", Usage: "retained messages may cost `N` tokens", Value: compaction.DefaultBudget},
			&cli.BoolFlag{Name: "retain-client-developer", Usage: "developer messages written by a client stay"},
			&cli.BoolFlag{Name: "no-image-budget", Usage: "images do not count against the budget"},
			&cli.StringFlag{Name: "context", Usage: "injected context: none, latest (the newest in the history) or `@FILE` (a JSON list of items)", Value: "none"},
			modalitiesFlag(),
		}, trimFlags()),
		Action: a.compact,
	}
}

// planned is a session replayed to the point of a plan.
type planned struct {
	*session
	at    history.Point
	state history.State
	facts history.Facts
}

// openPlan replays for a plan. Half a history is refused (rule 15).
func (a *app) openPlan(c *cli.Context) (*planned, error) {
	path, err := oneFile(c)
	if err != nil {
		return nil, err
	}
	at, err := point(c, "at")
	if err != nil {
		return nil, err
	}
	s, err := a.open(c, path)
	if err != nil {
		return nil, err
	}
	p := &planned{session: s, at: at}
	if err := s.BaseError(); err != nil {
		s.close()
		return nil, unreadable(fmt.Errorf("%s: %w", path, err))
	}
	if p.state, err = s.At(at); err == nil {
		p.facts, err = s.Facts(p.state.Line)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return p, nil
}

// trimOptions reads the flags of trimming.
func (p *planned) trimOptions(c *cli.Context) (compaction.TrimOptions, error) {
	date, err := profile(c)
	opt := compaction.TrimOptions{
		Instructions:            compaction.InstructionTokens(p.facts, p.state.Rows),
		RetainClientToolOutputs: c.Bool("retain-client-tool-outputs"),
		Estimator:               p.est,
		Profile:                 compaction.ProfileFor(date),
	}
	if err != nil {
		return opt, err
	}
	if c.IsSet("instructions") {
		text, err := textOrFile(c, "instructions")
		if err != nil {
			return opt, err
		}
		opt.Instructions = tokens.Instructions(text)
	}
	switch v := c.String("context-window"); {
	case !c.IsSet("context-window"):
	case v == "auto":
		if !p.facts.HasWindow {
			return opt, usageError("--context-window auto: no record up to %s has a model_context_window", p.at)
		}
		opt.Window = &p.facts.Window
	default:
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < 0 {
			return opt, usageError("--context-window %q: want a number of tokens or auto", v)
		}
		opt.Window = &n
	}
	return opt, nil
}

// textOrFile is the value of a flag that takes TEXT or @FILE.
func textOrFile(c *cli.Context, flag string) (string, error) {
	v := c.String(flag)
	name, isFile := strings.CutPrefix(v, "@")
	if !isFile {
		return v, nil
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return "", unreadable(fmt.Errorf("--%s: %w", flag, err))
	}
	return string(b), nil
}

func (a *app) trim(c *cli.Context) error {
	if !c.IsSet("context-window") {
		return usageError("rewrite trim needs --context-window; see rollout-tool rewrite trim --help")
	}
	p, err := a.openPlan(c)
	if err != nil {
		return err
	}
	defer p.close()
	opt, err := p.trimOptions(c)
	if err != nil {
		return err
	}
	plan := compaction.Trim(p.state.Rows, opt)
	switch {
	case c.IsSet("explain"):
		err = a.story(c, plan.Story(c.Int("explain")))
	case c.String("format") == "json":
		d := newDoc(a.stdout)
		d.int("rewritten_outputs", int64(plan.Rewritten))
		d.int("deleted_tokens", plan.DeletedTokens)
		writeRows(d, "history", plan.Rows, p.est)
		writeDecisions(d, plan.Decisions)
		d.end()
	default:
		a.trimText(c, p, opt, plan)
	}
	if err != nil {
		return err
	}
	return p.readFailure()
}

func (a *app) compact(c *cli.Context) error {
	can, err := modalities(c)
	if err != nil {
		return err
	}
	p, err := a.openPlan(c)
	if err != nil {
		return err
	}
	defer p.close()
	opt := compaction.Options{
		Budget: c.Int64("budget"), RetainClientDeveloper: c.Bool("retain-client-developer"),
		NoImageBudget: c.Bool("no-image-budget"), Modalities: can,
	}
	if opt.Budget < 0 {
		return usageError("--budget %d: want 0 or more tokens", opt.Budget)
	}
	if opt.TrimOptions, err = p.trimOptions(c); err != nil {
		return err
	}
	if opt.Summary, err = p.summary(c); err != nil {
		return err
	}
	if opt.Context, err = p.context(c); err != nil {
		return err
	}
	plan := compaction.Compact(p.state.Rows, opt)
	switch {
	case c.IsSet("explain"):
		err = a.story(c, plan.Story(c.Int("explain")))
	case c.String("format") == "json":
		a.compactJSON(plan)
	default:
		a.compactText(c, p, opt, plan)
	}
	if err != nil {
		return err
	}
	return p.readFailure()
}

// summary reads --summary or --ciphertext-from.
func (p *planned) summary(c *cli.Context) (string, error) {
	from := c.String("ciphertext-from")
	if from == "" {
		return textOrFile(c, "summary")
	}
	if c.IsSet("summary") {
		return "", usageError("--summary and --ciphertext-from exclude each other")
	}
	at, err := history.ParsePoint(from + ":after")
	if err != nil || at.Kind != history.AfterCompaction {
		return "", usageError("--ciphertext-from %q: want compaction:K", from)
	}
	st, err := p.At(at)
	if err != nil {
		return "", err
	}
	for i := len(st.Rows) - 1; i >= 0; i-- {
		if it := st.Rows[i].Item; it.Type == parse.ItemCompaction {
			return it.Fields.Text("encrypted_content"), nil
		}
	}
	return "", usageError("--ciphertext-from %s: that checkpoint holds no compaction item", from)
}

// story prints what --explain asks for.
func (a *app) story(c *cli.Context, lines []string) error {
	if lines == nil {
		return usageError("--explain %d: no item of the history comes from that line", c.Int("explain"))
	}
	if c.String("format") == "json" {
		d := newDoc(a.stdout)
		d.int("line", int64(c.Int("explain")))
		d.raw("story", textList(lines))
		d.end()
		return nil
	}
	for _, l := range lines {
		fmt.Fprintln(a.stdout, clean(l))
	}
	return nil
}
