package diff

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollout-tool/rollout-tool/parse"
)

// drawItem draws from few texts and ids, so that items repeat, move and share ids.
func drawItem(t *rapid.T) string {
	text := rapid.SampledFrom([]string{
		"go on", "run the tests again please", "run the tests once again please", strings.Repeat("x", 64),
		"xxxx…14 tokens truncated…xxxx", "<environment_context>a</environment_context>",
		"<environment_context>b</environment_context>", trimmedOutput, "",
	}).Draw(t, "text")
	id := rapid.SampledFrom([]string{"", "m1", "m2"}).Draw(t, "id")
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		return assistant(text)
	case 1:
		return call("c"+id, text)
	case 2:
		return output("c"+id, text)
	case 3:
		return reasoning(text)
	case 4:
		return message("user", "", textPart(text), `{"type":"input_image","image_url":"data:image/png;base64,AA"}`)
	case 5:
		if id != "" {
			return userID(id, text)
		}
	}
	return user(text)
}

// drawSides makes after from before by edits, with some unrelated items between.
func drawSides(t *rapid.T) (before, after []string) {
	before = rapid.SliceOfN(rapid.Custom(drawItem), 0, 12).Draw(t, "before")
	for i := range before {
		switch rapid.IntRange(0, 5).Draw(t, fmt.Sprint("edit ", i)) {
		case 0: // dropped
		case 1:
			after = append(after, drawItem(t))
		case 2:
			after = append([]string{before[i]}, after...)
		case 3:
			after = append(after, before[i], drawItem(t))
		default:
			after = append(after, before[i])
		}
	}
	return before, after
}

func TestEveryItemIsInOneChange(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b, a := drawSides(rt)
		opt := Options{IgnoreBookkeeping: rapid.Bool().Draw(rt, "ignore")}
		r := Compare(Side{Rows: rows(t, b...)}, Side{Rows: rows(t, a...)}, opt)
		seenBefore, seenAfter := map[int]bool{}, map[int]bool{}
		var sumBefore, sumAfter int64
		for _, c := range r.Changes {
			if (c.Before == nil) != (c.Op == Add) || (c.After == nil) != (c.Op == Drop) || c.Reason == "" {
				rt.Fatalf("odd change %+v", c)
			}
			if c.Before != nil {
				if seenBefore[c.Before.Index] || string(c.Before.Item.Raw) != b[c.Before.Index] {
					rt.Fatalf("before item %d", c.Before.Index)
				}
				seenBefore[c.Before.Index] = true
			}
			if c.After != nil {
				if seenAfter[c.After.Index] || string(c.After.Item.Raw) != a[c.After.Index] {
					rt.Fatalf("after item %d", c.After.Index)
				}
				seenAfter[c.After.Index] = true
			}
			sumBefore, sumAfter = sumBefore+c.TokensBefore, sumAfter+c.TokensAfter
		}
		if len(seenBefore) != len(b) || len(seenAfter) != len(a) {
			rt.Fatalf("%d of %d before, %d of %d after", len(seenBefore), len(b), len(seenAfter), len(a))
		}
		if sumBefore != r.Before.Tokens || sumAfter != r.After.Tokens {
			rt.Fatalf("tokens %d, %d; totals %+v %+v", sumBefore, sumAfter, r.Before, r.After)
		}
	})
}

// apply makes the after side from the before side and the changes. Of the items of
// after it uses only what was added or edited.
func apply(t *rapid.T, before []string, r Result) []string {
	out := make([]string, r.After.Items)
	for _, c := range r.Changes {
		switch c.Op {
		case Keep, Move:
			out[c.After.Index] = string(canonical([]byte(before[c.Before.Index])))
		case Add, Cut, Altered:
			out[c.After.Index] = string(canonical(c.After.Item.Raw))
		}
		checkEdits(t, c)
	}
	return out
}

// checkEdits puts the texts of a change together again.
func checkEdits(t *rapid.T, c Change) {
	for _, tc := range c.Text() {
		if tc.Edits == nil {
			continue
		}
		var before, after strings.Builder
		for _, e := range tc.Edits {
			if e.Op != Insert {
				before.WriteString(e.Text)
			}
			if e.Op != Delete {
				after.WriteString(e.Text)
			}
		}
		b, _ := tc.Before.Text()
		a, _ := tc.After.Text()
		if before.String() != b || after.String() != a {
			t.Fatalf("%s: edits give %q and %q, want %q and %q", tc.Pointer, before.String(), after.String(), b, a)
		}
	}
}

func TestApplyGivesTheOtherSide(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b, a := drawSides(rt)
		r := Compare(Side{Rows: rows(t, b...)}, Side{Rows: rows(t, a...)}, Options{})
		got := apply(rt, b, r)
		for j := range a {
			if want := string(canonical([]byte(a[j]))); got[j] != want {
				rt.Fatalf("item %d: got %s, want %s", j, got[j], want)
			}
		}
	})
}

// A payload compared with itself only keeps; keys in another order change nothing.
func TestSameSidesAreEqual(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b, _ := drawSides(rt)
		reordered := make([]string, len(b))
		for i, raw := range b {
			it := rows(t, raw)[0].Item
			reordered[i] = `{`
			for k := len(it.Fields.Members) - 1; k >= 0; k-- {
				m := it.Fields.Members[k]
				reordered[i] += quote(m.Name) + ": " + string(m.Value)
				if k > 0 {
					reordered[i] += " , "
				}
			}
			reordered[i] += `}`
		}
		r := Compare(Side{Rows: rows(t, b...)}, Side{Rows: rows(t, reordered...)}, Options{})
		if !r.Equal() || r.Prefix.Items != len(b) || r.Before.Bytes != r.After.Bytes {
			rt.Fatalf("%s%+v", brief(r), r.Prefix)
		}
	})
}

// What is no JSON or no item at all is compared all the same.
func TestMalformedItems(t *testing.T) {
	odd := rows(t, user("a"))
	odd = append(odd, odd[0], odd[0])
	odd[1].Item = parse.Item{Raw: []byte(`{"type":`)}
	odd[2].Item = parse.Item{}
	r := Compare(Side{Rows: odd}, Side{Rows: rows(t, `{}`)}, Options{})
	if len(r.Changes) != 4 {
		t.Errorf("got %s", brief(r))
	}
}
