package compaction

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
)

// briefPool are rows of all kinds that retention tells apart.
func briefPool() []history.Row {
	return append(rows(
		user("a"), user("b"), user("c"), user(""), user("<environment_context></environment_context>"), user(hookPrompt("stop")),
		user(summaryPrefix+"\nsum"), marked(), assistant("answer"), developer("be nice"), developer("<permissions instructions>\nx"),
		notice("1"), notice("2"), message("user", image, text("d")), agent("/root/a", "/root", text("hi")),
		agent("/root/a", "/root", text("Message Type: FINAL_ANSWER\nx")), agent("/root/a", "/root", text("Message Type: MESSAGE\nx")),
		agent("/root/a", "/root/b", text(strings.Repeat("x", 4*maxAgentTokens))), call("c"), output("c", "out"),
		message("user", text(strings.Repeat("y", 4*DefaultBudget))), summary("S"), `{"type":"context_compaction"}`,
		`{"type":"reasoning","summary":[]}`, `{"type":"from_a_newer_build"}`,
	), row(developer("client"), client), row(notice("client"), client), clientOutput("kept"))
}

// sums are the totals of a history and of a checkpoint.
func sums(b Briefer, before, after []history.Row) (Total, StoredTotal) {
	var x Total
	for _, r := range before {
		x.Add(b.Brief(r))
	}
	var y StoredTotal
	for _, r := range after {
		y.Add(b.Brief(r))
	}
	return x, y
}

// What briefs tell is what the rows tell.
func TestBriefsAgreeWithRows(t *testing.T) {
	pool, b := briefPool(), NewBriefer()
	random := rand.New(rand.NewSource(1))
	both := map[bool]int{}
	for range 2_000 {
		before := make([]history.Row, random.Intn(8))
		for i := range before {
			before[i] = pool[random.Intn(len(pool))]
		}
		// What the rules keep, with now and then another row in it or one taken out.
		_, kept := retainable(before, Defaults())
		after := rowsOf(kept)
		if random.Intn(3) == 0 && len(after) > 0 {
			i := random.Intn(len(after))
			after = slices.Delete(slices.Clone(after), i, i+1)
		}
		if n := len(after); random.Intn(4) == 0 && n > 1 { // or two that change places
			after = slices.Clone(after)
			i, k := random.Intn(n), random.Intn(n)
			after[i], after[k] = after[k], after[i]
		}
		for random.Intn(2) == 0 {
			after = slices.Insert(slices.Clone(after), random.Intn(len(after)+1), pool[random.Intn(len(pool))])
		}
		x, y := sums(b, before, after)
		r := Recorded{Before: before, After: after, Options: Defaults()}
		want := r.KeepsAll()
		both[want]++
		if got := KeepsAll(x, y, r.Date); got != want {
			t.Fatalf("keeps all: %v by briefs, %v by rows\nbefore %s\nafter %s", got, want, labels(before), labels(after))
		}
		if got, want := y.RetainedCost(), RetainedCost(after); got != want {
			t.Fatalf("retained cost %d by briefs, %d by rows\nafter %s", got, want, labels(after))
		}
	}
	if min(both[true], both[false]) < 100 {
		t.Errorf("one of the outcomes is hardly tried: %v", both)
	}
}

func labels(rows []history.Row) string {
	var out []string
	for _, r := range rows {
		out = append(out, fmt.Sprintf("%.120s %s", r.Item.Raw, r.Meta.Raw))
	}
	return strings.Join(out, "\n  ")
}

// Before the newest generation other rules hold: briefs do not answer.
func TestBriefsOfOlderGenerations(t *testing.T) {
	before, after := rows(user("a")), rows(user("a"), summary("S"))
	x, y := sums(NewBriefer(), before, after)
	for _, g := range generations() {
		if got, want := KeepsAll(x, y, g.from.AddDate(0, 0, -1)), false; got != want && g.name != "C0" {
			t.Errorf("the day before %s: %v", g.name, got)
		}
	}
	if !KeepsAll(x, y, retainsClientOutputs()) {
		t.Error("the first day of the newest: not told to keep all")
	}
}
