package diff

// maxEdits bounds the work and memory of one Myers search. Beyond it, which takes
// thousands of repeated items in another order, pairing by occurrence is used.
const maxEdits = 1000

// myers matches a longest common subsequence of a range without anchors. Classes
// that only one side has cannot match and are left out first.
func (al *aligner) myers(s span) {
	al.tally(s)
	var x, y []int
	for i := s.a0; i < s.a1; i++ {
		if al.count[1][al.a[i]] > 0 {
			x = append(x, i)
		}
	}
	for j := s.b0; j < s.b1; j++ {
		if al.count[0][al.b[j]] > 0 {
			y = append(y, j)
		}
	}
	al.clear(s)
	if len(x) == 0 {
		return
	}
	equal := func(i, j int) bool { return al.a[x[i]] == al.b[y[j]] }
	trace, ok := shortestEdit(len(x), len(y), equal)
	if !ok {
		for _, p := range longestOrdered(al.byOccurrence(x, y)) {
			al.match(p.i, p.j)
		}
		return
	}
	walkBack(trace, len(x), len(y), func(i, j int) { al.match(x[i], y[j]) })
}

// shortestEdit is the greedy search of Myers. It returns, for each number of edits
// d, how far the diagonals -d to d reached before step d (index k+d); false when it
// takes more than maxEdits.
func shortestEdit(n, m int, equal func(i, j int) bool) ([][]int32, bool) {
	limit := min(n+m, maxEdits)
	v := make([]int32, 2*limit+3)
	mid := limit + 1
	var trace [][]int32
	for d := 0; d <= limit; d++ {
		trace = append(trace, append([]int32(nil), v[mid-d:mid+d+1]...))
		for k := -d; k <= d; k += 2 {
			i := int(v[mid+k-1]) + 1
			if k == -d || k != d && v[mid+k-1] < v[mid+k+1] {
				i = int(v[mid+k+1])
			}
			for j := i - k; i < n && j < m && equal(i, j); j++ {
				i++
			}
			v[mid+k] = int32(i)
			if i >= n && i-k >= m {
				return trace, true
			}
		}
	}
	return nil, false
}

// walkBack follows a trace of shortestEdit from the end (i, j) and reports the matches.
func walkBack(trace [][]int32, i, j int, match func(i, j int)) {
	for d := len(trace) - 1; d >= 0; d-- {
		k := i - j
		fromI, fromJ := 0, 0   // where step d-1 ended
		startI, startJ := 0, 0 // one edit further: from there on all is equal
		if d > 0 {
			reached := func(k int) int { return int(trace[d][k+d]) }
			if k == -d || k != d && reached(k-1) < reached(k+1) {
				fromI = reached(k + 1)
				fromJ = fromI - (k + 1)
				startI, startJ = fromI, fromJ+1
			} else {
				fromI = reached(k - 1)
				fromJ = fromI - (k - 1)
				startI, startJ = fromI+1, fromJ
			}
		}
		for i > startI && j > startJ {
			i, j = i-1, j-1
			match(i, j)
		}
		i, j = fromI, fromJ
	}
}

// byOccurrence pairs the n-th occurrence of each class with the n-th on the other
// side, in the order of x.
func (al *aligner) byOccurrence(x, y []int) []indexPair {
	places := map[int32][]int{}
	for _, j := range y {
		places[al.b[j]] = append(places[al.b[j]], j)
	}
	var out []indexPair
	for _, i := range x {
		c := al.a[i]
		if js := places[c]; len(js) > 0 {
			out = append(out, indexPair{i, js[0]})
			places[c] = js[1:]
		}
	}
	return out
}
