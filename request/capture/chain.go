package capture

import (
	"slices"

	"github.com/rollout-tool/rollout-tool/parse"
)

// chain is the newest conversation of a connection: what the response called id stands
// for, input and output.
type chain struct {
	id      string
	items   []parse.Item
	partial bool
}

// rebuild gives an incremental frame its whole input (compaction.md 6.4).
func (c *chain) rebuild(r *Reader, e *Exchange) {
	req := &e.Request
	if req.Previous == "" || !req.Known() {
		return
	}
	if c.id != req.Previous {
		req.Partial = true
		r.note(e, ProblemPrevious, req.Place, "previous_response_id names no response that came before in the capture: the input lacks its beginning")
		return
	}
	req.Own = len(c.items)
	req.Input = slices.Concat(c.items, req.Input)
	req.Partial = c.partial
}

// follow makes the exchange what the next frame can go on from.
func (c *chain) follow(e *Exchange) {
	if e.Response.ID == "" || !e.Request.Known() {
		return
	}
	c.id = e.Response.ID
	c.items = slices.Concat(e.Request.Input, e.Response.Items)
	c.partial = e.Request.Partial
}
