package rewrite

import (
	"fmt"
	"strings"
)

// Done counts what one operation did to one file.
type Done struct {
	Name string
	// Changed, Dropped and Added count records.
	Changed, Dropped, Added int
	// BytesBefore and BytesAfter are the sizes of the edited records, newlines left out.
	BytesBefore, BytesAfter int64
	// Reasons are what was done, in the order in which it first came up.
	Reasons []Reason
}

// Edits is the number of records that the operation changed, dropped or added.
func (d *Done) Edits() int { return d.Changed + d.Dropped + d.Added }

// Reason is one kind of edit and where it was made.
type Reason struct {
	Text                    string
	Records                 int
	BytesBefore, BytesAfter int64
	// Lines are the 1-based lines of the file, as ranges ("12-40,44"); the last ones are
	// left out ("...") when there are very many ranges.
	Lines string
}

// Lost is a record whose content an operation takes away.
type Lost struct {
	Operation, Reason string
	Record            *Record // as it was; valid during the call
}

// tally counts the edits of one pass.
type tally struct {
	of    []int // by stage: the operation that it belongs to
	done  []Done
	found []map[string]int // by operation: where a reason stands
	runs  [][]runs
	line  []int            // by operation: of the last record that was changed, 0 for none
	lost  func(Lost) error // nil when nobody wants to know
}

func newTally(stages []stage, lost func(Lost) error) *tally {
	t := &tally{lost: lost}
	for _, s := range stages {
		if !s.goesOn {
			t.done = append(t.done, Done{Name: s.name})
		}
		t.of = append(t.of, len(t.done)-1)
	}
	t.found, t.runs, t.line = make([]map[string]int, len(t.done)), make([][]runs, len(t.done)), make([]int, len(t.done))
	for i := range t.found {
		t.found[i] = map[string]int{}
	}
	return t
}

func (t *tally) add(stage int, r *Record, e Edit) error {
	i := t.of[stage]
	d := &t.done[i]
	var before, after int64
	switch e.action {
	case changed:
		if r.Added || t.line[i] != r.Number || r.Number == 0 { // not by a step before
			d.Changed++
			t.line[i] = r.Number
		}
		before, after = int64(len(r.Bytes)), int64(len(e.line))
	case dropped:
		d.Dropped++
		before = int64(len(r.Bytes))
	}
	for _, lines := range [][][]byte{e.before, e.after} {
		for _, b := range lines {
			d.Added++
			after += int64(len(b))
		}
	}
	d.BytesBefore += before
	d.BytesAfter += after
	at, ok := t.found[i][e.reason]
	if !ok {
		at = len(d.Reasons)
		t.found[i][e.reason] = at
		d.Reasons = append(d.Reasons, Reason{Text: e.reason})
		t.runs[i] = append(t.runs[i], runs{})
	}
	why := &d.Reasons[at]
	why.Records++
	why.BytesBefore += before
	why.BytesAfter += after
	if r.Number > 0 {
		t.runs[i][at].add(r.Number)
	}
	if t.lost != nil && e.lossy {
		return t.lost(Lost{Operation: d.Name, Reason: e.reason, Record: r})
	}
	return nil
}

// result returns the counts.
func (t *tally) result() []Done {
	for i := range t.done {
		for j := range t.done[i].Reasons {
			t.done[i].Reasons[j].Lines = t.runs[i][j].String()
		}
	}
	return t.done
}

// maxRuns bounds what a report says about lines, and the memory for it.
const maxRuns = 1000

// runs are rising numbers as ranges.
type runs struct {
	list [][2]int
	more bool
}

func (r *runs) add(n int) {
	if k := len(r.list) - 1; k >= 0 && r.list[k][1] >= n-1 {
		r.list[k][1] = n
		return
	}
	if len(r.list) == maxRuns {
		r.more = true
		return
	}
	r.list = append(r.list, [2]int{n, n})
}

func (r *runs) String() string {
	var b strings.Builder
	for i, x := range r.list {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprint(&b, x[0])
		if x[1] > x[0] {
			fmt.Fprintf(&b, "-%d", x[1])
		}
	}
	if r.more {
		b.WriteString(",...")
	}
	return b.String()
}
