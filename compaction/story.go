package compaction

import "fmt"

// step is one rule that an item met. It is turned into words only when asked for.
type step struct {
	format string // with %d for each number
	n      [4]int64
	track  int32
	rule   uint8
	count  uint8
}

// note adds a step to an item's story; at most four numbers.
func (l *ledger) note(e entry, rule int, format string, n ...int64) {
	s := step{track: int32(e.track), rule: uint8(rule), format: format}
	s.count = uint8(copy(s.n[:], n))
	l.steps = append(l.steps, s)
}

func (s step) String() string {
	args := make([]any, s.count)
	for i := range args {
		args[i] = s.n[i]
	}
	return fmt.Sprintf("rule %d: ", s.rule) + fmt.Sprintf(s.format, args...)
}

// story tells what happened to the items of a line. Several items may share one:
// those of a checkpoint.
func (l *ledger) story(line int) []string {
	if l == nil || line < 1 {
		return nil
	}
	told := map[int][]string{}
	for i := range l.tracks[:l.inputs] {
		if l.tracks[i].Line == line {
			told[i] = nil
		}
	}
	if len(told) == 0 {
		return nil
	}
	for _, s := range l.steps {
		if _, ok := told[int(s.track)]; ok {
			told[int(s.track)] = append(told[int(s.track)], s.String())
		}
	}
	var out []string
	for i := range l.tracks[:l.inputs] {
		steps, ok := told[i]
		if !ok {
			continue
		}
		d := l.tracks[i].Decision
		out = append(out, fmt.Sprintf("item %d, %s, line %d: %d tokens", d.Index, d.Kind, d.Line, d.TokensBefore))
		out = append(out, steps...)
		out = append(out, d.result())
	}
	return out
}

func (d Decision) result() string {
	s := fmt.Sprintf("result: %s by rule %d: %s", d.Action, d.Rule, d.Reason)
	if d.OutputIndex >= 0 {
		s += fmt.Sprintf(" (item %d of the result, %d tokens)", d.OutputIndex, d.TokensAfter)
	}
	return s
}
