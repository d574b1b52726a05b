package ops

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/validate"
)

// Preparing the tables of the loader takes longer than a small file.
var (
	tables     = accept.NewChecker()
	validators = sync.Pool{New: func() any { return validate.New(validate.Options{Workers: 1}) }}
)

// operation makes the operation called name; options are pairs of a name and a value.
func operation(t testing.TB, name string, options ...string) rewrite.Operation {
	t.Helper()
	info, ok := Find(name)
	if !ok {
		t.Fatalf("no operation %s", name)
	}
	set := map[string][]string{}
	for i := 0; i < len(options); i += 2 {
		set[options[i]] = append(set[options[i]], options[i+1])
	}
	op, err := info.New(Given(info.Options, set))
	if err != nil {
		t.Fatal(err)
	}
	return op
}

// run rewrites a text with operations and returns the result.
func run(t testing.TB, text string, opt rewrite.Options, list ...rewrite.Operation) (string, rewrite.Result, error) {
	t.Helper()
	src := open(t, text)
	if opt.Checker == nil {
		opt.Checker = tables.Clone()
	}
	rw, err := rewrite.Prepare(context.Background(), src, list, opt)
	if err != nil {
		return "", rewrite.Result{}, err
	}
	defer rw.Close()
	var out bytes.Buffer
	res, err := rw.WriteTo(context.Background(), &out)
	return out.String(), res, err
}

// open puts a text into a file of its own.
func open(t testing.TB, text string) *parse.Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := parse.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}

// codes counts the findings of validate in a text, by code.
func codes(t testing.TB, text string) map[string]int {
	t.Helper()
	found := map[string]int{}
	v := validators.Get().(*validate.Validator)
	defer validators.Put(v)
	_, err := v.File(open(t, text), func(f validate.Finding) { found[f.Code]++ })
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// checkCured runs the operation on a text and wants it to take the codes away, to add no
// error or warning, and to change nothing the second time unless it is one that takes steps.
func checkCured(t *testing.T, text string, op rewrite.Operation, cured ...string) string {
	t.Helper()
	before := codes(t, text)
	for _, c := range cured {
		if before[c] == 0 {
			t.Errorf("the input has no %s: %v", c, before)
		}
	}
	out, _, err := run(t, text, rewrite.Options{}, op)
	if err != nil {
		t.Fatal(err)
	}
	after := codes(t, out)
	for _, c := range cured {
		if after[c] > 0 {
			t.Errorf("%s is still there %d times", c, after[c])
		}
	}
	registry := validate.NewRegistry()
	for c, n := range after {
		if n > before[c] && registry[c].Severity != validate.Info {
			t.Errorf("%s: %d before, %d after", c, before[c], n)
		}
	}
	if info, ok := Find(op.Name()); !ok || !info.Step {
		again, res, err := run(t, out, rewrite.Options{}, op)
		if err != nil || again != out || res.Edits() > 0 {
			t.Errorf("the second time it makes %d edits (%v)", res.Edits(), err)
		}
	}
	return out
}
