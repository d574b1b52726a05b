package jsonraw

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func scanAll(text []byte) error {
	var s Scanner
	s.Reset(text)
	s.Skip()
	s.End()
	return s.Err()
}

func TestScannerSyntax(t *testing.T) {
	for _, c := range []struct{ text, err string }{
		{`{}`, ""}, {` [ ] `, ""}, {`{"a":[1,-0,1.5e-7,true,null]}`, ""}, {"\"\u00e9\"\r", ""},
		{`"\ud83d\ude00"`, ""}, {`"\u0000"`, ""}, {`"a/\/b"`, ""},
		{``, "EOF while parsing a value at byte 0"},
		{`{}x`, "trailing characters at byte 2"},
		{`{"a":1,}`, "trailing comma at byte 7"},
		{`[1,]`, "trailing comma at byte 3"},
		{`[1 2]`, "expected `,` or `]` at byte 3"},
		{`{"a" 1}`, "expected `:` at byte 5"},
		{`{a:1}`, "key must be a string at byte 1"},
		{`[01]`, "invalid number at byte 2"},
		{`[1.]`, "invalid number at byte 3"},
		{`[1e]`, "invalid number at byte 3"},
		{`[-]`, "invalid number at byte 2"},
		{`[nul]`, "expected ident at byte 1"},
		{`nulx`, "expected ident at byte 0"},
		{`{"a":1 "b":2}`, "expected `,` or `}` at byte 7"},
		{`{,}`, "key must be a string at byte 1"},
		{`{"a":1,2}`, "key must be a string at byte 7"},
		{`[,]`, "expected value at byte 1"},
		{`NaN`, "expected value at byte 0"},
		{"\ufeff{}", "expected value at byte 0"},
		{"\u00a0{}", "expected value at byte 0"},
		{"\x00", "expected value at byte 0"},
		{`"abc`, "EOF while parsing a string at byte 4"},
		{`"abc\`, "EOF while parsing a string at byte 4"},
		{"\"12345678\t\"", "control character (\\u0000-\\u001F) found while parsing a string at byte 9"},
		{`"\x"`, "invalid escape at byte 1"},
		{`"\u12g4"`, "invalid escape at byte 1"},
		{`"\ud800"`, "unexpected end of hex escape at byte 1"},
		{`"\ud800\n"`, "unexpected end of hex escape at byte 1"},
		{`"\ud800\u12x4"`, "invalid escape at byte 1"},
		{`"\udc00\ud800"`, "lone leading surrogate in hex escape at byte 1"},
		{`"\ud800\u0041"`, "lone leading surrogate in hex escape at byte 1"},
		{"\"\xff\"", "invalid unicode code point at byte 0"},
		{"[\"\xed\xa0\x80\"]", "invalid unicode code point at byte 1"},
	} {
		got := ""
		if err := scanAll([]byte(c.text)); err != nil {
			got = err.Error()
		}
		if got != c.err {
			t.Errorf("%q: got %q, want %q", c.text, got, c.err)
		}
	}
}

// Where a text ends too early, each cut of it has the message that the decoder has for
// that place.
func TestScannerEOF(t *testing.T) {
	const value, object, list, text = "EOF while parsing a value", "EOF while parsing an object", "EOF while parsing a list", "EOF while parsing a string"
	for _, c := range []struct {
		cut, want string
		back      int // bytes from the end to the place
	}{
		{"", value, 0}, {" \t", value, 0},
		{`{`, object, 0}, {`{ `, object, 0}, {`{"`, text, 0}, {`{"a`, text, 0}, {`{"a"`, object, 0}, {`{"a" `, object, 0},
		{`{"a":`, value, 0}, {`{"a": `, value, 0}, {`{"a":1`, object, 0}, {`{"a":1 `, object, 0}, {`{"a":1,`, value, 0},
		{`{"a":1, `, value, 0}, {`{"a":{}`, object, 0},
		{`[`, list, 0}, {`[1`, list, 0}, {`[1 `, list, 0}, {`[1,`, value, 0}, {`[1, `, value, 0}, {`[[]`, list, 0}, {`[{`, object, 0},
		{`n`, value, 1}, {`nul`, value, 3}, {`[t`, value, 1}, {`{"a":fals`, value, 4},
		{`-`, value, 0}, {`[1.`, value, 0}, {`[1.5e`, value, 0}, {`[1.5e-`, value, 0}, {`[0`, list, 0},
		{`"`, text, 0}, {`"a\`, text, 1}, {`"a\u`, text, 2}, {`"a\u12`, text, 4}, {`"\u12"`, text, 5},
		{`"\ud83d`, text, 6}, {`"\ud83d\`, text, 7}, {`"\ud83d\u`, text, 8}, {`"\ud83d\ude0`, text, 11}, {`"\ud83d\ude00`, text, 0},
	} {
		err, _ := scanAll([]byte(c.cut)).(*SyntaxError)
		if err == nil || err.Msg != c.want || err.Offset != len(c.cut)-c.back {
			t.Errorf("%q: got %v, want %q, %d from its end", c.cut, err, c.want, c.back)
		}
	}
}

func TestScannerDepth(t *testing.T) {
	nest := func(n int) []byte {
		return []byte(strings.Repeat("[", n) + strings.Repeat("]", n))
	}
	if err := scanAll(nest(127)); err != nil {
		t.Errorf("127 levels: %v", err)
	}
	if err := scanAll(nest(128)); err == nil {
		t.Error("128 levels pass")
	}
	if err := scanAll(bytes.Repeat([]byte("["), 18<<20)); err == nil || !strings.Contains(err.Error(), "at byte 127") {
		t.Errorf("18 MB of brackets: %v", err)
	}
}

func TestScannerLongNumber(t *testing.T) {
	var got []string
	s := Scanner{LongNumber: func(_ int, lit Value) { got = append(got, string(lit)) }}
	s.Reset([]byte(`[123456789012345678,{"a":1234567890123456789},"1234567890123456789"]`))
	s.Skip()
	if s.Err() != nil || len(got) != 1 || got[0] != "1234567890123456789" {
		t.Errorf("got %q, error %v", got, s.Err())
	}
}

func TestPointer(t *testing.T) {
	text := `{"a/b":[1,{"c~d":"x","e":{}}],"f":null}`
	for at, want := range map[string]string{
		`{"a/b"`: "", `[1`: "/a~1b", `1,`: "/a~1b/0", `{"c~d"`: "/a~1b/1",
		`"x"`: "/a~1b/1/c~0d", `{}`: "/a~1b/1/e", `null`: "/f",
	} {
		if got := Pointer([]byte(text), strings.Index(text, at)); got != want {
			t.Errorf("%s: got %q, want %q", at, got, want)
		}
	}
	if got := Pointer([]byte(`{"a":[1,`), 7); got != "" {
		t.Errorf("malformed: got %q", got)
	}
}

func TestOverridden(t *testing.T) {
	text := `{"a":1,"b":{"x":1,"\u0078":2},"a":[{"y":1},{"y":2}],"c":"a"}`
	got := Overridden([]byte(text))
	want := []int{strings.Index(text, `"a"`), strings.Index(text, `"x"`)}
	if len(got) != len(want) {
		t.Errorf("got %v, want offsets %v", got, want)
	}
	for _, off := range want {
		if !got[off] {
			t.Errorf("offset %d is missing in %v", off, got)
		}
	}
	for _, plain := range []string{`{}`, `[]`, `1`, `{"a":{},"b":[]}`, `{"a":1,"a":`, `{"a":1,"a":2`} {
		if got := Overridden([]byte(plain)); got != nil {
			t.Errorf("%s: got %v", plain, got)
		}
	}
}

// The scanner agrees with the JSON library on everything but depth.
func FuzzScanner(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"x\n\ud83d\ude00é"],"b":{"c":null}}`, `"\ud800"`, `[1,]`, "\"\xff\"", `-0.0`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := Scanner{MaxDepth: 10000}
		s.Reset(text)
		s.Skip()
		s.End()
		want := jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true))
		if got := s.Err() == nil; got != want {
			t.Errorf("%q: scanner %v (%v), library %v", text, got, s.Err(), want)
		}
		Pointer(text, len(text)/2)
		Overridden(text)
	})
}
