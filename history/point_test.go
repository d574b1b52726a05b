package history_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollout-tool/rollout-tool/history"
)

func TestParsePoint(t *testing.T) {
	tests := []struct {
		text string
		want history.Point
	}{
		{"end", history.Point{Kind: history.AtEnd}},
		{"line:0", history.Point{Kind: history.AtLine}},
		{"line:12", history.Point{Kind: history.AtLine, N: 12}},
		{"turn:t1", history.Point{Kind: history.AtTurn, Turn: "t1"}},
		{"turn:a:b", history.Point{Kind: history.AtTurn, Turn: "a:b"}},
		{"compaction:1:before", history.Point{Kind: history.BeforeCompaction, N: 1}},
		{"compaction:1:after", history.Point{Kind: history.AfterCompaction, N: 1}},
		{"compaction:-2:after", history.Point{Kind: history.AfterCompaction, N: -2}},
	}
	for _, tt := range tests {
		got, err := history.ParsePoint(tt.text)
		if err != nil || got != tt.want {
			t.Errorf("%q: %+v, %v; want %+v", tt.text, got, err, tt.want)
		}
		if got.String() != tt.text {
			t.Errorf("%q is written %q", tt.text, got)
		}
	}
	for _, text := range []string{
		"", "End", "end:", "end:1", "line", "line:", "line:-1", "line:x", "line:1.0", "line:1:2", "line:99999999999999999999",
		"turn", "turn:", "compaction", "compaction:1", "compaction:1:", "compaction:0:before", "compaction:x:after",
		"compaction::before", "compaction:1:behind", "compaction:1:before:", "12", "start",
	} {
		if p, err := history.ParsePoint(text); err == nil {
			t.Errorf("%q was read as %+v", text, p)
		} else if !strings.Contains(err.Error(), "compaction:K:before") {
			t.Errorf("%q: the error does not say what is wanted: %v", text, err)
		}
	}
}

func TestPoints(t *testing.T) {
	r := load(t, file(
		legacyMeta(),
		user("a"),
		checkpoint("first", ""), // K = 1
		user("b"),
		checkpoint("unreadable", `,"replacement_history_metadata":[]`), // no K
		rejected(),
		checkpoint("second", ""), // K = 2
		user("c"),
	), history.Options{})
	tests := []struct {
		point string
		line  int
		want  []string
	}{
		{"end", 8, []string{"7 message/user second", "8 message/user c"}},
		{"line:0", 0, nil},
		{"line:1", 1, nil},
		{"line:2", 2, []string{"2 message/user a"}},
		{"line:5", 5, []string{"3 message/user first", "4 message/user b"}},
		{"line:6", 6, []string{"3 message/user first", "4 message/user b"}},
		{"line:8", 8, []string{"7 message/user second", "8 message/user c"}},
		{"line:1000", 8, []string{"7 message/user second", "8 message/user c"}},
		{"compaction:1:before", 2, []string{"2 message/user a"}},
		{"compaction:1:after", 3, []string{"3 message/user first"}},
		{"compaction:2:before", 6, []string{"3 message/user first", "4 message/user b"}},
		{"compaction:2:after", 7, []string{"7 message/user second"}},
		{"compaction:-1:before", 6, []string{"3 message/user first", "4 message/user b"}},
		{"compaction:-2:after", 3, []string{"3 message/user first"}},
	}
	for _, tt := range tests {
		s := at(t, r, tt.point)
		if s.Line != tt.line {
			t.Errorf("%s is line %d, want %d", tt.point, s.Line, tt.line)
		}
		wantBrief(t, s.Rows, tt.want...)
	}
	if r.Compactions() != 2 || r.CompactionLine(1) != 3 || r.CompactionLine(2) != 7 || r.CompactionLine(0) != 0 || r.CompactionLine(3) != 0 {
		t.Errorf("%d compactions in lines %d, %d", r.Compactions(), r.CompactionLine(1), r.CompactionLine(2))
	}
}

// A record belongs to the turn whose id it carries, else to the open one; turn:ID is
// the last of them.
func TestPointTurn(t *testing.T) {
	r := load(t, file(
		legacyMeta(),
		started("t1"),
		user("a"),
		completed("t1"), // 4: the last of t1
		user("between"),
		turnContext("t2", ""),
		user("b"),
		itemLine(messageWith(passthrough(`"turn_id":"t3"`), "assistant", "c")), // 8: the only one of t3
		worldState(),
		aborted("t2"), // 10: the last of t2
		rejected(),
		started("t4"),
		user("d"), // 13
	), history.Options{})
	tests := []struct {
		turn string
		line int
	}{{"t1", 4}, {"t2", 10}, {"t3", 8}, {"t4", 13}}
	for _, tt := range tests {
		if s := at(t, r, "turn:"+tt.turn); s.Line != tt.line {
			t.Errorf("turn:%s is line %d, want %d", tt.turn, s.Line, tt.line)
		}
	}
	wantBrief(t, at(t, r, "turn:t1").Rows, "3 message/user a")
	wantBrief(t, at(t, r, "turn:t3").Rows, "3 message/user a", "5 message/user between", "7 message/user b", "8 message/assistant c")
}

func TestPointError(t *testing.T) {
	plain := file(legacyMeta(), user("a"))
	one := file(started("t1"), checkpoint("c", ""), started("t2"))
	var many []string
	for i := range 14 {
		many = append(many, started(fmt.Sprint("turn-", i)), checkpoint("c", ""))
	}
	tests := []struct {
		text  string
		point string
		want  []string
	}{
		{plain, "compaction:1:before", []string{"no point compaction:1:before", "end", "line:0 to line:2", "no compaction"}},
		{plain, "compaction:-1:after", []string{"no point compaction:-1:after"}},
		{plain, "turn:t1", []string{"no point turn:t1"}},
		{one, "compaction:2:after", []string{"compaction:1:before, compaction:1:after", "turn:t1, turn:t2"}},
		{one, "compaction:-2:after", []string{"compaction:1:before"}},
		{one, "turn:T1", []string{"turn:t1, turn:t2", "line:0 to line:3"}},
		{file(many...), "compaction:15:before", []string{"compaction:1 to compaction:14", "turn:turn-11", "and 2 more turns"}},
	}
	for _, tt := range tests {
		r := load(t, tt.text, history.Options{})
		p, err := history.ParsePoint(tt.point)
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.At(p)
		var fail *history.PointError
		if !errors.As(err, &fail) {
			t.Errorf("%s: error %v, want a PointError", tt.point, err)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: no %q in %q", tt.point, want, err)
			}
		}
	}
}

func TestFacts(t *testing.T) {
	badContext := strings.Replace(turnContext("t2", `,"effort":"high"`), `"/srv/demo"`, `"relative"`, 1)
	r := load(t, file(
		user("before any session_meta"),
		sessionMeta(`,"model_provider":"first"`),
		sessionMeta(`,"model_provider":"second","base_instructions":{"text":"","provenance":{"type":"custom"}},"dynamic_tools":null`),
		sessionMeta(`,"base_instructions":{"text":"late"},"dynamic_tools":[ ]`),
		event(`{"type":"task_started","turn_id":"t1","model_context_window":1000}`),
		turnContext("t1", `,"effort":"low"`),
		event(`{"type":"token_count","info":null,"rate_limits":null}`),
		badContext,
		event(`{"type":"task_started","turn_id":"t2","model_context_window":0}`),
		started("t3"), // its window is null: the one before stays in force
	), history.Options{})
	type known struct {
		provider string
		base     string
		hasBase  bool
		tools    string
		effort   string
		context  int
		rejected bool
		window   int64
		has      bool
	}
	tests := []struct {
		line int
		want known
	}{
		{0, known{provider: "openai"}},
		{1, known{provider: "openai"}},
		{2, known{provider: "first"}},
		{3, known{provider: "first", hasBase: true}},
		{4, known{provider: "first", hasBase: true, tools: "[ ]"}},
		{5, known{provider: "first", hasBase: true, tools: "[ ]", window: 1000, has: true}},
		{7, known{provider: "first", hasBase: true, tools: "[ ]", effort: "low", context: 6, window: 1000, has: true}},
		{8, known{provider: "first", hasBase: true, tools: "[ ]", effort: "high", context: 8, rejected: true, window: 1000, has: true}},
		{10, known{provider: "first", hasBase: true, tools: "[ ]", effort: "high", context: 8, rejected: true, has: true}},
	}
	for _, tt := range tests {
		f, err := r.Facts(tt.line)
		if err != nil {
			t.Fatal(err)
		}
		got := known{f.Provider(), f.BaseInstructions, f.HasBase, string(f.DynamicTools), f.TurnContext.Text("effort"),
			f.TurnContextLine, f.TurnContextRejected, f.Window, f.HasWindow}
		if got != tt.want {
			t.Errorf("line %d: %s", tt.line, cmp.Diff(tt.want, got, cmp.AllowUnexported(known{})))
		}
		if id := f.SessionID(); (id == threadID) != (tt.line >= 2) {
			t.Errorf("line %d: session id %q", tt.line, id)
		}
	}
}

func TestFactsSessionID(t *testing.T) {
	r := load(t, file(sessionMeta(`,"session_id":"`+parentID+`"`)), history.Options{})
	f, err := r.Facts(1)
	if err != nil || f.SessionID() != parentID {
		t.Errorf("session id %q, %v; want %s", f.SessionID(), err, parentID)
	}
}

// The child's own records go before its ancestors'.
func TestFactsOfALineage(t *testing.T) {
	parent := file(sessionMeta(`,"history_mode":"paginated","model_provider":"p","base_instructions":{"text":"parent's"}`),
		turnContext("t1", `,"effort":"low"`), event(`{"type":"task_started","turn_id":"t1","model_context_window":7}`))
	f := newFamily(t, map[string]string{parentID: parent, childID: file(basedOn(parentID, len(parent)), turnContext("t2", `,"effort":"high"`))})
	r := f.load(t, childID)
	facts, err := r.Facts(2)
	if err != nil {
		t.Fatal(err)
	}
	if facts.BaseInstructions != "parent's" || facts.Window != 7 || facts.TurnContext.Text("effort") != "high" || facts.Provider() != "openai" {
		t.Errorf("instructions %q, window %d, effort %q, provider %q", facts.BaseInstructions, facts.Window,
			facts.TurnContext.Text("effort"), facts.Provider())
	}
	if facts, err = r.Facts(1); err != nil || facts.TurnContext.Text("effort") != "low" {
		t.Errorf("effort %q, %v; want the parent's", facts.TurnContext.Text("effort"), err)
	}
}

func TestHasRecordedInstructions(t *testing.T) {
	with := messageWith(passthrough(`"content_item_kinds":["user.text","model.base_instructions"]`), "developer", "a", "b")
	if history.HasRecordedInstructions(rowsOf(t, message("developer", "model.base_instructions"))) {
		t.Error("found in a text")
	}
	if !history.HasRecordedInstructions(rowsOf(t, message("user", "x"), with)) {
		t.Error("not found in the kinds")
	}
	if history.HasRecordedInstructions(rowsOf(t, `{"type":"agent_message","author":"a","recipient":"b","content":[]`+
		passthrough(`"content_item_kinds":["model.base_instructions"]`)+`}`)) {
		t.Error("found in an agent message")
	}
}

// Instructions and tools each come from the first session_meta that has them.
func TestFactsFirstOfEach(t *testing.T) {
	r := load(t, file(
		sessionMeta(`,"dynamic_tools":[]`),
		sessionMeta(`,"base_instructions":{"text":"a"},"dynamic_tools":[ ]`),
		sessionMeta(`,"base_instructions":{"text":"b"},"dynamic_tools":[  ]`),
	), history.Options{})
	f, err := r.Facts(3)
	if err != nil || string(f.DynamicTools) != "[]" || f.BaseInstructions != "a" {
		t.Errorf("tools %s, instructions %q, %v; want [] and a", f.DynamicTools, f.BaseInstructions, err)
	}
}

// A replay goes through what stands behind its checkpoint, the checkpoint included.
func TestReplayBytes(t *testing.T) {
	lines := []string{legacyMeta(), user("a"), checkpoint("a", ""), user("b")}
	for n, from := range map[int]int{2: 0, 3: 2, 4: 2} {
		if got, want := load(t, file(lines[:n]...), history.Options{}).ReplayBytes(), int64(len(file(lines[from:n]...))); got != want {
			t.Errorf("%d lines: %d bytes, want %d", n, got, want)
		}
	}
}
