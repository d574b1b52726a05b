package rewrite

import (
	"context"
	"io"

	"github.com/rollout-tool/rollout-tool/parse"
)

// Composite is an Operation that is made of others, which run one after another, each on
// what the one before leaves. They are counted together, under its name.
type Composite interface {
	Operation
	// Steps returns them. Plan of the Composite itself is not called.
	Steps() []Operation
}

// steps takes a composite apart.
func steps(op Operation) []Operation {
	if c, ok := op.(Composite); ok {
		return c.Steps()
	}
	return []Operation{op}
}

// header is what the file says about itself after the planned operations: a repair can
// bring out a session_meta that could not be read, a migration can write one.
func (c *chain) header(ctx context.Context) (Header, error) {
	h, first := Header{}, true
	err := c.records(ctx, false, func(r *Record) error {
		if first && parse.IsBareMeta(r.Record) {
			h = Header{Bare: true, Found: true, Line: r.Number, Thread: r.Envelope.Text("id")}
			return io.EOF
		}
		first = false
		if r.Type != parse.RecordSessionMeta || !r.Accepted() {
			return nil
		}
		h = headerOf(r.Fields(), r.Number, r.Judge().ThreadID)
		return io.EOF
	})
	return h, err
}
