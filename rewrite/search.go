package rewrite

import (
	"bytes"
	"strings"
)

// search finds the lines of a block that may hold one of several byte strings. What the
// strings have in common is looked for once; a line that is found may still hold none.
type search struct {
	hints []hint
	next  []int // where each hint stands next; past the end when it does not
	data  []byte
}

// hint is a byte string, looked for by the byte of it that is rarest in rollouts.
type hint struct {
	text []byte
	rare int // place of that byte
}

// newSearch returns nil when an operation wants to see every line.
func newSearch(stages []stage) *search {
	var hints [][]byte
	for i := range stages {
		if stages[i].needles == nil {
			return nil
		}
		for _, n := range stages[i].needles {
			hints = joined(joined(hints, n), escape)
		}
	}
	s := &search{next: make([]int, len(hints))}
	for _, h := range hints {
		s.hints = append(s.hints, newHint(h))
	}
	return s
}

// shared is how many bytes two strings have to have in common to be looked for as one.
const shared = 4

// joined adds a string to the hints, or shortens a hint to what they have in common.
func joined(hints [][]byte, n []byte) [][]byte {
	for i, h := range hints {
		if bytes.Contains(n, h) {
			return hints
		}
		if c := common(h, n); len(c) >= shared {
			hints[i] = c
			return hints
		}
	}
	return append(hints, n)
}

// common is the longest byte string that stands in both.
func common(a, b []byte) []byte {
	var best []byte
	for i := range a {
		for n := len(best) + 1; i+n <= len(a) && bytes.Contains(b, a[i:i+n]); n++ {
			best = a[i : i+n]
		}
	}
	return best
}

// commonness orders bytes as they come in rollouts, the most common first; those that are
// not in it are rarer.
const commonness = "\" etaoinsrld,:chu_pm{}\\gfybw.0123456789-/vk"

func newHint(text []byte) hint {
	h := hint{text: text}
	rank := func(b byte) int {
		if i := strings.IndexByte(commonness, b); i >= 0 {
			return i
		}
		return len(commonness)
	}
	for i, b := range text {
		if rank(b) > rank(text[h.rare]) {
			h.rare = i
		}
	}
	return h
}

// index is the first place of the hint in data, -1 when it is not there.
func (h *hint) index(data []byte) int {
	for at, misses := 0, 0; ; misses++ {
		from := at + h.rare
		if from >= len(data) {
			return -1
		}
		if misses > 4+at>>4 { // its rarest byte is common here
			if i := bytes.Index(data[at:], h.text); i >= 0 {
				return at + i
			}
			return -1
		}
		i := bytes.IndexByte(data[from:], h.text[h.rare])
		if i < 0 {
			return -1
		}
		if at += i; bytes.HasPrefix(data[at:], h.text) {
			return at
		}
		at++
	}
}

func (s *search) start(data []byte) {
	s.data = data
	for i := range s.next {
		s.next[i] = -1
	}
}

// from is the first place of a hint at or behind an offset, -1 when there is none.
func (s *search) from(at int) int {
	first := len(s.data)
	for i := range s.hints {
		if s.next[i] < at {
			if s.next[i] = s.hints[i].index(s.data[at:]); s.next[i] < 0 {
				s.next[i] = len(s.data)
			} else {
				s.next[i] += at
			}
		}
		first = min(first, s.next[i])
	}
	if first == len(s.data) {
		return -1
	}
	return first
}
