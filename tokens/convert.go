package tokens

import (
	"math"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// FromBytes converts a length in bytes to tokens, rounding up; 0 when n is not
// positive (compaction.md 1.1).
func FromBytes(n int64) int64 {
	if n <= 0 {
		return 0
	}
	t := n / bytesPerToken
	if n%bytesPerToken != 0 {
		t++
	}
	return t
}

// ToBytes converts tokens to bytes; it saturates instead of overflowing.
func ToBytes(n uint64) uint64 {
	if n > math.MaxUint64/bytesPerToken {
		return math.MaxUint64
	}
	return n * bytesPerToken
}

// Text is the cost of s in tokens: its UTF-8 bytes over four, rounded up.
func Text(s string) int64 { return FromBytes(int64(len(s))) }

// Instructions is the cost in tokens of a body's instructions (rule 29).
func Instructions(text string) int64 { return Text(text) }

// textBytes is the length in bytes of a decoded string, 0 for anything else.
func textBytes(v jsonraw.Value) int64 { return int64(v.TextLen()) }
