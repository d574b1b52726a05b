package diff

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/request"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// Request is what a request carries besides its instructions and its input.
type Request struct {
	// Members are those of the body, without instructions, input and tools.
	Members []jsonraw.Member
	// Tools is the list of tools; nil when there is none, or when it is not known.
	Tools jsonraw.Value
	// Partial says that members which are absent are not known; otherwise they were not
	// sent.
	Partial bool
	// Rebuilt says that the request was built from records: Tools are only those that a
	// session declares, and objects may lack members too.
	Rebuilt bool
	// Path is the path of the address, "" when it is not known.
	Path string
	// Headers are compared when both sides have them.
	Headers    capture.Headers
	HasHeaders bool
}

// FromExchange is the side of a captured request. For an incremental frame the input
// is the whole one (compaction.md 6.4).
func FromExchange(e *capture.Exchange) Side {
	req := &e.Request
	r := &Request{
		Partial: req.Reduced || req.Previous != "",
		Headers: req.Headers, HasHeaders: req.HasHeaders,
		Path: req.Path, Tools: req.Body.Get("tools"),
	}
	for _, m := range req.Body.Members {
		switch m.Name {
		case "input", "instructions", "tools":
		case "type", "previous_response_id", "generate": // of the transport, not of the prompt
		default:
			r.Members = append(r.Members, m)
		}
	}
	s := Side{Rows: make([]history.Row, len(req.Input)), Sent: true, Request: r}
	for i, it := range req.Input {
		s.Rows[i].Item = it
	}
	s.Instructions = req.Body.Text("instructions")
	s.NoInstructions = r.Partial && req.Body.Get("instructions") == nil
	return s
}

// FromBody is the side of a body that was built from records: it has no member that
// they do not prove.
func FromBody(b request.Body, f history.Facts) Side {
	r := &Request{Partial: true, Rebuilt: true, Tools: b.Tools}
	text := func(name, value string) {
		if value != "" {
			r.Members = append(r.Members, jsonraw.Member{Name: name, Value: jsonraw.Quote(value)})
		}
	}
	text("model", b.Model)
	if b.ParallelCalls {
		r.Members = append(r.Members, jsonraw.Member{Name: "parallel_tool_calls", Value: jsonraw.Bool(true)})
	}
	if b.Effort != "" || b.Summary != "" {
		var effort, summary jsonraw.Value
		if b.Effort != "" {
			effort = jsonraw.Quote(b.Effort)
		}
		if b.Summary != "" {
			summary = jsonraw.Quote(b.Summary)
		}
		r.Members = append(r.Members, jsonraw.Member{Name: "reasoning", Value: jsonraw.Build(
			jsonraw.Pair{Name: "effort", Value: effort}, jsonraw.Pair{Name: "summary", Value: summary})})
	}
	text(cacheKey, b.CacheKey)
	return Side{Rows: b.Rows, Instructions: b.Instructions, NoInstructions: !f.HasBase, Request: r}
}

// cacheKey is the member that Codex keeps the same so that requests meet one cache.
const cacheKey = "prompt_cache_key"

// requestDiff compares what two requests carry besides their input.
type requestDiff struct {
	before, after *Request
	ignore        bool // bookkeeping does not count
	changes       []TextChange
	skipped       []string
}

// members fills in what differs in the path, the body's members and the headers.
func (d *requestDiff) members() {
	if b, a := d.before.Path, d.after.Path; b != "" && a != "" && b != a {
		d.changes = append(d.changes, textChange("/path", jsonraw.Quote(b), jsonraw.Quote(a)))
	}
	d.object("/body", objectOf(d.before.Members), objectOf(d.after.Members))
	switch b, a := d.before, d.after; {
	case b.HasHeaders && a.HasHeaders:
		d.headers()
	case b.HasHeaders || a.HasHeaders:
		d.skip("/headers")
	}
}

func objectOf(ms []jsonraw.Member) jsonraw.Object { return jsonraw.Object{Members: ms} }

func (d *requestDiff) skip(pointer string) { d.skipped = append(d.skipped, pointer) }

func (d *requestDiff) object(pointer string, b, a jsonraw.Object) {
	for _, name := range memberNames(b, a) {
		at := pointer + "/" + escapePointer(name)
		if d.ignore && sessionMember(at) {
			continue
		}
		d.value(at, name, b.Get(name), a.Get(name))
	}
}

// value compares one member. An object goes on inside, be it in a string: that is how
// turn metadata travels.
func (d *requestDiff) value(pointer, name string, b, a jsonraw.Value) {
	top := strings.Count(pointer, "/") == 2
	switch {
	case b == nil && d.before.lacks(top), a == nil && d.after.lacks(top):
		d.skip(pointer)
		return
	case sameValue(b, a):
		return
	case isSecret(name):
		d.changes = append(d.changes, TextChange{Pointer: pointer, Before: hide(b), After: hide(a)})
		return
	}
	bo, bok := asObject(b)
	ao, aok := asObject(a)
	if bok && aok {
		d.object(pointer, bo, ao)
		return
	}
	d.changes = walk(d.changes, pointer, b, a)
}

// lacks reports whether a member that is absent may have been sent all the same.
func (r *Request) lacks(top bool) bool { return r.Partial && (top || r.Rebuilt) }

func asObject(v jsonraw.Value) (jsonraw.Object, bool) {
	if v.Kind() == jsonraw.KindString {
		v = jsonraw.Value(v.Unquoted())
	}
	if v.Kind() != jsonraw.KindObject {
		return jsonraw.Object{}, false
	}
	o, err := jsonraw.ParseObject(v)
	return o, err == nil
}

// headers compares the headers by name, whatever their case.
func (d *requestDiff) headers() {
	b, a := headerObject(d.before.Headers), headerObject(d.after.Headers)
	for _, name := range memberNames(b, a) {
		pointer := "/headers/" + escapePointer(name)
		bv, av := b.Get(name), a.Get(name)
		switch {
		case d.ignore && sessionHeader(name):
		case bv != nil && av != nil && (redacted(bv) || redacted(av)):
			switch same, known := sameSecrets(d.before.Headers, d.after.Headers, name); {
			case !known:
				d.skip(pointer)
			case !same:
				d.changes = append(d.changes, TextChange{Pointer: pointer, Before: hide(bv), After: hide(av)})
			}
		default: // a header that was not sent is known not to have been
			known := requestDiff{before: &Request{}, after: &Request{}, ignore: d.ignore}
			known.value(pointer, name, bv, av)
			d.changes = append(d.changes, known.changes...)
		}
	}
}

// sameSecrets compares what a header of that name held when the captures were read; known
// is false when that is not known of one of them.
func sameSecrets(b, a capture.Headers, name string) (same, known bool) {
	named := func(hs capture.Headers) (out capture.Headers) {
		for _, h := range hs {
			if strings.EqualFold(h.Name, name) {
				out = append(out, h)
			}
		}
		return out
	}
	b, a = named(b), named(a)
	if len(b) != len(a) {
		return false, true
	}
	for i := range b {
		if same, known = b[i].SameSecret(a[i]); !same || !known {
			return same, known
		}
	}
	return true, true
}

// headerObject has a member for each name; the values of one that comes several times
// are one list, as HTTP has it.
func headerObject(hs capture.Headers) jsonraw.Object {
	var names []string
	values := map[string]string{}
	for _, h := range hs {
		name := strings.ToLower(h.Name)
		if old, ok := values[name]; ok {
			values[name] = old + ", " + h.Value
			continue
		}
		names = append(names, name)
		values[name] = h.Value
	}
	ms := make([]jsonraw.Member, len(names))
	for i, name := range names {
		ms[i] = jsonraw.Member{Name: name, Value: jsonraw.Quote(values[name])}
	}
	return objectOf(ms)
}

// sessionMember reports whether a member of the body changes with session and turn by
// its nature (compaction.md 6.4): ids, metadata.
func sessionMember(pointer string) bool {
	return pointer == "/body/client_metadata" || pointer == "/body/"+cacheKey
}

// ofSession reports whether a pointer leads to what sessionMember or sessionHeader names,
// or into it.
func ofSession(pointer string) bool {
	first, rest, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	name, _, _ := strings.Cut(rest, "/")
	if first == "headers" {
		return sessionHeader(name)
	}
	return sessionMember("/" + first + "/" + name)
}

// sessionHeader is sessionMember for headers.
func sessionHeader(name string) bool {
	switch name {
	case "session-id", capture.HeaderThreadID, "x-client-request-id", capture.HeaderWindowID, capture.HeaderTurnMetadata,
		capture.HeaderTurnState, "x-codex-parent-thread-id", "content-length", "date", "traceparent", "tracestate":
		return true
	}
	return false
}

// isSecret reports whether a header or member may hold a secret, by its name. The
// captures that this module reads have lost theirs already; other callers may not.
func isSecret(name string) bool {
	name = strings.ToLower(name)
	for _, part := range [...]string{"authorization", "cookie", "api-key", "apikey", "secret", "attestation"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return strings.HasSuffix(name, "token")
}

func redacted(v jsonraw.Value) bool {
	s, _ := v.Text()
	return strings.Contains(s, capture.Redacted)
}

// hide stands for a value that is there.
func hide(v jsonraw.Value) jsonraw.Value {
	if v == nil {
		return nil
	}
	return jsonraw.Quote(capture.Redacted)
}
