package ops

import (
	"slices"
	"strings"

	"github.com/rollout-tool/rollout-tool/rewrite"
)

func repairInfo() Info {
	return Info{
		Name:    "repair",
		Summary: "mend broken lines, envelopes, ordinals and pairs of calls and outputs",
		About: `Brings back what Codex rejects for its spelling, and takes out what it skips anyway: byte
order marks, NUL bytes, torn and joined lines, repeated lines, lone surrogates, numbers that
its decoder does not read; puts the session_meta first; numbers the records of a paginated
file; answers calls without an output, and drops or moves outputs without a call. Lines that
cannot be read and not be mended stay, unless --drop-unreadable. --only and --skip choose parts.`,
		Examples: []string{
			"rewrite repair fixtures/invalid/J007-two-on-a-line/bad.jsonl",
			"rewrite repair --skip pairs,ordinals fixtures/invalid/J002-byte-order-mark/bad.jsonl",
		},
		Cures: []string{
			"J002", "J003", "J004", "J005", "J007", "J008", "J009", "J010", "J011", "J012", "J013", "J014",
			"L002", "L003", "L009", "L010", "L011", "L012", "L013", "S002", "S003", "S004",
			"O001", "O002", "O003", "O004", "O005", "O006", "O007", "O016", "O017",
			"P001", "P002", "P003", "P004", "P005", "P006",
		},
		Options: []Option{
			{Name: "only", Kind: List, Usage: "make these `PART`s only: " + strings.Join(repairParts(), ", ")},
			{Name: "skip", Kind: List, Usage: "leave these `PART`s out"},
			{Name: "drop-unreadable", Kind: Bool, Usage: "drop lines that are no JSON object, or have no type or no payload, when nothing mends them"},
			{Name: "open-calls", Kind: Bool, Usage: "answer calls of the last turn, too, when the file ends within it: for a session that does not run any more"},
		},
		New: newRepair,
	}
}

// The parts of a repair, in the order in which they are made.
const (
	partCRLF      = "crlf"
	partBOM       = "bom"
	partNUL       = "nul"
	partUTF8      = "utf8"
	partControl   = "control"
	partSurrogate = "surrogate"
	partDepth     = "depth"
	partJoined    = "joined"
	partTrailing  = "trailing"
	partNumbers   = "numbers"
	partKeys      = "duplicate-keys"
	partBlank     = "blank"
	partCutOff    = "cut-off"
	partTorn      = "torn"
	partRepeated  = "repeated"
	partNewline   = "newline"
	partTimestamp = "timestamp"
	partMode      = "history-mode"
	partOrder     = "order"
	partOrdinals  = "ordinals"
	partPairs     = "pairs"
)

func repairParts() []string {
	return []string{
		partCRLF, partBOM, partNUL, partUTF8, partControl, partSurrogate, partDepth, partJoined, partTrailing,
		partNumbers, partKeys, partBlank, partCutOff, partTorn, partRepeated, partNewline, partTimestamp, partMode,
		partOrder, partOrdinals, partPairs,
	}
}

func newRepair(v Values) (rewrite.Operation, error) {
	parts, err := chosenParts(v)
	if err != nil {
		return nil, err
	}
	return repair{parts: parts, dropUnreadable: v.Bool("drop-unreadable"), openCalls: v.Bool("open-calls")}, nil
}

// chosenParts are the parts that --only and --skip leave. A value may hold several names.
func chosenParts(v Values) (map[string]bool, error) {
	chosen := map[string]bool{}
	for _, p := range repairParts() {
		chosen[p] = !v.Set("only")
	}
	for _, option := range []string{"only", "skip"} {
		for _, list := range v.List(option) {
			for _, name := range strings.Split(list, ",") {
				name = strings.TrimSpace(name)
				if !slices.Contains(repairParts(), name) {
					return nil, optionError(option, "%q: there is no such part; there are %s", name, strings.Join(repairParts(), ", "))
				}
				chosen[name] = option == "only"
			}
		}
	}
	return chosen, nil
}

// repair is the operation: steps that run one after another, so that each sees what the
// ones before have mended.
type repair struct {
	parts          map[string]bool
	dropUnreadable bool
	openCalls      bool
}

func (repair) Name() string { return "repair" }

// Repairs: lines that are no JSON objects are what it is for.
func (repair) Repairs() bool { return true }

// Plan is not called: the steps have plans.
func (repair) Plan(*rewrite.Input) (func() rewrite.Editor, error) {
	return nil, rewrite.Refuse("repair is made in steps", "")
}

// Steps are the parts in an order in which none undoes another. Ordinals come before
// records are dropped that leave fillers, and before records are added, which the engine
// numbers.
func (p repair) Steps() []rewrite.Operation {
	any := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(s string) bool { return p.parts[s] })
	}
	var steps []rewrite.Operation
	add := func(wanted bool, op rewrite.Operation) {
		if wanted {
			steps = append(steps, op)
		}
	}
	add(any(repairParts()[:11]...), repairText{p.parts})
	add(any(partBlank, partCutOff, partTorn, partRepeated, partNewline) || p.dropUnreadable, repairLines{p.parts, p.dropUnreadable})
	add(any(partTimestamp, partMode, partOrder, partOrdinals), repairEnvelope{p.parts})
	add(p.parts[partOrdinals], repairOrdinals{})
	add(p.dropUnreadable, dropShapeless{})
	add(p.parts[partPairs], repairPairs{p.openCalls})
	return steps
}
