package validate

import "fmt"

const (
	// loopLength is how many compactions in a row make a loop.
	loopLength = 3
	// loopKeeps is the part of the history, in percent, that each of them leaves at
	// least: sessions that compact over and over are left with four fifths and more.
	loopKeeps = 75
)

// step is one compaction as the loop check sees it.
type step struct {
	line          int
	before, after int64    // tokens
	words         bool     // a user or agent said something since the one before
	finding       *Finding // about its size, nil for none; a loop says it for all its steps
	loop          Finding  // where a loop that ends here is reported
}

// newStep compares the estimates, in tokens, of the history before and after the
// compaction of a line. The finding waits for the loop that may say it.
func newStep(line int, before, after int64, words bool, finding func(code, message string) Finding) step {
	s := step{line: line, before: before, after: after, words: words, loop: finding("C023", "")}
	switch {
	case before < smallHistory:
	case after > before:
		f := finding("C021", fmt.Sprintf("the checkpoint has %d tokens, the history that it replaced %d", after, before))
		s.finding = &f
	case (before-after)*100 < before*hardly:
		f := finding("C022", fmt.Sprintf("the checkpoint has %d tokens, the history that it replaced %d: less than %d%% saved", after, before, hardly))
		s.finding = &f
	}
	return s
}

// savedLittle reports whether the compaction can be part of a loop.
func (s *step) savedLittle() bool {
	return s.before >= smallHistory && s.after*100 >= s.before*loopKeeps
}

// loop finds runs of compactions that save little, one after the other without a word
// from a user.
type loop struct{ run []step }

func (l *loop) take(s step, out *sink) {
	useless := s.savedLittle()
	if !useless || s.words {
		l.end(out)
	}
	if useless {
		l.run = append(l.run, s)
	} else if s.finding != nil {
		out.emit(*s.finding)
	}
}

// end reports the run: as a loop, or the findings of its steps.
func (l *loop) end(out *sink) {
	run := l.run
	l.run = nil
	if len(run) >= loopLength {
		first, last := run[0], run[len(run)-1]
		f := last.loop
		f.Message = fmt.Sprintf("%d compactions in a row (lines %d to %d) without a message of a user between them, and none saved much: %d tokens before the first, %d after the last",
			len(run), first.line, last.line, first.before, last.after)
		out.emit(f)
		return
	}
	for _, s := range run {
		if s.finding != nil {
			out.emit(*s.finding)
		}
	}
}
