package validate

import (
	"fmt"
	"math"
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

	numbers sequence
	first   *Finding // O005, which waits for what is known of the base
	key     uint64   // of the line before
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
		o.numbers.skip(l)
	case !l.HasOrd:
		o.numbers.missing.add(l)
	case !repeated:
		o.next(l, out)
	}
}

// next takes a record with an ordinal.
func (o *ordinalTake) next(l *Looked, out *sink) {
	var first *uint64
	if want := o.wantsFirst(); l.Number == o.metaLine.Number {
		first = &want
	}
	o.numbers.next(l, first, o.withoutFirst(out))
}

// withoutFirst holds back a finding about the first ordinal.
func (o *ordinalTake) withoutFirst(out *sink) *sink {
	return &sink{func(f Finding) {
		if f.Code == "O005" {
			o.first = &f
			return
		}
		out.emit(f)
	}}
}

// wantsFirst is the ordinal that the session_meta has to have (format.md 1.9, 1.10).
func (o *ordinalTake) wantsFirst() uint64 {
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
	o.numbers.end(o.withoutFirst(out))
	var goesOn *uint64
	if o.meta.base != nil {
		goesOn = checkBase(f, o.meta.base, &o.metaLine, out)
	}
	// When end_ordinal_exclusive is what is wrong, that was said, and the ordinals that
	// follow the base are right.
	if o.first != nil && (goesOn == nil || *goesOn != o.first.Ordinal) {
		out.emit(*o.first)
	}
	o.end(f, out)
}

// end judges whether the file can be opened for writing (format.md 1.10.3, 1.10.4).
func (o *ordinalTake) end(f *fileView, out *sink) {
	switch {
	case o.numbers.missing.n > 0:
		msg := "final paginated rollout record at " + f.Path + " is missing an ordinal"
		if o.numbers.missing.n > 1 {
			msg += fmt.Sprintf(" (%d records from here on)", o.numbers.missing.n)
		}
		out.At(&o.numbers.missing.first, "O006", "", msg)
	case o.numbers.last == math.MaxUint64:
		out.At(&o.metaLine, "O016", "", "paginated rollout record ordinal overflow: the last ordinal is "+strconv.FormatUint(o.numbers.last, 10))
	case o.meta.hasStart && o.meta.start > 0 && o.meta.start-1 > o.numbers.last:
		out.At(&o.metaLine, "O015", "/payload/subagent_history_start_ordinal", fmt.Sprintf(
			"paginated subagent rollout at %s is incomplete: expected inherited prefix through ordinal %d, found final durable ordinal %d",
			f.Path, o.meta.start-1, o.numbers.last))
	}
}
