package validate

import "github.com/rollout-tool/rollout-tool/request/capture"

// stateRule: a request sends the first turn state that its turn has received, and none
// before one is received (compaction.md 6.4).
type stateRule struct {
	threads map[string]*threadState
}

// threadState is the turn that a thread is in.
type threadState struct {
	turn  string
	first string // the first state received, or sent when the capture begins inside a turn
	warm  string // received by a warm-up: it may count or not
}

func newStateRule() *stateRule { return &stateRule{threads: map[string]*threadState{}} }

func (*stateRule) end(*captureSink) {}

func (s *stateRule) take(e *capture.Exchange, out *captureSink) {
	if e.Turn == "" || !e.Request.Known() && !e.Request.HasHeaders || e.Request.Reduced {
		return
	}
	if e.Transport == capture.HTTP && !e.Request.HasHeaders {
		return // a trace: the state went by header
	}
	t := s.threads[e.Thread]
	switch {
	case t == nil:
		t = &threadState{turn: e.Turn}
		s.threads[e.Thread] = t
		t.first = e.Request.TurnState(e.Transport)
	case t.turn != e.Turn:
		*t = threadState{turn: e.Turn}
	}
	at := "/headers/" + capture.HeaderTurnState
	if e.Transport == capture.WebSocket {
		at = "/body/client_metadata/" + capture.HeaderTurnState
		if state, ok := e.Response.Headers.Get(capture.HeaderTurnState); ok && t.first == "" {
			t.first = state // the handshake came before the frame
		}
	}
	sent := e.Request.TurnState(e.Transport)
	if sent == t.warm && t.first == "" {
		t.first = t.warm
	}
	switch {
	case sent == t.first:
	case t.first == "":
		out.at(e, "X021", at, "the request sends a turn state and none was received in its turn")
	case sent == "":
		out.at(e, "X022", at, "the request sends no turn state; one was received in its turn")
	default:
		out.at(e, "X023", at, "the request sends another turn state than the first one received in its turn")
	}
	switch {
	case t.first != "":
	case e.Request.Warmup():
		t.warm = e.Response.TurnState
	default:
		t.first = e.Response.TurnState
	}
}
