package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/rollout-tool/rollout-tool/validate"
)

// Counts are numbers of findings. Preview and expected ones count as such only.
type Counts struct {
	Errors, Warnings, Infos int
	Preview, Expected       int
	Hidden                  int // by the baseline
	Failing                 int // those that the run fails for
}

// Shown is how many findings the counts hold, the hidden ones left out.
func (c Counts) Shown() int { return c.Errors + c.Warnings + c.Infos + c.Preview + c.Expected }

func (c *Counts) add(f Finding) {
	switch {
	case f.Expected:
		c.Expected++
	case f.Preview:
		c.Preview++
	case f.Severity == validate.Error:
		c.Errors++
	case f.Severity == validate.Warning:
		c.Warnings++
	default:
		c.Infos++
	}
	if f.Fails {
		c.Failing++
	}
}

// Totals sum up a run.
type Totals struct {
	Counts
	Files      int // looked at, unreadable ones too
	Flagged    int // files with a finding that is shown and not expected
	Unreadable int
	Codes      []CodeCount // by id
}

// Valid reports whether nothing is wrong: no error, and every file was read.
func (t Totals) Valid() bool { return t.Errors == 0 && t.Unreadable == 0 }

// CodeCount is how often a code was found.
type CodeCount struct {
	Code     string
	Severity validate.Severity // of the first one
	Count    int
}

// tally counts by code.
type tally map[string]*CodeCount

func (t tally) add(f Finding) {
	c := t[f.Code]
	if c == nil {
		c = &CodeCount{Code: f.Code, Severity: f.Severity}
		t[f.Code] = c
	}
	c.Count++
}

// list is in order of the codes.
func (t tally) list() []CodeCount {
	var out []CodeCount
	for _, c := range slices.SortedFunc(maps.Values(t), func(a, b *CodeCount) int { return strings.Compare(a.Code, b.Code) }) {
		out = append(out, *c)
	}
	return out
}

// Run hands a run to several reporters and counts.
type Run struct {
	reporters []Reporter
	totals    Totals
	tally     tally
	before    Counts // the counts before the present file
}

// NewRun returns a run with the given reporters.
func NewRun(reporters ...Reporter) *Run { return &Run{reporters: reporters, tally: tally{}} }

// Begin starts a file.
func (r *Run) Begin(path string) error {
	r.before = r.totals.Counts
	return r.each(func(p Reporter) error { return p.Begin(path) })
}

// Finding reports a finding of the file.
func (r *Run) Finding(f Finding) error {
	r.totals.add(f)
	r.tally.add(f)
	return r.each(func(p Reporter) error { return p.Finding(f) })
}

// End ends the file.
func (r *Run) End(f File) error {
	t := &r.totals
	t.Files++
	t.Hidden += f.Hidden
	if f.Err != nil {
		t.Unreadable++
	}
	if t.Shown()-t.Expected > r.before.Shown()-r.before.Expected {
		t.Flagged++
	}
	return r.each(func(p Reporter) error { return p.End(f) })
}

// Close ends the reports.
func (r *Run) Close() error {
	t := r.Totals()
	return r.each(func(p Reporter) error { return p.Close(t) })
}

// Totals are those of the files so far.
func (r *Run) Totals() Totals {
	t := r.totals
	t.Codes = r.tally.list()
	return t
}

// each calls every reporter, also after one has failed; it returns the first error.
func (r *Run) each(do func(Reporter) error) error {
	var first error
	for _, p := range r.reporters {
		if err := do(p); err != nil && first == nil {
			first = err
		}
	}
	return first
}
