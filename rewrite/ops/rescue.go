package ops

import (
	"github.com/rollout-tool/rollout-tool/rewrite"
)

func rescueInfo() Info {
	return Info{
		Name:    "rescue",
		Summary: "make a session resume that does not: mend, align, drop what cannot be read, empty what no longer counts",
		About: `For a session that will not resume, or only with a loss. In order: lines are mended (repair) and old shapes
brought to the current ones (migrate); a session_meta that is gone is made anew from the file name and the
records; checkpoints are aligned (align); images that the server refuses go (images); what Codex rejects
even then goes, so that the newest readable checkpoint counts; superseded checkpoints are emptied (slim).
The result loads without a loss, and its history is that of the newest readable checkpoint and what came after.`,
		Examples: []string{
			"rewrite rescue fixtures/cures/rescue/torn-and-misaligned.jsonl",
			"rewrite rescue --suffix-only fixtures/cures/rescue/torn-and-misaligned.jsonl",
		},
		Cures: []string{"J001", "J005", "J006", "S001", "S003", "S004", "M001", "M002", "M003", "M004", "R001", "B012"},
		Options: []Option{
			{Name: "suffix-only", Kind: Bool, Usage: "keep only the session_meta, the checkpoint that counts and what follows it; emptied checkpoints stay for their window numbers"},
		},
		New: func(v Values) (rewrite.Operation, error) { return newRescue(v.Bool("suffix-only")) },
	}
}

// rescue is other operations, one after another.
type rescue struct{ steps []rewrite.Operation }

func (rescue) Name() string { return "rescue" }

// Salvages: a compressed file that breaks off is rescued as far as it can be read.
func (rescue) Salvages() bool { return true }

// Repairs: lines that are no JSON objects are among what keeps a session from resuming.
func (rescue) Repairs() bool { return true }

// Steps are the operations, those that are made of others taken apart.
func (o rescue) Steps() []rewrite.Operation { return o.steps }

// Plan is not called: the steps have plans.
func (rescue) Plan(*rewrite.Input) (func() rewrite.Editor, error) {
	return nil, rewrite.Refuse("rescue is made in steps", "")
}

// newRescue puts the steps together. Ordinals are mended last of all repairs: the
// session_meta that is made anew needs one.
func newRescue(suffixOnly bool) (rewrite.Operation, error) {
	var o rescue
	var failed error
	add := func(info Info, options map[string][]string) {
		op, err := info.New(Given(info.Options, options))
		if err != nil {
			failed = err
			return
		}
		o.add(op)
	}
	// What Codex reads anyway is none of a rescue's business: carriage returns, blank and
	// repeated lines; it answers open calls itself (rule 31).
	add(repairInfo(), map[string][]string{"skip": {partCRLF, partBlank, partRepeated, partNewline, partPairs, partOrdinals}})
	add(migrateInfo(), nil)
	o.add(restoreMeta{})
	add(repairInfo(), map[string][]string{"only": {partOrdinals}})
	add(alignInfo(), nil)
	add(imagesInfo(), map[string][]string{"which": {whichInvalid}})
	o.add(dropUnread{})
	add(slimInfo(), nil)
	if suffixOnly {
		o.add(suffix{})
	}
	return o, failed
}

func (o *rescue) add(op rewrite.Operation) {
	if c, ok := op.(rewrite.Composite); ok {
		o.steps = append(o.steps, c.Steps()...)
		return
	}
	o.steps = append(o.steps, op)
}
