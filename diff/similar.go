package diff

import (
	"slices"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

const (
	sketchSize = 32 // hashes kept of an item's words
	// minShared is how many of the hashes of two items must be shared, out of the
	// smallest sketchSize of both together, to call one a change of the other.
	minShared = 0.5
	// maxPosting is how many items may share a word before it says nothing about
	// which of them belong together.
	maxPosting = 16
	// maxLikely is how many items are compared in full with each one.
	maxLikely = 4
	// sketchBytes bounds what is read of one item: half from its start, half from
	// its end.
	sketchBytes = 64 << 10
)

// sketch is the sorted set of the smallest hashes of the words of a text. How much
// two sketches share estimates how many words the texts share.
type sketch []uint64

// add takes in a hash. Only the sketchSize smallest stay.
func (s *sketch) add(h uint64) {
	if len(*s) == sketchSize && h >= (*s)[sketchSize-1] {
		return
	}
	at, found := slices.BinarySearch(*s, h)
	if found {
		return
	}
	if len(*s) == sketchSize {
		*s = (*s)[:sketchSize-1]
	}
	*s = slices.Insert(*s, at, h)
}

// words adds the runs of letters, digits and bytes beyond ASCII of a JSON text. An
// escape ends a word: it mostly stands for white space or a quote.
func (s *sketch) words(raw []byte) {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	open := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' {
			h = (h ^ uint64(c)) * prime
			open = true
			continue
		}
		if open {
			s.add(mix(h))
			h, open = offset, false
		}
		if c == '\\' {
			i++
		}
	}
	if open {
		s.add(mix(h))
	}
}

// mix spreads the bits: FNV alone orders short words by their last letter.
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	return h ^ h>>33
}

// sketchOf takes the words of all texts of an item but its bookkeeping and what
// only names its kind.
func sketchOf(it parse.Item) sketch {
	var s sketch
	var sc jsonraw.Scanner
	for _, m := range it.Fields.Members {
		if bookkeeping(m.Name) || m.Name == "type" || m.Name == "role" || m.Name == "call_id" {
			continue
		}
		v := m.Value
		if len(v) > sketchBytes {
			s.words(v[:sketchBytes/2])
			s.words(v[len(v)-sketchBytes/2:])
			continue
		}
		sc.MaxDepth = maxDepth
		sc.Reset(v)
		s.leaves(&sc)
	}
	return s
}

func (s *sketch) leaves(sc *jsonraw.Scanner) {
	switch sc.Next() {
	case jsonraw.KindObject:
		sc.OpenObject()
		for name, ok := sc.Member(true); ok; name, ok = sc.Member(false) {
			if !wordy(string(name)) {
				sc.Skip()
				continue
			}
			s.leaves(sc)
		}
	case jsonraw.KindArray:
		sc.OpenArray()
		for first := true; sc.Element(first); first = false {
			s.leaves(sc)
		}
	case jsonraw.KindString:
		s.words(sc.String())
	default:
		sc.Skip()
	}
}

// wordy reports whether a member, given by its quoted name, can hold words.
func wordy(name string) bool {
	switch name {
	case `"type"`, `"detail"`, `"image_url"`, `"audio_url"`, `"file_id"`, `"encrypted_content"`:
		return false
	}
	return true
}

// shared estimates the words two texts share, from 0 to 1.
func (s sketch) shared(o sketch) float64 {
	both, all := 0, 0
	for i, j := 0, 0; all < sketchSize && (i < len(s) || j < len(o)); all++ {
		switch {
		case j == len(o) || i < len(s) && s[i] < o[j]:
			i++
		case i == len(s) || o[j] < s[i]:
			j++
		default:
			i, j, both = i+1, j+1, both+1
		}
	}
	if all == 0 {
		return 0
	}
	return float64(both) / float64(all)
}

// pairSimilar pairs items of one kind whose words are mostly the same, the most
// similar first.
func (c *comparison) pairSimilar(before, after []int) {
	groups := map[string][2][]int{}
	for _, i := range before {
		k := kindKey(c.before[i])
		g := groups[k]
		g[0] = append(g[0], i)
		groups[k] = g
	}
	for _, j := range after {
		k := kindKey(c.after[j])
		if g, ok := groups[k]; ok {
			g[1] = append(g[1], j)
			groups[k] = g
		}
	}
	for _, g := range groups { // groups are disjoint: their order does not matter
		if len(g[1]) > 0 {
			c.pairSimilarGroup(g[0], g[1])
		}
	}
}

func kindKey(e entry) string { return e.row.Item.Type + "/" + e.row.Item.Role() }

type candidate struct {
	indexPair
	shared float64
}

func (c *comparison) pairSimilarGroup(before, after []int) {
	old := sketches(c.before, before)
	postings := map[uint64][]int{} // hash to places in before
	for k, s := range old {
		for _, h := range s {
			postings[h] = append(postings[h], k)
		}
	}
	var found []candidate
	hits := make([]int, len(before))
	for n, s := range sketches(c.after, after) {
		j := after[n]
		for _, k := range likely(s, postings, hits) {
			if shared := s.shared(old[k]); shared >= minShared && c.compatible(before[k], j) {
				found = append(found, candidate{indexPair{before[k], j}, shared})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		switch {
		case a.shared > b.shared:
			return -1
		case a.shared < b.shared:
			return 1
		}
		return 0
	})
	for _, p := range found {
		if c.before[p.i].mate < 0 && c.after[p.j].mate < 0 {
			c.mate(p.i, p.j)
		}
	}
}

func sketches(es []entry, indexes []int) []sketch {
	out := make([]sketch, len(indexes))
	parallel(len(indexes), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			out[k] = sketchOf(es[indexes[k]].row.Item)
		}
	})
	return out
}

// likely are the few places whose sketches share the most rare words with s. hits
// is all zero before and after.
func likely(s sketch, postings map[uint64][]int, hits []int) []int {
	var places []int
	for _, h := range s {
		if len(postings[h]) > maxPosting {
			continue
		}
		for _, k := range postings[h] {
			if hits[k]++; hits[k] == 1 {
				places = append(places, k)
			}
		}
	}
	slices.SortStableFunc(places, func(a, b int) int { return hits[b] - hits[a] })
	for _, k := range places {
		hits[k] = 0
	}
	return places[:min(len(places), maxLikely)]
}

// compatible reports whether nothing says that two items are different ones: two
// ids, two call ids, two names of a tool.
func (c *comparison) compatible(i, j int) bool {
	names := []string{"call_id", "name"}
	if !c.opt.IgnoreBookkeeping {
		names = append(names, "id")
	}
	for _, name := range names {
		a, b := c.before[i].raw(name), c.after[j].raw(name)
		if a.TextLen() > 0 && b.TextLen() > 0 && !sameValue(a, b) {
			return false
		}
	}
	return true
}
