package compaction

import (
	"testing"
	"time"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// The days of compaction.md 0.1 and the ones before them.
func TestProfileNames(t *testing.T) {
	for date, want := range map[string]string{
		"2025-09-01": "C0", "2025-11-17": "C0", "2025-11-18": "C1", "2026-05-03": "C1", "2026-05-04": "C2",
		"2026-06-02": "C2", "2026-06-03": "C2a", "2026-06-10": "C2b", "2026-06-18": "C2c", "2026-07-29": "C2c",
		"2026-07-30": "C2d", "2026-08-04": "C2e", "2026-08-10": "C2f", "2026-08-18": "C2g", "2026-08-23": "C2h",
		"2027-01-01": "C4",
	} {
		if got := profileOf(t, date).Name(); got != want {
			t.Errorf("%s: %s, want %s", date, got, want)
		}
	}
	if got := ProfileFor(time.Time{}); got != (Profile{}) || got.Name() != "C4" || got.Estimator() != tokens.Content {
		t.Errorf("the newest profile is %s", got.Name())
	}
	if profileOf(t, "2026-08-21").Estimator() != tokens.JSON || profileOf(t, "2026-08-22").Estimator() != tokens.Content {
		t.Error("the estimator does not change after 2026-08-21")
	}
}

func profileOf(t *testing.T, date string) Profile {
	t.Helper()
	d, err := time.Parse(time.DateOnly, date)
	if err != nil {
		t.Fatal(err)
	}
	return ProfileFor(d)
}

func TestProfileRetention(t *testing.T) {
	plain := agent("/root", "/root/a", text("x"))
	progress := agent("/root/a/b", "/root/a", text("Message Type: MESSAGE\nx"))
	post := agent("/root/a/b", "/root/a", text("Message Type: CHANNEL_POST\nx"))
	n, dev, out := notice("n"), row(developer("d"), client), clientOutput("o")
	in := append(rows(plain, progress, post, user("u"), n), dev, out)
	o := string(out.Item.Raw)
	for _, c := range []struct {
		date string
		want []string
	}{
		{"2026-07-29", []string{user("u")}},
		{"2026-07-30", []string{plain, progress, post, user("u")}},
		{"2026-08-04", []string{plain, progress, post, user("u"), n}},
		{"2026-08-10", []string{plain, progress, post, user("u"), n, developer("d")}},
		{"2026-08-18", []string{plain, post, user("u"), n, developer("d")}},
		{"2026-08-22", []string{plain, user("u"), n, developer("d")}},
		{"2027-01-01", []string{plain, user("u"), n, developer("d"), o}},
	} {
		opt := budget(DefaultBudget)
		opt.Profile, opt.RetainClientDeveloper, opt.RetainClientToolOutputs = profileOf(t, c.date), true, true
		p := compact(t, in, opt)
		t.Run(c.date, func(t *testing.T) { checkItems(t, p.Items, append(c.want, summary("S"))...) })
		if sidecars := p.Metadata != nil; sidecars != (c.date >= "2026-08-10") {
			t.Errorf("%s: sidecars %v", c.date, sidecars)
		}
	}
}

func TestProfileImageBudget(t *testing.T) {
	in := rows(user("old"), message("user", image))
	for date, want := range map[string]int{"2026-08-22": 2, "2026-08-23": 1} {
		opt := budget(10_000)
		opt.Profile = profileOf(t, date)
		if got := len(compact(t, in, opt).Items) - 1; got != want {
			t.Errorf("%s: %d items retained, want %d", date, got, want)
		}
	}
}

// compaction.md 3.7: no budget, no cut, no sidecar, older summaries stay.
func TestProfileV1(t *testing.T) {
	opt := budget(1)
	opt.Profile = profileOf(t, "2026-01-01")
	plain := agent("/root", "/root/a", text("x"))
	in := rows(user("u-u-u-u-u"), user("<environment_context>x</environment_context>"), user(hookPrompt("h")),
		assistant("a"), developer("d"), message("system", text("s")), plain, call("c"), output("c", "x"), summary("old"))
	in[0] = row(user("u-u-u-u-u"), client)
	p := compact(t, in, opt)
	checkItems(t, p.Items, user("u-u-u-u-u"), user(hookPrompt("h")), assistant("a"), plain, summary("old"), summary("S"))
	if p.Metadata != nil {
		t.Errorf("sidecars %s", p.Metadata)
	}
}

func TestProfileLocal(t *testing.T) {
	opt := budget(0)
	opt.Profile = profileOf(t, "2025-10-01")
	checkItems(t, compact(t, rows(user("u"), assistant("a")), opt).Items, user("u"), localSummary("S"))
}

// compaction.md 0.1 C2a: before, items were deleted from the end, outputs with their
// calls.
func TestProfileTrimDeletes(t *testing.T) {
	opt := window(0)
	opt.Profile = profileOf(t, "2026-06-02")
	shell := `{"type":"local_shell_call","call_id":"s","status":"completed","action":{"type":"exec","command":["x"]}}`
	for _, c := range []struct {
		name string
		in   []string
		want []string
		n    int
	}{
		{"an output and its call", []string{user("u"), assistant("a"), call("c"), output("c", "x")}, []string{user("u"), assistant("a")}, 1},
		{"developer messages too", []string{user("u"), output("o", "x"), developer("d")}, []string{user("u")}, 2},
		{"a call further up", []string{call("c"), user("u"), output("c", "x")}, []string{user("u")}, 1},
		{"a call without output stops", []string{output("o", "x"), call("c")}, []string{output("o", "x"), call("c")}, 0},
		{"parallel calls", []string{user("u"), call("c"), shell, output("c", "x"), output("s", "y")}, []string{user("u")}, 2},
		{"the first of two calls with one id", []string{call("c"), user("u"), call("c"), output("c", "x")},
			[]string{user("u"), call("c")}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := trim(t, rows(c.in...), opt)
			checkItems(t, p.Rows, c.want...)
			if p.Rewritten != c.n {
				t.Errorf("%d deleted, want %d", p.Rewritten, c.n)
			}
		})
	}

	// It stops when the rest fits: 1 + 6 tokens, the output costs 1.
	opt = window(7)
	opt.Profile = profileOf(t, "2026-06-02")
	in := rows(user("u"), user("123456789012345678901234"), output("c", "x"))
	if p := trim(t, in, opt); p.Rewritten != 1 || p.DeletedTokens != 1 {
		t.Errorf("%d deleted, %d tokens, want 1 and 1", p.Rewritten, p.DeletedTokens)
	}
	var none []history.Row
	if p := trim(t, none, opt); len(p.Rows) != 0 {
		t.Errorf("%d rows of none", len(p.Rows))
	}
}
