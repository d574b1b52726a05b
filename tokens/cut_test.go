package tokens

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRule27IsCutInTheMiddle(t *testing.T) {
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"", false},
		{"abcd", false},
		{"…5 tokens truncated…", true},         // nothing but the marker: a budget of 0
		{"abcd…5 tokens truncated…efgh", true}, // in the middle
		{"abcd…5 chars truncated…efgh", false},
		{"abcd… tokens truncated…efgh", false},                // no number
		{"abcd5 tokens truncated…efgh", false},                // no edge
		{"Exit code: 0\nabcd…5 tokens truncated…efgh", false}, // a header in front
		{"abcd…5 tokens truncated…" + strings.Repeat("e", 200), false},
	} {
		if got := IsCutInTheMiddle(tt.text); got != tt.want {
			t.Errorf("%q: %v", tt.text, got)
		}
	}
}

func TestRule27WhatIsCutIsSeen(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Repeat(rapid.SampledFrom([]string{"a", "é", "日", "🌊", "ab\n"}).Draw(rt, "unit"), rapid.IntRange(10, 400).Draw(rt, "times"))
		n := rapid.Uint64Range(0, 60).Draw(rt, "tokens")
		if cut := TruncateTokens(text, n); cut != text && !IsCutInTheMiddle(cut) {
			rt.Fatalf("%q", cut)
		}
	})
}
