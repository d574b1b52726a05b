package validate

import (
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// turnCall is a request over HTTP: the state it sends and the one it is answered with.
type turnCall struct {
	turn, sent, received string
	warmup               bool
	code                 string // found in it, "" for none
}

// Turn states of compaction.md 6.4: the first value received in the turn, never replaced,
// absent on the first request.
func TestTurnStates(t *testing.T) {
	for name, calls := range map[string][]turnCall{
		"first value for ever":            {{"a", "", "1", false, ""}, {"a", "1", "2", false, ""}, {"a", "1", "", false, ""}},
		"none received":                   {{"a", "", "", false, ""}, {"a", "", "", false, ""}},
		"received late":                   {{"a", "", "", false, ""}, {"a", "", "1", false, ""}, {"a", "1", "", false, ""}},
		"a new turn starts anew":          {{"a", "", "1", false, ""}, {"b", "", "2", false, ""}, {"b", "2", "", false, ""}},
		"capture begins inside the turn":  {{"a", "1", "", false, ""}, {"a", "1", "2", false, ""}},
		"kept from turn to turn":          {{"a", "", "1", false, ""}, {"b", "1", "2", false, "X021"}, {"b", "2", "", false, ""}},
		"lost":                            {{"a", "", "1", false, ""}, {"a", "", "", false, "X022"}, {"a", "1", "", false, ""}},
		"replaced":                        {{"a", "", "1", false, ""}, {"a", "1", "2", false, ""}, {"a", "2", "", false, "X023"}},
		"the state of a warm-up":          {{"a", "", "1", true, ""}, {"a", "1", "2", false, ""}, {"a", "1", "", false, ""}},
		"that of a warm-up does not bind": {{"a", "", "1", true, ""}, {"a", "", "2", false, ""}, {"a", "2", "", false, ""}},
	} {
		rule := newStateRule()
		for i, c := range calls {
			body := `{"input":[]}`
			if c.warmup {
				body = `{"input":[],"generate":false}`
			}
			o, err := jsonraw.ParseObject(jsonraw.Value(body))
			if err != nil {
				t.Fatal(err)
			}
			e := &capture.Exchange{Index: i, Transport: capture.HTTP, Thread: "t", Turn: c.turn}
			e.Request.Body, e.Request.HasHeaders = o, true
			if c.sent != "" {
				e.Request.Headers = capture.Headers{{Name: "X-Codex-Turn-State", Value: c.sent}}
			}
			e.Response.TurnState = c.received
			got := ""
			rule.take(e, &captureSink{emit: func(f Finding) { got += f.Code }})
			if got != c.code {
				t.Errorf("%s: request %d gives %q, want %q", name, i, got, c.code)
			}
		}
	}
}
