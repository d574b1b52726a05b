package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestVerdictsAsPrinted holds what `parse --format jsonl` prints to the verdicts of
// Codex's decoder: a selection in the project, all of them where ROLLOUT_VERDICTS says.
func TestVerdictsAsPrinted(t *testing.T) {
	path := filepath.Join("..", "..", "parse", "accept", "testdata", "verdicts.jsonl")
	if dir := os.Getenv("ROLLOUT_VERDICTS"); dir != "" && !testing.Short() {
		path = filepath.Join(dir, "cases.jsonl")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 64<<20)
	cases := 0
	for in.Scan() {
		var c struct {
			ID       string
			Lines    []string
			LinesB64 []string `json:"lines_b64"`
			Expect   []string
			Tags     []string
		}
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(c.Tags, "serde-only") {
			continue
		}
		for _, l := range c.LinesB64 {
			b, err := base64.StdEncoding.DecodeString(l)
			if err != nil {
				t.Fatal(err)
			}
			c.Lines = append(c.Lines, string(b))
		}
		cases++
		r := runTool(strings.NewReader(strings.Join(c.Lines, "\n")+"\n"), "parse", "--jobs", "1", "--format", "jsonl", "-")
		var got []string
		for _, row := range strings.Split(strings.TrimSuffix(r.stdout, "\n"), "\n") {
			var v struct{ Verdict string }
			if err := json.Unmarshal([]byte(row), &v); err != nil {
				t.Fatalf("%s: %v in %q", c.ID, err, row)
			}
			got = append(got, v.Verdict)
		}
		if !slices.Equal(got, c.Expect) {
			t.Errorf("%s: %v, want %v", c.ID, got, c.Expect)
		}
	}
	if cases < 200 {
		t.Errorf("only %d cases ran", cases)
	}
}

// TestDiffAndPlanAgree: for the recorded compaction of the demo session the difference
// and the plan say the same of each item that is not injected context, in words and in
// tokens.
func TestDiffAndPlanAgree(t *testing.T) {
	demo := filepath.Join("..", "..", "fixtures", "demo", "rollout.jsonl")
	var d struct {
		Before  struct{ Items int }
		Changes []struct {
			Op     string
			Before *struct{ Index, Line int }
			Rule   int
			Reason string
			Tokens int64 `json:"tokens_before"`
		}
	}
	var p struct {
		Decisions []struct {
			Index  *int
			Action string
			Rule   int
			Reason string
			Tokens int64 `json:"tokens_before"`
		}
	}
	for doc, args := range map[any][]string{
		&d: {"diff", "--format", "json", demo},
		&p: {"rewrite", "compact", "--at", "compaction:1:before", "--format", "json", demo},
	} {
		r := runTool(nil, args...)
		if err := json.NewDecoder(bytes.NewReader([]byte(r.stdout))).Decode(doc); err != nil {
			t.Fatal(err, r.stderr)
		}
	}
	actions := map[string]string{"keep": "kept", "move": "kept", "cut": "cut", "drop": "dropped"}
	seen := 0
	for _, c := range d.Changes {
		if c.Before == nil || c.Reason == "context refreshed" {
			continue
		}
		seen++
		x := p.Decisions[slices.IndexFunc(p.Decisions, func(x struct {
			Index  *int
			Action string
			Rule   int
			Reason string
			Tokens int64 `json:"tokens_before"`
		}) bool {
			return x.Index != nil && *x.Index == c.Before.Index
		})]
		if actions[c.Op] != x.Action || c.Rule != x.Rule || c.Reason != x.Reason || c.Tokens != x.Tokens {
			t.Errorf("item %d (line %d): diff says %s, rule %d, %q, %d tokens; the plan %s, rule %d, %q, %d tokens",
				c.Before.Index, c.Before.Line, c.Op, c.Rule, c.Reason, c.Tokens, x.Action, x.Rule, x.Reason, x.Tokens)
		}
	}
	if seen != d.Before.Items-2 { // two of the 31 are context
		t.Errorf("%d items were compared of %d", seen, d.Before.Items)
	}
}
