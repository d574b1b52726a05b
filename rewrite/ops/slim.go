package ops

import (
	"bytes"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/tokens"
)

func slimInfo() Info {
	return Info{
		Name:    "slim",
		Summary: "empty superseded checkpoints, drop ghost snapshots, cut large tool outputs",
		About: `Takes out what a session keeps and no request needs any more. A superseded checkpoint is
one before the checkpoint that seeds the history at the end: it stays as a record with its
summary text and window ids, its list of items goes. Ghost snapshots of 2025 go from lines
and checkpoints. Tool outputs are cut only when --outputs says to how many tokens, and
only where the newest checkpoint stands for them already. The history at the end stays the same.

What it costs: the history at points before the newest checkpoint is not what it was. An older
Codex that rolls back to a turn there, or a revert to one, gets less; --keep N leaves the newest
N superseded checkpoints as they are.`,
		Examples: []string{
			"rewrite slim fixtures/demo",
			"rewrite slim --outputs 2000 --everywhere fixtures/demo/rollout.jsonl",
		},
		Cures: []string{"B002", "B012", "B013", "B014", "L015", "M005"},
		Options: []Option{
			{Name: "checkpoints", Kind: Bool, Default: "true", Usage: "empty superseded checkpoints"},
			{Name: "keep", Kind: Int, Default: "0", Usage: "leave the newest `N` superseded checkpoints as they are"},
			{Name: "ghosts", Kind: Bool, Default: "true", Usage: "take out ghost snapshots"},
			{Name: "outputs", Kind: Int, Usage: "cut tool outputs to `N` tokens in the middle, as Codex does"},
			{Name: "everywhere", Kind: Bool, Usage: "cut tool outputs that the next request needs, too"},
		},
		New: newSlim,
	}
}

// slim is the operation.
type slim struct {
	checkpoints, ghosts bool
	keep                int64   // superseded checkpoints that stay
	outputs             *uint64 // tokens; nil leaves outputs alone
	everywhere          bool
}

func newSlim(v Values) (rewrite.Operation, error) {
	s := &slim{checkpoints: v.Bool("checkpoints"), ghosts: v.Bool("ghosts"), keep: v.Int("keep"), everywhere: v.Bool("everywhere")}
	if s.keep < 0 {
		return nil, optionError("keep", "%d: want 0 or more checkpoints", s.keep)
	}
	if v.Set("outputs") {
		n := v.Int("outputs")
		if n < 0 {
			return nil, optionError("outputs", "%d: want 0 or more tokens", n)
		}
		limit := uint64(n)
		s.outputs = &limit
	}
	if s.everywhere && s.outputs == nil {
		return nil, optionError("everywhere", "goes with --outputs N")
	}
	return s, nil
}

func (s *slim) Name() string { return "slim" }

func (s *slim) Needles() []string {
	var needles []string
	if s.counts() || s.ghosts {
		needles = append(needles, parse.RecordCompacted)
	}
	if s.ghosts {
		needles = append(needles, parse.ItemGhostSnapshot)
	}
	if s.outputs != nil {
		needles = append(needles, "_output")
	}
	return needles
}

// counts reports whether checkpoints have to be counted.
func (s *slim) counts() bool { return s.checkpoints || s.outputs != nil && !s.everywhere }

// Sift leaves lines alone that are too short for an output over the limit.
func (s *slim) Sift(line []byte) bool {
	if s.outputs == nil || uint64(len(line)) > tokens.ToBytes(*s.outputs) {
		return true
	}
	return (s.counts() || s.ghosts) && bytes.Contains(line, []byte(parse.RecordCompacted)) ||
		s.ghosts && bytes.Contains(line, []byte(parse.ItemGhostSnapshot))
}

func (s *slim) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	plan := &slimPlan{slim: s}
	if s.counts() {
		if err := plan.look(in); err != nil {
			return nil, err
		}
	}
	return func() rewrite.Editor { return &slimming{slimPlan: plan} }, nil
}
