package rewrite

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestHintsAreJoined(t *testing.T) {
	var hints [][]byte
	for _, n := range []string{"input_image", "image_generation", `"images"`, `"compacted"`, "compacted", "\\u"} {
		hints = joined(hints, []byte(n))
	}
	var got []string
	for _, h := range hints {
		got = append(got, string(h))
	}
	if want := []string{"image", "compacted", "\\u"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHintIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]byte("ab\"x"))
		needle := rapid.SliceOfN(letters, 1, 4).Draw(t, "needle")
		data := rapid.SliceOfN(letters, 0, 200).Draw(t, "data")
		h := newHint(needle)
		if got, want := h.index(data), bytes.Index(data, needle); got != want {
			t.Fatalf("%q in %q: %d, want %d", needle, data, got, want)
		}
	})
}

// Whatever the needles are, what comes out is the same as without them, and the lines that
// hold one are shown.
func TestFilterChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"needle", "hay", "noodle", "need", `\\u0041`, "straw"})
		var text strings.Builder
		for range rapid.IntRange(0, 30).Draw(t, "lines") {
			text.WriteString(strings.Join(rapid.SliceOfN(word, 0, 4).Draw(t, "words"), " "))
			if rapid.IntRange(0, 9).Draw(t, "end") > 0 {
				text.WriteByte('\n')
			}
		}
		st := stage{needles: [][]byte{[]byte("needle"), []byte("noodle")}}
		s := newSearch([]stage{st})
		data := []byte(text.String())
		s.start(data)
		found := map[int]bool{}
		for at := s.from(0); at >= 0; at = s.from(at + 1) {
			found[bytes.Count(data[:at], newline)] = true
		}
		for i, line := range bytes.Split(data, newline) {
			if st.wants(line) && !found[i] {
				t.Fatalf("line %d of %q is not found", i, data)
			}
		}
	})
}
