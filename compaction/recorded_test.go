package compaction

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

func record(t *testing.T, line string) parse.Record {
	t.Helper()
	r, err := parse.ViewRecord(parse.Line{Number: 1, Bytes: []byte(line)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// marked is a local summary by its kind only.
func marked() string {
	return `{"type":"message","role":"user","content":[` + text("s") + `],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["compaction.summary"]}}`
}

func TestRecordedExplain(t *testing.T) {
	picture := message("user", smallImage, text("look"))
	environment := user("<environment_context>x</environment_context>")
	permissions := developer("<permissions instructions>x")
	long := strings.Repeat("x", 4*DefaultBudget) // takes the whole budget
	var images []string
	for range 7 {
		images = append(images, image)
	}
	many := message("user", append(images, text("Compare these images"))...) // compaction.md 3.9 #8
	tests := []struct {
		name           string
		before, after  []history.Row
		local          bool
		date           string
		matches        bool
		with           string
		missing, extra int
		moved          []int // rows of after
	}{
		{
			name:   "user messages and the summary",
			before: rows(user("a"), assistant("b"), user("c")), after: rows(user("a"), user("c"), summary("S")),
			matches: true, with: "rules of generation C4",
		},
		{
			name:   "context is left aside",
			before: rows(environment, user("a"), assistant("b")), after: rows(permissions, environment, user("a"), summary("S")),
			matches: true, with: "rules of generation C4",
		},
		{
			name:   "goal edits behind the summary are left aside",
			before: rows(user("a")), after: rows(user("a"), summary("S"), user("edit")),
			matches: true, with: "rules of generation C4",
		},
		{
			name:   "ids do not count",
			before: rows(user("a")), after: rows(`{"id":"msg_1",` + user("a")[1:]),
			matches: true, with: "rules of generation C4",
		},
		{
			name:   "an assistant message by the endpoint",
			before: rows(user("a"), assistant("b"), call("c1")), after: rows(user("a"), assistant("b"), summary("S")),
			date: "2026-01-10", matches: true, with: "rules of generation C1",
		},
		{
			name:   "an assistant message nowadays",
			before: rows(user("a"), assistant("b")), after: rows(user("a"), assistant("b"), summary("S")),
			with: "rules of generation C4", extra: 1,
		},
		{
			name:   "a user message is missing",
			before: rows(user("a"), user("b"), user("b")), after: rows(user("b"), summary("S")),
			with: "rules of generation C4", missing: 2,
		},
		{
			name:   "two neighbours change places",
			before: rows(user("a"), user("b"), user("c")), after: rows(user("b"), user("a"), user("c"), summary("S")),
			with: "rules of generation C4", moved: []int{0}, // either will do
		},
		{
			name:   "the last comes first, context does not count",
			before: rows(user("a"), user("b"), user("c")), after: rows(environment, user("c"), user("a"), user("b"), summary("S")),
			with: "rules of generation C4", moved: []int{1},
		},
		{
			name:   "backwards",
			before: rows(user("a"), user("b"), user("c")), after: rows(user("c"), user("b"), user("a"), summary("S")),
			with: "rules of generation C4", moved: []int{0, 1},
		},
		{
			name:   "equal ones have no order",
			before: rows(user("a"), user("b"), user("a")), after: rows(user("a"), user("b"), user("a"), summary("S")),
			matches: true, with: "rules of generation C4",
		},
		{
			name:   "images not charged",
			before: rows(many), after: rows(many, summary("S")),
			matches: true, with: "rules of generation C4, no image budget",
		},
		{
			name:   "client developer message",
			before: []history.Row{row(developer("d"), client), row(user("a"))}, after: rows(developer("d"), user("a"), summary("S")),
			matches: true, with: "rules of generation C4, client developer messages retained",
		},
		{
			name:   "media that the model does not take",
			before: rows(picture), after: rows(message("user", text("image content omitted because you do not support image input"), text("look")), summary("S")),
			matches: true, with: "rules of generation C4, text only",
		},
		{
			name:   "rebuilt from a message",
			before: rows(user("a"), assistant("b")), after: rows(user("a"), marked()),
			local: true, date: "2025-10-01", matches: true, with: "local compaction, rules of generation C0",
		},
		{
			name:   "past the budget",
			before: rows(user("old"), user(long)), after: rows(user("old"), user(long), summary("S")),
			with: "rules of generation C4", extra: 1,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Recorded{Before: tt.before, After: tt.after, Options: Defaults(), Local: tt.local}
			if tt.date != "" {
				var err error
				if r.Date, err = time.Parse(time.DateOnly, tt.date); err != nil {
					t.Fatal(err)
				}
			}
			e := r.Explain()
			if e.Matches != tt.matches || e.With != tt.with || e.Missing != tt.missing || e.Extra != tt.extra {
				t.Errorf("got matches %v with %q, %d missing, %d extra; want %v with %q, %d, %d",
					e.Matches, e.With, e.Missing, e.Extra, tt.matches, tt.with, tt.missing, tt.extra)
			}
			if keepsAll := r.KeepsAll(); keepsAll && !e.Matches {
				t.Error("all is kept, yet it does not match")
			}
			if !slices.Equal(e.Moved, tt.moved) {
				t.Errorf("moved %v, want %v", e.Moved, tt.moved)
			}
			if e.Matches != (e.Tried == nil) {
				t.Errorf("matches %v, but tried %q", e.Matches, e.Tried)
			}
		})
	}
}

// Only switches that the history can feel are tried.
func TestRecordedTried(t *testing.T) {
	tests := []struct {
		name   string
		before []history.Row
		want   int
	}{
		{"plain", rows(user("a"), user("b")), 2},                                             // the rules, a local compaction
		{"images", rows(message("user", smallImage), user("b")), 2 + 2 + 1},                  // two switches, both
		{"audio", rows(message("user", audio), user("b")), 2 + 2 + 1},                        //
		{"images and audio", rows(message("user", smallImage, audio), user("b")), 2 + 3 + 3}, // three switches
		{"client", []history.Row{row(developer("d"), client), clientOutput("o"), row(user("b"))}, 2 + 2 + 1},
	}
	for _, tt := range tests {
		e := Recorded{Before: tt.before, After: rows(user("other")), Options: Defaults()}.Explain()
		if len(e.Tried) != tt.want {
			t.Errorf("%s: %d tried, want %d: %q", tt.name, len(e.Tried), tt.want, e.Tried)
		}
	}
}

func TestExplanationDecision(t *testing.T) {
	// The call without output gets one (rule 31), which is no row of the input.
	e := Recorded{Before: rows(user("a"), call("c1"), user("b")), After: rows(user("a"), user("b"), summary("S")), Options: Defaults()}.Explain()
	for i, want := range []Action{Kept, Dropped, Kept} {
		if d := e.Decision(i); d == nil || d.Index != i || d.Action != want {
			t.Errorf("decision on row %d is %+v, want %s", i, d, want)
		}
	}
	if d := e.Decision(3); d != nil {
		t.Errorf("row 3 has a decision: %+v", d)
	}
	if want := []int{0, 1, -1, 2}; len(e.Source) != 4 || e.Source[1] != 1 || e.Source[2] >= 0 || e.Source[3] != 2 {
		t.Errorf("sources are %v, want %v", e.Source, want)
	}
}

func TestNewRecorded(t *testing.T) {
	facts := history.Facts{BaseInstructions: "12345678", HasBase: true}
	rec := record(t, `{"timestamp":"2026-01-10T08:00:00.000Z","type":"compacted","payload":{"message":"sum"}}`)
	r := NewRecorded(rows(user("a")), rows(user("b")), facts, rec)
	if r.Options.Instructions != 2 || r.Options.Summary != "sum" || !r.Local || r.Date.Format(time.DateOnly) != "2026-01-10" {
		t.Errorf("got %d tokens of instructions, summary %q, local %v, date %v", r.Options.Instructions, r.Options.Summary, r.Local, r.Date)
	}
	rec = record(t, `{"timestamp":"now","type":"compacted","payload":{"message":"","replacement_history":[]}}`)
	if r = NewRecorded(nil, nil, facts, rec); r.Local || !r.Date.IsZero() {
		t.Errorf("got local %v, date %v; want a remote one of the newest generation", r.Local, r.Date)
	}
}

func TestRetainedCost(t *testing.T) {
	tests := []struct {
		name string
		rows []history.Row
		want int64
	}{
		{"nothing", rows(summary("S")), 0},
		{"texts round up one by one", rows(message("user", text("12345"), text("1")), summary("S")), 3},
		{"images are free, a message costs at least 1", rows(message("user", image), summary("S")), 1},
		{"context and assistant messages do not count", rows(user("<environment_context></environment_context>"), assistant("12345678")), 0},
		{"a notice counts with its source", rows(user("1234"), notice("1234")), 1 + 12}, // 47 bytes with its tags
		{"behind the summary", rows(user("1234"), summary("S"), user("12345678")), 1},
		{"client messages and outputs", []history.Row{row(developer("1234"), client), clientOutput("123")}, 1 + 1},
		{"agents", rows(agent("/root", "/root/w", text("12345678"))), 5}, // 5 + 7 + 8 bytes
	}
	for _, tt := range tests {
		if got := RetainedCost(tt.rows); got != tt.want {
			t.Errorf("%s: cost %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestIsLocalSummary(t *testing.T) {
	for item, want := range map[string]bool{
		user(summaryPrefix + "\nsum"):      true,
		user(summaryPrefix):                false,
		assistant(summaryPrefix + "\nsum"): false,
		marked():                           true,
		strings.Replace(marked(), `"role":"user"`, `"role":"developer"`, 1): false,
		user("Another day"): false,
	} {
		it, err := parse.ViewItem(jsonraw.Value(item))
		if err != nil {
			t.Fatal(err)
		}
		if got := IsLocalSummary(it); got != want {
			t.Errorf("IsLocalSummary(%.80s) = %v", item, got)
		}
	}
}

func TestIsInjected(t *testing.T) {
	for item, want := range map[string]bool{
		user("<environment_context></environment_context>"): true,
		user("hello"):                              false,
		user(hookPrompt("stop")):                   false,
		developer("<permissions instructions>\nx"): true,
		developer("be nice"):                       false,
		notice("x"):                                false,
		assistant("<environment_context></environment_context>"): false,
		call("c"): false,
	} {
		it, err := parse.ViewItem(jsonraw.Value(item))
		if err != nil {
			t.Fatal(err)
		}
		if got := IsInjected(it); got != want {
			t.Errorf("IsInjected(%.80s) = %v", item, got)
		}
	}
}

func TestRecordedKeepsAll(t *testing.T) {
	long := strings.Repeat("x", 4*DefaultBudget)
	pictures := message("user", image, image, image, image, image, image, image)
	tests := []struct {
		name          string
		before, after []history.Row
		want          bool
	}{
		{"kept", rows(user("a"), assistant("b"), user("c")), rows(user("<environment_context></environment_context>"), user("a"), user("c"), summary("S")), true},
		{"one is missing", rows(user("a"), user("c")), rows(user("c"), summary("S")), false},
		{"another order", rows(user("a"), user("c")), rows(user("c"), user("a"), summary("S")), false},
		{"one is too many", rows(user("a")), rows(user("a"), user("c"), summary("S")), false},
		{"over the budget", rows(user("a"), user(long)), rows(user("a"), user(long), summary("S")), false},
		{"fills the budget", rows(user(long)), rows(user(long), summary("S")), true},
		{"images are not charged", rows(pictures), rows(pictures, summary("S")), true},
		{"client messages are not kept by default", []history.Row{row(developer("d"), client), row(user("a"))}, rows(developer("d"), user("a"), summary("S")), false},
	}
	for _, tt := range tests {
		r := Recorded{Before: tt.before, After: tt.after, Options: Defaults()}
		if got := r.KeepsAll(); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
		if tt.want && !r.Explain().Matches {
			t.Errorf("%s: all is kept, yet it does not match", tt.name)
		}
	}
	old := Recorded{Before: rows(user("a")), After: rows(user("a"), summary("S")), Options: Defaults(), Date: remoteV1()}
	if old.KeepsAll() {
		t.Error("the older endpoint has no budget to keep within")
	}
}
