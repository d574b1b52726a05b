package accept

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// verdictCase is one case of the reference's verdicts.
type verdictCase struct {
	ID       string   `json:"id"`
	Group    string   `json:"group"`
	Note     string   `json:"note"`
	Lines    []string `json:"lines"`
	LinesB64 []string `json:"lines_b64"`
	verdictExpect
	At20260821 *verdictExpect `json:"expect_2026_08_21"`
	Tags       []string       `json:"tags"`
}

type verdictExpect struct {
	Expect []string `json:"expect"`
	Load   string   `json:"load"`
	Items  *int     `json:"items"`
	Errors *int     `json:"errors"`
	Thread *string  `json:"thread"`
	Kinds  []string `json:"kinds"`
}

func (c verdictCase) serdeOnly() bool { return slices.Contains(c.Tags, "serde-only") }

func (c verdictCase) lines(t *testing.T) [][]byte {
	var out [][]byte
	for _, l := range c.Lines {
		out = append(out, []byte(l))
	}
	for _, l := range c.LinesB64 {
		b, err := base64.StdEncoding.DecodeString(l)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

func readVerdicts(t testing.TB, path string) []verdictCase {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []verdictCase
	in := bufio.NewScanner(f)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var c verdictCase
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		cases = append(cases, c)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

// judge runs a case and describes each way in which it differs from want.
func judge(t *testing.T, check *Checker, c verdictCase, want verdictExpect) []string {
	var file File
	var got, kinds []string
	for _, l := range c.lines(t) {
		r := check.Line(l)
		got = append(got, r.Verdict.String()+":"+r.Message)
		if r.Verdict == Err && r.Message == "" {
			t.Errorf("%s: rejected without a message", c.ID)
		}
		if r.Verdict == OK {
			kinds = append(kinds, r.Kind)
		}
		file.Add(r)
	}
	var diffs []string
	differ := func(what string, got, want any) {
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(want)
		if string(a) != string(b) {
			diffs = append(diffs, what+": got "+string(a)+", want "+string(b))
		}
	}
	for i, g := range got {
		if verdict, _, _ := strings.Cut(g, ":"); verdict != want.Expect[i] {
			differ("verdict", g, want.Expect[i])
		}
	}
	if want.Load != "" {
		differ("load", file.Load(), want.Load)
	}
	if want.Load == LoadOK {
		differ("items", file.Items, want.Items)
		differ("errors", file.Errors, want.Errors)
		thread := ""
		if want.Thread != nil {
			thread = *want.Thread
		}
		differ("thread", file.ThreadID, thread)
	}
	if want.Kinds != nil {
		differ("kinds", kinds, want.Kinds)
	}
	return diffs
}

func TestVerdicts(t *testing.T) {
	t.Run("selection", func(t *testing.T) { testVerdicts(t, filepath.Join("testdata", "verdicts.jsonl")) })
	t.Run("all", func(t *testing.T) {
		path := os.Getenv("ROLLOUT_VERDICTS")
		if path == "" {
			t.Skip("ROLLOUT_VERDICTS is not set")
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			path = filepath.Join(path, "cases.jsonl")
		}
		testVerdicts(t, path)
	})
}

func testVerdicts(t *testing.T, path string) {
	newest, old := NewChecker(), NewChecker(WithProfile("2026-08-21"))
	cases := readVerdicts(t, path)
	if len(cases) < 250 {
		t.Errorf("only %d cases", len(cases))
	}
	for _, c := range cases {
		report := t.Errorf
		if c.serdeOnly() {
			report = t.Logf
		}
		for _, d := range judge(t, newest, c, c.verdictExpect) {
			report("%s (%s, %s): %s", c.ID, c.Group, c.Note, d)
		}
		// What a case does not list for the older reader is as for the newest.
		want := verdictExpect{Expect: c.Expect}
		if c.At20260821 != nil {
			want.Expect = c.At20260821.Expect
		}
		for _, d := range judge(t, old, c, want) {
			report("%s at 2026-08-21 (%s, %s): %s", c.ID, c.Group, c.Note, d)
		}
	}
}
