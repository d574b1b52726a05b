package diff

import "hash/maphash"

// digest stands for a byte string. At 128 bits from random seeds, equal digests of
// different strings do not happen.
type digest [2]uint64

// hasher makes digests that are comparable with each other. It is safe to use from
// several goroutines.
type hasher [2]maphash.Seed

func newHasher() hasher { return hasher{maphash.MakeSeed(), maphash.MakeSeed()} }

func (h hasher) sum(b []byte) digest {
	return digest{maphash.Bytes(h[0], b), maphash.Bytes(h[1], b)}
}

// numbers gives each distinct digest a number, counting from 0.
type numbers struct {
	known map[digest]int32
	next  int32
}

func newNumbers(capacity int) *numbers { return &numbers{known: make(map[digest]int32, capacity)} }

func (n *numbers) of(d digest) int32 {
	if k, ok := n.known[d]; ok {
		return k
	}
	k := n.fresh()
	n.known[d] = k
	return k
}

// fresh is a number that no digest has.
func (n *numbers) fresh() int32 {
	n.next++
	return n.next - 1
}
