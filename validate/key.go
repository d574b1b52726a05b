package validate

import (
	"encoding/binary"
	"math/bits"
)

// recordKey identifies a line by its bytes, newline and carriage return left out. It is
// the same on every machine and in every run, because baselines keep it.
//
// Two lanes of 16 bytes are folded into the sum by the two halves of a 128-bit product;
// a hash of the standard library that is as fast is seeded anew in each process.
func recordKey(b []byte) uint64 {
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
	}
	// Odd numbers of no meaning, from the digits of pi.
	const k0, k1, k2, k3 = 0x243f6a8885a308d3, 0x13198a2e03707345, 0xa4093822299f31d1, 0x082efa98ec4e6c89
	h, g := uint64(len(b))^k0, uint64(k1)
	for ; len(b) >= 32; b = b[32:] {
		h = fold(word(b)^k1, word(b[8:])^h)
		g = fold(word(b[16:])^k2, word(b[24:])^g)
	}
	var rest [32]byte
	copy(rest[:], b)
	h = fold(word(rest[:])^k1, word(rest[8:])^h)
	g = fold(word(rest[16:])^k2, word(rest[24:])^g)
	return fold(h^k3, g^k0)
}

func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// fold multiplies and joins the halves of the product, so that each bit counts.
func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}
