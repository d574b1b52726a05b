package ops

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/validate"
)

// checkCodes runs the broken file of each code that the registry gives to an operation
// through it: the code has to be gone. options are those that cure a code where the
// default does not; incurable says why nothing can.
func checkCodes(t *testing.T, op string, options map[string][]string, incurable map[string]string) {
	t.Helper()
	n := 0
	for _, c := range validate.NewRegistry() {
		if c.Op != op {
			continue
		}
		n++
		t.Run(c.ID, func(t *testing.T) {
			if why := incurable[c.ID]; why != "" {
				t.Skip(why)
			}
			checkCured(t, readText(t, fixtureOf(t, c.ID)), operation(t, op, options[c.ID]...), c.ID)
		})
	}
	if n == 0 {
		t.Errorf("no code has the operation %s", op)
	}
}

// compactedWith is a file with one compacted record.
func compactedWith(history, sidecar string) string {
	payload := `{"message":""`
	if history != "" {
		payload += `,"replacement_history":` + history
	}
	if sidecar != "" {
		payload += `,"replacement_history_metadata":` + sidecar
	}
	return `{"timestamp":"2026-11-02T09:00:00.000Z","type":"session_meta","payload":{"id":"0199b001-0000-7000-8000-000000000001","timestamp":"2026-11-02T09:00:00.000Z","cwd":"/srv","originator":"o","cli_version":"0.160.0"}}` + "\n" +
		`{"timestamp":"2026-11-02T09:00:01.000Z","type":"compacted","payload":` + payload + `}}` + "\n"
}

func TestAlignCuresItsCodes(t *testing.T) {
	checkCodes(t, "align", nil, nil)
	t.Run("drop", func(t *testing.T) {
		checkCodes(t, "align", map[string][]string{"M001": {"drop", "true"}, "M002": {"drop", "true"}, "M003": {"drop", "true"}, "M004": {"drop", "true"}}, nil)
	})
}

const (
	alignUser  = `{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}`
	alignGhost = `{"type":"ghost_snapshot","ghost_commit":{"id":"a","parent":null,"preexisting_untracked_files":[],"preexisting_untracked_dirs":[]}}`
	alignEnd   = `{"type":"compaction","encrypted_content":"b3BhcXVl"}`
	alignPlain = `{"client_authored":false}`
	alignOrder = `{"client_authored":false,"user_input_order":0,"x":1.50}`
)

// Rules 3, 4 and 9: one entry for each item, a default entry is {"client_authored":false},
// ghosts go with their entries only where the lengths are equal.
func TestRule04Align(t *testing.T) {
	list := func(v ...string) string { return "[" + strings.Join(v, ",") + "]" }
	tests := []struct {
		name             string
		history, sidecar string
		wantHist, padded string
		dropped          string // sidecar with --drop
	}{
		{"fits", list(alignUser, alignEnd), list(alignOrder, alignPlain), list(alignUser, alignEnd), list(alignOrder, alignPlain), list(alignOrder, alignPlain)},
		{"short", list(alignUser, alignUser, alignEnd), list(alignOrder), list(alignUser, alignUser, alignEnd), list(alignOrder, alignPlain, alignPlain), ""},
		{"empty sidecar", list(alignUser, alignEnd), "[ ]", list(alignUser, alignEnd), list(alignPlain, alignPlain), ""},
		{"long", list(alignEnd), list(alignOrder, alignPlain), list(alignEnd), list(alignOrder), ""},
		{"both empty", "[]", "[]", "[]", "[]", "[]"},
		{"empty history", "[]", list(alignPlain), "[]", "[]", ""},
		{"null entries", list(alignUser, alignEnd), list("null", "null"), list(alignUser, alignEnd), list(alignPlain, alignPlain), list(alignPlain, alignPlain)},
		{"short with null", list(alignUser, alignUser, alignEnd), list("null", "null"), list(alignUser, alignUser, alignEnd), list(alignPlain, alignPlain, alignPlain), ""},
		{"no history", "", list(alignPlain), "", "", ""},
		{"null history", "null", "[]", "null", "", ""},
		{"null sidecar", list(alignUser), "null", list(alignUser), "null", "null"},
		{"ghost and fitting without it", list(alignUser, alignGhost, alignEnd), list(alignOrder, alignPlain), list(alignUser, alignEnd), list(alignOrder, alignPlain), list(alignOrder, alignPlain)},
		{"ghost and short", list(alignGhost, alignUser, alignEnd), list(alignOrder), list(alignUser, alignEnd), list(alignOrder, alignPlain), ""},
		{"ghost and aligned", list(alignGhost, alignUser), list(alignPlain, alignOrder), list(alignGhost, alignUser), list(alignPlain, alignOrder), list(alignPlain, alignOrder)},
	}
	for _, tt := range tests {
		for _, drop := range []string{"false", "true"} {
			t.Run(fmt.Sprintf("%s drop=%s", tt.name, drop), func(t *testing.T) {
				want := compactedWith(tt.wantHist, tt.padded)
				if drop == "true" {
					want = compactedWith(tt.wantHist, tt.dropped)
					if tt.wantHist != tt.history && tt.dropped == "" {
						want = compactedWith(tt.wantHist, "")
					}
				}
				got, _, err := run(t, compactedWith(tt.history, tt.sidecar), rewrite.Options{}, operation(t, "align", "drop", drop))
				if err != nil || got != want {
					t.Errorf("%v\n got %s\nwant %s", err, got, want)
				}
			})
		}
	}
}

func TestAlignOptionsExclude(t *testing.T) {
	info, _ := Find("align")
	_, err := info.New(Given(info.Options, map[string][]string{"pad": {"true"}, "drop": {"true"}}))
	if err == nil || !strings.Contains(err.Error(), "--drop") {
		t.Errorf("got %v", err)
	}
}

// Whatever the lengths were, the sidecar fits afterwards, the entries that had items keep
// their bytes, and a second run changes nothing.
func TestAlignProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		item := rapid.SampledFrom([]string{alignUser, alignGhost, alignEnd})
		entry := rapid.SampledFrom([]string{alignPlain, alignOrder, "null", "{}"})
		history := "[" + strings.Join(rapid.SliceOfN(item, 0, 5).Draw(rt, "history"), ",") + "]"
		sidecar := "[" + strings.Join(rapid.SliceOfN(entry, 0, 5).Draw(rt, "sidecar"), ",") + "]"
		out, _, err := run(t, compactedWith(history, sidecar), rewrite.Options{}, operation(t, "align"))
		if err != nil {
			rt.Fatal(err)
		}
		again, res, err := run(t, out, rewrite.Options{}, operation(t, "align"))
		if err != nil || again != out || res.Edits() > 0 {
			rt.Fatalf("second run: %v\n%s", err, again)
		}
		line := jsonraw.Value(strings.Split(out, "\n")[1])
		payload := jsonraw.Lookup(line, "payload")
		a, _ := jsonraw.SplitArray(jsonraw.Lookup(payload, "replacement_history"))
		b, _ := jsonraw.SplitArray(jsonraw.Lookup(payload, "replacement_history_metadata"))
		if len(a) != len(b) {
			rt.Fatalf("%d items, %d entries: %s", len(a), len(b), out)
		}
		if codes(t, out)["M001"]+codes(t, out)["M003"]+codes(t, out)["M004"] > 0 {
			rt.Fatalf("findings: %v", codes(t, out))
		}
	})
}
