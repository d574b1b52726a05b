package jsonraw

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestApply(t *testing.T) {
	text := []byte("0123456789")
	for name, c := range map[string]struct {
		splices []Splice
		want    string
	}{
		"none":      {nil, "0123456789"},
		"any order": {[]Splice{{7, 2, []byte("x")}, {0, 1, nil}}, "123456x9"},
		"insert":    {[]Splice{{10, 0, []byte("a")}, {0, 0, []byte("b")}}, "b0123456789a"},
		"touching":  {[]Splice{{2, 2, []byte("-")}, {4, 1, []byte("+")}}, "01-+56789"},
	} {
		got, err := Apply(text, c.splices)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
	for name, s := range map[string][]Splice{
		"overlap": {{2, 3, nil}, {4, 1, nil}}, "past the end": {{9, 2, nil}}, "before the start": {{-1, 1, nil}}, "negative": {{1, -1, nil}},
	} {
		if got, err := Apply(text, s); err == nil {
			t.Errorf("%s: %q, want an error", name, got)
		}
	}
}

func TestOffsetIn(t *testing.T) {
	text := []byte(`{"a":[1,2],"b":"c"}`)
	o, err := ParseObject(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"a": 5, "b": 15} {
		if got, ok := OffsetIn(text, o.Get(name)); !ok || got != want {
			t.Errorf("%s: %d, %v; want %d", name, got, ok, want)
		}
	}
	for name, part := range map[string][]byte{"elsewhere": []byte("a"), "empty": text[:0], "longer": make([]byte, 30)} {
		if got, ok := OffsetIn(text, part); ok {
			t.Errorf("%s: %d", name, got)
		}
	}
	if _, ok := OffsetIn(text[:10], text[9:12]); ok {
		t.Error("a part that ends behind the text")
	}
}

func TestWithoutElements(t *testing.T) {
	for _, c := range []struct {
		in   string
		drop []int
		want string
	}{
		{`[1, 2 ,3]`, []int{0}, `[2 ,3]`},
		{`[1, 2 ,3]`, []int{1}, `[1, 3]`},
		{`[1, 2 ,3]`, []int{2}, `[1, 2]`},
		{`[1, 2 ,3 ]`, []int{1, 2}, `[1 ]`},
		{`[ 1,2 ]`, []int{0, 1}, `[  ]`},
		{`[{"a":"],"},"b"]`, []int{0}, `["b"]`},
		{`[]`, []int{0}, `[]`},
		{`{"a":1}`, []int{0}, `{"a":1}`},
	} {
		got, err := Apply([]byte(c.in), WithoutElements(Value(c.in), func(i int) bool { return slices.Contains(c.drop, i) }))
		if err != nil || string(got) != c.want {
			t.Errorf("%s without %v: %s, %v; want %s", c.in, c.drop, got, err, c.want)
		}
	}
}

func TestWithoutMember(t *testing.T) {
	for _, c := range []struct{ in, name, want string }{
		{`{"a":1, "b":2}`, "a", `{"b":2}`},
		{`{"a":1, "b":2}`, "b", `{"a":1}`},
		{`{"a":1,"b":2,"\u0061":3}`, "a", `{"b":2}`},
		{`{"a":{"a":1}}`, "a", `{}`},
		{`{"a":1}`, "c", `{"a":1}`},
		{`[1]`, "a", `[1]`},
	} {
		got, err := Apply([]byte(c.in), WithoutMember(Value(c.in), c.name))
		if err != nil || string(got) != c.want {
			t.Errorf("%s without %s: %s, %v; want %s", c.in, c.name, got, err, c.want)
		}
	}
}

// What is taken out of an array leaves the other elements, in order, byte for byte.
func TestWithoutElementsKeepsTheOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		elems := rapid.SliceOf(rapid.SampledFrom([]string{`1`, `"a,]"`, `[1, 2]`, `{"a": [3]}`, `null`, `"\\\""`})).Draw(t, "elements")
		space := rapid.SampledFrom([]string{"", " ", "\t\n"})
		text, keep := []byte("["+space.Draw(t, "space")), []string{}
		drop := map[int]bool{}
		for i, e := range elems {
			if i > 0 {
				text = append(append(append(text, space.Draw(t, "space")...), ','), space.Draw(t, "space")...)
			}
			text = append(text, e...)
			if drop[i] = rapid.Bool().Draw(t, "drop"); !drop[i] {
				keep = append(keep, e)
			}
		}
		text = append(append(text, space.Draw(t, "space")...), ']')
		got, err := Apply(text, WithoutElements(text, func(i int) bool { return drop[i] }))
		if err != nil {
			t.Fatal(err)
		}
		vals, err := Elements(got)
		if err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		var left []string
		for _, v := range vals {
			left = append(left, string(v))
		}
		if !slices.Equal(left, keep) {
			t.Fatalf("%s: %q, want %q", text, left, keep)
		}
	})
}
