package compaction

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
)

// compaction.md 3.5, with its example.
func TestContextPlacement(t *testing.T) {
	n, hook := notice("n"), user(hookPrompt("h"))
	dev, env := developer("dev"), user("<environment_context>x</environment_context>")
	final := agent("/root/a", "/root", text("Message Type: FINAL_ANSWER\nx"))
	other := agent("/root", "/root/a", text("x"))
	old, local := summary("old"), user(summaryPrefix+"\nx")
	for _, c := range []struct {
		name string
		in   []string
		want string // the items, | where the context goes
	}{
		{"before the last user message", []string{user("u1"), user("u2"), n}, "u1|u2 n S"},
		{"hook prompts do not count", []string{user("u1"), user("u2"), n, hook}, "u1|u2 n h S"},
		{"an agent message counts", []string{user("u1"), other}, "u1|a S"},
		{"only hook prompts: before the summary", []string{hook}, "h|S"},
		{"nothing retained", []string{assistant("a")}, "|S"},
	} {
		t.Run(c.name, func(t *testing.T) {
			opt := budget(DefaultBudget)
			opt.Context = &Context{Normal: rows(dev, env), Prefix: []history.Row{row(developer("tools"), `{"user_input_order":1}`)}}
			p := compact(t, rows(c.in...), opt)
			names := map[string]string{user("u1"): "u1", user("u2"): "u2", n: "n", hook: "h", other: "a", summary("S"): "S"}
			want := []string{developer("tools")}
			before, after, _ := strings.Cut(c.want, "|")
			pick := func(list string) {
				for _, name := range strings.Fields(list) {
					for item, is := range names {
						if is == name {
							want = append(want, item)
						}
					}
				}
			}
			pick(before)
			want = append(want, dev, env)
			pick(after)
			checkItems(t, p.Items, want...)
			if len(p.Metadata) != len(p.Items) {
				t.Errorf("%d sidecars for %d items", len(p.Metadata), len(p.Items))
			}
		})
	}

	// The places that a plan's own items never show.
	for _, c := range []struct {
		name  string
		items []string
		at    int
	}{
		{"a final answer does not count", []string{user("u"), final, old}, 0},
		{"the last compaction item", []string{old, assistant("a"), old, assistant("b")}, 2},
		{"no anchor: the end", []string{assistant("a")}, 1},
		{"a real message before local summaries", []string{user("u"), local, local, old}, 0},
		{"else the newest local summary", []string{assistant("a"), local, local, old}, 2},
	} {
		_, entries := open(rows(c.items...), 0)
		if got := contextPlace(entries); got != c.at {
			t.Errorf("%s: %d, want %d", c.name, got, c.at)
		}
	}
}
