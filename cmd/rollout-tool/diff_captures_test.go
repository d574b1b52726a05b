package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// captureFixture is a folder of fixtures/captures that has a rollout.
type captureFixture struct{ name, capture, rollout string }

func captureFixtures(t *testing.T) []captureFixture {
	t.Helper()
	root := filepath.Join("..", "..", "fixtures", "captures")
	lists, err := filepath.Glob(filepath.Join(root, "*", "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out []captureFixture
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		o := mustObject(t, string(text))
		if o.Text("rollout") == "" {
			continue
		}
		dir := filepath.Dir(list)
		out = append(out, captureFixture{filepath.Base(dir), filepath.Join(dir, o.Text("capture")), filepath.Join(dir, o.Text("rollout"))})
	}
	if len(out) < 2 {
		t.Fatalf("%d captures with a rollout in %s: is the walk still right", len(out), root)
	}
	return out
}

func mustObject(t *testing.T, text string) jsonraw.Object {
	t.Helper()
	o, err := jsonraw.ParseObject(jsonraw.Value(strings.TrimSpace(text)))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return o
}

func member(t *testing.T, doc jsonraw.Object, path ...string) jsonraw.Value {
	t.Helper()
	v := doc.Raw
	for _, name := range path {
		v = mustObject(t, string(v)).Get(name)
	}
	return v
}

// diffJSON runs diff --format json.
func diffJSON(t *testing.T, args ...string) (jsonraw.Object, result) {
	t.Helper()
	r := runTool(strings.NewReader(""), append([]string{"diff", "--format", "json"}, args...)...)
	if r.code != exitOK {
		t.Fatalf("diff %q: exit code %d\n%s", args, r.code, r.stderr)
	}
	return mustObject(t, r.stdout), r
}

// The body that payload builds from the rollout is the one that was sent, bookkeeping
// aside: input, instructions, tools and what else both have.
func TestPayloadIsWhatWasSent(t *testing.T) {
	compared := map[string]int{}
	for _, f := range captureFixtures(t) {
		r, err := capture.Open(f.capture)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; ; n++ {
			e, err := r.Next()
			if err != nil {
				break
			}
			t.Run(f.name+"/"+strconv.Itoa(n), func(t *testing.T) {
				to := "request:" + strconv.Itoa(n)
				doc, ran := diffJSON(t, "--ignore-bookkeeping", f.rollout, f.capture, "--to", to)
				if ran.stderr != "" {
					t.Errorf("standard error: %s", ran.stderr)
				}
				at, _ := member(t, doc, "before", "point").Text()
				if !strings.HasPrefix(at, "line:") {
					t.Fatalf("the point of the rollout is %q", at)
				}
				args := []string{"payload", "-q", "--wire", "--at", at}
				kind := "turn"
				if len(e.Request.Triggers()) > 0 {
					kind = "compaction"
					args = append(args, "--kind", kind, "--context-window", "auto")
				}
				body := runTool(strings.NewReader(""), append(args, f.rollout)...)
				if body.code != exitOK {
					t.Fatalf("%q: %s", args, body.stderr)
				}
				path := filepath.Join(t.TempDir(), "body.json")
				if err := os.WriteFile(path, []byte(body.stdout), 0o600); err != nil {
					t.Fatal(err)
				}
				for _, doc := range []jsonraw.Object{doc, first(diffJSON(t, "--ignore-bookkeeping", path, f.capture, "--to", to))} {
					changes, _ := jsonraw.Elements(doc.Get("changes"))
					if len(changes) != len(e.Request.Input) {
						t.Errorf("%d changes of %d items", len(changes), len(e.Request.Input))
					}
					for _, c := range changes {
						if op := mustObject(t, string(c)).Text("op"); op != "keep" {
							t.Errorf("%s: %s", op, c)
						}
					}
					if string(doc.Get("same_instructions")) != "true" || string(doc.Get("cache_breaks")) != "[]" {
						t.Errorf("instructions the same: %s, breaks %s", doc.Get("same_instructions"), doc.Get("cache_breaks"))
					}
				}
				compared[kind]++
			})
		}
		r.Close()
	}
	if compared["turn"] < 10 || compared["compaction"] < 5 {
		t.Errorf("compared %v: too few to mean something", compared)
	}
}

func first(o jsonraw.Object, _ result) jsonraw.Object { return o }

// A capture that differs from its rollout is not said to be the same.
func TestBrokenCaptureDiffers(t *testing.T) {
	dir := filepath.Join("..", "..", "fixtures", "captures", "trailing-outputs")
	broken := filepath.Join(dir, "broken", "X061-output-not-trimmed.har")
	r := runTool(strings.NewReader(""), "diff", "--exit-code", "--ignore-bookkeeping", filepath.Join(dir, "rollout.jsonl"), broken, "--to", "request:3")
	if r.code != exitDifferent || !strings.Contains(r.stdout, "input: item #7, function_call_output") {
		t.Errorf("exit code %d\n%s", r.code, r.stdout)
	}
}

// Every form of captures names its compaction: the requests around it differ by a
// compaction item that is new.
func TestDiffOfOneCapture(t *testing.T) {
	for _, f := range captureFixtures(t) {
		t.Run(f.name, func(t *testing.T) {
			doc, _ := diffJSON(t, f.capture)
			if note := doc.Text("note"); note != "" {
				if !slices.Contains([]string{"turn-state-websocket", "usage-before-validation"}, f.name) {
					t.Errorf("note %q", note)
				}
				return
			}
			changes, _ := jsonraw.Elements(doc.Get("changes"))
			found := false
			for _, c := range changes {
				o := mustObject(t, string(c))
				item, _ := jsonraw.SplitObject(member(t, mustObject(t, string(o.Raw)), "after"))
				it, _ := jsonraw.SplitObject(item.Get("item"))
				found = found || o.Text("op") == "add" && it.Text("type") == "compaction" && o.Text("reason") == "summary of this compaction"
			}
			if !found {
				t.Errorf("no new summary in %s", doc.Raw)
			}
		})
	}
}

func TestFindCompactions(t *testing.T) {
	turn := func(thread string) requestHead { return requestHead{thread: thread, turnRequest: true} }
	compact := func(thread string) requestHead { return requestHead{thread: thread, compaction: true} }
	other := requestHead{thread: "a"} // a warm-up
	tests := []struct {
		name string
		list []requestHead
		want []captureCompaction
	}{
		{"none", []requestHead{turn("a"), other}, nil},
		{"one", []requestHead{turn("a"), compact("a"), turn("a")}, []captureCompaction{{1, 0, 2}}},
		{"attempts are one", []requestHead{turn("a"), compact("a"), compact("a"), turn("a"), turn("a")}, []captureCompaction{{1, 0, 3}}},
		{"two", []requestHead{turn("a"), compact("a"), turn("a"), compact("a"), turn("a")}, []captureCompaction{{1, 0, 2}, {3, 2, 4}}},
		{"of another thread", []requestHead{turn("a"), turn("b"), compact("a"), turn("b"), turn("a")}, []captureCompaction{{2, 0, 4}}},
		{"both threads", []requestHead{turn("a"), compact("a"), turn("b"), compact("b"), turn("b"), turn("a")},
			[]captureCompaction{{1, 0, 5}, {3, 2, 4}}},
		{"a warm-up is no turn", []requestHead{turn("a"), other, compact("a"), other, turn("a")}, []captureCompaction{{2, 0, 4}}},
		{"first and last", []requestHead{compact("a")}, []captureCompaction{{0, -1, -1}}},
	}
	for _, tt := range tests {
		if got := findCompactions(tt.list); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
