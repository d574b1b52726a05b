package ops

import (
	"slices"
	"strings"

	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

func migrateInfo() Info {
	return Info{
		Name:    "migrate",
		Summary: "bring old shapes of records to the current ones",
		About: `Records of earlier builds that today's Codex rejects, or reads with a loss, get the shape
that it writes now: files of before the envelope, retired events, ghost snapshots, numeric
window ids, and others; --only and --skip choose. Every other record keeps its bytes. A
record that Codex rejects is changed only when it is accepted afterwards.`,
		Examples: []string{
			"rewrite migrate fixtures/demo/legacy-gen0.jsonl",
			"rewrite migrate --skip retired-events fixtures/demo/local-compaction.jsonl",
		},
		Cures: shapeCodes(),
		Options: []Option{
			{Name: "only", Kind: List, Usage: "change these `SHAPE`s only: " + strings.Join(shapeNames(), ", ")},
			{Name: "skip", Kind: List, Usage: "leave these `SHAPE`s as they are"},
			{Name: "cwd", Kind: Text, Usage: "working folder `DIR` for the session_meta of a file of before the envelope, which has none"},
			{Name: "events", Kind: Bool, Default: "true", Usage: "such a file gets the events that lists and transcripts are made of"},
		},
		New: newMigrate,
	}
}

func newMigrate(v Values) (rewrite.Operation, error) {
	only, err := namedShapes(v, "only")
	if err != nil {
		return nil, err
	}
	skip, err := namedShapes(v, "skip")
	if err != nil {
		return nil, err
	}
	m := &migrate{cwd: v.Text("cwd"), events: v.Bool("events")}
	for _, s := range shapes() {
		if (only == nil || slices.Contains(only, s.name)) && !slices.Contains(skip, s.name) {
			m.shapes = append(m.shapes, s)
		}
	}
	return m, nil
}

// namedShapes are the shapes that an option names, one or several joined by commas each
// time; nil when it is not given.
func namedShapes(v Values, option string) ([]string, error) {
	var names []string
	for _, list := range v.List(option) {
		for _, name := range strings.Split(list, ",") {
			if name = strings.TrimSpace(name); !slices.Contains(shapeNames(), name) {
				return nil, optionError(option, "%q: there is no such shape; there are %s", name, strings.Join(shapeNames(), ", "))
			}
			names = append(names, name)
		}
	}
	return names, nil
}

// migrate is the operation.
type migrate struct {
	shapes []shape
	cwd    string
	events bool
}

func (m *migrate) Name() string { return "migrate" }

// Repairs is true for the sake of operations behind it: a file of before the envelope
// says other things about itself afterwards. Lines that are no JSON stay as they are.
func (m *migrate) Repairs() bool { return true }

func (m *migrate) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	var bare *envelope
	if in.Header.Bare && slices.ContainsFunc(m.shapes, func(s shape) bool { return s.name == envelopeShape }) {
		var err error
		if bare, err = planEnvelope(in, m.cwd, m.events); err != nil {
			return nil, err
		}
	}
	return func() rewrite.Editor { return &migration{m.shapes, bare, in.Checker()} }, nil
}

// migration is one pass.
type migration struct {
	shapes  []shape
	bare    *envelope // nil in a file with envelopes
	checker *accept.Checker
}

func (m *migration) Edit(r *rewrite.Record) rewrite.Edit {
	if r.Broken != nil {
		return rewrite.Keep()
	}
	if m.bare != nil && isBareLine(r) {
		return m.bare.edit(r)
	}
	e, c := r.Change(), change{}
	for _, s := range m.shapes {
		if s.drops != nil && s.drops(r) {
			return rewrite.Drop(s.reason)
		}
		if s.edit != nil && s.edit(r, e, &c) {
			c.reasons = append(c.reasons, s.reason)
		}
	}
	if len(c.reasons) == 0 {
		return rewrite.Keep()
	}
	done := e.Done(strings.Join(c.reasons, ", "))
	if line := done.Result(); line != nil && m.checker.Line(line).Verdict != accept.OK {
		return rewrite.Keep() // it has other defects, which are not ours
	}
	if c.lossy {
		return done.Lossy()
	}
	return done
}

// change is what the shapes did to one record.
type change struct {
	reasons []string
	lossy   bool
}
