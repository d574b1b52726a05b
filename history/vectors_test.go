package history_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// vectorCase is one entry of a vector folder's cases.json.
type vectorCase struct {
	Args   []string        `json:"args"`
	Expect json.RawMessage `json:"expect"`
}

// vectorFolders are those in testdata and, when ROLLOUT_VECTORS is set, those there.
func vectorFolders(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join("testdata", "vectors", "*", "cases.json"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no vectors in testdata: %v", err)
	}
	if root := os.Getenv("ROLLOUT_VECTORS"); root != "" {
		more, err := filepath.Glob(filepath.Join(root, "*", "cases.json"))
		if err != nil || len(more) == 0 {
			t.Fatalf("no vectors in ROLLOUT_VECTORS=%s: %v", root, err)
		}
		dirs = append(dirs, more...)
	} else {
		t.Log("ROLLOUT_VECTORS is not set: only the vectors in testdata are run")
	}
	for i, d := range dirs {
		dirs[i] = filepath.Dir(d)
	}
	return dirs
}

func TestVectors(t *testing.T) {
	ran := map[string]int{}
	for _, dir := range vectorFolders(t) {
		raw, err := os.ReadFile(filepath.Join(dir, "cases.json"))
		if err != nil {
			t.Fatal(err)
		}
		var cases []vectorCase
		if err := json.Unmarshal(raw, &cases); err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		for i, c := range cases {
			if c.Args[0] != "history" && c.Args[0] != "prompt" {
				continue
			}
			ran[c.Args[0]]++
			t.Run(fmt.Sprintf("%s/%d", filepath.Base(dir), i), func(t *testing.T) {
				got := runVector(t, dir, c.Args)
				if d := cmp.Diff(decodeJSON(t, string(c.Expect)), decodeJSON(t, got)); d != "" {
					t.Errorf("%v (-want +got):\n%s", c.Args, d)
				}
			})
		}
	}
	for _, command := range []string{"history", "prompt"} {
		if ran[command] == 0 {
			t.Errorf("no %s case was run", command)
		}
	}
	t.Logf("%d history cases, %d prompt cases", ran["history"], ran["prompt"])
}

// runVector answers a case as the commands history and payload do.
func runVector(t *testing.T, dir string, args []string) string {
	t.Helper()
	var opt history.Options
	point, can := "end", history.AllModalities
	for i := 2; i < len(args); i++ {
		switch args[i] {
		case "--at":
			i++
			point = args[i]
		case "--tool-output-token-limit":
			i++
			n, err := strconv.ParseUint(args[i], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			opt.ToolOutputLimit = &n
		case "--no-images":
			can.Image = false
		case "--no-audio":
			can.Audio = false
		default:
			t.Fatalf("unknown argument %q", args[i])
		}
	}
	s := at(t, loadPath(t, filepath.Join(dir, args[1]), opt), point)
	var out []string
	if args[0] == "prompt" {
		for _, r := range history.Normalize(s.Rows, can).Rows {
			out = append(out, string(r.Item.Raw))
		}
	} else {
		for _, r := range s.Rows {
			out = append(out, rowJSON(r))
		}
	}
	return "[" + strings.Join(out, ",") + "]"
}

func rowJSON(r history.Row) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"line":%d,"item":%s`, r.Line, r.Item.Raw)
	if r.Meta.Present() {
		fmt.Fprintf(&b, `,"metadata":%s`, r.Meta.Raw)
	}
	fmt.Fprintf(&b, `,"tokens":%d}`, tokens.Content.Item(r.Item))
	return b.String()
}
