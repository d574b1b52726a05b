package tokens

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestRule27WorkedValues(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	tests := []struct {
		cut  func(string, uint64) string
		unit string
		in   string
		n    uint64
		want string
		from int64 // tokens before and after, -1 when the reference gives none
		to   int64
	}{
		{TruncateTokens, "tokens", "middle1234", 2, "midd…1 tokens truncated…1234", 3, 8},
		{TruncateTokens, "tokens", "uvwxyz", 1, "uv…1 tokens truncated…yz", 2, 7},
		{TruncateTokens, "tokens", "abcdefgh", 2, "abcdefgh", 2, 2},
		{TruncateTokens, "tokens", "abcdefghi", 2, "abcd…1 tokens truncated…fghi", 3, 8},
		{TruncateTokens, "tokens", "héllo wörld", 2, "hél…2 tokens truncated…rld", 4, 8},
		{TruncateTokens, "tokens", "日本語テキスト", 3, "日本…3 tokens truncated…スト", 6, 9},
		{TruncateTokens, "tokens", "日本語テキスト", 1, "…5 tokens truncated…", 6, 6},
		{TruncateTokens, "tokens", "🙂🙂🙂🙂", 2, "🙂…2 tokens truncated…🙂", 4, 8},
		{TruncateTokens, "tokens", "abc", 0, "…1 tokens truncated…", 1, 6},
		{TruncateTokens, "tokens", x(100), 10, x(20) + "…15 tokens truncated…" + x(20), 25, 17},
		{TruncateBytes, "bytes", "abcdefghij", 5, "ab…5 chars truncated…hij", -1, -1},
		{TruncateBytes, "bytes", "héllo wörld", 6, "hé…6 chars truncated…rld", -1, -1},
		{TruncateBytes, "bytes", "🙂🙂🙂🙂", 9, "🙂…2 chars truncated…🙂", -1, -1},

		{TruncateTokens, "tokens", "", 0, "", 0, 0},
		{TruncateBytes, "bytes", "", 0, "", 0, 0},
		{TruncateBytes, "bytes", "日本語", 0, "…3 chars truncated…", -1, -1},
		{TruncateBytes, "bytes", "ab", 1, "…1 chars truncated…b", -1, -1},
		{TruncateBytes, "bytes", "ab", 2, "ab", -1, -1},
		// Budgets whose bytes overflow 64 bits, or an int, leave the text alone.
		{TruncateTokens, "tokens", x(9), math.MaxUint64, x(9), 3, 3},
		{TruncateTokens, "tokens", x(9), math.MaxUint64/4 + 1, x(9), 3, 3},
		{TruncateBytes, "bytes", x(9), math.MaxUint64, x(9), 3, 3},
	}
	for _, tt := range tests {
		got := tt.cut(tt.in, tt.n)
		if got != tt.want {
			t.Errorf("%d %s of %q = %q, want %q", tt.n, tt.unit, tt.in, got, tt.want)
		}
		if tt.from >= 0 && (Text(tt.in) != tt.from || Text(got) != tt.to) {
			t.Errorf("%d %s of %q: %d to %d tokens, want %d to %d", tt.n, tt.unit, tt.in, Text(tt.in), Text(got), tt.from, tt.to)
		}
	}
}

// TestRule27CutTwice shows that the marker is not charged: a result over budget
// shrinks again.
func TestRule27CutTwice(t *testing.T) {
	once := TruncateTokens("abcdefghi", 2) // abcd + 24 bytes of marker + fghi, 32 in all
	if want := "abcd…6 tokens truncated…fghi"; TruncateTokens(once, 2) != want {
		t.Errorf("second cut = %q, want %q", TruncateTokens(once, 2), want)
	}
}

func TestRule25Conversions(t *testing.T) {
	for _, tt := range []struct{ bytes, tokens int64 }{
		{math.MinInt64, 0}, {-1, 0}, {0, 0}, {1, 1}, {4, 1}, {5, 2}, {7373, 1844}, {40_000, 10_000},
		{math.MaxInt64, 1 << 61},
	} {
		if got := FromBytes(tt.bytes); got != tt.tokens {
			t.Errorf("FromBytes(%d) = %d, want %d", tt.bytes, got, tt.tokens)
		}
	}
	for s, want := range map[string]int64{"": 0, "a": 1, "abcd": 1, "日本": 2, "🙂": 1} {
		if Text(s) != want || Instructions(s) != want {
			t.Errorf("Text(%q) = %d, Instructions = %d, want %d", s, Text(s), Instructions(s), want)
		}
	}
}

// slowCut is compaction.md 1.2 word for word: it walks the characters.
func slowCut(text string, budget int) (head, tail string, removed int) {
	left := budget / 2
	right := budget - left
	headEnd, tailStart := 0, len(text)
	for i, r := range text {
		switch end := i + utf8.RuneLen(r); {
		case end <= left:
			headEnd = end
		case i >= len(text)-right:
			tailStart = min(tailStart, i)
		default:
			removed++
		}
	}
	return text[:headEnd], text[max(headEnd, tailStart):], removed
}

func TestRule27Properties(t *testing.T) {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab\n é漢😀\u200d")), 0, 60, -1)
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		n := rapid.Uint64Range(0, 70).Draw(t, "n")
		checkCut(t, s, TruncateBytes(s, n), n, " chars truncated…")
		checkCut(t, s, TruncateTokens(s, n/4), n/4*4, " tokens truncated…")
	})
}

func checkCut(t *rapid.T, s, got string, budget uint64, unit string) {
	if uint64(len(s)) <= budget {
		if got != s {
			t.Fatalf("%q fits %d bytes but became %q", s, budget, got)
		}
		return
	}
	if !utf8.ValidString(got) {
		t.Fatalf("%q cut to %d is not UTF-8: %q", s, budget, got)
	}
	head, rest, ok := strings.Cut(got, "…")
	count, tail, ok2 := strings.Cut(rest, unit)
	if !ok || !ok2 || strings.Trim(count, "0123456789") != "" {
		t.Fatalf("%q cut to %d has no marker: %q", s, budget, got)
	}
	if !strings.HasPrefix(s, head) || !strings.HasSuffix(s, tail) || uint64(len(head)+len(tail)) > budget {
		t.Fatalf("%q cut to %d keeps %q and %q", s, budget, head, tail)
	}
	if wantHead, wantTail, _ := slowCut(s, int(budget)); head != wantHead || tail != wantTail {
		t.Fatalf("%q cut to %d keeps %q and %q, want %q and %q", s, budget, head, tail, wantHead, wantTail)
	}
	want := int(budget) // what the count has to be
	if unit == " chars truncated…" {
		_, _, want = slowCut(s, int(budget))
	} else {
		want = (len(s) - want + 3) / 4
	}
	if n := mustAtoi(t, count); n != want {
		t.Fatalf("%q cut to %d counts %d, want %d", s, budget, n, want)
	}
}

func mustAtoi(t *rapid.T, s string) (n int) {
	for _, c := range s {
		n = n*10 + int(c-'0')
	}
	if s == "" {
		t.Fatal("no count in the marker")
	}
	return n
}

// Invalid UTF-8 cannot reach the cut from a rollout, but must not crash it.
func TestTruncateInvalidUTF8(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes"))
		n := rapid.Uint64Range(0, 44).Draw(t, "n")
		if got := TruncateBytes(s, n); uint64(len(s)) <= n && got != s {
			t.Fatalf("%q fits but became %q", s, got)
		}
	})
}
