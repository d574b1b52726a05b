package jsonraw

import "testing"

func TestLookup(t *testing.T) {
	tests := []struct{ object, name, want string }{
		{`{"a":1,"b":"x"}`, "b", `"x"`},
		{`{ "a" : {"b":1} , "b" : [2] }`, "b", `[2]`},
		{`{"a":1,"a":2}`, "a", `2`},
		{`{"\u0061":1}`, "a", `1`},
		{`{"a":null}`, "a", `null`},
		{`{"a":{"b":1}}`, "b", ``},
		{`{}`, "a", ``},
		{`["a",1]`, "a", ``},
		{`null`, "a", ``},
		{``, "a", ``},
		{`{"a"`, "a", ``},
	}
	for _, tt := range tests {
		if got := Lookup(Value(tt.object), tt.name); string(got) != tt.want {
			t.Errorf("%s, %s: %q, want %q", tt.object, tt.name, got, tt.want)
		}
	}
	object := Value(`{"first":{"x":[1,2]},"turn_id":"t"}`)
	if n := testing.AllocsPerRun(100, func() { Lookup(object, "turn_id") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestHasText(t *testing.T) {
	for v, want := range map[string]bool{`"x"`: true, `"\n"`: true, `""`: false, `null`: false, `12345`: false, `{"a":1}`: false, ``: false} {
		if got := Value(v).HasText(); got != want {
			t.Errorf("%s: %v", v, got)
		}
	}
}

func TestWord(t *testing.T) {
	o, _ := SplitObject(Value(`{"type":"message","kind":"rare","n":1}`))
	for name, want := range map[string]string{"type": "message", "kind": "rare", "n": "", "none": ""} {
		if got := o.Word(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
