package diff

import (
	"testing"

	"pgregory.net/rapid"
)

func aligned(a, b []int32, classes int) []indexPair {
	to := map[int]int{}
	align(a, b, classes, func(i, j int) { to[i] = j })
	var out []indexPair
	for i := range a {
		if j, ok := to[i]; ok {
			out = append(out, indexPair{i, j})
		}
	}
	return out
}

// lcs is the length of the longest common subsequence, by the book.
func lcs(a, b []int32) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			up := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(up, row[j])
			}
			diagonal = up
		}
	}
	return row[len(b)]
}

func TestAlignKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const classes = 8
		seq := rapid.SliceOfN(rapid.Int32Range(0, classes-1), 0, 40)
		a, b := seq.Draw(t, "a"), seq.Draw(t, "b")
		last := indexPair{-1, -1}
		for _, p := range aligned(a, b, classes) {
			if a[p.i] != b[p.j] {
				t.Fatalf("%v pairs %d with %d", p, a[p.i], b[p.j])
			}
			if p.i <= last.i || p.j <= last.j {
				t.Fatalf("%v after %v", p, last)
			}
			last = p
		}
	})
}

// Without anchors Myers finds a longest common subsequence.
func TestMyersIsLongest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const classes = 5
		seq := rapid.SliceOfN(rapid.Int32Range(0, classes-1), 0, 60)
		a, b := seq.Draw(t, "a"), seq.Draw(t, "b")
		n := 0
		al := &aligner{a: a, b: b, match: func(int, int) { n++ }}
		for side := range 2 {
			al.count[side], al.where[side] = make([]int32, classes), make([]int32, classes)
		}
		al.myers(span{0, len(a), 0, len(b)})
		if want := lcs(a, b); n != want {
			t.Fatalf("matched %d, want %d", n, want)
		}
	})
}

func TestAlign(t *testing.T) {
	tests := []struct {
		name string
		a, b []int32
		want []indexPair
	}{
		{"empty", nil, []int32{1}, nil},
		{"ends", []int32{1, 2, 3}, []int32{1, 4, 3}, []indexPair{{0, 0}, {2, 2}}},
		{"anchors", []int32{0, 1, 2, 3}, []int32{1, 2, 3, 0}, []indexPair{{1, 0}, {2, 1}, {3, 2}}},
		{"common prefix overlaps suffix", []int32{1, 1}, []int32{1}, []indexPair{{0, 0}}},
	}
	for _, tt := range tests {
		got := aligned(tt.a, tt.b, 5)
		if len(got) != len(tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
			continue
		}
		for k := range got {
			if got[k] != tt.want[k] {
				t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
			}
		}
	}
}

// More edits than Myers is allowed: 3,000 repeated items in opposite order.
func TestAlignBeyondTheEditLimit(t *testing.T) {
	var a, b []int32
	for i := range int32(3000) {
		a = append(a, i%1000)
		b = append(b, 999-i%1000)
	}
	if got := aligned(a, b, 1000); len(got) == 0 {
		t.Error("nothing matched")
	}
}
