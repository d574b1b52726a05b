package validate

import (
	"fmt"
	"slices"
)

// sequence compares each ordinal of a paginated file with those before. One that does
// not fit waits for the next, which tells whether it alone is wrong.
type sequence struct {
	started bool
	last    uint64 // ordinal of the record before
	highest uint64
	lost    uint64 // lines since then that cannot be read
	missing tally  // the run of records without one that is open
	doubt   *misfit
}

// misfit is an ordinal that does not fit those before it.
type misfit struct {
	place   Looked
	code    string
	want    uint64
	unread  uint64 // lines in front of it that may have had ordinals of their own
	highest uint64 // before it
}

func (m *misfit) report(out *sink) {
	again := ""
	if m.code == "O002" {
		again = " again"
	}
	out.At(&m.place, m.code, "/ordinal", fmt.Sprintf("expected ordinal %d, got %d%s", m.want, m.place.Ordinal, again))
}

// skip takes a line that Codex does not take: its ordinal, if it can be read, is not
// missing in the sequence.
func (s *sequence) skip(l *Looked) {
	if s.started && l.HasOrd && l.Ordinal == s.last+1 {
		s.last, s.highest = l.Ordinal, max(s.highest, l.Ordinal)
		return
	}
	s.lost++
	if slices.ContainsFunc(l.Findings, func(f Finding) bool { return f.Code == codeJoined }) {
		s.lost++
	}
}

// next takes a record with an ordinal. first is the ordinal that the sequence has to
// start with, when this record can be the first (format.md 1.9, 1.10).
func (s *sequence) next(l *Looked, first *uint64, out *sink) {
	unread := s.lost + uint64(s.missing.n)
	s.missing.report(out, "O001", "", "a record of a paginated file without an ordinal", "records of a paginated file have no ordinal")
	s.missing, s.lost = tally{}, 0
	found := s.judge(l, first, unread)
	if s.settle(l, found != nil, unread, out) {
		return
	}
	s.doubt = found
	s.started, s.last, s.highest = true, l.Ordinal, max(s.highest, l.Ordinal)
}

// judge compares an ordinal with those before, nil when it fits.
func (s *sequence) judge(l *Looked, first *uint64, unread uint64) *misfit {
	n := l.Ordinal
	wrong := func(code string, want uint64) *misfit {
		return &misfit{place: placeOf(l), code: code, want: want, unread: unread, highest: s.highest}
	}
	switch {
	case !s.started:
		if first != nil && n != *first {
			return wrong("O005", *first)
		}
	case n == s.last:
		return wrong("O002", s.last+1)
	case n <= s.highest && n != s.last+1:
		return wrong("O003", s.highest+1)
	case n > s.last && n > s.highest && n-s.highest-1 > unread:
		return wrong("O004", s.highest+1)
	}
	return nil
}

// settle reports the ordinal that has waited. It returns true when that one was wrong
// and this one goes on as if it had been right, and has taken this one then.
func (s *sequence) settle(l *Looked, misfits bool, unread uint64, out *sink) bool {
	d, n := s.doubt, l.Ordinal
	s.doubt = nil
	switch {
	case d == nil:
		return false
	case misfits && d.code == "O004" && d.place.Ordinal == d.want+1 && n == d.want:
		out.At(l, "O003", "/ordinal", fmt.Sprintf("ordinal %d behind %d: two records have changed places", n, d.place.Ordinal))
		s.last = d.place.Ordinal
		return true
	case misfits && n > d.want && n-d.want-1 <= d.unread+unread:
		if d.code != "O005" {
			d.code, d.want = "O017", n-1-min(unread, n-1-d.want)
		}
		d.report(out)
		s.last, s.highest = n, max(d.highest, n)
		return true
	}
	d.report(out)
	return false
}

// end reports what still waits.
func (s *sequence) end(out *sink) {
	if s.doubt != nil {
		s.doubt.report(out)
		s.doubt = nil
	}
}
