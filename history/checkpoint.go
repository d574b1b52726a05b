package history

// segment is a run of records that the backward scan takes as one turn.
type segment struct {
	open      bool
	turn      string // "" when unknown
	userTurn  bool
	candidate *checkpoint // its newest compacted record with a replacement history
}

// scan walks the records backwards and finds the checkpoint that seeds the replay
// (rules 11 to 14).
type scan struct {
	segment
	pending uint64 // rollbacks not yet spent on a user turn
}

// base finds the checkpoint for the records up to limit, nil for none (rules 10 to 14).
func (r *Rollout) base(limit position) *checkpoint {
	if cp := r.newestCheckpoint(limit); cp != nil && cp.history && cp.number && (cp.resume || r.paginated && r.named(limit)) {
		return cp
	}
	var s scan
	for f, oldest := r.self(), r.oldest(limit); f >= oldest; f-- {
		x := r.files[f]
		for i := len(x.events) - 1; i >= 0; i-- {
			e := x.events[i]
			if limit.before(position{f, e.line}) {
				continue
			}
			if found := s.step(e, x); found != nil {
				return found
			}
		}
	}
	return s.close() // what is left at the start of the file is one last segment
}

func (r *Rollout) newestCheckpoint(limit position) *checkpoint {
	for f, oldest := r.self(), r.oldest(limit); f >= oldest; f-- {
		cps := r.files[f].checkpoints
		for i := len(cps) - 1; i >= 0; i-- {
			if !limit.before(position{f, cps[i].line}) {
				return &cps[i]
			}
		}
	}
	return nil
}

// step takes the next older record; it returns the checkpoint when one is found.
func (s *scan) step(e event, x *fileIndex) *checkpoint {
	switch e.kind {
	case rollback:
		s.pending += e.n
		if s.pending < e.n { // more rollbacks than a counter holds
			s.pending = ^uint64(0)
		}
		return nil
	case starts:
		if s.open && (s.turn == "" || s.turn == e.turn) {
			return s.close()
		}
		return nil
	}
	s.open = true
	switch e.kind {
	case counts:
		s.userTurn = true
	case context, completes, aborts:
		if s.turn == "" {
			s.turn = e.turn
		}
	case compacts:
		if cp := &x.checkpoints[e.n]; cp.history && s.candidate == nil {
			s.candidate = cp
		}
	}
	return nil
}

// close ends the segment: a pending rollback discards it and is spent only on a
// user turn (rule 14).
func (s *scan) close() *checkpoint {
	done := s.segment
	s.segment = segment{}
	if s.pending > 0 {
		if done.userTurn {
			s.pending--
		}
		return nil
	}
	return done.candidate
}
