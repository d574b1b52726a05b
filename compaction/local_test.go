package compaction

import (
	"strings"
	"testing"
)

func local(t *testing.T, opt Options, items ...string) Plan {
	t.Helper()
	in := rows(items...)
	p := LocalCompact(in, opt)
	checkDecisions(t, in, p.Items, p.Decisions)
	return p
}

// localSummary is the summary as rule 23 writes it.
func localSummary(s string) string {
	return `{"type":"message","role":"user","content":[` + text(s) + `],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["compaction.summary"]}}`
}

func TestRule23Local(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	opt := budget(0) // the budget of rule 23 is fixed
	p := local(t, opt,
		user("never"), user(x(40_000)), user("<environment_context>x</environment_context>"),
		user(summaryPrefix+"\nold"), message("user", text("see"), smallImage), assistant("a"), user(x(60_000)))
	// The newest costs 15,000 and "see" 1: 4,999 tokens, 19,996 bytes, are left of 20,000.
	checkItems(t, p.Items,
		user(x(9_998)+"…5001 tokens truncated…"+x(9_998)),
		user("see"), user(x(60_000)), localSummary("S"))
	for i, want := range []struct {
		action Action
		reason string
	}{
		{Dropped, "past the budget: 0 of 20000 tokens left"},
		{Cut, "cut to the 4999 tokens that were left"},
		{Dropped, "only what the user wrote is retained"},
		{Dropped, "older summary"},
		{Rewritten, "reduced to its text"},
		{Dropped, "only user messages are retained"},
		{Kept, "user message"},
	} {
		checkReason(t, decisionFor(t, p.Decisions, i), want.action, 23, want.reason)
	}
	if p.Items[0].Line != 2 || p.Items[3].Line != 0 {
		t.Errorf("lines %d and %d, want 2 and 0", p.Items[0].Line, p.Items[3].Line)
	}
	if s := strings.Join(p.Story(2), "\n"); !strings.Contains(s, "rule 23: its text costs 10000 of the 4999 tokens left") {
		t.Errorf("story:\n%s", s)
	}
	checkItems(t, local(t, Options{}).Items, localSummary("(no summary available)"))
}

func TestRule23LocalContext(t *testing.T) {
	opt := budget(0)
	opt.Summary = summaryPrefix + "\nS" // as Codex writes it: not taken for a user's message
	opt.Context = &Context{Normal: rows(developer("d"))}
	checkItems(t, local(t, opt, user("u")).Items, developer("d"), user("u"), localSummary(opt.Summary))
}
