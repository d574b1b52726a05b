package textfmt

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "é": 1, "e\u0301": 1, "日本": 4, "👩‍💻": 2, "…": 1, "→": 1,
	} {
		if got := Width(s); got != want {
			t.Errorf("%q: got %d, want %d", s, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		s          string
		width      int
		cut, front string
	}{
		{"abc", 3, "abc", "abc"},
		{"abcd", 3, "ab…", "…cd"},
		{"日本語", 6, "日本語", "日本語"},
		{"日本語", 5, "日本…", "…本語"},
		{"日本語", 4, "日…", "…語"}, // half a character does not fit
		{"日", 1, "…", "…"},
		{"abc", 1, "…", "…"},
		{"abc", 0, "", ""},
		{"abc", -1, "", ""},
		{"", 0, "", ""},
		{"ae\u0301b", 2, "a…", "…b"},
	} {
		if got := Cut(c.s, c.width); got != c.cut {
			t.Errorf("Cut(%q, %d): got %q, want %q", c.s, c.width, got, c.cut)
		}
		if got := CutFront(c.s, c.width); got != c.front {
			t.Errorf("CutFront(%q, %d): got %q, want %q", c.s, c.width, got, c.front)
		}
	}
}

func FuzzCut(f *testing.F) {
	for _, s := range []string{"abc", "日本語", "👩‍💻👩‍💻", "\xff\xfe", "a\u0301\u0301", "\x1b[31m"} {
		f.Add(s, 2)
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		width %= 50
		for _, got := range []string{Cut(s, width), CutFront(s, width), Line(s, width)} {
			if w := Width(got); width > 0 && w > width {
				t.Errorf("%q at %d: %q takes %d", s, width, got, w)
			}
		}
		if safe := Escape(s); !utf8.ValidString(safe) || strings.ContainsFunc(safe, deceptive) {
			t.Errorf("%q: %q is not safe", s, safe)
		}
	})
}

func TestPad(t *testing.T) {
	for _, c := range []struct {
		s           string
		width       int
		right, left string
	}{
		{"ab", 4, "ab  ", "  ab"}, {"日", 3, "日 ", " 日"}, {"abc", 2, "abc", "abc"},
	} {
		if r, l := PadRight(c.s, c.width), PadLeft(c.s, c.width); r != c.right || l != c.left {
			t.Errorf("%q: got %q and %q", c.s, r, l)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		s    string
		want string
	}{
		{"", ""}, {"one", "one"}, {"one two three", "one two|  three"}, {"a incomprehensible b", "a|  incomprehensible|  b"},
	} {
		if got := strings.Join(Wrap(c.s, 8), "|"); got != c.want {
			t.Errorf("%q: got %q, want %q", c.s, got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -999: "-999", 1234567: "1,234,567",
		9223372036854775807: "9,223,372,036,854,775,807", -9223372036854775808: "-9,223,372,036,854,775,808",
	} {
		if got := Thousands(n); got != want {
			t.Errorf("%d: got %s", n, got)
		}
	}
	for n, want := range map[int64]string{0: "0 items", 1: "1 item", 2000: "2,000 items"} {
		if got := Count(n, "item"); got != want {
			t.Errorf("%d: got %s", n, got)
		}
	}
}

func TestChange(t *testing.T) {
	for _, c := range []struct {
		before, after int64
		want          string
	}{
		{0, 0, "0.0%"}, {0, 5, "new"}, {8, 3, "-62.5%"}, {100, 104, "+4.0%"}, {5, 0, "-100.0%"}, {7, 7, "0.0%"},
		{100_000, 99_999, "-0.0%"}, {100_000, 100_001, "+0.0%"},
	} {
		if got := Change(c.before, c.after); got != c.want {
			t.Errorf("%d to %d: got %s, want %s", c.before, c.after, got, c.want)
		}
	}
}

func TestSqueeze(t *testing.T) {
	for s, want := range map[string]string{
		"": "", " \n\t": "", "  a\n\n b\u00a0\u3000c ": "a b c", "a\xffb": "a\xffb", "\xff \xfe": "\xff \xfe",
	} {
		if got := Squeeze(s, 0); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
	if got := Squeeze(strings.Repeat("a ", 100), 9); len(got) < 9 || len(got) > 12 {
		t.Errorf("limit 9: %q", got)
	}
}

func TestEscape(t *testing.T) {
	for s, want := range map[string]string{
		"plain": "plain", "日本 é": "日本 é", "a\nb\tc\rd": `a\nb\tc\rd`, "\x1b[31m": `\x1b[31m`, "\x00\x7f": `\x00\x7f`,
		"\u009b31m": `\u009b31m`, "a\u202eb": `a\u202eb`, "\u2028": `\u2028`, "\ufeffx": `\ufeffx`, "\xffx": `\xffx`,
		"\ufffd": "\ufffd", "👩\u200d💻": "👩\u200d💻",
	} {
		if got := Escape(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	for _, c := range []struct {
		s     string
		width int
		want  string
	}{
		{"  one\n two\x1b[0m ", 0, `one two\x1b[0m`}, {"one\ntwo", 6, "one t…"}, {"\x1b\x1b", 5, `\x1b…`},
	} {
		if got := Line(c.s, c.width); got != c.want {
			t.Errorf("%q: got %q, want %q", c.s, got, c.want)
		}
	}
}
