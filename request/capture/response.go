package capture

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// frameCreate is the type of a WebSocket frame that asks for an answer.
const frameCreate = "response.create"

// answer puts the events of an answer together.
type answer struct {
	r     *Reader
	e     *Exchange
	final []parse.Item // the output list of the completed response
}

// event takes one event of the stream, or one frame received. done says that no more
// belong to this answer.
func (a *answer) event(ev jsonraw.Object) (done bool) {
	res := &a.e.Response
	res.Known = true
	switch ev.Text("type") {
	case "response.output_item.done":
		if it, err := parse.ViewItem(ev.Get("item")); err == nil {
			res.Items = append(res.Items, it)
		}
	case "response.metadata", "codex.response.metadata":
		res.takeState(ev.Get("headers"))
	case "response.created", "response.in_progress":
		a.response(ev)
	case "response.completed", "response.done":
		res.Completed = true
		a.response(ev)
		return true
	case "response.incomplete":
		res.Error = firstText(res.Error, reasonOf(ev), "incomplete")
		a.response(ev)
		return true
	case "response.failed", "error":
		res.Error = firstText(errorText(ev.Get("response")), errorText(ev.Raw), "failed")
		a.response(ev)
		return true
	}
	return false
}

// response reads id, usage and output of an event's response.
func (a *answer) response(ev jsonraw.Object) {
	res := &a.e.Response
	o, ok := jsonraw.SplitObject(ev.Get("response"))
	if !ok {
		return
	}
	res.ID = firstText(o.Text("id"), res.ID)
	if u := usageOf(o.Get("usage")); u.Known {
		res.Usage = u
	}
	res.takeState(o.Get("headers"))
	if list, ok := jsonraw.SplitArray(o.Get("output")); ok && len(list) > 0 {
		a.final = a.r.items(a.e, res.Place, list)
	}
}

// end settles the items: those of single events count, else those of the last response.
func (a *answer) end() {
	if res := &a.e.Response; len(res.Items) == 0 {
		res.Items = a.final
	}
}

// takeState keeps the first turn state of an answer: headers is an object of texts or of
// lists of texts.
func (r *Response) takeState(headers jsonraw.Value) {
	o, ok := jsonraw.SplitObject(headers)
	if !ok || r.TurnState != "" {
		return
	}
	for _, m := range o.Members {
		if !strings.EqualFold(m.Name, HeaderTurnState) {
			continue
		}
		if s, ok := m.Value.Text(); ok {
			r.TurnState = s
		} else if list, ok := jsonraw.Strings(m.Value); ok && len(list) > 0 {
			r.TurnState = list[0]
		}
	}
}

// errorText is the message of an error object in v, or of its code.
func errorText(v jsonraw.Value) string {
	o, _ := jsonraw.SplitObject(v)
	e := o.Get("error")
	if s, ok := e.Text(); ok {
		return s
	}
	inner, _ := jsonraw.SplitObject(e)
	return firstText(inner.Text("message"), inner.Text("code"), inner.Text("type"))
}

func reasonOf(ev jsonraw.Object) string {
	o, _ := jsonraw.SplitObject(ev.Get("response"))
	d, _ := jsonraw.SplitObject(o.Get("incomplete_details"))
	if s := d.Text("reason"); s != "" {
		return "incomplete: " + s
	}
	return ""
}

// usageOf reads usage as the server writes it, or as Codex's traces do.
func usageOf(v jsonraw.Value) Usage {
	o, ok := jsonraw.SplitObject(v)
	if !ok {
		return Usage{}
	}
	number := func(o jsonraw.Object, name string) int64 {
		n, _ := o.Get(name).Int64()
		return n
	}
	in, _ := jsonraw.SplitObject(o.Get("input_tokens_details"))
	out, _ := jsonraw.SplitObject(o.Get("output_tokens_details"))
	return Usage{
		Known:     true,
		Input:     number(o, "input_tokens"),
		Cached:    max(number(in, "cached_tokens"), number(o, "cached_input_tokens")),
		Output:    number(o, "output_tokens"),
		Reasoning: max(number(out, "reasoning_tokens"), number(o, "reasoning_output_tokens")),
		Total:     number(o, "total_tokens"),
	}
}

// takeBody reads the body of an HTTP answer: a stream of events, or one JSON text.
func (r *Reader) takeBody(e *Exchange, body []byte) {
	res := &e.Response
	res.Known = true
	if s, ok := res.Headers.Get(HeaderTurnState); ok {
		res.TurnState = s
	}
	failed := res.Status >= 400
	res.HasBody = true
	if text := trimJSON(body); len(text) == 0 {
		if failed {
			res.Error = "HTTP status " + itoa(res.Status)
		}
		return
	}
	if isEventStream(res.Headers, body) && !looksJSON(body) {
		r.takeStream(e, body)
		return
	}
	o, err := jsonraw.ParseObject(trimJSON(body))
	switch {
	case err != nil && failed: // error pages are no JSON
		res.Error = "HTTP status " + itoa(res.Status)
	case err != nil:
		r.note(e, ProblemBody, res.Place, "the response body is neither JSON nor a stream of events: "+syntax(err))
	default:
		r.takeJSON(e, o)
	}
	if failed && res.Error == "" {
		res.Error = "HTTP status " + itoa(res.Status)
	}
}

func looksJSON(body []byte) bool {
	b := trimJSON(body[:min(len(body), 64)])
	return len(b) > 0 && b[0] == '{'
}

// takeJSON reads an answer that is one JSON text: a response, a list of items of the
// older compaction endpoint, the output that a trace stores, or an error.
func (r *Reader) takeJSON(e *Exchange, o jsonraw.Object) {
	res := &e.Response
	res.Known = true
	res.ID = firstText(o.Text("id"), o.Text("response_id"))
	for _, name := range [...]string{"output", "output_items"} {
		if list, ok := jsonraw.SplitArray(o.Get(name)); ok {
			res.Items, res.Completed = r.items(e, res.Place, list), true
		}
	}
	for _, name := range [...]string{"usage", "token_usage"} {
		if u := usageOf(o.Get(name)); u.Known {
			res.Usage = u
		}
	}
	if !o.Get("error").Missing() {
		res.Error = firstText(errorText(o.Raw), "failed")
	}
	switch o.Text("status") {
	case "failed", "incomplete", "cancelled", "in_progress":
		res.Completed = false
		res.Error = firstText(res.Error, o.Text("status"))
	}
}
