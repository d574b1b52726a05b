package compaction

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

func textGen() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 9).Draw(t, "text kind") {
		case 0:
			return "<environment_context>x</environment_context>"
		case 1:
			return hookPrompt("h")
		case 2:
			return "<image>"
		case 3:
			return "</image>"
		}
		return strings.Repeat(rapid.SampledFrom([]string{"x", "é", "漢", "😀"}).Draw(t, "char"), rapid.IntRange(0, 90).Draw(t, "length"))
	})
}

func partGen() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 7).Draw(t, "part kind") {
		case 0:
			return smallImage
		case 1:
			return image
		case 2:
			return `{"type":"input_audio","audio_url":"a"}`
		}
		return text(textGen().Draw(t, "text"))
	})
}

func rowGen() *rapid.Generator[history.Row] {
	return rapid.Custom(func(t *rapid.T) history.Row {
		parts := func() []string { return rapid.SliceOfN(partGen(), 0, 4).Draw(t, "parts") }
		id := func() string { return rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "call id") }
		var item string
		switch rapid.IntRange(0, 11).Draw(t, "item kind") {
		case 0, 1, 2, 3:
			item = message("user", parts()...)
		case 4:
			item = message("developer", parts()...)
		case 5:
			item = notice(textGen().Draw(t, "notice"))
		case 6:
			item = agent("/root/a", rapid.SampledFrom([]string{"/root", "/root/b"}).Draw(t, "recipient"),
				text(rapid.SampledFrom([]string{"", messageHeader, finalAnswerHeader}).Draw(t, "header")+textGen().Draw(t, "text")))
		case 7:
			item = call(id())
		case 8:
			item = output(id(), textGen().Draw(t, "body"))
		case 9:
			item = `{"type":"function_call_output","name":"t","output":` + quote(textGen().Draw(t, "body")) + `}`
		case 10:
			item = summary("old")
		default:
			item = assistant("a")
		}
		switch rapid.IntRange(0, 3).Draw(t, "sidecar") {
		case 0:
			return row(item, client)
		case 1:
			return row(item, `{"retained_source":{"id":{"message_id":"m","turn_id":"t","role":"user"},"revision":"r","complete":true}}`)
		}
		return row(item)
	})
}

func historyGen(t *rapid.T) []history.Row {
	in := rapid.SliceOfN(rowGen(), 0, 20).Draw(t, "rows")
	for i := range in {
		in[i].Line = i + 1
	}
	return in
}

func optionsGen(t *rapid.T) Options {
	flag := rapid.Bool()
	opt := budget(rapid.SampledFrom([]int64{0, 1, 5, 20, 60, 200, 1900, 4000, 12_000, 64_000}).Draw(t, "budget"))
	if flag.Draw(t, "trim") {
		w := rapid.Int64Range(0, 4000).Draw(t, "window")
		opt.Window = &w
	}
	opt.RetainClientDeveloper = flag.Draw(t, "client developer")
	opt.RetainClientToolOutputs = flag.Draw(t, "client outputs")
	opt.NoImageBudget = flag.Draw(t, "no image budget")
	opt.Modalities = history.Modalities{Image: flag.Draw(t, "images"), Audio: flag.Draw(t, "audio")}
	return opt
}

func TestPropertyDecisions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, opt := historyGen(t), optionsGen(t)
		p := Compact(in, opt)
		checkDecisions(t, in, p.Items, p.Decisions)
		tp := Trim(in, opt.TrimOptions)
		checkDecisions(t, in, tp.Rows, tp.Decisions)
		lp := LocalCompact(in, opt)
		checkDecisions(t, in, lp.Items, lp.Decisions)
		for _, d := range p.Decisions {
			if story := p.Story(d.Line); d.Index >= 0 && !strings.HasSuffix(story[len(story)-1], d.result()) {
				t.Fatalf("the story of line %d does not end with its decision:\n%s", d.Line, strings.Join(story, "\n"))
			}
		}
	})
}

func TestPropertySidecarsAlign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Compact(historyGen(t), optionsGen(t))
		with := 0
		for _, r := range p.Items {
			if r.Meta.Present() {
				with++
			}
		}
		switch {
		case with == 0 && p.Metadata != nil:
			t.Fatalf("sidecars for items without metadata")
		case with > 0 && len(p.Metadata) != len(p.Items):
			t.Fatalf("%d sidecars for %d items", len(p.Metadata), len(p.Items))
		}
		for i, m := range p.Metadata {
			authored := parse.ViewSidecar(m).ClientAuthored()
			if authored != p.Items[i].Meta.ClientAuthored() {
				t.Fatalf("sidecar %d is not that of item %d", i, i)
			}
		}
	})
}

// What stays costs no more than the budget, but for the markers of one cut message
// (rule 27: a text is cut to its budget, the marker comes on top). The cost is
// computed here from the texts of rule 37.
func TestPropertyBudget(t *testing.T) {
	const markerTokens = 8 // at most 30 bytes
	rapid.Check(t, func(t *rapid.T) {
		in, opt := historyGen(t), optionsGen(t)
		p := Compact(in, opt)
		var total, markers int64
		for _, d := range p.Decisions {
			if d.OutputIndex < 0 || d.Rule == 43 {
				continue
			}
			r := p.Items[d.OutputIndex]
			if d.Action == Cut && !isClientDeveloper(r) {
				markers += markerTokens
			}
			total += chargedCost(r, !opt.NoImageBudget)
		}
		if markers > markerTokens {
			t.Fatalf("more than one message was cut")
		}
		if total > opt.Budget+markers {
			t.Fatalf("%d tokens retained in a budget of %d", total, opt.Budget)
		}
	})
}

func chargedCost(r history.Row, images bool) int64 {
	if r.Item.Type != parse.ItemMessage || isClientDeveloper(r) && !history.IsResizeNotice(r.Item) {
		return tokens.Content.Item(r.Item)
	}
	var n int64
	for _, p := range r.Item.Content() {
		switch {
		case p.IsText():
			n += (int64(len(p.Text())) + 3) / 4
		case p.Type == parse.PartInputImage && images:
			n += tokens.Image(p)
		}
	}
	return n
}

func TestPropertyBudgetZero(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opt := optionsGen(t)
		opt.Budget = 0
		if p := Compact(historyGen(t), opt); len(p.Items) != 1 || p.Items[0].Item.Type != parse.ItemCompaction {
			t.Fatalf("%d items with a budget of 0", len(p.Items))
		}
	})
}

// Retaining the retained again changes nothing when nothing was cut. (Client developer
// messages may take another's notice once what stood between is gone; a larger budget
// may even keep fewer items.)
func TestPropertyAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opt := optionsGen(t)
		opt.RetainClientDeveloper = false
		first := Compact(historyGen(t), opt)
		for _, d := range first.Decisions {
			if d.Action == Cut {
				return
			}
		}
		again := Compact(first.Items, opt)
		if len(again.Items) != len(first.Items) || again.RetainedImages != first.RetainedImages {
			t.Fatalf("%d items, %d images, then %d and %d", len(first.Items), first.RetainedImages, len(again.Items), again.RetainedImages)
		}
		for i := range first.Items {
			if a, b := first.Items[i], again.Items[i]; string(a.Item.Raw) != string(b.Item.Raw) || string(a.Meta.Raw) != string(b.Meta.Raw) {
				t.Fatalf("item %d:\n%s\n%s", i, a.Item.Raw, b.Item.Raw)
			}
		}
	})
}

// A trim counts what it deletes, touches only the tail of the history, and nothing when
// the history fits.
func TestPropertyTrim(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, opt := historyGen(t), optionsGen(t)
		if opt.Window == nil {
			return
		}
		p := Trim(in, opt.TrimOptions)
		before, after := tokens.Content.Items(itemsOf(in)), tokens.Content.Items(itemsOf(p.Rows))
		if before-after != p.DeletedTokens {
			t.Fatalf("deleted %d, the estimates say %d", p.DeletedTokens, before-after)
		}
		tail := false
		for _, d := range p.Decisions {
			if d.Action == Kept && tail {
				t.Fatalf("item %d is kept behind a rewritten one", d.Index)
			}
			tail = tail || d.Action != Kept
		}
		if p.Rewritten > 0 && before <= *opt.Window {
			t.Fatalf("%d outputs rewritten in a history that fits", p.Rewritten)
		}
	})
}

func itemsOf(rows []history.Row) []parse.Item {
	out := make([]parse.Item, len(rows))
	for i, r := range rows {
		out[i] = r.Item
	}
	return out
}
