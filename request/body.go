package request

import (
	"fmt"
	"io"
	"slices"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// Body is a request body. Members that no record proves are left out.
type Body struct {
	Model         string
	Instructions  string
	Rows          []history.Row // the input; sidecars never leave (compaction.md 6.3 rule 1)
	Tools         jsonraw.Value // dynamic tools as stored; nil when none
	ParallelCalls bool          // the history shows calls side by side
	Effort        string
	Summary       string // "" when it is none or not recorded
	CacheKey      string

	// Missing names what a real request carries and no record proves.
	Missing []string
	// Notes say where a value comes from, when that could surprise.
	Notes []string
}

// Turn builds the body of the next turn request from normalised history.
func Turn(rows []history.Row, f history.Facts) Body {
	b := Body{
		Model:         f.TurnContext.Text("model"),
		Instructions:  f.BaseInstructions,
		Rows:          rows,
		Tools:         f.DynamicTools,
		Effort:        f.TurnContext.Text("effort"),
		CacheKey:      f.SessionID(),
		ParallelCalls: showsParallelCalls(rows),
	}
	if s := f.TurnContext.Text("summary"); s != "none" {
		b.Summary = s
	}
	switch {
	case f.TurnContext.Raw == nil:
		b.Notes = append(b.Notes, "no turn_context up to this point: model, effort and summary are not known")
	case f.TurnContextRejected:
		b.Notes = append(b.Notes, fmt.Sprintf(
			"line %d: model and settings come from a turn_context that today's Codex would not load", f.TurnContextLine))
	}
	b.missing(f)
	return b
}

// Compaction builds the body of a remote compaction: the input ends in the trigger, and
// calls may run side by side (compaction.md 3.0 rule 3). rows are trimmed and normalised.
func Compaction(rows []history.Row, f history.Facts) Body {
	b := Turn(append(slices.Clone(rows), history.Row{Item: trigger()}), f)
	b.ParallelCalls = true
	b.Missing = slices.DeleteFunc(b.Missing, func(name string) bool { return name == parallelKey })
	return b
}

// parallelKey is the member that says whether calls may run side by side.
const parallelKey = "parallel_tool_calls"

// trigger is the last item of a compaction request (compaction.md 6.3 rule 9).
func trigger() parse.Item {
	it, _ := parse.ViewItem(jsonraw.Build(
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.ItemCompactionTrigger)}))
	return it
}

func (b *Body) missing(f history.Facts) {
	miss := func(absent bool, name string) {
		if absent {
			b.Missing = append(b.Missing, name)
		}
	}
	miss(b.Model == "", "model")
	miss(!f.HasBase, "instructions")
	if b.Tools == nil {
		miss(true, "tools")
	} else {
		b.Missing = append(b.Missing, "built-in tools")
	}
	miss(!b.ParallelCalls, parallelKey)
	miss(b.Effort == "", "reasoning.effort")
	miss(b.CacheKey == "", "prompt_cache_key")
	b.Missing = append(b.Missing, "service_tier", "text", "client_metadata")
}

// showsParallelCalls reports whether a call follows a call before the first one's
// output: the model was allowed to.
func showsParallelCalls(rows []history.Row) bool {
	for i := 1; i < len(rows); i++ {
		if isCall(rows[i-1].Item.Type) && isCall(rows[i].Item.Type) {
			return true
		}
	}
	return false
}

func isCall(typ string) bool {
	return typ == parse.ItemFunctionCall || typ == parse.ItemCustomToolCall || typ == parse.ItemLocalShellCall
}

// WriteTo writes the body as one JSON object and a newline, in the key order of
// compaction.md 6.2.
func (b Body) WriteTo(w io.Writer) (int64, error) {
	c := &counter{w: w}
	c.write("{")
	if b.Model != "" {
		c.write(`"model":`, string(jsonraw.Quote(b.Model)), ",")
	}
	if b.Instructions != "" {
		c.write(`"instructions":`, string(jsonraw.Quote(b.Instructions)), ",")
	}
	c.write(`"input":[`)
	for i, r := range b.Rows {
		if i > 0 {
			c.write(",")
		}
		c.bytes(r.Item.Raw)
	}
	c.write("]")
	if b.Tools != nil {
		c.write(`,"tools":`)
		c.bytes(b.Tools)
	}
	c.write(`,"tool_choice":"auto"`)
	if b.ParallelCalls {
		c.write(`,"` + parallelKey + `":true`)
	}
	c.write(`,"reasoning":`)
	c.bytes(b.reasoning())
	c.write(`,"store":false,"stream":true,"include":["reasoning.encrypted_content"]`)
	if b.CacheKey != "" {
		c.write(`,"prompt_cache_key":`, string(jsonraw.Quote(b.CacheKey)))
	}
	c.write("}\n")
	return c.n, c.err
}

// reasoning is always present (compaction.md 6.2).
func (b Body) reasoning() jsonraw.Value {
	var effort, summary jsonraw.Value
	if b.Effort != "" {
		effort = jsonraw.Quote(b.Effort)
	}
	if b.Summary != "" {
		summary = jsonraw.Quote(b.Summary)
	}
	return jsonraw.Build(jsonraw.Pair{Name: "effort", Value: effort}, jsonraw.Pair{Name: "summary", Value: summary})
}

// counter keeps the first error and counts bytes.
type counter struct {
	w   io.Writer
	n   int64
	err error
}

func (c *counter) bytes(b []byte) {
	if c.err == nil {
		n, err := c.w.Write(b)
		c.n, c.err = c.n+int64(n), err
	}
}

func (c *counter) write(parts ...string) {
	for _, s := range parts {
		c.bytes([]byte(s))
	}
}
