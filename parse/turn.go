package parse

// TurnTracker tells which turn a record belongs to: the one whose id it carries,
// else the one that is open since its task_started or turn_context.
type TurnTracker struct{ open string }

// Turn is the turn of the next record of the file, "" for none. Only records that
// Codex accepts should be shown to the tracker.
func (t *TurnTracker) Turn(r *Record) string {
	own := r.OwnTurn()
	return t.Next(own, opensTurn(r), closesTurn(r))
}

// Next is Turn for a caller that has taken the record apart already.
func (t *TurnTracker) Next(own string, opens, closes bool) string {
	if own == "" {
		own = t.open
	}
	switch {
	case opens:
		t.open = own
	case closes && own == t.open:
		t.open = ""
	}
	return own
}

func opensTurn(r *Record) bool {
	if r.Type == RecordTurnContext {
		return true
	}
	k := r.Kind()
	return r.Type == RecordEvent && (k == "task_started" || k == "turn_started")
}

func closesTurn(r *Record) bool {
	if r.Type != RecordEvent {
		return false
	}
	k := r.Kind()
	return k == "task_complete" || k == "turn_complete" || k == "turn_aborted"
}
