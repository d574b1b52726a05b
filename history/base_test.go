package history_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
)

// baseCase is a rollout and the line of the checkpoint that seeds its replay.
type baseCase struct {
	name  string
	lines []string
	base  int // 0 for none
}

func checkBases(t *testing.T, cases []baseCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			if s := replayed(t, tt.lines...); s.BaseLine != tt.base {
				t.Errorf("base in line %d, want %d", s.BaseLine, tt.base)
			}
		})
	}
}

const (
	numbered = `,"window_number":1`
	resume   = `,"resume_metadata":{"multi_agent_version":null,"last_started_turn_id":null,"previous_turn_settings":null}`
)

// turn is a turn with a user's event and a checkpoint: three lines.
func turn(id string) []string {
	return []string{started(id), userEvent(), checkpoint("base "+id, "")}
}

func join(parts ...[]string) []string { return slices.Concat(parts...) }

func TestRule10NewestCompaction(t *testing.T) {
	// The rollback would discard the checkpoint if the scan of rule 11 took place.
	tail := []string{user("u"), rolledBack(1)}
	with := func(lines ...string) []string { return join(lines, tail) }
	checkBases(t, []baseCase{
		{"number and resume metadata", with(legacyMeta(), checkpoint("c", numbered+resume)), 2},
		{"empty resume metadata", with(legacyMeta(), checkpoint("c", numbered+`,"resume_metadata":{}`)), 2},
		{"number and paginated", with(paginatedMeta(), checkpoint("c", numbered)), 2},
		{"empty history", with(paginatedMeta(), compacted(`,"replacement_history":[]`+numbered)), 2},
		{"no session_meta", with(checkpoint("c", numbered+resume)), 1},
		{"null resume metadata", with(legacyMeta(), checkpoint("c", numbered+`,"resume_metadata":null`)), 0},
		{"number only", with(legacyMeta(), checkpoint("c", numbered)), 0},
		{"no number", with(paginatedMeta(), checkpoint("c", resume)), 0},
		{"null number", with(paginatedMeta(), checkpoint("c", `,"window_number":null`+resume)), 0},
		{"no history", with(paginatedMeta(), compacted(numbered+resume)), 0},
		{"null history", with(paginatedMeta(), compacted(`,"replacement_history":null`+numbered+resume)), 0},
		{"the first session_meta counts", with(legacyMeta(), paginatedMeta(), checkpoint("c", numbered)), 0},
		{"later ones do not", with(paginatedMeta(), legacyMeta(), checkpoint("c", numbered)), 3},
		{"no older one is tried", with(paginatedMeta(), checkpoint("c", numbered), compacted(numbered)), 0},
		{"an older one is tried when the newest is unreadable",
			with(paginatedMeta(), checkpoint("c", numbered), checkpoint("d", numbered+`,"replacement_history_metadata":[]`)), 2},
		{"the newest of two", with(paginatedMeta(), checkpoint("c", numbered), checkpoint("d", numbered)), 3},
	})
}

// Each record stands between a turn of its own and a rollback. A record that names
// a turn without a start keeps the segment from closing at t2 and at t1, so that
// the rollback discards everything; else it is spent on t2 and t1's checkpoint stays.
func TestRule11And12SegmentNames(t *testing.T) {
	const itemCompleted = `{"type":"item_completed","thread_id":"` + threadID + `","turn_id":"t9","item":{"type":"Plan","id":"p","text":"x"},"completed_at_ms":1}`
	tests := []struct {
		name  string
		lines []string
		base  int
	}{
		{"nothing", nil, 3},
		{"task_complete of the turn", []string{completed("t2")}, 3},
		{"task_complete of another turn", []string{completed("t9")}, 0},
		{"turn_complete, the alias", []string{strings.Replace(completed("t9"), "task_complete", "turn_complete", 1)}, 0},
		{"turn_aborted of the turn", []string{aborted("t2")}, 3},
		{"turn_aborted of another turn", []string{aborted("t9")}, 0},
		{"turn_aborted without a turn", []string{aborted("")}, 3},
		{"turn_context of the turn", []string{turnContext("t2", "")}, 3},
		{"turn_context of another turn", []string{turnContext("t9", "")}, 0},
		{"turn_context without a turn", []string{turnContext("", "")}, 3},
		{"rejected turn_context of another turn",
			[]string{strings.Replace(turnContext("t9", ""), `"/srv/demo"`, `"srv"`, 1)}, 3},
		{"the newest names it", []string{turnContext("t2", ""), completed("t9")}, 0},
		{"an older one does not", []string{turnContext("t9", ""), completed("t2")}, 3},
		{"an aborted turn without id leaves it to the next", []string{turnContext("t9", ""), aborted("")}, 0},
		{"world_state", []string{worldState()}, 3},
		{"an item with a turn id", []string{itemLine(messageWith(passthrough(`"turn_id":"t9"`), "assistant", "x"))}, 3},
		{"an event with a turn id", []string{event(itemCompleted)}, 3},
		{"a start of another turn while nothing is open", []string{started("t9")}, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines := join(turn("t1"), turn("t2"), tt.lines, []string{rolledBack(1)})
			if s := replayed(t, lines...); s.BaseLine != tt.base {
				t.Errorf("base in line %d, want %d", s.BaseLine, tt.base)
			}
		})
	}
}

func TestRule12Segments(t *testing.T) {
	checkBases(t, []baseCase{
		{"what is left at the start is one segment", []string{checkpoint("c", ""), user("u")}, 1},
		{"and can be rolled back", []string{checkpoint("c", ""), user("u"), rolledBack(1)}, 0},
		{"turn_started is task_started",
			join(turn("t1"), []string{strings.Replace(started("t2"), "task_started", "turn_started", 1), userEvent(), rolledBack(1)}), 3},
		{"a start without an open segment does nothing",
			join(turn("t1"), []string{started("t2"), started("t3"), userEvent(), rolledBack(1)}), 3},
		{"starts of other turns inside do not close",
			join(turn("t1"), []string{started("t2"), userEvent(), started("t3"), userEvent(), completed("t2"), rolledBack(1)}), 3},
		// The segment named t1 swallows t2's start and closes at its own.
		{"a late completion joins two turns",
			join(turn("t0"), turn("t1"), turn("t2"), []string{completed("t1"), rolledBack(1)}), 3},
	})
}

// Each record makes up a turn of its own; the rollback is spent on it if it counts
// as a user turn, else on the turn before.
func TestRule13UserTurn(t *testing.T) {
	agentJSON := agentPayload("do it", "")
	tests := []struct {
		name   string
		line   string
		counts bool
	}{
		{"user_message event", userEvent(), true},
		{"inter_agent_communication", interAgent("x"), true},
		{"user message", user("x"), true},
		{"user message without parts", itemLine(message("user")), true},
		{"agent message", itemLine(`{"type":"agent_message","author":"/root","recipient":"/root/a","content":[]}`), true},
		{"assistant message that is a communication", assistant(agentJSON), true},
		{"assistant message", assistant("x"), false},
		{"developer message", developer("x"), false},
		{"system message", itemLine(message("system", "x")), false},
		{"contextual user message", user("<environment_context>x</environment_context>"), false},
		{"hook prompt", user(`<hook_prompt hook_run_id="h">x</hook_prompt>`), false},
		{"summary", user(summaryPrefix + "\nx"), false},
		{"reasoning", itemLine(`{"type":"reasoning","summary":[]}`), false},
		{"unknown item", itemLine(`{"type":"hologram"}`), false},
		{"checkpoint", checkpoint("x", ""), false},
		{"local compaction", compacted(""), false},
		{"turn_context", turnContext("t2", ""), false},
		{"world_state", worldState(), false},
		{"task_complete", completed("t2"), false},
		{"turn_aborted", aborted("t2"), false},
		{"agent_message event", event(`{"type":"agent_message","message":"x"}`), false},
		{"completed user item", event(`{"type":"item_completed","thread_id":"` + threadID +
			`","turn_id":"t2","item":{"type":"UserMessage","id":"u","content":[]},"completed_at_ms":1}`), false},
		{"inter_agent_communication_metadata", record("inter_agent_communication_metadata", `{"trigger_turn":true}`), false},
		{"session_meta", legacyMeta(), false},
		{"rejected user message", strings.Replace(user("x"), `"role":"user"`, `"role":7`, 1), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := 0
			if tt.counts {
				want = 3
			}
			lines := join(turn("t1"), []string{started("t2"), tt.line, rolledBack(1)})
			if s := replayed(t, lines...); s.BaseLine != want {
				t.Errorf("base in line %d, want %d", s.BaseLine, want)
			}
		})
	}
}

func TestRule13Candidate(t *testing.T) {
	checkBases(t, []baseCase{
		{"the newest of a segment", []string{started("t1"), checkpoint("a", ""), user("u"), checkpoint("b", "")}, 4},
		{"only with a replacement history", []string{checkpoint("a", ""), compacted("")}, 1},
		{"an empty one will do", []string{checkpoint("a", ""), compacted(`,"replacement_history":[]`)}, 2},
		{"a turn without one is passed over", join(turn("t1"), []string{started("t2"), userEvent(), completed("t2")}), 3},
	})
}

func TestRule14Rollbacks(t *testing.T) {
	three := join(turn("t1"), turn("t2"), turn("t3"))
	// A turn without a user: its segment is discarded without being paid for.
	quiet := []string{started("q"), checkpoint("q", ""), completed("q")}
	checkBases(t, []baseCase{
		{"none", three, 9},
		{"of nothing", join(three, []string{rolledBack(0)}), 9},
		{"of one", join(three, []string{rolledBack(1)}), 6},
		{"of two", join(three, []string{rolledBack(2)}), 3},
		{"of all", join(three, []string{rolledBack(3)}), 0},
		{"of more", join(three, []string{rolledBack(4)}), 0},
		{"twice one", join(three, []string{rolledBack(1), rolledBack(1)}), 3},
		{"sums that would overflow", join(three, []string{rolledBack(1<<32 - 1), rolledBack(1<<32 - 1)}), 0},
		{"a count past u32 is no record", join(three, []string{event(`{"type":"thread_rolled_back","num_turns":4294967296}`)}), 9},
		{"before the newest turn", join(turn("t1"), turn("t2"), []string{rolledBack(1)}, turn("t3")), 10},
		{"before and after it", join(turn("t1"), turn("t2"), []string{rolledBack(1)}, turn("t3"), []string{rolledBack(1)}), 3},
		{"a marker does not close a segment", join(turn("t1"), turn("t2"), []string{rolledBack(1), assistant("x")}), 3},
		{"a quiet turn costs nothing", join(turn("t1"), turn("t2"), quiet, []string{rolledBack(1)}), 3},
		{"nor do two of them", join(turn("t1"), quiet, turn("t2"), quiet, []string{rolledBack(1)}), 5},
		{"one for each segment, whatever it holds", join(turn("t1"), []string{started("t2"), userEvent(), user("x"), user("y"), rolledBack(1)}), 3},
	})
}

// The scan pays per segment, the replay per boundary item (compaction.md 9, trap 23).
func TestRule14ScanAndReplayCountDifferently(t *testing.T) {
	s := replayed(t, join(turn("t1"), []string{started("t2"), user("x"), user("y"), checkpoint("gone", ""), rolledBack(1)})...)
	if s.BaseLine != 3 {
		t.Errorf("base in line %d, want 3", s.BaseLine)
	}
	wantBrief(t, s.Rows, "3 message/user base t1", "5 message/user x")
}

// After the base, items are replayed and a rolled back checkpoint is ignored.
func TestRule15ForwardReplay(t *testing.T) {
	s := replayed(t,
		user("before the base"),
		checkpoint("base", ""),
		started("t1"),
		user("a"),
		assistant("b"),
		interAgent("c"),
		record("inter_agent_communication_metadata", `{"trigger_turn":true}`),
		worldState(),
		turnContext("t1", ""),
		event(`{"type":"agent_message","message":"b"}`),
		started("t2"),
		user("undone"),
		checkpoint("undone too", ""),
		rolledBack(1),
		user("d"),
	)
	wantBrief(t, s.Rows, "2 message/user base", "4 message/user a", "5 message/assistant b", "6 agent_message c", "15 message/user d")
}

// The base's items are taken as they are: neither rule 20 nor rule 21 touches them.
func TestRule15BaseAsItIs(t *testing.T) {
	items := []string{
		message("system", "x"),
		`{"type":"compaction_trigger"}`,
		`{"type":"configuration_update","reasoning":{"effort":"low"}}`,
		`{"type":"hologram"}`,
		`{"type":"function_call_output","call_id":"c","output":"0123456789"}`,
	}
	limit := uint64(0)
	r := load(t, file(compacted(`,"replacement_history":[`+strings.Join(items, ",")+
		`],"replacement_history_metadata":[{},{},{},{},{"fallback_token_limit_override":1}]`)),
		history.Options{ToolOutputLimit: &limit})
	s := at(t, r, "end")
	wantStored(t, s.Rows, items...)
}
