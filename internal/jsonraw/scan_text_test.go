package jsonraw

import "testing"

// Quotes, backslashes and control characters end a run of text; all else does not, in any
// place of the words that are looked at together.
func TestScanTextStopsAtEachByte(t *testing.T) {
	for at := range 40 {
		for c := range 256 {
			b := []byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
			b[at] = byte(c)
			want := len(b)
			if c == '"' || c == '\\' || c < 0x20 {
				want = at
			}
			got, seen := scanText(b, 0, 0)
			if got != want {
				t.Fatalf("byte %#02x at %d: stopped at %d, want %d", c, at, got, want)
			}
			if c >= 0x80 && seen&highs == 0 {
				t.Fatalf("byte %#02x at %d: not seen", c, at)
			}
		}
	}
}
