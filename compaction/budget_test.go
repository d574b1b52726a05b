package compaction

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
)

func TestRule37Costs(t *testing.T) {
	dev := func(parts ...string) history.Row { return row(message("developer", parts...), client) }
	for _, c := range []struct {
		name string
		in   history.Row
		cost int64 // without image budget
		with int64 // with it
	}{
		{"texts are rounded up one by one", row(message("user", text("abcde"), text("abcde"))), 4, 4},
		{"at least 1", row(message("user")), 1, 1},
		{"an image", row(message("user", text("abcd"), smallImage)), 1, 1845},
		{"only an image", row(message("user", smallImage)), 1, 1844},
		{"an original image", row(message("user", image)), 1, 10_000},
		{"audio is free", row(message("user", text("abcd"), audio)), 1, 1},
		{"a client developer message costs its estimate", dev(text("abcde"), text("abcde")), 3, 3},
		{"media included", dev(text("abcd"), smallImage), 1845, 1845},
		{"without minimum", dev(), 0, 0},
		{"an agent message costs its estimate", row(agent("/root", "/root/a", text("abcd"))), 4, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, charge := range []bool{false, true} {
				cost := c.cost
				if charge {
					cost = c.with
				}
				// A message of 1 token in front is kept only if 1 is left behind this one.
				for left, want := range map[int64]int{0: 1, 1: 2} {
					opt := budget(cost + left)
					opt.RetainClientDeveloper, opt.NoImageBudget = true, !charge
					if cost+left == 0 {
						want = 0
					}
					if got := len(compact(t, []history.Row{row(user("1234")), c.in}, opt).Items) - 1; got != want {
						t.Errorf("charge %v, budget %d: %d items retained, want %d", charge, opt.Budget, got, want)
					}
				}
			}
		})
	}
}

func TestRule37NothingLeft(t *testing.T) {
	free := row(message("developer"), client) // costs 0
	opt := budget(1)
	opt.RetainClientDeveloper = true
	p := compact(t, []history.Row{free, row(user("abcd")), free}, opt)
	checkItems(t, p.Items, user("abcd"), message("developer"), summary("S"))
	checkReason(t, decisionFor(t, p.Decisions, 0), Dropped, 37, "past the budget: 0 of 1 tokens left")

	opt.Budget = 0
	p = compact(t, []history.Row{free, row(user("abcd"))}, opt)
	checkItems(t, p.Items, summary("S"))
	checkReason(t, decisionFor(t, p.Decisions, 1), Dropped, 37, "past the budget: 0 of 0 tokens left")
}

// The worked examples of compaction.md 3.9, by their numbers.
func TestRule38WorkedExamples(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	filler := func(n int) string { return user(x(4 * n)) }                                           // n tokens
	notice135 := notice(strings.Repeat("n", 135-len("<image_resize_notice></image_resize_notice>"))) // 34 tokens
	seven := message("user", append(repeat(image, 7), text("Compare these images"))...)
	six := cutMessage("user", append(repeat(image, 6), text("Compare these images"))...)
	five := strings.Replace(strings.Replace(six, image+",", "", 1), `"unknown",`, "", 1)
	open1, open2 := `<image name="`+strings.Repeat("a", 29)+`">`, `<image name="`+strings.Repeat("b", 29)+`">`
	blocks := []string{text(open1), smallImage, text("</image>"), text(strings.Repeat("q", 40)),
		text(open2), smallImage, text("</image>"), text("tail text")}
	ab := message("user", text(strings.Repeat("a", 40)), text(strings.Repeat("b", 40)), smallImage)
	out15 := clientOutput(x(59))         // 1 + 59 bytes
	out70000 := clientOutput(x(279_999)) // 1 + 279,999 bytes

	for _, c := range []struct {
		name    string
		in      []history.Row
		budget  int64
		noImage bool
		want    []string
	}{
		{"1", rows(user("old-old"), user("middle1234"), user("new")), 3, false,
			[]string{cutMessage("user", text("midd…1 tokens truncated…1234")), user("new")}},
		{"2", rows(user(x(100_000)), user(x(100_000)), user(x(100_000))), 64_000, false,
			[]string{cutMessage("user", text(x(28_000)+"…11000 tokens truncated…"+x(28_000))), user(x(100_000)), user(x(100_000))}},
		{"3", rows(user("older"), agent("/root", "/root/a", text(x(36_000-12))), filler(60_000)), 64_000, false,
			[]string{user("older"), filler(60_000)}},
		{"4", rows(user("older"), user("with notice"), notice135, filler(63_980)), 64_000, false,
			[]string{user("older"), filler(63_980)}},
		{"5", rows(user("older"), message("user", text("with notice"), smallImage), notice135, filler(63_980)), 64_000, false,
			[]string{filler(63_980)}},
		{"5 without image budget", rows(user("older"), message("user", text("with notice"), smallImage), notice135, filler(63_980)), 64_000, true,
			[]string{user("older"), filler(63_980)}},
		{"4 with exactly the notice's 34 tokens left, media free", rows(user("older"), message("user", text("with notice"), smallImage), notice135, filler(66)), 100, true,
			[]string{user("older"), filler(66)}},
		{"6", rows(user(x(400)), notice135), 100, false,
			[]string{cutMessage("user", text(x(132)+"…34 tokens truncated…"+x(132))), notice135}},
		{"7", []history.Row{row(developer(x(400)), client)}, 50, false,
			[]string{cutMessage("developer", text(x(84)+"…15 tokens truncated…"+x(84)))}},
		{"8", rows(seven), 64_000, false, []string{six}},
		{"8 without image budget", rows(seven), 64_000, true, []string{seven}},
		{"9", rows(six, user("after compact"), message("user", image)), 64_000, false,
			[]string{five, user("after compact"), message("user", image)}},
		{"10: 3,727", rows(message("user", blocks...)), 3727, false, []string{message("user", blocks...)}},
		{"10: 3,725", rows(message("user", blocks...)), 3725, false, []string{cutMessage("user", blocks[3:]...)}},
		{"10: 1,863", rows(message("user", blocks...)), 1863, false,
			[]string{cutMessage("user", append([]string{text("qqqqqq…7 tokens truncated…qqqqqq")}, blocks[4:]...)...)}},
		{"10: 1,859", rows(message("user", blocks...)), 1859, false, []string{cutMessage("user", text("tail text"))}},
		{"10: 2", rows(message("user", blocks...)), 2, false, []string{cutMessage("user", text("tail…1 tokens truncated…text"))}},
		{"11", rows(ab), 1850, false,
			[]string{cutMessage("user", text("bbbbbbbbbbbb…4 tokens truncated…bbbbbbbbbbbb"), smallImage)}},
		{"11 without image budget", rows(ab), 6, true,
			[]string{cutMessage("user", text("aaaaaaaaaaaa…4 tokens truncated…aaaaaaaaaaaa"), smallImage)}},
		{"12", []history.Row{row(user("older")), out70000, out15}, 64_000, false, []string{string(out15.Item.Raw)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			opt := budget(c.budget)
			opt.RetainClientDeveloper, opt.RetainClientToolOutputs, opt.NoImageBudget = true, true, c.noImage
			checkItems(t, compact(t, c.in, opt).Items, append(c.want, summary("S"))...)
		})
	}
}

func repeat(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

// What is left after a group that does not fit (rule 38): a message of exactly so
// many tokens in front is kept whole, a longer one is cut.
func TestRule38WhatIsLeft(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []history.Row
		left int64
	}{
		{"an agent message leaves the budget", rows(agent("/root", "/root/a", text(strings.Repeat("x", 4000)))), 100},
		{"a client developer message that cannot be cut",
			[]history.Row{row(message("developer", smallImage, text("x")), client)}, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			opt := budget(100)
			opt.RetainClientDeveloper = true
			exact := user(strings.Repeat("e", int(4*c.left)))
			p := compact(t, append(rows(exact), c.in...), opt)
			if string(p.Items[0].Item.Raw) != exact {
				t.Errorf("%d tokens were not left", c.left)
			}
			p = compact(t, append(rows(user(strings.Repeat("e", int(4*c.left+1)))), c.in...), opt)
			checkReason(t, p.Decisions[0], Cut, 39, "cut to")
		})
	}
}

func TestRule39Text(t *testing.T) {
	for _, c := range []struct {
		name   string
		budget int64
		parts  []string
		want   []string
	}{
		{"compaction.md 8: image and text parts", 3,
			[]string{text("abcdef"), smallImage, text("uvwxyz"), text("more"), smallImage},
			[]string{text("abcdef"), smallImage, text("uv…1 tokens truncated…yz"), smallImage}},
		{"empty texts go", 2, []string{text(""), text("abcdefghijkl"), text("")},
			[]string{text("abcd…1 tokens truncated…ijkl")}},
		{"audio is free", 1, []string{text("abcd"), text("x"), audio}, []string{text("abcd"), audio}},
		{"other members of a part stay", 1,
			[]string{`{"type":"input_text","text":"abcdefgh","novel":1.0}`},
			[]string{`{"type":"input_text","text":"ab…1 tokens truncated…gh","novel":1.0}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			opt := budget(c.budget)
			opt.NoImageBudget = true
			checkItems(t, compact(t, rows(message("user", c.parts...)), opt).Items, cutMessage("user", c.want...), summary("S"))
		})
	}
}

func TestRule40Blocks(t *testing.T) {
	open, end := text("<image>"), text("</image>") // 2 tokens each
	for _, c := range []struct {
		name   string
		budget int64
		parts  []string
		want   []string // nil: nothing is left
	}{
		{"a block fits with its labels", 1848, []string{text("x"), open, smallImage, end}, []string{open, smallImage, end}},
		{"a block that does not fit takes its labels along", 1847, []string{open, smallImage, end}, nil},
		{"and ends the budget", 1847, []string{text("x"), open, smallImage, end}, nil},
		{"an open label further away is text", 1847, []string{open, text("y"), smallImage, text("z")},
			[]string{text("<i…1 tokens truncated…e>"), text("y"), smallImage, text("z")}},
		{"a close label further away is text", 1845, []string{smallImage, text("yyyyy"), end},
			[]string{text("yyyyy"), end}},
		{"audio stays behind the end", 3, []string{text("a"), audio, smallImage, text("tail")}, []string{audio, text("tail")}},
		{"audio is no image", 1845, []string{open, audio, smallImage, text("x"), text("")},
			[]string{audio, smallImage, text("x")}},
		{"empty texts go", 1846, []string{text("abcdefghijkl"), text(""), smallImage, text("")},
			[]string{text("abcd…1 tokens truncated…ijkl"), smallImage}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := []string{summary("S")}
			if c.want != nil {
				want = []string{cutMessage("user", c.want...), summary("S")}
			}
			checkItems(t, compact(t, rows(user("never"), message("user", c.parts...)), budget(c.budget)).Items, want...)
		})
	}
}

func TestRule41ClientDeveloper(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, c := range []struct {
		name   string
		budget int64
		parts  []string
		want   []string // nil: skipped, and the budget stays
	}{
		{"fits", 3, []string{text("abcde"), text("abcde")}, nil},
		{"compaction.md 3.9 #7", 50, []string{text(x(400))}, []string{text(x(84) + "…15 tokens truncated…" + x(84))}},
		// 7,773 bytes, 1,944 tokens, texts 100: the rest takes 1,844 of 1,900. The texts get
		// 56: 112 + marker 25 + 112 = 249 bytes, 63 tokens; with the image 7,622 bytes, 1,906.
		// Once more with 56 - 6 - 1 = 49 tokens: 98 + marker (249-196=53: 14) + 98 = 221 bytes:
		// 7,594 bytes, 1,899 tokens.
		{"media is paid first", 1900, []string{text(x(400)), smallImage},
			[]string{text(x(98) + "…14 tokens truncated…" + x(98)), smallImage}},
		{"no room for texts: media alone is within the room", 1844, []string{text(x(400)), smallImage},
			[]string{smallImage}},
		{"media alone is over", 1843, []string{text(x(400)), smallImage}, nil},
		{"the marker alone is over", 2, []string{text(x(400))}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			opt := budget(c.budget)
			opt.RetainClientDeveloper = true
			in := []history.Row{row(user("e")), row(message("developer", c.parts...), client)}
			want := []string{cutMessage("developer", c.want...), summary("S")}
			switch {
			case c.name == "fits":
				want = []string{string(in[1].Item.Raw), summary("S")}
			case c.want == nil:
				want = []string{user("e"), summary("S")}
			}
			checkItems(t, compact(t, in, opt).Items, want...)
		})
	}
}
