package history_test

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
)

func TestRule01SkipsRejectedLines(t *testing.T) {
	lines := []string{
		legacyMeta(),
		"",
		user("one"),
		"   \u00a0\u3000", // Unicode white space only: no line at all
		`{"timestamp":"t","type":"response_item"`,
		"\ufeff" + user("after a BOM"),
		strings.Replace(user("S"), `"S"`, `"\ud800"`, 1),
		strings.Replace(user("ctrl"), "ctrl", "a\x01b", 1),
		strings.Replace(user("bad utf-8"), "utf-8", "\xff", 1),
		rejected(),
		user("two") + "\r",
		strings.Replace(user("no timestamp"), `"timestamp"`, `"Timestamp"`, 1),
		user("three"),
	}
	r := load(t, file(lines...), history.Options{})
	wantBrief(t, at(t, r, "end").Rows, "3 message/user one", "11 message/user two", "13 message/user three")
	if got := r.Rejected(); got != 7 {
		t.Errorf("%d lines rejected, want 7 (5 to 10, and 12)", got)
	}
	if got := r.Lines(); got != len(lines) {
		t.Errorf("%d lines, want %d", got, len(lines))
	}
	warnings := strings.Join(r.Warnings(), "\n")
	for _, want := range []string{"7 of 13 lines", "first: line 5", "line 9: Codex would refuse"} {
		if !strings.Contains(warnings, want) {
			t.Errorf("no %q in the warnings:\n%s", want, warnings)
		}
	}
}

func TestRule01UnterminatedLastLine(t *testing.T) {
	r := load(t, user("one")+"\n"+user("two"), history.Options{})
	wantBrief(t, at(t, r, "end").Rows, "1 message/user one", "2 message/user two")
}

// A file of generation 0 is replayed as bare items (format.md 2.8).
func TestRule01GenerationZero(t *testing.T) {
	r := load(t, file(
		"",
		`{"id":"5973b6c0-94b8-487b-a530-2aeb6098ae0e","timestamp":"2025-06-01T10:00:00.000Z","instructions":null}`,
		`{"record_type":"state"}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}`,
		`{"type":"message","role":"system","content":[]}`,
		`{"type":"message","role":"assistant","content":"no list"}`,
		`{"type":"reasoning","id":"rs_1","summary":[]}`,
	), history.Options{})
	wantBrief(t, at(t, r, "end").Rows, "4 message/user hi", "7 reasoning")
	if w := strings.Join(r.Warnings(), "\n"); !strings.Contains(w, "generation 0") {
		t.Errorf("no warning about generation 0: %q", w)
	}
	if r.Rejected() != 1 {
		t.Errorf("%d lines rejected, want 1 (the message without a list)", r.Rejected())
	}
}

func TestRule02SiblingMetadata(t *testing.T) {
	message := message("user", "a")
	s := replayed(t,
		itemLine(message),
		itemWith(message, `null`),
		itemWith(message, `{}`),
		itemWith(message, `{"client_authored":false,"unknown":[1.50]}`),
		itemWith(message, `7`), // neither object nor null: the line is rejected
		`{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":[],"metadata":{"client_authored":true}}}`,
	)
	wantBrief(t, s.Rows, "1 message/user a", "2 message/user a", "3 message/user a", "4 message/user a", "6 message/user")
	wantSidecars(t, s.Rows, "", "", `{}`, `{"client_authored":false,"unknown":[1.50]}`, "")
}

// Items are shown as stored: unknown members, nulls, duplicate keys, odd number
// literals and white space included.
func TestRule02ItemsAsStored(t *testing.T) {
	stored := []string{
		`{ "type":"message", "role":"user","role":"user","content":[] ,"phase":null,"extra":1E+3}`,
		`{"type":"reasoning","summary":[],"content":null,"encrypted_content":null,"n":-0.0}`,
		`{"type":"compaction_summary","encrypted_content":"x\u0041"}`,
	}
	s := replayed(t, itemLine(stored[0]), itemLine(stored[1]), itemLine(stored[2]))
	wantStored(t, s.Rows, stored...)
}

func TestRule02UnknownAndBadItems(t *testing.T) {
	s := replayed(t,
		itemLine(`{"type":"hologram","x":1}`), // readable, never recorded
		itemLine(`{"type":"message","role":"user","content":[{"type":"input_video"}]}`),
		itemLine(`{"type":"function_call_output","call_id":"c","output":{}}`),
		user("kept"),
	)
	wantBrief(t, s.Rows, "4 message/user kept")

	bad := replayed(t,
		user("old"),
		compacted(`,"replacement_history":[`+message("user", "new")+`,{"type":"reasoning"}]`),
		user("later"),
	)
	wantBrief(t, bad.Rows, "1 message/user old", "3 message/user later")

	unknown := replayed(t, user("old"), compacted(`,"replacement_history":[{"type":"hologram","x":1.0}]`))
	wantStored(t, unknown.Rows, `{"type":"hologram","x":1.0}`) // echoed (U11)
}

const ghost = `{"type":"ghost_snapshot","ghost_commit":{"id":"abc","parent":null,"preexisting_untracked_files":[],"preexisting_untracked_dirs":[]}}`

func TestRule03GhostSnapshots(t *testing.T) {
	a, b := message("user", "a"), message("user", "b")
	tests := []struct {
		name     string
		members  string
		items    []string // nil: the record is unreadable
		sidecars []string
	}{
		{"no sidecar", `,"replacement_history":[` + a + `,` + ghost + `,` + b + `]`,
			[]string{a, b}, []string{"", ""}},
		{"equally long sidecar", `,"replacement_history":[` + ghost + `,` + a + `,` + b + `],"replacement_history_metadata":[{"user_input_order":1},{"user_input_order":2},{}]`,
			[]string{a, b}, []string{`{"user_input_order":2}`, `{}`}},
		{"only ghosts", `,"replacement_history":[` + ghost + `],"replacement_history_metadata":[{}]`,
			[]string{}, []string{}},
		{"null sidecar", `,"replacement_history":[` + a + `,` + ghost + `],"replacement_history_metadata":null`,
			[]string{a, ghost}, []string{"", ""}},
		{"sidecar of the length without ghosts", `,"replacement_history":[` + a + `,` + ghost + `],"replacement_history_metadata":[{}]`,
			nil, nil},
		{"sidecar no list", `,"replacement_history":[` + ghost + `],"replacement_history_metadata":{}`, nil, nil},
		{"ghost with a bad sidecar entry", `,"replacement_history":[` + ghost + `,` + a + `],"replacement_history_metadata":[7,{}]`,
			[]string{a}, []string{`{}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := replayed(t, user("old"), itemLine(ghost), compacted(tt.members))
			if tt.items == nil {
				wantBrief(t, s.Rows, "1 message/user old")
				return
			}
			wantStored(t, s.Rows, tt.items...)
			wantSidecars(t, s.Rows, tt.sidecars...)
		})
	}
}

// A ghost line is no loss, and K does not count it.
func TestRule03GhostLineIsSilent(t *testing.T) {
	r := load(t, file(legacyMeta(), itemLine(ghost), user("a")), history.Options{})
	if r.Rejected() != 0 || len(r.Warnings()) != 0 {
		t.Errorf("rejected %d, warnings %q; want none", r.Rejected(), r.Warnings())
	}
	wantBrief(t, at(t, r, "end").Rows, "3 message/user a")
}

func TestRule04SidecarAlignment(t *testing.T) {
	a, b := message("user", "a"), message("user", "b")
	tests := []struct {
		name     string
		members  string
		readable bool
		items    []string
		sidecars []string
	}{
		{"aligned", `,"replacement_history":[` + a + `,` + b + `],"replacement_history_metadata":[{},{"client_authored":true}]`,
			true, []string{a, b}, []string{`{}`, `{"client_authored":true}`}},
		{"absent", `,"replacement_history":[` + a + `]`, true, []string{a}, []string{""}},
		{"null", `,"replacement_history":[` + a + `],"replacement_history_metadata":null`, true, []string{a}, []string{""}},
		{"both empty", `,"replacement_history":[],"replacement_history_metadata":[]`, true, []string{}, []string{}},
		{"too short", `,"replacement_history":[` + a + `,` + b + `],"replacement_history_metadata":[{}]`, false, nil, nil},
		{"too long", `,"replacement_history":[` + a + `],"replacement_history_metadata":[{},{}]`, false, nil, nil},
		{"without history", `,"replacement_history_metadata":[{}]`, false, nil, nil},
		{"empty without history", `,"replacement_history_metadata":[]`, false, nil, nil},
		{"null history", `,"replacement_history":null,"replacement_history_metadata":[{}]`, false, nil, nil},
		{"null entry", `,"replacement_history":[` + a + `],"replacement_history_metadata":[null]`, false, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := load(t, file(user("old"), compacted(tt.members)), history.Options{})
			s := at(t, r, "end")
			if !tt.readable {
				wantBrief(t, s.Rows, "1 message/user old")
				if r.Compactions() != 0 || s.BaseLine != 0 {
					t.Errorf("%d compactions, base in line %d: an unreadable record has no K", r.Compactions(), s.BaseLine)
				}
				return
			}
			wantStored(t, s.Rows, tt.items...)
			wantSidecars(t, s.Rows, tt.sidecars...)
			for _, row := range s.Rows {
				if row.Line != 2 {
					t.Errorf("row of line %d, want that of the compacted record", row.Line)
				}
			}
			if s.BaseLine != 2 || r.Compactions() != 1 || r.CompactionLine(1) != 2 {
				t.Errorf("base in line %d, %d compactions, first in line %d", s.BaseLine, r.Compactions(), r.CompactionLine(1))
			}
		})
	}
}

// A window number, of its own or by a numeric window_id, makes the newest compaction
// the base (rule 10); without one the rollback behind it discards it.
func TestRule05NumericWindowID(t *testing.T) {
	tests := []struct {
		name    string
		members string
		base    int
	}{
		{"number", `,"window_number":3`, 2},
		{"zero", `,"window_number":0`, 2},
		{"numeric id", `,"window_id":2`, 2},
		{"numeric id, null number", `,"window_number":null,"window_id":0`, 2},
		{"string id", `,"window_id":"2"`, 0},
		{"null id", `,"window_id":null`, 0},
		{"none", ``, 0},
		{"fraction: rejected", `,"window_id":3.0`, 0},
		{"negative: rejected", `,"window_id":-1`, 0},
		{"number as a string: rejected", `,"window_number":"3"`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := replayed(t, paginatedMeta(), checkpoint("base", tt.members), user("u"), rolledBack(1))
			if s.BaseLine != tt.base {
				t.Errorf("base in line %d, want %d", s.BaseLine, tt.base)
			}
		})
	}
}

const (
	complete   = `"delivered_assistant_message":"codex:code-mode-delivery:v1:complete"`
	incomplete = `"delivered_assistant_message":"codex:code-mode-delivery:v1:incomplete:the real text"`
	ordered    = `"user_input_order":2`
)

func TestRule06Delivery(t *testing.T) {
	turn := passthrough(`"turn_id":"t1"`)
	delivered := messageWith(turn, "assistant", "done?")
	tests := []struct {
		name     string
		item     string
		metadata string
		event    bool
	}{
		{"complete", delivered, `{` + ordered + `,` + complete + `}`, true},
		{"incomplete", delivered, `{` + ordered + `,` + incomplete + `}`, true},
		{"incomplete without text", delivered, `{` + ordered + `,"delivered_assistant_message":"codex:code-mode-delivery:v1:incomplete:"}`, true},
		{"order zero", delivered, `{"user_input_order":0,` + complete + `}`, true},
		{"empty turn id", messageWith(passthrough(`"turn_id":""`), "assistant", "x"), `{` + ordered + `,` + complete + `}`, true},
		{"complete with more behind it", delivered, `{` + ordered + `,"delivered_assistant_message":"codex:code-mode-delivery:v1:complete:"}`, false},
		{"incomplete without a colon", delivered, `{` + ordered + `,"delivered_assistant_message":"codex:code-mode-delivery:v1:incomplete"}`, false},
		{"other text", delivered, `{` + ordered + `,"delivered_assistant_message":"confirmed"}`, false},
		{"no order", delivered, `{` + complete + `}`, false},
		{"null order", delivered, `{"user_input_order":null,` + complete + `}`, false},
		{"no marker", delivered, `{` + ordered + `}`, false},
		{"no metadata", delivered, `null`, false},
		{"no passthrough", message("assistant", "x"), `{` + ordered + `,` + complete + `}`, false},
		{"no turn id", messageWith(passthrough(``), "assistant", "x"), `{` + ordered + `,` + complete + `}`, false},
		{"two texts", messageWith(turn, "assistant", "x", "y"), `{` + ordered + `,` + complete + `}`, false},
		{"no text", messageWith(turn, "assistant"), `{` + ordered + `,` + complete + `}`, false},
		{"input_text", messageOf(turn, "assistant", inputText("x")), `{` + ordered + `,` + complete + `}`, false},
		{"user", messageOf(turn, "user", `{"type":"output_text","text":"x"}`), `{` + ordered + `,` + complete + `}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := replayed(t, itemWith(tt.item, tt.metadata))
			if got := len(s.Rows) == 0; got != tt.event {
				t.Errorf("taken as an event: %v, want %v", got, tt.event)
			}
		})
	}
}

// A delivery event opens no segment: the rollback is spent on the turn before it.
func TestRule06DeliveryOpensNoSegment(t *testing.T) {
	delivery := itemWith(messageWith(passthrough(`"turn_id":"t2"`), "assistant", "x"), `{`+ordered+`,`+complete+`}`)
	turn := []string{started("t1"), userEvent(), checkpoint("base", "")}
	for _, tt := range []struct {
		name string
		tail []string
		base int
	}{
		{"delivery", []string{started("t2"), delivery, rolledBack(1)}, 0},
		// A user message opens one, which the rollback is spent on.
		{"user message", []string{started("t2"), user("x"), rolledBack(1)}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if s := replayed(t, append(turn[:len(turn):len(turn)], tt.tail...)...); s.BaseLine != tt.base {
				t.Errorf("base in line %d, want %d", s.BaseLine, tt.base)
			}
		})
	}
}

func TestRule07InterAgent(t *testing.T) {
	const part = `{"type":"encrypted_content","encrypted_content":"Y2lwaGVy"}`
	tests := []struct {
		name    string
		payload string
		want    string // "": rejected
	}{
		{"plain", agentPayload("check a.txt", ""),
			`{"type":"agent_message","author":"/root","recipient":"/root/w1","content":[` + inputText("check a.txt") + `]}`},
		{"empty plain", agentPayload("", ""),
			`{"type":"agent_message","author":"/root","recipient":"/root/w1","content":[` + inputText("") + `]}`},
		{"null members", agentPayload("x", `,"id":null,"encrypted_content":null,"internal_chat_message_metadata_passthrough":null`),
			`{"type":"agent_message","author":"/root","recipient":"/root/w1","content":[` + inputText("x") + `]}`},
		{"encrypted message", agentPayload("", `,"encrypted_content":"Y2lwaGVy"`),
			`{"type":"agent_message","author":"/root","recipient":"/root/w1","content":[` +
				inputText("Message Type: MESSAGE\nTask name: /root/w1\nSender: /root\nPayload:\n") + `,` + part + `]}`},
		{"encrypted task", `{"author":"/morpheus","recipient":"/root/a_1/b2","content":"","encrypted_content":"Y2lwaGVy","trigger_turn":true}`,
			`{"type":"agent_message","author":"/morpheus","recipient":"/root/a_1/b2","content":[` +
				inputText("Message Type: NEW_TASK\nTask name: /root/a_1/b2\nSender: /morpheus\nPayload:\n") + `,` + part + `]}`},
		{"id and passthrough are copied", agentPayload("x", `,"id":"amsg_1","internal_chat_message_metadata_passthrough":{"turn_id":"t1","create_time":1793610001.250}`),
			`{"type":"agent_message","id":"amsg_1","author":"/root","recipient":"/root/w1","content":[` + inputText("x") +
				`],"internal_chat_message_metadata_passthrough":{"turn_id":"t1","create_time":1793610001.250}}`},
		{"segment root", `{"author":"/root","recipient":"/root/root","content":"","trigger_turn":false}`, ""},
		{"upper case", `{"author":"/root","recipient":"/root/W1","content":"","trigger_turn":false}`, ""},
		{"trailing slash", `{"author":"/root/","recipient":"/root/w1","content":"","trigger_turn":false}`, ""},
		{"below morpheus", `{"author":"/root","recipient":"/morpheus/w1","content":"","trigger_turn":false}`, ""},
		{"no trigger_turn", `{"author":"/root","recipient":"/root/w1","content":""}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := replayed(t, record("inter_agent_communication", tt.payload),
				record("inter_agent_communication_metadata", `{"trigger_turn":true}`))
			if tt.want == "" {
				wantBrief(t, s.Rows)
				return
			}
			wantItems(t, s.Rows, tt.want)
			wantSidecars(t, s.Rows, "")
		})
	}
}

// A `metadata` beside the payload of another record type is ignored (format.md 2.1).
func TestRule07NoSidecar(t *testing.T) {
	line := strings.TrimSuffix(interAgent("x"), "}") + `,"metadata":{"client_authored":true}}`
	wantSidecars(t, replayed(t, line).Rows, "")
}
