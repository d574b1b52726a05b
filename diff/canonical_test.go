package diff

import (
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ in, full, bare string }{
		{`{ "b" : 1.0 , "a" : [ 1, {"d":null,"c":true} ] }`, `{"a":[1,{"c":true,"d":null}],"b":1.0}`, ""},
		{`{"a":1,"a":2}`, `{"a":2}`, ""},
		{`{"\u0061":"\u0062\/\u000a\u001F"}`, `{"a":"b/\n\u001f"}`, ""},
		{`{"n":-0,"m":1E3}`, `{"m":1E3,"n":-0}`, ""},
		{`{"type":"message","id":"m","internal_chat_message_metadata_passthrough":{"turn_id":"t"},"x":{"id":1}}`,
			`{"id":"m","internal_chat_message_metadata_passthrough":{"turn_id":"t"},"type":"message","x":{"id":1}}`,
			`{"type":"message","x":{"id":1}}`},
		{`{"a":`, `{"a":`, ""}, // not well-formed: as it is
		{`7`, `7`, ""},
		{``, ``, ""},
	} {
		if c.bare == "" {
			c.bare = c.full
		}
		var can canonicaliser
		full, bare := can.item(jsonraw.Value(c.in))
		if string(full) != c.full || string(bare) != c.bare {
			t.Errorf("%s:\n full %s\n want %s\n bare %s\n want %s", c.in, full, c.full, bare, c.bare)
		}
	}
}

func TestCompactLen(t *testing.T) {
	for in, want := range map[string]int64{
		`{ "a" : "b c" }` + "\n": int64(len(`{"a":"b c"}`)),
		`"\n\"\\"`:               8,
		`"\\"`:                   4,
		`"\u001b"`:               8,
		`"\u000a"`:               4, // \n
		`"\u0008"`:               4, // \b
		`"\u00e9"`:               4, // é has 2 bytes
		`"\/"`:                   3,
		`["a\\", " "]`:           int64(len(`["a\\"," "]`)),
		`"broken`:                7,
	} {
		if got := compactLen(jsonraw.Value(in)); got != want {
			t.Errorf("%s: got %d, want %d", in, got, want)
		}
	}
}

func TestSameValue(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`"a"`, `"\u0061"`, true}, {`{"a":1,"b":2}`, `{"b":2,"a":1}`, true}, {`1`, `1.0`, false},
		{`"1"`, `1`, false}, {`[1,2]`, `[2,1]`, false}, {`null`, `null`, true},
	} {
		if got := sameValue(jsonraw.Value(c.a), jsonraw.Value(c.b)); got != c.want {
			t.Errorf("%s, %s: got %v", c.a, c.b, got)
		}
	}
	if sameValue(nil, jsonraw.Value("null")) || !sameValue(nil, nil) {
		t.Error("absent is not told from null")
	}
}
