package rewrite

import (
	"bytes"
	"io"
	"strings"
	"sync"

	"github.com/rollout-tool/rollout-tool/parse"
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

// lines appends the starts of the lines of a block that a stage wants to see.
func (s *search) lines(into []int, data []byte, stages []stage) []int {
	s.start(data)
	for at := 0; ; {
		hit := s.from(at)
		if hit < 0 {
			return into
		}
		start := bytes.LastIndexByte(data[:hit], '\n') + 1
		line := parse.Block{Data: data[start:]}.First()
		if at = start + int(line.Size()); wanted(stages, line.Bytes) {
			into = append(into, start)
		}
	}
}

// wanted reports whether an operation may want to edit a line.
func wanted(stages []stage, line []byte) bool {
	for i := range stages {
		if stages[i].wants(line) {
			return true
		}
	}
	return false
}

// searched is a block and the starts of the lines in it that somebody wants to see.
type searched struct {
	parse.Block
	wanted []int
	err    error // that of reading; then there is no block
}

// ahead reads and searches one block ahead.
type ahead struct {
	blocks chan *searched
	free   chan *searched // blocks that are done with; takes two without waiting
	quit   chan struct{}
	ended  sync.WaitGroup
}

func readAhead(in io.Reader, look *search, stages []stage) *ahead {
	a := &ahead{blocks: make(chan *searched), free: make(chan *searched, 2), quit: make(chan struct{})}
	a.free <- &searched{}
	a.free <- &searched{}
	a.ended.Go(func() {
		blocks := parse.NewBlockReader(in, 1, 0)
		for {
			var s *searched
			select {
			case s = <-a.free:
			case <-a.quit:
				return
			}
			if s.Block, s.err = blocks.Next(s.Data[:0]); s.err == nil && look != nil {
				s.wanted = look.lines(s.wanted[:0], s.Data, stages)
			}
			select {
			case a.blocks <- s:
			case <-a.quit:
				return
			}
			if s.err != nil {
				return
			}
		}
	})
	return a
}

// stop ends the reading, and waits for its end.
func (a *ahead) stop() {
	close(a.quit)
	a.ended.Wait()
}
