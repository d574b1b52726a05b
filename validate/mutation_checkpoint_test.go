package validate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// all does several changes of one line.
func all(changes ...func(jsonraw.Value) jsonraw.Value) func(jsonraw.Value) jsonraw.Value {
	return func(v jsonraw.Value) jsonraw.Value {
		for _, c := range changes {
			v = c(v)
		}
		return v
	}
}

// insert puts an element in front of element i of a list; i may be the length.
func insert(pointer string, i int, text string) func(jsonraw.Value) jsonraw.Value {
	return func(v jsonraw.Value) jsonraw.Value {
		return change(v, pointer, func(list jsonraw.Value) jsonraw.Value {
			elements, err := jsonraw.Elements(list)
			if err != nil {
				panic(err)
			}
			out := append([]jsonraw.Value{}, elements[:i]...)
			out = append(out, jsonraw.Value(text))
			return jsonraw.Array(append(out, elements[i:]...))
		})
	}
}

// The checkpoint of the demo session, line 74, is:
//
//	0 user message with an image   4 developer context
//	1 its resize notice            5 user context
//	2 user message                 6 user message
//	3 agent message                7 compaction item
const (
	stored0  = "/payload/replacement_history"
	sidecar0 = "/payload/replacement_history_metadata"
)

// withItem adds an item and its entry to the checkpoint.
func withItem(i int, item string) func(jsonraw.Value) jsonraw.Value {
	return all(insert(stored0, i, item), insert(sidecar0, i, `{"client_authored":false}`))
}

func withoutItem(i int) func(jsonraw.Value) jsonraw.Value {
	return all(without(fmt.Sprint(stored0, "/", i)), without(fmt.Sprint(sidecar0, "/", i)))
}

// checkpointItem is the item of the demo checkpoint with that index, without its id.
func checkpointItem(demo lines, i int) string {
	return string(drop(valueAt(demo[demoCheckpoint-1], fmt.Sprint(stored0, "/", i)), "/id"))
}

// withID gives an item an id.
func withID(item, id string) string { return string(put(jsonraw.Value(item), "/id", `"`+id+`"`)) }

type checkpointMutation struct {
	name   string
	change func(jsonraw.Value) jsonraw.Value
	want   string // codes at the line of the checkpoint
}

func checkMutations(t *testing.T, tests []checkpointMutation) {
	t.Helper()
	b, demo := newBench(t, demoFile)
	for _, tt := range tests {
		var want []hit
		for _, code := range strings.Fields(tt.want) {
			want = append(want, hit{code, demoCheckpoint})
		}
		b.check(t, tt.name, demo.edit(demoCheckpoint, tt.change), want)
	}
}

// TestMutateSidecar breaks the alignment (format.md 4.2) and single entries (6).
func TestMutateSidecar(t *testing.T) {
	entry := func(i int, key, text string) func(jsonraw.Value) jsonraw.Value {
		return setTo(fmt.Sprint(sidecar0, "/", i, "/", key), text)
	}
	var tests []checkpointMutation
	for i := range 8 {
		at := fmt.Sprint(sidecar0, "/", i)
		tests = append(tests,
			checkpointMutation{fmt.Sprint("entry dropped ", i), without(at), "M001"},
			checkpointMutation{fmt.Sprint("entry twice ", i), insert(sidecar0, i, "{}"), "M001"},
			checkpointMutation{fmt.Sprint("entry null ", i), setTo(at, "null"), "M003"},
			checkpointMutation{fmt.Sprint("entry text ", i), setTo(at, `"x"`), "R003"},
			checkpointMutation{fmt.Sprint("entry empty ", i), setTo(at, "{}"), ""}, // the default (4.2.4)
			checkpointMutation{fmt.Sprint("entry of a newer build ", i), entry(i, "zz", "1"), "M012"},
			checkpointMutation{fmt.Sprint("item dropped, entry left ", i), without(fmt.Sprint(stored0, "/", i)), "M001"},
		)
		if i < 7 {
			tests = append(tests, checkpointMutation{fmt.Sprint("hash of a model ", i), entry(i, "compaction_model_hash", `"3f9c1b7a"`), "M011"})
		}
		// Only a developer message may be a client's (compaction.md 3.6.6). The context has no
		// counterpart in the history before: what is injected is not compared. The notice of
		// a client is a source of its own.
		want := "M010"
		if i == 4 {
			want = ""
		}
		if i != 1 {
			tests = append(tests, checkpointMutation{fmt.Sprint("client_authored ", i), entry(i, "client_authored", "true"), want})
		}
	}
	tests = append(tests, []checkpointMutation{
		{"sidecar without history", without(stored0), "M002"},
		{"sidecar with history null", setTo(stored0, "null"), "M002"},
		{"empty sidecar without history", all(without(stored0), setTo(sidecar0, "[]")), "M002"},
		{"empty sidecar", setTo(sidecar0, "[]"), "M001"},
		{"sidecar is an object", setTo(sidecar0, "{}"), "R003"},
		{"no sidecar", without(sidecar0), ""}, // items without metadata (4.2.3)
		{"sidecar null", setTo(sidecar0, "null"), ""},
		{"attribution null", entry(7, "mcp_attribution", "null"), "M015"}, // does not decode, does not reject (6.3)
		{"attribution with an unknown key", entry(7, "mcp_attribution", `{"status":"none","zz":1}`), "M015"},
		{"attribution", entry(7, "mcp_attribution", `{"status":"none"}`), ""},
		{"attribution with an integer of 128 bits", entry(7, "mcp_attribution", `{"zz":18446744073709551616}`), "J012"},
		{"a ghost with its entry", withItem(2, `{"type":"ghost_snapshot","ghost_commit":{"id":"a"}}`), ""}, // filtered together (2.7.3)
		{"a ghost without an entry", insert(stored0, 2, `{"type":"ghost_snapshot"}`), "M004"},
		{"a ghost and a null sidecar", all(insert(stored0, 2, `{"type":"ghost_snapshot"}`), setTo(sidecar0, "null")), "M005"},
		{"a ghost and no sidecar", all(insert(stored0, 2, `{"type":"ghost_snapshot"}`), without(sidecar0)), ""},
	}...)
	checkMutations(t, tests)
}

// TestMutateCheckpointItems changes what the checkpoint holds (compaction.md 3.6.6).
func TestMutateCheckpointItems(t *testing.T) {
	demo := readLines(t, demoFile)
	summary := withID(checkpointItem(demo, 7), "cmp_2")
	context := withID(checkpointItem(demo, 5), "msg_2")
	checkMutations(t, []checkpointMutation{
		{"a second compaction item in front", withItem(7, summary), "C001"},
		{"a second compaction item behind", withItem(8, summary), "C001"},
		// Behind it are users' goal edits that came too late for the compaction, and nothing
		// else: a user's message there counts as one, and so not as retained.
		{"the compaction item before the last message", all(withoutItem(7), withItem(6, summary)), "C025"},
		{"the compaction item before the context", all(withoutItem(7), withItem(4, summary)), "C002"},
		{"the compaction item first", all(withoutItem(7), withItem(0, summary)), "C002"},
		{"the compaction item first and a message missing", all(withoutItem(7), withoutItem(2), withItem(0, summary)), "C002 C025"},
		{"a goal edit behind it", withItem(8, `{"type":"message","id":"msg_1","role":"user","content":[{"type":"input_text","text":"x"}]}`), ""},
		{"no compaction item", withoutItem(7), "C012"},
		{"no compaction item, but a message", all(withoutItem(7), setTo("/payload/message", `"Summary."`)), ""},
		{"an empty compaction item", setTo(stored0+"/7/encrypted_content", `""`), "E003"},
		{"a trigger at the end", withItem(8, `{"type":"compaction_trigger"}`), "C003"},
		{"a trigger in front", withItem(0, `{"type":"compaction_trigger"}`), "C003"},
		{"an unknown item", withItem(7, `{"type":"zz"}`), "I010"},
		{"an unknown item for a message", all(withoutItem(2), withItem(2, `{"type":"zz"}`)), "I010 C025"},
		{"the same id twice", setTo(stored0+"/6/id", string(valueAt(demo[demoCheckpoint-1], stored0+"/2/id"))), "C005"},
		{"an id missing", without(stored0 + "/6/id"), "C006"},
		{"an id null", setTo(stored0+"/6/id", "null"), "C006"},
		{"all ids missing", func(v jsonraw.Value) jsonraw.Value {
			for i := range 8 {
				v = drop(v, fmt.Sprint(stored0, "/", i, "/id"))
			}
			return v
		}, "C006"},
		{"an id of 64 characters", setTo(stored0+"/6/id", `"msg_`+strings.Repeat("a", 60)+`"`), ""},
		{"an id of 65 characters", setTo(stored0+"/6/id", `"msg_`+strings.Repeat("a", 61)+`"`), "I001"},
		{"an id with a dot", setTo(stored0+"/6/id", `"msg_a.b"`), "I002"},
		{"reasoning left", withItem(7, `{"type":"reasoning","id":"rs_1","summary":[],"content":null,"encrypted_content":"gAAA"}`), "C007"},
		{"a call left", withItem(7, `{"type":"function_call","id":"fc_1","name":"f","arguments":"{}","call_id":"c1"}`), "C007 P001"},
		{"an output left", withItem(7, `{"type":"function_call_output","id":"fco_1","call_id":"c1","output":"x"}`), "C007 P002"},
		{"an assistant message left", withItem(7, `{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"x"}]}`), "C008"},
		{"a system message", withItem(7, `{"type":"message","id":"msg_1","role":"system","content":[{"type":"input_text","text":"x"}]}`), "C008"},
		{"the notice away from its image", all(withoutItem(1), withItem(5, withID(checkpointItem(demo, 1), "msg_1"))), "C009"},
		{"the context twice", withItem(6, context), "C013"},
		{"no message and no agent", func(v jsonraw.Value) jsonraw.Value {
			return all(withoutItem(6), withoutItem(3), withoutItem(2), withoutItem(1), withoutItem(0))(v)
		}, "C020"},
		{"nothing", all(setTo(stored0, "[]"), setTo(sidecar0, "[]")), "C010"},
		{"context only", all(withoutItem(7), withoutItem(6), withoutItem(3), withoutItem(2), withoutItem(1), withoutItem(0)), "C011"},
		// What the rules retain and the checkpoint lacks, and the other way round.
		{"a message missing", withoutItem(2), "C025"},
		{"an agent's message missing", withoutItem(3), "C025"},
		{"a notice missing", withoutItem(1), "C025"},
		{"another text", setTo(stored0+"/2/content/0/text", `"Yes."`), "C025"},
		{"a message more", withItem(3, `{"type":"message","id":"msg_1","role":"user","content":[{"type":"input_text","text":"x"}]}`), "C025"},
		{"the context missing", withoutItem(4), ""}, // what is injected is not compared
		{"ids and kinds changed", all(setTo(stored0+"/2/id", `"msg_1"`), without(stored0+"/2/internal_chat_message_metadata_passthrough")), ""},
		// Rule 43: what is retained keeps its order, whatever context stands in between.
		{"a message behind the agent's", all(withoutItem(2), withItem(3, withID(checkpointItem(demo, 2), "msg_1"))), "C026"},
		{"a message in front", all(withoutItem(6), withItem(0, withID(checkpointItem(demo, 6), "msg_1"))), "C026"},
		{"a message moved across context", all(withoutItem(6), withItem(4, withID(checkpointItem(demo, 6), "msg_1"))), ""},
		{"a bad item", setTo(stored0+"/3/content/0/type", `"zz"`), "R005"},
	})
}

// TestMutateWindows breaks the chain of windows (compaction.md 3.6.2, format.md 4.3).
func TestMutateWindows(t *testing.T) {
	const v4, v7 = `"1f0c4f5e-6d58-4c19-9a8e-3a0d8f2b7c11"`, `"01a139ae-df16-7000-8000-000000000000"`
	checkMutations(t, []checkpointMutation{
		{"number 0", setTo("/payload/window_number", "0"), "W001"},
		{"number 2", setTo("/payload/window_number", "2"), "W001"},
		{"number missing", without("/payload/window_number"), ""}, // none before has one
		{"number negative", setTo("/payload/window_number", "-1"), "R017"},
		{"another previous window", setTo("/payload/previous_window_id", v7), "W007"},
		{"another first window", setTo("/payload/first_window_id", v7), "W007"},
		{"both others", all(setTo("/payload/previous_window_id", v7), setTo("/payload/first_window_id", v7)), "W007"},
		{"window id of version 4", setTo("/payload/window_id", v4), "W004"},
		{"previous window id of version 4", setTo("/payload/previous_window_id", v4), "W004"},
		{"first window id of version 4", setTo("/payload/first_window_id", v4), "W004"},
		{"window id no UUID", setTo("/payload/window_id", `"w1"`), "W004"},
		{"numeric window id", setTo("/payload/window_id", "1"), "W006"},
		{"numeric window id, no number", all(setTo("/payload/window_id", "1"), without("/payload/window_number")), "W006"},
		{"numeric window id 2, no number", all(setTo("/payload/window_id", "2"), without("/payload/window_number")), "W001 W006"},
		{"window id 1.0", setTo("/payload/window_id", "1.0"), "R017"},
		{"window id -1", setTo("/payload/window_id", "-1"), "R017"},
		{"window id true", setTo("/payload/window_id", "true"), "R003"},
		{"window id object", setTo("/payload/window_id", "{}"), "R003"},
		{"window id missing", without("/payload/window_id"), ""},
		{"window ids missing", all(without("/payload/window_id"), without("/payload/first_window_id"), without("/payload/previous_window_id")), ""},
	})
	b, demo := newBench(t, demoFile)
	b.check(t, "session window of version 4", demo.edit(1, setTo("/payload/context_window/window_id", v4)), hits(t, "W004@1"))
	b.check(t, "another session window", demo.edit(1, setTo("/payload/context_window/window_id", v7)), hits(t, "W007@74"))

	// A second compaction, of nothing: its own chain is right, and it saves nothing.
	second := lines{demo[demoCheckpoint-1]}.edit(1, all(
		setTo("/timestamp", `"2026-10-14T09:16:40.000Z"`), setTo("/ordinal", "94"),
		setTo("/payload/window_number", "2"), setTo("/payload/window_id", v7),
		setTo("/payload/previous_window_id", string(valueAt(demo[demoCheckpoint-1], "/payload/window_id"))),
		withItem(7, string(valueAt(demo[82], "/payload")))))[0]
	two := append(demo.clone(), second)
	const size = "C022@95" // 4.9 % of the history is the last turn without its prompt
	for name, m := range map[string]struct {
		change func(jsonraw.Value) jsonraw.Value
		want   string
	}{
		"right":           {all(), ""},
		"the same number": {setTo("/payload/window_number", "1"), "W001@95"},
		"a jump":          {setTo("/payload/window_number", "3"), "W001@95"},
		"no number":       {without("/payload/window_number"), "W005@95"},
		"another chain":   {setTo("/payload/previous_window_id", v7), "W002@95"},
		"another thread":  {setTo("/payload/first_window_id", v7), "W003@95"},
	} {
		b.check(t, "second compaction, "+name, two.edit(95, m.change), hits(t, m.want+" "+size))
	}
}

// TestMutateAroundCheckpoint changes what lies around it.
func TestMutateAroundCheckpoint(t *testing.T) {
	b, demo := newBench(t, demoFile)
	renumber := func(l lines) lines {
		out := l.clone()
		for i := range out {
			out = out.edit(i+1, setTo("/ordinal", fmt.Sprint(i)))
		}
		return out
	}
	b.check(t, "nothing before it", renumber(demo.with(2, 72)), hits(t, "C030@2"))
	b.check(t, "no turn_context behind it", renumber(demo.with(82, 1).with(76, 1)), hits(t, "C034@74"))
	// The turn of the compaction has no words of a user: a rollback of one turn takes the
	// turn after it, and then that of the compaction is still there.
	rolledBack := `{"timestamp":"2026-10-14T09:17:00.000Z","ordinal":94,"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}` + "\n"
	b.check(t, "the last turn rolled back", append(demo.clone(), []byte(rolledBack)), nil)
	trigger := `{"timestamp":"2026-10-14T09:17:00.000Z","ordinal":94,"type":"response_item","payload":{"type":"compaction_trigger"}}` + "\n"
	b.check(t, "a trigger as a record", append(demo.clone(), []byte(trigger)), hits(t, "C004@95"))
	other := demo.edit(77, setTo("/payload/thread_settings/model_provider_id", `"azure"`))
	// The checkpoint holds a compaction item and an encrypted message of the provider before.
	b.check(t, "another provider", other, hits(t, "E001@77"))
}
