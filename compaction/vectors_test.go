package compaction

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// vectorCase is one entry of a vector folder's cases.json.
type vectorCase struct {
	Args   []string        `json:"args"`
	Expect json.RawMessage `json:"expect"`
}

// TestVectors plans every trim and retain case: those in testdata always, all of
// ROLLOUT_VECTORS when that is set.
func TestVectors(t *testing.T) {
	ran := runVectors(t, filepath.Join("testdata", "vectors"))
	if ran < 30 {
		t.Errorf("only %d cases in testdata", ran)
	}
	dir := os.Getenv("ROLLOUT_VECTORS")
	if dir == "" {
		t.Skip("ROLLOUT_VECTORS is not set: only the cases in testdata are run")
	}
	if ran := runVectors(t, dir); ran < 358 {
		t.Errorf("only %d cases in ROLLOUT_VECTORS", ran)
	}
}

func runVectors(t *testing.T, dir string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "cases.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", dir, err)
	}
	ran := 0
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var cases []vectorCase
		if err := json.Unmarshal(raw, &cases); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		folder := filepath.Dir(name)
		for i, c := range cases {
			if c.Args[0] != "trim" && c.Args[0] != "retain" {
				continue
			}
			ran++
			t.Run(fmt.Sprintf("%s/%d", filepath.Base(folder), i), func(t *testing.T) {
				got, decisions := runVector(t, folder, c.Args)
				want := decode(t, c.Expect)
				if diff := cmp.Diff(want, decode(t, got)); diff != "" {
					t.Errorf("%v: -want +got\n%.4000s", c.Args, diff)
				}
				checkDecisions(t, decisions.in, decisions.out, decisions.list)
			})
		}
	}
	return ran
}

// decode keeps number literals.
func decode(t *testing.T, raw []byte) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %.300s", err, raw)
	}
	return v
}

// outcome is what checkDecisions looks at.
type outcome struct {
	in, out []history.Row
	list    []Decision
}

// runVector plans one case and renders it as the case expects.
func runVector(t *testing.T, folder string, args []string) ([]byte, outcome) {
	t.Helper()
	opt, at, instructions := vectorOptions(t, args[1:])
	rows, facts := loadRows(t, filepath.Join(folder, "rollout.jsonl"), at)
	opt.Instructions = InstructionTokens(facts, rows)
	if instructions != nil {
		opt.Instructions = tokens.Instructions(*instructions)
	}
	if args[0] == "trim" {
		p := Trim(rows, opt.TrimOptions)
		return renderTrim(p), outcome{rows, p.Rows, p.Decisions}
	}
	p := Compact(rows, opt)
	return renderPlan(p), outcome{rows, p.Items, p.Decisions}
}

func vectorOptions(t *testing.T, args []string) (opt Options, at string, instructions *string) {
	t.Helper()
	opt, at = Defaults(), "end"
	number := func(s string) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for len(args) > 0 {
		flag := args[0]
		args = args[1:]
		value := func() string {
			v := args[0]
			args = args[1:]
			return v
		}
		switch flag {
		case "rollout.jsonl":
		case "--at":
			at = value()
		case "--summary":
			opt.Summary = value()
		case "--budget":
			opt.Budget = number(value())
		case "--context-window":
			w := number(value())
			opt.Window = &w
		case "--instructions":
			text := value()
			instructions = &text
		case "--retain-client-developer":
			opt.RetainClientDeveloper = true
		case "--retain-client-tool-outputs":
			opt.RetainClientToolOutputs = true
		case "--no-image-budget":
			opt.NoImageBudget = true
		case "--no-images":
			opt.Modalities.Image = false
		case "--no-audio":
			opt.Modalities.Audio = false
		default:
			t.Fatalf("unknown flag %s", flag)
		}
	}
	return opt, at, instructions
}

func loadRows(t testing.TB, path, at string) ([]history.Row, history.Facts) {
	t.Helper()
	src, err := parse.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	r, err := history.Load(src, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	point, err := history.ParsePoint(at)
	if err != nil {
		t.Fatal(err)
	}
	state, err := r.At(point)
	if err != nil {
		t.Fatal(err)
	}
	facts, err := r.Facts(state.Line)
	if err != nil {
		t.Fatal(err)
	}
	return state.Rows, facts
}

func renderTrim(p TrimPlan) []byte {
	rows := make([]jsonraw.Value, len(p.Rows))
	for i, r := range p.Rows {
		rows[i] = jsonraw.Build(
			jsonraw.Pair{Name: "line", Value: jsonraw.Int(int64(r.Line))},
			jsonraw.Pair{Name: "item", Value: r.Item.Raw},
			jsonraw.Pair{Name: "metadata", Value: r.Meta.Raw},
			jsonraw.Pair{Name: "tokens", Value: jsonraw.Int(tokens.Content.Item(r.Item))},
		)
	}
	return jsonraw.Build(
		jsonraw.Pair{Name: "rewritten_outputs", Value: jsonraw.Int(int64(p.Rewritten))},
		jsonraw.Pair{Name: "deleted_tokens", Value: jsonraw.Int(p.DeletedTokens)},
		jsonraw.Pair{Name: "history", Value: jsonraw.Array(rows)},
	)
}

func renderPlan(p Plan) []byte {
	items := make([]jsonraw.Value, len(p.Items))
	for i, r := range p.Items {
		items[i] = r.Item.Raw
	}
	metadata := jsonraw.Value("null")
	if p.Metadata != nil {
		metadata = jsonraw.Array(p.Metadata)
	}
	return jsonraw.Build(
		jsonraw.Pair{Name: "items", Value: jsonraw.Array(items)},
		jsonraw.Pair{Name: "metadata", Value: metadata},
		jsonraw.Pair{Name: "retained_images", Value: jsonraw.Int(int64(p.RetainedImages))},
	)
}

// checkDecisions holds every plan to: one decision for each input row and each row
// of the result, tokens as estimated, an item that is gone costs nothing.
func checkDecisions(t fataler, in, out []history.Row, list []Decision) {
	t.Helper()
	inputs := make([]int, len(in))
	outputs := make([]int, len(out))
	last := -1
	for i, d := range list {
		if d.Reason == "" || d.Rule == 0 || d.Kind == "" {
			t.Fatalf("decision %d is not explained: %+v", i, d)
		}
		var before, after int64
		if d.Index >= 0 {
			inputs[d.Index]++
			before = tokens.Content.Item(in[d.Index].Item)
			if d.Index <= last || d.Line != in[d.Index].Line {
				t.Fatalf("decision %d is out of place: %+v", i, d)
			}
			last = d.Index
		}
		if d.OutputIndex >= 0 {
			outputs[d.OutputIndex]++
			after = tokens.Content.Item(out[d.OutputIndex].Item)
		}
		if d.TokensBefore != before || d.TokensAfter != after {
			t.Fatalf("decision %d: tokens %d to %d, want %d to %d", i, d.TokensBefore, d.TokensAfter, before, after)
		}
		if (d.OutputIndex < 0) != (d.Action == Dropped) || d.Action == Added && d.Index >= 0 {
			t.Fatalf("decision %d: action does not match its place: %+v", i, d)
		}
	}
	for i, n := range inputs {
		if n != 1 {
			t.Fatalf("input %d has %d decisions", i, n)
		}
	}
	for i, n := range outputs {
		if n != 1 {
			t.Fatalf("item %d of the result has %d decisions", i, n)
		}
	}
}

// fataler is what testing.T and rapid.T have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}
