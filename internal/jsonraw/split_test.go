package jsonraw

import (
	"reflect"
	"testing"
)

// splitSeeds are texts whose quotes, escapes and brackets are easy to get wrong.
var splitSeeds = []string{
	`{}`, `[]`, ` {"a":1}`, `{"a":1}`, `{ "a" : [ 1 , {"b":"}"} ] , "a":null }`, `{"q\"uo\\te":"x\\","y":"\\\""}`,
	`[ "a,b" , -1.5e+3,true,{"x":[[[]]]} ]`, `{"é\u00e9":"]","":{}}`, "{\n\t\"a\"\r:\n1}", `{"a":1`, `[1,`, `{"a"}`, `{"a":,}`, `["\`,
}

// FuzzSplit holds the trusting split to the checking one on all well-formed text.
func FuzzSplit(f *testing.F) {
	for _, s := range splitSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		v := Value(in)
		got, _ := SplitObject(v) // must not panic, whatever it is
		if want, err := ParseObject(v); err == nil && !sameMembers(got.Members, want.Members) {
			t.Errorf("object %q: %v, want %v", in, got.Members, want.Members)
		}
		list, _ := SplitArray(v)
		if want, err := Elements(v); err == nil && !(len(list) == 0 && len(want) == 0) && !reflect.DeepEqual(list, want) {
			t.Errorf("array %q: %q, want %q", in, list, want)
		}
	})
}

func sameMembers(a, b []Member) bool {
	return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b)
}
