package diff

import "slices"

// aligner finds a common subsequence of two sequences of classes: common ends
// first, then patience anchors (classes that occur once on either side), then
// Myers in the gaps that have no anchor.
type aligner struct {
	a, b  []int32
	count [2][]int32 // per class, within the current range; all zero between uses
	where [2][]int32 // per class, its last place in the current range
	match func(i, j int)
}

// align calls match for the index pairs of a common subsequence of a and b, whose
// elements are from 0 to classes-1.
func align(a, b []int32, classes int, match func(i, j int)) {
	al := &aligner{a: a, b: b, match: match}
	for side := range 2 {
		al.count[side] = make([]int32, classes)
		al.where[side] = make([]int32, classes)
	}
	al.between(span{0, len(a), 0, len(b)})
}

// span is a range of both sequences: a[a0:a1] and b[b0:b1].
type span struct{ a0, a1, b0, b1 int }

func (s span) empty() bool { return s.a0 >= s.a1 || s.b0 >= s.b1 }

// between aligns one range. Gaps wait on a list, so that no input can make it
// recurse deeply.
func (al *aligner) between(whole span) {
	todo := []span{whole}
	for len(todo) > 0 {
		s := al.ends(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if s.empty() {
			continue
		}
		anchors := al.anchors(s)
		if len(anchors) == 0 {
			al.myers(s)
			continue
		}
		at := s
		for _, p := range anchors {
			al.match(p.i, p.j)
			todo = append(todo, span{at.a0, p.i, at.b0, p.j})
			at.a0, at.b0 = p.i+1, p.j+1
		}
		todo = append(todo, at)
	}
}

// ends matches what the range has in common at its start and its end.
func (al *aligner) ends(s span) span {
	for !s.empty() && al.a[s.a0] == al.b[s.b0] {
		al.match(s.a0, s.b0)
		s.a0, s.b0 = s.a0+1, s.b0+1
	}
	for !s.empty() && al.a[s.a1-1] == al.b[s.b1-1] {
		s.a1, s.b1 = s.a1-1, s.b1-1
		al.match(s.a1, s.b1)
	}
	return s
}

type indexPair struct{ i, j int }

// anchors are the classes that occur exactly once on either side of the range, as
// the longest run of pairs that is in order on both.
func (al *aligner) anchors(s span) []indexPair {
	al.tally(s)
	var pairs []indexPair
	for i := s.a0; i < s.a1; i++ {
		if c := al.a[i]; al.count[0][c] == 1 && al.count[1][c] == 1 {
			pairs = append(pairs, indexPair{i, int(al.where[1][c])})
		}
	}
	al.clear(s)
	return longestOrdered(pairs)
}

func (al *aligner) tally(s span) {
	for i := s.a0; i < s.a1; i++ {
		al.count[0][al.a[i]]++
		al.where[0][al.a[i]] = int32(i)
	}
	for j := s.b0; j < s.b1; j++ {
		al.count[1][al.b[j]]++
		al.where[1][al.b[j]] = int32(j)
	}
}

func (al *aligner) clear(s span) {
	for i := s.a0; i < s.a1; i++ {
		al.count[0][al.a[i]] = 0
	}
	for j := s.b0; j < s.b1; j++ {
		al.count[1][al.b[j]] = 0
	}
}

// longestOrdered picks the longest subsequence of pairs, sorted by i, in which j
// grows too.
func longestOrdered(pairs []indexPair) []indexPair {
	var tails []int // index in pairs of the smallest end of a run of each length
	prev := make([]int, len(pairs))
	for k, p := range pairs {
		n, _ := slices.BinarySearchFunc(tails, p.j, func(t, j int) int { return pairs[t].j - j })
		prev[k] = -1
		if n > 0 {
			prev[k] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, k)
		} else {
			tails[n] = k
		}
	}
	if len(tails) == 0 {
		return nil
	}
	out := make([]indexPair, len(tails))
	for k, n := tails[len(tails)-1], len(out)-1; n >= 0; k, n = prev[k], n-1 {
		out[n] = pairs[k]
	}
	return out
}
