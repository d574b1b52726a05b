package diff

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBreaks(t *testing.T) {
	body := func(head, input string) string { return `{` + head + `"input":[` + input + `]}` }
	one, two := user("one"), user("two")
	const tool = `"tools":[{"name":"a"}],`
	tests := []struct {
		name          string
		before, after string
		want          []Break
		prefix, input int // items
	}{
		{"the same", body(`"model":"m",`, one), body(`"model":"m",`, one), nil, 1, 1},
		{"items behind", body(``, one), body(``, one+","+two), nil, 1, 1},
		{"the end is gone", body(``, one+","+two), body(``, one), nil, 1, 1},
		{"nothing in common and nothing before", body(``, ``), body(``, two), nil, 0, 0},
		{"another item", body(``, one+","+two), body(``, one+","+assistant("x")+","+two),
			[]Break{{"input", "/body/input/1", "item #1 is message/user \"two\" before, message/assistant \"x\" after"}}, 1, 1},
		{"a changed item", body(``, one+","+output("c", "short")), body(``, one+","+output("c", "other")),
			[]Break{{"input", "/body/input/1", "item #1, function_call_output \"short\": changed: output"}}, 1, 1},
		{"the model", body(`"model":"a",`, one), body(`"model":"b",`, one), []Break{{"model", "/body/model", `"a" -> "b"`}}, 0, 1},
		{"the cache key is no text of the prompt", body(`"prompt_cache_key":"a",`, one), body(``, one),
			[]Break{{"prompt_cache_key", "/body/prompt_cache_key", `"a" -> none`}}, 1, 1},
		{"the instructions", body(`"instructions":"Be brief.",`, one), body(`"instructions":"Be long.",`, one),
			[]Break{{"instructions", "/body/instructions", "9 bytes -> 8 bytes; the same up to byte 3"}}, 0, 1},
		{"the tools", body(tool, one), body(`"tools":[{"name":"b"},{"name":"a"}],`, one),
			[]Break{{"tools", "/body/tools/0", "1 added; from tools/0 (b) on"}}, 0, 1},
		{"all", body(`"model":"a","instructions":"i",`+tool, one), body(`"model":"b","prompt_cache_key":"k",`, two), []Break{
			{"model", "/body/model", `"a" -> "b"`},
			{"prompt_cache_key", "/body/prompt_cache_key", `none -> "k"`},
			{"instructions", "/body/instructions", "1 byte -> 0 bytes; the same up to byte 0"},
			{"tools", "/body/tools/0", "1 removed; from tools/0 (a) on"},
			{"input", "/body/input/0", "item #0 is message/user \"one\" before, message/user \"two\" after"},
		}, 0, 0},
		{"what is no part of the prompt", body(`"store":false,`, one), body(`"store":true,`, one), nil, 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Compare(sent(t, tt.before), sent(t, tt.after), Options{})
			if !slices.Equal(r.Breaks, tt.want) {
				t.Errorf("(-want +got):\n%s", cmp.Diff(tt.want, r.Breaks))
			}
			if r.Prefix.Items != tt.prefix || r.InputPrefix.Items != tt.input {
				t.Errorf("prefix %d, of the input %d; want %d, %d", r.Prefix.Items, r.InputPrefix.Items, tt.prefix, tt.input)
			}
		})
	}
}

// The longest common prefix in items, bytes and tokens, by hand.
func TestPrefixSizes(t *testing.T) {
	a, b := user("12345"), user("123456789") // 2 and 3 tokens
	r := Compare(sent(t, `{"model":"x","input":[`+a+`, `+b+`,`+user("x")+`]}`), sent(t, `{"model":"y","input":[`+a+`,`+b+`,`+user("y")+`]}`), Options{})
	want := Prefix{Items: 2, Bytes: int64(len(a) + len(b)), Tokens: 5}
	if r.InputPrefix != want || r.Prefix != (Prefix{}) {
		t.Errorf("prefix %+v, of the input %+v; want none and %+v", r.Prefix, r.InputPrefix, want)
	}
}
