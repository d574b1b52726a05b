package validate

import (
	"fmt"
	"time"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// lineFormRule reports how lines are written: their ends, their order in time, lines
// that are blank, repeated or dropped. Rejected envelopes are rejectRule's.
func lineFormRule() rule {
	return rule{
		name:   "line",
		line:   func() lineRule { return lineLook{} },
		stream: func() streamRule { return &lineTake{} },
	}
}

// lineForm is how a line is written; several may hold.
type lineForm uint8

const (
	formCRLF      lineForm = 1 << iota // ends in a carriage return and a newline
	formNoNewline                      // the file ends without a newline
	formOddTime                        // the timestamp is not of the writer's form
	formBare                           // a line of generation 0
)

type lineLook struct{}

func (lineLook) Look(v *lineView) any {
	l := v.looked
	if v.CRLF() {
		l.form |= formCRLF
	}
	if !v.Terminated {
		l.form |= formNoNewline
	}
	if v.Bare {
		l.form |= formBare
		return nil
	}
	if v.OK() {
		stamp := v.Record.Envelope.Get("timestamp")
		var ok bool
		if l.Time, ok = writerTime(stamp); !ok {
			l.form |= formOddTime
		}
	}
	return nil
}

// writerTime reads a timestamp of the form "2026-11-02T09:00:00.000Z" (format.md 2.1) as
// milliseconds since 1970.
func writerTime(v jsonraw.Value) (int64, bool) {
	const form = `"0000-00-00T00:00:00.000Z"`
	if len(v) != len(form) {
		return 0, false
	}
	for i, c := range []byte(form) {
		if c == '0' {
			if v[i] < '0' || v[i] > '9' {
				return 0, false
			}
		} else if v[i] != c {
			return 0, false
		}
	}
	num := func(from, to int) (n int) {
		for _, c := range v[from:to] {
			n = 10*n + int(c-'0')
		}
		return n
	}
	y, mo, d, h, mi, s := num(1, 5), num(6, 8), num(9, 11), num(12, 14), num(15, 17), num(18, 20)
	if mo < 1 || mo > 12 || d < 1 || h > 23 || mi > 59 || s > 60 {
		return 0, false
	}
	t := time.Date(y, time.Month(mo), d, h, mi, s, 0, time.UTC)
	if t.Day() != d && s < 60 {
		return 0, false
	}
	return t.UnixMilli() + int64(num(21, 24)), true
}

// tally counts lines of one kind and keeps the first.
type tally struct {
	first Looked
	n     int
}

func (t *tally) add(l *Looked) {
	if t.n++; t.n == 1 {
		t.first = *l
	}
}

// report says how many lines there are, at the first.
func (t *tally) report(out *sink, code, pointer, one, many string) {
	switch {
	case t.n == 1:
		out.At(&t.first, code, pointer, one)
	case t.n > 1:
		out.At(&t.first, code, pointer, fmt.Sprintf("%d %s, the first here", t.n, many))
	}
}

// lineTake keeps counts, the first line of each kind and the line before.
type lineTake struct {
	blank, crlf, odd, ghosts, back tally
	backBy                         int64 // milliseconds of the first step back

	seen bool   // a line that is not blank
	last Looked // the line before
	time int64  // of the last record that has one
}

// stepBack is the time in milliseconds that a record may be older than the one before.
const stepBack = 60_000

func (t *lineTake) Take(l *Looked, _ any, out *sink) {
	t.ends(l, out)
	switch l.Verdict {
	case accept.Blank:
		t.blank.add(l)
	case accept.Dropped:
		t.ghosts.add(l)
	case accept.OK:
		t.order(l, out)
	}
	t.seen = t.seen || l.Verdict != accept.Blank
	t.last = *l
	t.last.Findings, t.last.notes = nil, nil
}

func (t *lineTake) ends(l *Looked, out *sink) {
	if l.form&formCRLF != 0 {
		t.crlf.add(l)
	}
	if l.form&formNoNewline != 0 && l.Verdict == accept.OK {
		out.At(l, "L013", "", "the last record has no newline")
	}
}

func (t *lineTake) order(l *Looked, out *sink) {
	if l.form&formBare != 0 {
		return // state lines are all alike, and no line has a time
	}
	if t.last.Verdict == accept.OK && t.last.Number > 0 && t.last.Key == l.Key && sameLength(&t.last, l) {
		out.At(l, "L011", "", fmt.Sprintf("the same bytes as line %d", t.last.Number))
	}
	if l.form&formOddTime != 0 {
		t.odd.add(l)
	}
	if l.Time == 0 {
		return
	}
	if t.time != 0 && t.time-l.Time > stepBack {
		if t.back.add(l); t.back.n == 1 {
			t.backBy = t.time - l.Time
		}
	}
	t.time = l.Time
}

// sameLength compares without the newline and the carriage return, as Key does.
func sameLength(a, b *Looked) bool {
	size := func(l *Looked) int64 {
		n := l.Size
		if l.form&formNoNewline == 0 {
			n--
		}
		if l.form&formCRLF != 0 {
			n--
		}
		return n
	}
	return size(a) == size(b)
}

func (t *lineTake) End(f *fileView, out *sink) {
	if !t.seen {
		if !f.cutOff() {
			out.File("L014", "empty session file")
		}
		return
	}
	t.odd.report(out, "L007", "/timestamp", "timestamp is not of the form 2026-11-02T09:00:00.000Z",
		"timestamps are not of the form 2026-11-02T09:00:00.000Z")
	by := (time.Duration(t.backBy) * time.Millisecond).String()
	t.back.report(out, "L008", "/timestamp", by+" older than the record before",
		"records are more than a minute older than the one before ("+by+" here)")
	t.blank.report(out, "L009", "", "blank line", "blank lines")
	t.crlf.report(out, "L010", "", "the line ends in CRLF", "lines end in CRLF")
	t.ghosts.report(out, "L015", "", "ghost snapshot, dropped on load", "ghost snapshots, dropped on load")
}

func isErr(l *Looked) bool { return l.Verdict == accept.Err }

func isBlankLine(l *Looked) bool { return l.Verdict == accept.Blank }
