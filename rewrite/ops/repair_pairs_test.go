package ops

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// Items of calls and outputs, by call_id.
func pairCall(id string) string {
	return `{"type":"function_call","name":"sh","arguments":"{}","call_id":"` + id + `"}`
}

func pairOther(id string) string {
	return `{"type":"function_call","name":"ls","arguments":"{}","call_id":"` + id + `"}`
}

func pairOutput(id string) string {
	return `{"type":"function_call_output","call_id":"` + id + `","output":"done"}`
}

func pairAborted(id string) string {
	return `{"type":"function_call_output","call_id":"` + id + `","output":"aborted"}`
}

const pairUser = `{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}`

// items makes records of items; what has a colon in front of its brace is another record.
func items(list ...string) []string {
	out := []string{encMeta}
	for _, it := range list {
		if strings.HasPrefix(it, "{") {
			it = "response_item:" + it
		}
		out = append(out, it)
	}
	return out
}

const (
	turnStart = `event_msg:{"type":"task_started","turn_id":"t","model_context_window":1000}`
	turnEnd   = `event_msg:{"type":"task_complete","turn_id":"t","last_agent_message":null}`
	rollback1 = `event_msg:{"type":"thread_rolled_back","num_turns":1}`
)

// compactedRecord is a record with a replacement history, and a sidecar if entries are
// given.
func compactedRecord(list []string, sidecar ...string) string {
	out := `compacted:{"message":"","replacement_history":[` + strings.Join(list, ",") + `]`
	if sidecar != nil {
		out += `,"replacement_history_metadata":[` + strings.Join(sidecar, ",") + `]`
	}
	return out + `}`
}

func TestRule31RepairPairs(t *testing.T) {
	order := func(n string) string { return `{"client_authored":false,"user_input_order":` + n + `}` }
	withID := strings.Replace(pairCall("a"), `"type":"function_call"`, `"type":"function_call","id":"fc_1"`, 1)
	tests := []struct {
		name     string
		in, want []string
		options  []string
	}{
		{"pairs stay", items(pairUser, pairCall("a"), pairOutput("a"), turnEnd), items(pairUser, pairCall("a"), pairOutput("a"), turnEnd), nil},
		{"no output", items(turnStart, pairUser, pairCall("a"), turnEnd, pairUser), items(turnStart, pairUser, pairCall("a"), pairAborted("a"), turnEnd, pairUser), nil},
		{"every family",
			items(turnStart, `{"type":"custom_tool_call","call_id":"a","name":"p","input":"x"}`,
				`{"type":"local_shell_call","call_id":"b","status":"completed","action":{"type":"exec","command":["ls"]}}`,
				`{"type":"tool_search_call","call_id":"c","execution":"client","arguments":{}}`, turnEnd),
			items(turnStart, `{"type":"custom_tool_call","call_id":"a","name":"p","input":"x"}`, `{"type":"custom_tool_call_output","call_id":"a","output":"aborted"}`,
				`{"type":"local_shell_call","call_id":"b","status":"completed","action":{"type":"exec","command":["ls"]}}`, pairAborted("b"),
				`{"type":"tool_search_call","call_id":"c","execution":"client","arguments":{}}`,
				`{"type":"tool_search_output","call_id":"c","status":"completed","execution":"client","tools":[]}`, turnEnd), nil},
		// UUIDv5 of "fco:fc_1" in the namespace of rule 32, computed with another program.
		{"id of the output", items(turnStart, withID, turnEnd), items(turnStart, withID, `{"type":"function_call_output","id":"fco_`+fcoOfFc1+`","call_id":"a","output":"aborted"}`, turnEnd), nil},
		{"open turn", items(turnStart, pairCall("a")), items(turnStart, pairCall("a")), nil},
		{"open turn, on request", items(turnStart, pairCall("a")), items(turnStart, pairCall("a"), pairAborted("a")), []string{"open-calls", "true"}},
		{"output without a call", items(pairUser, pairOutput("a"), turnEnd), items(pairUser, turnEnd), nil},
		{"several of them", items(pairUser, pairOutput("a"), pairOutput("a"), turnEnd), items(pairUser, turnEnd), nil},
		{"search of the server", items(`{"type":"tool_search_output","call_id":"a","status":"completed","execution":"server","tools":[]}`), items(`{"type":"tool_search_output","call_id":"a","status":"completed","execution":"server","tools":[]}`), nil},
		{"other family", items(turnStart, pairCall("a"), `{"type":"custom_tool_call_output","call_id":"a","output":"x"}`, turnEnd), items(turnStart, pairCall("a"), pairAborted("a"), turnEnd), nil},
		{"output first", items(pairOutput("a"), pairUser, pairCall("a"), turnEnd), items(pairUser, pairCall("a"), pairOutput("a"), turnEnd), nil},
		{"second output", items(pairCall("a"), pairOutput("a"), pairAborted("a"), turnEnd), items(pairCall("a"), pairOutput("a"), turnEnd), nil},
		{"copy of a pair", items(pairCall("a"), pairOutput("a"), pairUser, pairCall("a"), pairOutput("a"), turnEnd), items(pairCall("a"), pairOutput("a"), pairUser, turnEnd), nil},
		{"two calls with one id", items(pairCall("a"), pairOutput("a"), pairOther("a"), pairAborted("a"), turnEnd), items(pairCall("a"), pairOutput("a"), pairOther("a_2"), pairAborted("a_2"), turnEnd), nil},
		{"two calls, one output", items(turnStart, pairCall("a"), pairOther("a"), pairOutput("a"), turnEnd), items(turnStart, pairCall("a"), pairOther("a_2"), pairAborted("a_2"), pairOutput("a"), turnEnd), nil},
		{"answers nothing", items(`{"type":"function_call_output","output":"x"}`, `{"type":"function_call_output","name":"n","output":"x"}`), items(`{"type":"function_call_output","name":"n","output":"x"}`), nil},
		{"rolled back", items(pairUser, turnStart, pairCall("a"), turnEnd, rollback1, pairUser, pairCall("a"), pairOutput("a")), items(pairUser, turnStart, pairCall("a"), turnEnd, rollback1, pairUser, pairCall("a"), pairOutput("a")), nil},
		{"checkpoint",
			items(turnStart, compactedRecord([]string{pairUser, pairCall("a"), pairOutput("b"), alignEnd}, order("0"), order("1"), order("2"), alignPlain), turnEnd),
			items(turnStart, compactedRecord([]string{pairUser, pairCall("a"), pairAborted("a"), alignEnd}, order("0"), order("1"), alignPlain, alignPlain), turnEnd), nil},
		{"checkpoint without sidecar",
			items(compactedRecord([]string{pairOutput("a"), pairCall("a"), pairCall("b"), alignEnd})),
			items(compactedRecord([]string{pairCall("a"), pairOutput("a"), pairCall("b"), pairAborted("b"), alignEnd})), nil},
		{"moved with its entry",
			items(compactedRecord([]string{pairOutput("a"), pairCall("a"), alignEnd}, order("0"), order("1"), alignPlain)),
			items(compactedRecord([]string{pairCall("a"), pairOutput("a"), alignEnd}, order("1"), order("0"), alignPlain)), nil},
		{"output behind the checkpoint",
			items(compactedRecord([]string{pairUser, pairCall("a"), alignEnd}), pairOutput("a")),
			items(compactedRecord([]string{pairUser, pairCall("a"), alignEnd}), pairOutput("a")), nil},
		{"call behind the checkpoint",
			items(compactedRecord([]string{pairUser, pairOutput("a"), alignEnd}, order("0"), order("1"), alignPlain), pairCall("a")),
			append(items(compactedRecord([]string{pairUser, alignEnd}, order("0"), alignPlain), pairCall("a")), "METADATA"+pairOutput("a")), nil},
		{"checkpoint replaces an open call",
			items(turnStart, pairCall("a"), compactedRecord([]string{pairUser, alignEnd}), turnEnd),
			items(turnStart, pairCall("a"), pairAborted("a"), compactedRecord([]string{pairUser, alignEnd}), turnEnd), nil},
		{"skipped", items(pairOutput("a")), items(pairOutput("a")), []string{"skip", "pairs"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := ""
			for _, r := range tt.want {
				if out, ok := strings.CutPrefix(r, "METADATA"); ok { // the entry becomes the metadata beside the item
					want += strings.Replace(session("response_item:"+out), "}}\n", "},\"metadata\":"+order("1")+"}\n", 1)
					continue
				}
				want += session(r)
			}
			checkWhole(t, session(tt.in...), want, tt.options...)
		})
	}
}

// fcoOfFc1 is uuid5(90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4, "fco:fc_1").
const fcoOfFc1 = "d08ee114-ed5d-5706-8dbd-16ccacd40aa4"

// Pairs in a paginated file: what goes leaves its ordinal to a filler, what comes moves
// those behind it (format.md 1.10).
func TestRepairPairsPaginated(t *testing.T) {
	lines := strings.Split(numbered("", "0", "1", "2", "3"), "\n")
	put := func(line, item string) string {
		head, _, _ := strings.Cut(line, `"payload":`)
		return head + `"payload":` + item + "}"
	}
	in := text(lines[0], put(lines[1], pairCall("a")), put(lines[2], pairOutput("b")), put(lines[3], pairUser))
	for _, options := range [][]string{nil, {"open-calls", "true"}} {
		got, _, err := run(t, in, rewrite.Options{}, operation(t, "repair", options...))
		if want := "0 1 2 3 4"; err != nil || strings.Join(ordinalsOf(got), " ") != want {
			t.Errorf("%v: %v\n%s", err, ordinalsOf(got), got)
		}
		checkWhole(t, in, got, options...)
	}
}

// In a file of generation 0 the lines are bare items (format.md 2.8).
func TestRepairPairsBare(t *testing.T) {
	const meta = `{"id":"5973b6c0-94b8-487b-a530-2aeb6098ae0e","timestamp":"2025-06-01T10:00:00.000Z","instructions":null}`
	const state = `{"record_type":"state"}`
	in := text(meta, state, state, pairUser, pairCall("a"), pairOutput("b"), pairUser, pairCall("c"), pairOutput("c"))
	want := text(meta, state, state, pairUser, pairCall("a"), pairAborted("a"), pairUser, pairCall("c"), pairOutput("c"))
	checkWhole(t, in, want)
}

// The calls of a file with a history_base may be in the file that it names: outputs
// without a call stay there.
func TestRepairPairsWithBase(t *testing.T) {
	meta := strings.Replace(numbered(`,"history_base":{"thread_id":"0199b001-0000-7000-8000-00000000000a","end_ordinal_exclusive":7,"end_byte_offset":1710}`, "7"), "\n", "", 1)
	in := text(meta, strings.TrimSuffix(strings.Replace(session("response_item:"+pairOutput("a")), `"type"`, `"ordinal":8,"type"`, 1), "\n"))
	checkWhole(t, in, in)
}

// Whatever calls, outputs and messages there are: afterwards Codex has nothing to insert
// or to drop, and messages keep their order.
func TestRepairPairsProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		id := rapid.SampledFrom([]string{"a", "b"})
		item := rapid.Custom(func(rt *rapid.T) string {
			switch rapid.IntRange(0, 4).Draw(rt, "kind") {
			case 0, 1:
				return pairCall(id.Draw(rt, "call"))
			case 2, 3:
				return pairOutput(id.Draw(rt, "output"))
			}
			return pairUser
		})
		record := rapid.Custom(func(rt *rapid.T) string {
			if rapid.IntRange(0, 5).Draw(rt, "checkpoint") == 0 {
				return compactedRecord(append(rapid.SliceOfN(item, 0, 5).Draw(rt, "history"), alignEnd))
			}
			return item.Draw(rt, "item")
		})
		in := ""
		for i, line := range strings.SplitAfter(session(items(rapid.SliceOfN(record, 0, 12).Draw(rt, "records")...)...), "\n") {
			in += strings.Replace(line, "09:00:01", fmt.Sprintf("09:00:%02d", i), 1) // equal lines are repetitions
		}
		op := operation(t, "repair", "open-calls", "true")
		out, _, err := run(t, in, rewrite.Options{}, op)
		if err != nil {
			rt.Fatal(err)
		}
		if again, _, err := run(t, out, rewrite.Options{}, op); err != nil || again != out {
			rt.Fatalf("second time: %v\nin    %s\nonce  %s\ntwice %s", err, in, out, again)
		}
		src := open(t, out)
		h, err := history.Load(src, history.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		defer h.Close()
		now, err := h.At(history.Point{})
		if err != nil {
			rt.Fatal(err)
		}
		p := history.Normalize(now.Rows, history.AllModalities)
		if len(p.Removed) > 0 || len(p.Rows) != len(now.Rows) {
			rt.Fatalf("Codex removes %v, and has %d rows of %d\nin  %s\nout %s", p.Removed, len(p.Rows), len(now.Rows), in, out)
		}
		seen := map[string]bool{}
		for _, r := range now.Rows {
			if r.Item.Type == parse.ItemFunctionCall {
				key, _ := history.CallOf(r.Item)
				if seen[key.Call] {
					rt.Fatalf("two calls %s\nin  %s\nout %s", key.Call, in, out)
				}
				seen[key.Call] = true
			}
		}
		for c, n := range codes(t, out) {
			if strings.HasPrefix(c, "P00") && c != "P008" {
				rt.Fatalf("%s %d times\nin  %s\nout %s", c, n, in, out)
			}
		}
	})
}
