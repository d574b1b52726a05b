package compaction

import (
	"hash/maphash"
	"slices"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
)

// essence is what a row of a stored checkpoint and one of a plan are compared by.
type essence struct {
	sum uint64
	row int // its index
}

// essences hashes role, texts and media. Ids, kinds of parts, injected context, the
// summary and items of unknown types (rule 20) are left aside.
func essences(seed maphash.Seed, rows []history.Row) []essence {
	var h maphash.Hash
	h.SetSeed(seed)
	field := func(b []byte) {
		h.Write(b)
		h.WriteByte(0)
	}
	var out []essence
	for i, row := range rows {
		it := row.Item
		if isCompactionItem(it) || !parse.KnownItem(it.Type) || IsInjected(it) || IsLocalSummary(it) {
			continue
		}
		h.Reset()
		field([]byte(it.Type))
		for _, name := range []string{"role", "author", "recipient", "call_id", "name", "output"} {
			field(it.Fields.Get(name))
		}
		for _, p := range it.Content() {
			field([]byte(p.Type))
			field(p.TextValue().Unquoted())
			field(p.Fields.Get("image_url"))
			field(p.Fields.Get("file_id"))
			field(p.AudioURL())
			field(p.Encrypted())
		}
		out = append(out, essence{h.Sum64(), i})
	}
	return out
}

// compareLists counts what is only in want and only in got, each as often as it stands there.
func compareLists(want, got []essence) (missing, extra int) {
	count := map[uint64]int{}
	for _, s := range want {
		count[s.sum]++
	}
	for _, s := range got {
		count[s.sum]--
	}
	for _, n := range count {
		if n > 0 {
			missing += n
		} else {
			extra -= n
		}
	}
	return missing, extra
}

// sameOrder reports whether the lists are equal.
func sameOrder(want, got []essence) bool {
	return slices.EqualFunc(want, got, func(a, b essence) bool { return a.sum == b.sum })
}

// misplaced lists the rows of got, a list of the same rows as want, that have to move to
// give the order of want: those outside the longest run that is in order.
func misplaced(want, got []essence) []int {
	if sameOrder(want, got) {
		return nil
	}
	places := map[uint64][]int{}
	for i, s := range want {
		places[s.sum] = append(places[s.sum], i)
	}
	at := make([]int, len(got)) // where the rows of got stand in want
	for i, s := range got {
		at[i], places[s.sum] = places[s.sum][0], places[s.sum][1:]
	}
	inOrder := map[int]bool{}
	for _, i := range longestRun(at) {
		inOrder[i] = true
	}
	var out []int
	for i, s := range got {
		if !inOrder[i] {
			out = append(out, s.row)
		}
	}
	return out
}

// longestRun is the longest increasing subsequence of distinct numbers, as indexes.
func longestRun(numbers []int) []int {
	var ends []int // the index of the smallest number that ends a run of each length
	before := make([]int, len(numbers))
	for i, n := range numbers {
		length, _ := slices.BinarySearchFunc(ends, n, func(end, n int) int { return numbers[end] - n })
		before[i] = -1
		if length > 0 {
			before[i] = ends[length-1]
		}
		if length == len(ends) {
			ends = append(ends, i)
		}
		ends[length] = i
	}
	if len(ends) == 0 {
		return nil
	}
	var run []int
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		run = append(run, i)
	}
	slices.Reverse(run)
	return run
}
