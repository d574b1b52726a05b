package validate

import (
	"fmt"

	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// endsTurn reports whether an accepted event_msg says that no turn goes on.
func endsTurn(kind string) bool {
	switch kind {
	case "task_complete", "turn_complete", "turn_aborted":
		return true
	}
	return false
}

// beginsTurn reports whether an accepted event_msg begins a turn.
func beginsTurn(kind string) bool { return kind == "task_started" || kind == "turn_started" }

// placeOf is the part of a Looked that a finding needs: what a rule keeps of a line whose
// finding comes later.
func placeOf(l *Looked) Looked {
	return Looked{Number: l.Number, Offset: l.Offset, Ordinal: l.Ordinal, HasOrd: l.HasOrd, Key: l.Key}
}

// at is a finding about a whole line.
func at(l *Looked, code, message string) Finding {
	return Finding{Code: code, Message: message, Line: l.Number, Offset: l.Offset, Ordinal: l.Ordinal, HasOrdinal: l.HasOrd, Key: l.Key}
}

// isAccepted reports whether Codex takes the line as a record.
func isAccepted(l *Looked) bool { return l.Verdict == accept.OK }

// total counts things of which a line may hold several, and keeps the first line.
type total struct {
	first Looked
	n     int
}

// add counts n things of a line and reports whether they are the first.
func (t *total) add(l *Looked, n int) bool {
	first := t.n == 0 && n > 0
	if first {
		t.first = placeOf(l)
	}
	t.n += n
	return first
}

// report says how many there are, at the first.
func (t *total) report(out *sink, code, pointer, one, many string) {
	switch {
	case t.n == 1:
		out.At(&t.first, code, pointer, one)
	case t.n > 1:
		out.At(&t.first, code, pointer, fmt.Sprintf("%d %s, the first here", t.n, many))
	}
}
