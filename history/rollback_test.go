package history_test

import (
	"slices"
	"testing"
)

// The worked examples of compaction.md 5.4.
func TestRule16WorkedExamples(t *testing.T) {
	session := []string{
		developer("<permissions instructions>x"),
		user(env),
		user("u1"),
		assistant("a1"),
		developer("<collaboration_mode>x"),
		user("u2"),
		assistant("a2"),
	}
	context := []string{"1 message/developer <permissions instructions>x", "2 message/user " + env}
	first := append(slices.Clone(context), "3 message/user u1", "4 message/assistant a1")

	wantBrief(t, replayed(t, append(slices.Clone(session), rolledBack(1))...).Rows, first...)
	wantBrief(t, replayed(t, append(slices.Clone(session), rolledBack(5))...).Rows, context...)
	// Exactly all turns is the same cut as too many.
	wantBrief(t, replayed(t, append(slices.Clone(session), rolledBack(2))...).Rows, context...)
	// Two markers of one add up.
	wantBrief(t, replayed(t, append(slices.Clone(session), rolledBack(1), rolledBack(1))...).Rows, context...)

	session[4] = developer("not contextual")
	wantBrief(t, replayed(t, append(slices.Clone(session), rolledBack(1))...).Rows,
		append(first, "5 message/developer not contextual")...)
}

func TestRule16NoOp(t *testing.T) {
	wantBrief(t, replayed(t, user("u"), rolledBack(0)).Rows, "1 message/user u")
	wantBrief(t, replayed(t, developer("d"), user(env), assistant("a"), rolledBack(3)).Rows,
		"1 message/developer d", "2 message/user "+env, "3 message/assistant a")
	wantBrief(t, replayed(t, rolledBack(1), user("u")).Rows, "2 message/user u")
	wantBrief(t, replayed(t, user("u"), rolledBack(1<<32-1)).Rows)
}

func TestRule16Cut(t *testing.T) {
	summary := message("user", summaryPrefix+"\nfoo")
	tests := []struct {
		name   string
		before []string // between the first turn and the one undone
		want   []string // what is left of it, in brief
	}{
		{"developer fragment", []string{developer("<tools>")}, nil},
		{"one fragment of two parts", []string{itemLine(message("developer", "plain", "<tools>"))}, nil},
		{"user fragment", []string{user(env)}, nil},
		{"user fragment beside text", []string{itemLine(message("user", "hi", env))}, nil},
		{"hook prompt", []string{user(hook)}, nil},
		{"several", []string{user(env), developer("<tools>"), user(hook)}, nil},
		{"plain developer message", []string{developer("plain")}, []string{"3 message/developer plain"}},
		{"fragment behind a plain one", []string{developer("plain"), user(env)}, []string{"3 message/developer plain"}},
		{"plain one behind a fragment", []string{user(env), developer("plain")},
			[]string{"3 message/user " + env, "4 message/developer plain"}},
		{"user fragment in a developer message", []string{developer(env)}, []string{"3 message/developer " + env}},
		{"developer fragment in a user message: a boundary", []string{user("<tools>")}, []string{"3 message/user <tools>"}},
		{"summary", []string{itemLine(summary)}, []string{"3 message/user " + summaryPrefix + "\nfoo"}},
		{"fragments of other roles", []string{itemLine(message("assistant", env))}, []string{"3 message/assistant " + env}},
		{"fragment as output_text", []string{itemLine(messageOf("", "developer", `{"type":"output_text","text":"<tools>"}`))},
			[]string{"3 message/developer <tools>"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines := join([]string{user("u1"), assistant("a1")}, tt.before, []string{user("u2"), assistant("a2"), rolledBack(1)})
			want := append([]string{"1 message/user u1", "2 message/assistant a1"}, tt.want...)
			wantBrief(t, replayed(t, lines...).Rows, want...)
		})
	}
}

func TestRule16Boundaries(t *testing.T) {
	agent := `{"type":"agent_message","author":"/root","recipient":"/root/a","content":[{"type":"input_text","text":"task"}]}`
	s := replayed(t, user("u1"), itemLine(agent), interAgent("more"), assistant(agentPayload("old", "")), rolledBack(2))
	wantBrief(t, s.Rows, "1 message/user u1", "2 agent_message task")

	// The items of a checkpoint count too.
	s = replayed(t, started("t1"), userEvent(), compacted(`,"replacement_history":[`+message("user", "a")+`,`+message("user", "b")+`,`+
		message("user", summaryPrefix+"\ns")+`]`), started("t2"), user("c"), user("d"), rolledBack(1))
	wantBrief(t, s.Rows, "3 message/user a", "3 message/user b", "3 message/user "+summaryPrefix+"\ns", "5 message/user c")
}

func TestRule16AcceptanceOrder(t *testing.T) {
	a := message("assistant", "a")
	call := `{"type":"function_call","name":"f","arguments":"{}","call_id":"c"}`
	// Each item stands before the first turn, with the metadata given.
	tests := []struct {
		name     string
		item     string
		metadata string
		goes     bool
	}{
		{"assistant, later", a, `{"user_input_order":8}`, true},
		{"assistant, same", a, `{"user_input_order":7}`, true},
		{"assistant, earlier", a, `{"user_input_order":6}`, false},
		{"assistant, largest", a, `{"user_input_order":18446744073709551615}`, true},
		{"assistant, inherited", a, `{"user_input_order":8,"inherited_user_message":true}`, false},
		{"assistant, not inherited", a, `{"user_input_order":8,"inherited_user_message":false}`, true},
		{"assistant without order", a, `{}`, false},
		{"assistant without metadata", a, `null`, false},
		{"function call, later", call, `{"user_input_order":8}`, true},
		{"function call, earlier", call, `{"user_input_order":0}`, false},
		{"function call output", `{"type":"function_call_output","call_id":"c","output":""}`, `{"user_input_order":8}`, false},
		{"custom tool call", `{"type":"custom_tool_call","name":"f","input":"","call_id":"c"}`, `{"user_input_order":8}`, false},
		{"reasoning", `{"type":"reasoning","summary":[]}`, `{"user_input_order":8}`, false},
		{"user", message("user", "u0"), `{"user_input_order":8}`, false},
		{"developer", message("developer", "d"), `{"user_input_order":8}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			keep := 2 // u1 and the item
			if tt.goes {
				keep = 1
			}
			// Once before and once after the first boundary.
			for _, lines := range [][]string{
				{itemWith(tt.item, tt.metadata), user("u1")},
				{user("u1"), itemWith(tt.item, tt.metadata)},
			} {
				lines = append(lines, itemWith(message("user", "u2"), `{"user_input_order":7}`),
					itemWith(a, `{"user_input_order":1}`), rolledBack(1))
				if s := replayed(t, lines...); len(s.Rows) != keep {
					t.Errorf("%d rows left, want %d: %q", len(s.Rows), keep, brief(s.Rows))
				}
			}
		})
	}
}

func TestRule16AcceptanceOrderOfTheBoundary(t *testing.T) {
	late := itemWith(message("assistant", "late"), `{"user_input_order":9}`)
	for _, tt := range []struct {
		name     string
		metadata string
		goes     bool
	}{
		{"with order", `{"user_input_order":0}`, true},
		{"inherited", `{"user_input_order":0,"inherited_user_message":true}`, false},
		{"without order", `{}`, false},
		{"without metadata", `null`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := []string{"1 message/user u1", "2 message/assistant late"}
			if tt.goes {
				want = want[:1]
			}
			s := replayed(t, user("u1"), late, user(env), itemWith(message("user", "u2"), tt.metadata), rolledBack(1))
			wantBrief(t, s.Rows, want...)
		})
	}
	// The order is that of the item cut at, not of a fragment dropped along with it.
	s := replayed(t, user("u1"), late, itemWith(message("user", env), `{"user_input_order":0}`), user("u2"), rolledBack(1))
	wantBrief(t, s.Rows, "1 message/user u1", "2 message/assistant late")
}

const (
	switchText     = "<model_switch>\nnow you are another model\n</model_switch>"
	persistentText = "<persistent_mode>x</persistent_mode>"
)

func TestRule16Switches(t *testing.T) {
	t1 := passthrough(`"turn_id":"t1"`)
	tests := []struct {
		name string
		item string
		want string // "": dropped
	}{
		{"only a switch", messageWith(t1, "developer", switchText), ""},
		{"both", messageWith(t1, "developer", switchText, persistentText), ""},
		{"case and white space", messageWith(t1, "developer", "\u3000"+`<Model_Switch></MODEL_SWITCH>`+"\n"), ""},
		{"texts around them stay", messageWith(passthrough(`"turn_id":"t1","create_time":1.50,"content_item_kinds":["a","b","c"]`),
			"developer", switchText, "keep", persistentText),
			messageWith(passthrough(`"turn_id":"t1","create_time":1.50,"content_item_kinds":["b"]`), "developer", "keep")},
		{"short kinds", messageWith(passthrough(`"turn_id":"t1","content_item_kinds":["a"]`), "developer", "x", switchText, "y"),
			messageWith(passthrough(`"turn_id":"t1","content_item_kinds":["a","unknown"]`), "developer", "x", "y")},
		{"nothing removed, kinds rewritten", messageWith(t1, "developer", "x", "y"),
			messageWith(passthrough(`"turn_id":"t1","content_item_kinds":["unknown","unknown"]`), "developer", "x", "y")},
		{"open tag only", messageWith(t1, "developer", "<model_switch>x"),
			messageWith(passthrough(`"turn_id":"t1","content_item_kinds":["unknown"]`), "developer", "<model_switch>x")},
		{"tag behind text", messageWith(t1, "developer", "x"+switchText),
			messageWith(passthrough(`"turn_id":"t1","content_item_kinds":["unknown"]`), "developer", "x"+switchText)},
		{"another turn", messageWith(passthrough(`"turn_id":"t2"`), "developer", switchText),
			messageWith(passthrough(`"turn_id":"t2"`), "developer", switchText)},
		{"no turn", message("developer", switchText), message("developer", switchText)},
		{"another role", messageWith(t1, "assistant", switchText), messageWith(t1, "assistant", switchText)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var want []string
			if tt.want != "" {
				want = []string{tt.want}
			}
			for _, n := range []uint32{1, 2} { // the only turn, and too many
				wantItems(t, replayed(t, itemLine(tt.item), itemLine(messageWith(t1, "user", "u1")), rolledBack(n)).Rows, want...)
			}
		})
	}
}

func TestRule16SwitchesOnlyAtTheFirstBoundary(t *testing.T) {
	t1 := passthrough(`"turn_id":"t1"`)
	dev := messageWith(t1, "developer", "x", switchText)
	u := messageWith(t1, "user", "u")

	// The cut is the second boundary: untouched.
	s := replayed(t, itemLine(dev), itemLine(u), itemLine(u), rolledBack(1))
	wantStored(t, s.Rows, dev, u)
	// The boundary has no turn id, or an empty one.
	wantStored(t, replayed(t, itemLine(dev), user("u"), rolledBack(1)).Rows, dev)
	empty := passthrough(`"turn_id":""`)
	dev = messageWith(empty, "developer", switchText)
	wantStored(t, replayed(t, itemLine(dev), itemLine(messageWith(empty, "user", "u")), rolledBack(1)).Rows, dev)
}
