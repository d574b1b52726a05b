package validate

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// ordinalRule follows the ordinals of a paginated file and checks the file that its
// history_base names.
func ordinalRule() rule {
	return rule{
		name:   "ordinal",
		line:   func() lineRule { return metaLook{} },
		stream: func() streamRule { return &ordinalTake{} },
	}
}

// metaLook notes session_metas.
type metaLook struct{}

func (metaLook) Look(v *lineView) any {
	if m := metaOf(v); m != nil {
		return m
	}
	return nil
}

// ordinalTake compares each ordinal with those before. Only records from the first
// accepted session_meta on count: before it the history mode is unknown.
type ordinalTake struct {
	meta     *metaFacts
	metaLine Looked

	records int
	legacy  tally // records with an ordinal in a legacy file

	started bool
	last    uint64 // ordinal of the record before
	highest uint64
	lost    uint64 // lines since then that cannot be read
	missing tally  // the run of records without one that is open
	key     uint64 // of the line before
	line    int
}

func (o *ordinalTake) Take(l *Looked, left any, out *sink) {
	m, _ := left.(*metaFacts)
	if m != nil && o.meta == nil {
		o.meta, o.metaLine = m, *l
	}
	if o.meta == nil {
		return
	}
	repeated := l.Key == o.key && l.Number == o.line+1 // L011 says so
	o.key, o.line = l.Key, l.Number
	switch {
	case l.Verdict == accept.Blank:
	case !o.meta.paginated:
		if l.Verdict == accept.OK {
			if o.records++; l.HasOrd {
				o.legacy.add(l)
			}
		}
	case l.Verdict != accept.OK:
		o.skip(l)
	case !l.HasOrd:
		o.missing.add(l)
	case !repeated:
		o.next(l, out)
	}
}

// skip takes a line that Codex does not take: its ordinal, if it can be read, is not
// missing in the sequence.
func (o *ordinalTake) skip(l *Looked) {
	if o.started && l.HasOrd && l.Ordinal == o.last+1 {
		o.last, o.highest = l.Ordinal, max(o.highest, l.Ordinal)
		return
	}
	o.lost++
	if slices.ContainsFunc(l.Findings, func(f Finding) bool { return f.Code == codeJoined }) {
		o.lost++
	}
}

func (o *ordinalTake) next(l *Looked, out *sink) {
	unread := o.lost + uint64(o.missing.n)
	o.missing.report(out, "O001", "", "a record of a paginated file without an ordinal", "records of a paginated file have no ordinal")
	o.missing, o.lost = tally{}, 0
	n := l.Ordinal
	switch {
	case !o.started:
		if want := o.first(); l.Number == o.metaLine.Number && n != want {
			out.At(l, "O005", "/ordinal", fmt.Sprintf("the first ordinal is %d, expected %d", n, want))
		}
	case n == o.last:
		out.At(l, "O002", "/ordinal", fmt.Sprintf("expected ordinal %d, got %d again", o.last+1, n))
	case n <= o.highest && n != o.last+1:
		out.At(l, "O003", "/ordinal", fmt.Sprintf("expected ordinal %d, got %d", o.highest+1, n))
	case n > o.last && n > o.highest && n-o.highest-1 > unread:
		out.At(l, "O004", "/ordinal", fmt.Sprintf("expected ordinal %d, got %d", o.highest+1, n))
	}
	o.started, o.last, o.highest = true, n, max(o.highest, n)
}

// first is the ordinal that the session_meta has to have (format.md 1.9, 1.10).
func (o *ordinalTake) first() uint64 {
	if o.meta.base != nil {
		return o.meta.base.endOrdinal
	}
	return 0
}

func (o *ordinalTake) End(f *fileView, out *sink) {
	if o.meta == nil {
		return
	}
	if !o.meta.paginated {
		if o.legacy.n > 0 {
			out.At(&o.legacy.first, "O007", "/ordinal",
				fmt.Sprintf("%d of %d records of a legacy file have an ordinal", o.legacy.n, o.records))
		}
		if o.meta.base != nil {
			out.At(&o.metaLine, "O008", basePointer, "history_base in a legacy file")
		}
		return
	}
	o.end(f, out)
	if o.meta.base != nil {
		checkBase(f, o.meta.base, &o.metaLine, out)
	}
}

// end judges whether the file can be opened for writing (format.md 1.10.3, 1.10.4).
func (o *ordinalTake) end(f *fileView, out *sink) {
	switch {
	case o.missing.n > 0:
		msg := "final paginated rollout record at " + f.Path + " is missing an ordinal"
		if o.missing.n > 1 {
			msg += fmt.Sprintf(" (%d records from here on)", o.missing.n)
		}
		out.At(&o.missing.first, "O006", "", msg)
	case o.last == math.MaxUint64:
		out.At(&o.metaLine, "O016", "", "paginated rollout record ordinal overflow: the last ordinal is "+strconv.FormatUint(o.last, 10))
	case o.meta.hasStart && o.meta.start > 0 && o.meta.start-1 > o.last:
		out.At(&o.metaLine, "O015", "/payload/subagent_history_start_ordinal", fmt.Sprintf(
			"paginated subagent rollout at %s is incomplete: expected inherited prefix through ordinal %d, found final durable ordinal %d",
			f.Path, o.meta.start-1, o.last))
	}
}
