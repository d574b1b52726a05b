package tokens

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// goldenCase is one entry of a vector folder's cases.json.
type goldenCase struct {
	Args   []string        `json:"args"`
	Stdin  string          `json:"stdin"`
	Expect json.RawMessage `json:"expect"`
}

// goldenCases reads testdata and, when ROLLOUT_VECTORS is set, every vector
// folder below it.
func goldenCases(t *testing.T) map[string][]goldenCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "vectors", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	if dir := os.Getenv("ROLLOUT_VECTORS"); dir != "" {
		more, err := filepath.Glob(filepath.Join(dir, "*", "cases.json"))
		if err != nil || len(more) == 0 {
			t.Fatalf("no cases in ROLLOUT_VECTORS=%s: %v", dir, err)
		}
		files = append(files, more...)
	} else {
		t.Log("ROLLOUT_VECTORS is not set: only the cases in testdata are run")
	}
	out := map[string][]goldenCase{}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var cases []goldenCase
		if err := json.Unmarshal(raw, &cases); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = cases
	}
	return out
}

func viewItem(t testing.TB, raw string) parse.Item {
	t.Helper()
	it, err := parse.ViewItem(jsonraw.Value(raw))
	if err != nil {
		t.Fatalf("%v in %.200s", err, raw)
	}
	return it
}

func TestVectors(t *testing.T) {
	ran := map[string]int{}
	for name, cases := range goldenCases(t) {
		for i, c := range cases {
			switch c.Args[0] {
			case "truncate":
				checkTruncate(t, name, i, c)
			case "tokens":
				if got := Content.Item(viewItem(t, c.Stdin)); strconv.FormatInt(got, 10) != string(c.Expect) {
					t.Errorf("%s case %d: %d tokens, want %s for %.300s", name, i, got, c.Expect, c.Stdin)
				}
			case "history":
				ran["rows"] += checkRows(t, name, i, c.Expect)
			case "trim": // the rows of what is left
				var plan struct{ History json.RawMessage }
				if err := json.Unmarshal(c.Expect, &plan); err != nil {
					t.Fatalf("%s case %d: %v", name, i, err)
				}
				ran["rows"] += checkRows(t, name, i, plan.History)
			}
			ran[c.Args[0]]++
		}
	}
	for _, kind := range []string{"truncate", "tokens", "rows"} {
		if ran[kind] == 0 {
			t.Errorf("no %s case was run", kind)
		}
	}
	t.Logf("%d truncate cases, %d tokens cases, %d rows of %d histories",
		ran["truncate"], ran["tokens"], ran["rows"], ran["history"]+ran["trim"])
}

func checkTruncate(t *testing.T, name string, i int, c goldenCase) {
	t.Helper()
	var want string
	if err := json.Unmarshal(c.Expect, &want); err != nil {
		t.Fatalf("%s case %d: %v", name, i, err)
	}
	n, err := strconv.ParseUint(c.Args[2], 10, 64)
	if err != nil {
		t.Fatalf("%s case %d: %v", name, i, err)
	}
	cut := TruncateTokens
	if c.Args[1] == "--bytes" {
		cut = TruncateBytes
	}
	if got := cut(c.Stdin, n); got != want {
		t.Errorf("%s case %d: %v of %q = %q, want %q", name, i, c.Args, c.Stdin, got, want)
	}
}

// checkRows compares the tokens of every row of an expected history.
func checkRows(t *testing.T, name string, i int, history json.RawMessage) int {
	t.Helper()
	var rows []struct {
		Line   int             `json:"line"`
		Item   json.RawMessage `json:"item"`
		Tokens int64           `json:"tokens"`
	}
	if err := json.Unmarshal(history, &rows); err != nil {
		t.Fatalf("%s case %d: %v", name, i, err)
	}
	for _, r := range rows {
		if got := Content.Item(viewItem(t, string(r.Item))); got != r.Tokens {
			t.Errorf("%s case %d line %d: %d tokens, want %d for %.300s", name, i, r.Line, got, r.Tokens, r.Item)
		}
	}
	return len(rows)
}
