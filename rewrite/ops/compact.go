package ops

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/tokens"
)

func compactInfo() Info {
	return Info{
		Name:    "compact",
		Summary: "append the checkpoint that a compaction would leave, with a summary of your own",
		About: `Plans a compaction of the history at the end of the file, as rewrite compact shows it, and
appends it as a checkpoint: what the rules retain, then the summary as a message of the
user, because a server takes no compaction item that it did not make. Old records stay.
--ciphertext-from goes on with the compaction item of an older checkpoint instead.`,
		Examples: []string{
			"rewrite compact --summary \"what was done\" -o compacted.jsonl fixtures/demo/rollout.jsonl",
		},
		Cures:   []string{},
		Step:    true,
		Options: append(replayOptions(), compactOptions()...),
		New:     newCompact,
	}
}

func compactOptions() []Option {
	return []Option{
		{Name: "summary", Kind: Text, Usage: "the summary `TEXT|@FILE`"},
		{Name: "summary-prefix", Kind: Text, Usage: "what stands before a written summary, with a line break: `TEXT|@FILE`"},
		{Name: "ciphertext-from", Kind: Text, Usage: "take the compaction item of the stored `compaction:K` for the summary"},
		{Name: "budget", Kind: Int, Default: "64000", Usage: "retained messages may cost `N` tokens"},
		{Name: "retain-client-developer", Kind: Bool, Usage: "developer messages written by a client stay"},
		{Name: "no-image-budget", Kind: Bool, Usage: "images do not count against the budget"},
		{Name: "context", Kind: Text, Default: "none", Usage: "injected context: none, latest (the newest in the history) or `@FILE` (a JSON list of items)"},
		{Name: "modalities", Kind: Text, Default: "text,image,audio", Usage: "what the model takes: a `LIST` of text, image, audio"},
	}
}

// compact is the operation.
type compact struct {
	replaying
	options    compaction.Options // but for what needs the file
	context    *compaction.Context
	latest     bool
	summary    string // prefix included
	ciphertext *history.Point
}

func newCompact(v Values) (rewrite.Operation, error) {
	o, err := newReplaying(v)
	if err != nil {
		return nil, err
	}
	c := &compact{replaying: o}
	c.options.Budget = v.Int("budget")
	c.options.RetainClientDeveloper = v.Bool("retain-client-developer")
	c.options.NoImageBudget = v.Bool("no-image-budget")
	if c.options.Budget < 0 {
		return nil, optionError("budget", "%d: want 0 or more tokens", c.options.Budget)
	}
	if c.options.Modalities, err = history.ParseModalities(v.Text("modalities")); err != nil {
		return nil, optionError("modalities", "%w", err)
	}
	if err := c.takeContext(v.Text("context")); err != nil {
		return nil, err
	}
	return c, c.takeSummary(v)
}

func (c *compact) takeSummary(v Values) error {
	from := v.Text("ciphertext-from")
	switch {
	case from == "" && !v.Set("summary"):
		return optionError("summary", "is needed: what is to stand for the records that the checkpoint replaces (or --ciphertext-from compaction:K)")
	case from == "":
		text, err := textOrFile(v, "summary")
		if err != nil {
			return err
		}
		prefix, err := textOrFile(v, "summary-prefix")
		if err != nil {
			return err
		}
		if prefix != "" {
			text = strings.TrimSuffix(prefix, "\n") + "\n" + text
		}
		if strings.TrimSpace(text) == "" {
			return optionError("summary", "is empty")
		}
		c.summary = text
		return nil
	case v.Set("summary") || v.Set("summary-prefix"):
		return optionError("ciphertext-from", "and --summary exclude each other")
	}
	at, err := history.ParsePoint(from + ":after")
	if err != nil || at.Kind != history.AfterCompaction {
		return optionError("ciphertext-from", "%q: want compaction:K", from)
	}
	c.ciphertext = &at
	return nil
}

func (c *compact) takeContext(v string) error {
	name, isFile := strings.CutPrefix(v, "@")
	switch {
	case v == "none":
	case v == "latest":
		c.latest = true
	case isFile:
		var err error
		if c.context, err = compaction.ReadContext(name); err != nil {
			return optionError("context", "%s: %w", name, err)
		}
	default:
		return optionError("context", "%q: want none, latest or @FILE", v)
	}
	return nil
}

func (c *compact) Name() string { return "compact" }

// Needles are none: no record of the file is looked at while it is written.
func (c *compact) Needles() []string { return nil }

func (c *compact) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	r, err := c.replay(in, nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if len(r.state.Rows) == 0 {
		return nil, rewrite.Refuse("the history is empty: there is nothing to compact", "")
	}
	items, err := c.items(in, r)
	if err != nil {
		return nil, err
	}
	if err := checkGain(r.state.Rows, items, tokens.ForProfile(c.date)); err != nil {
		return nil, err
	}
	lines, err := c.records(in, r, items)
	if err != nil {
		return nil, err
	}
	return func() rewrite.Editor { return appending{lines} }, nil
}

// items are the rows of the new checkpoint: those of the plan, with a summary that can be
// used in the place of its compaction item.
func (c *compact) items(in *rewrite.Input, r *replay) ([]history.Row, error) {
	opt := c.options
	var err error
	if opt.TrimOptions, err = c.trimOptions(r); err != nil {
		return nil, err
	}
	opt.Context, opt.Summary = c.context, c.summary
	if c.latest {
		opt.Context = compaction.LatestContext(r.state.Rows)
	}
	summary, err := c.summaryRow(in, r)
	if err != nil {
		return nil, err
	}
	rows := compaction.Compact(r.state.Rows, opt).Items
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].Line == 0 && rows[i].Item.Type == parse.ItemCompaction {
			rows[i] = summary
			return rows, nil
		}
	}
	if c.ciphertext != nil {
		return nil, rewrite.Refuse("a build of --profile compacts locally, without a compaction item", "give --summary in the place of --ciphertext-from")
	}
	return rows, nil // a local compaction of an older profile, which ends with its summary
}

// appending adds lines at the end of the file.
type appending struct{ lines [][]byte }

func (a appending) Edit(*rewrite.Record) rewrite.Edit { return rewrite.Keep() }

func (a appending) Finish() ([][]byte, string) { return a.lines, "checkpoint added" }
