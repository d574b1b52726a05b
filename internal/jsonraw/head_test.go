package jsonraw

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestHead(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{`"abc"`, 3, `"abc"`},
		{`"abc"`, 2, `"ab"`},
		{`"a\nb"`, 2, `"a"`},
		{`"a\nb"`, 3, `"a\n"`},
		{`"\u00e9x"`, 5, `""`},
		{`"\u00e9xy"`, 7, `"\u00e9x"`},
		{`"\ud83d\ude42x"`, 11, `""`},
		{`"\ud83d\ude42xy"`, 12, `"\ud83d\ude42"`},
		{`"é日🙂z"`, 4, `"é"`},
		{`"é日🙂z"`, 5, `"é日"`},
		{`"é日🙂z"`, 9, `"é日🙂"`},
		{`[1,2,3]`, 1, `[1,2,3]`},
	} {
		if got := Value(c.in).Head(c.limit); string(got) != c.want {
			t.Errorf("%s to %d: %s, want %s", c.in, c.limit, got, c.want)
		}
	}
}

func FuzzHead(f *testing.F) {
	f.Add([]byte(`"a\"\\\u0041é🙂\ud83d\ude42"`), 3)
	f.Fuzz(func(t *testing.T, in []byte, limit int) {
		v := Value(in)
		if limit < 0 || v.Kind() != KindString || !Valid(v) {
			t.Skip()
		}
		got, whole := v.Head(limit), string(v.Unquoted())
		text, ok := got.Text()
		if !ok || !Valid(got) || !utf8.ValidString(text) || !strings.HasPrefix(whole, text) || len(got) > limit+2 && len(v) > limit+2 {
			t.Errorf("%q to %d: %q", in, limit, got)
		}
	})
}
