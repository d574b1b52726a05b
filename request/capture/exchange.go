package capture

import (
	"time"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// Transport is the way a request took.
type Transport string

// The transports.
const (
	HTTP      Transport = "http"
	WebSocket Transport = "websocket"
)

// Exchange is one request and what was answered. It owns its memory.
type Exchange struct {
	Index     int // order of sending, from 0
	Transport Transport
	Time      time.Time // of sending; zero when it was not captured
	// Connection tells WebSocket connections apart; 0 for HTTP.
	Connection int
	// Thread and Turn are the ids that the capture itself gives (a trace bundle does),
	// else those of the request; "" when there are none.
	Thread, Turn string
	Request      Request
	Response     Response
	// Problems say what of this exchange could not be read.
	Problems []Problem
}

// Place says where something stands in a capture.
type Place struct {
	File    string // as the user named it, or the file in the folder he named
	Offset  int64  // bytes from the start of the (decompressed) file
	Pointer string // JSON pointer in the file to the body or frame, "" for the whole
}

// Request is a request as it was sent.
type Request struct {
	Place  Place
	Method string
	URL    string // without user name, password and query
	Path   string // of URL
	// Headers are those captured; HasHeaders tells none from not captured, as in trace
	// bundles and bodies.
	Headers    Headers
	HasHeaders bool
	// Body is the body or WebSocket frame as sent; Body.Raw is nil when it could not be
	// read.
	Body jsonraw.Object
	// Input is the whole input. For an incremental frame (Previous is not "") it is that
	// of the request before, its output items, and the frame's own from index Own on.
	Input []parse.Item
	Own   int
	// Previous is the previous_response_id, "" when there is none.
	Previous string
	// Partial says that Previous is not in the capture: Input lacks its beginning.
	Partial bool
	// Reduced says that only some members of the body were captured: trace bundles store
	// model, instructions, input and parallel_tool_calls of a compaction request.
	Reduced bool
}

// Known reports whether the body could be read.
func (r *Request) Known() bool { return r.Body.Raw != nil }

// Triggers are the indices in Input of compaction triggers.
func (r *Request) Triggers() []int {
	var out []int
	for i, it := range r.Input {
		if it.Type == parse.ItemCompactionTrigger {
			out = append(out, i)
		}
	}
	return out
}

// IsCompaction reports whether the request asks for a compaction: by its trigger, by its
// path (the older /responses/compact), or by the request_kind of its metadata.
func (r *Request) IsCompaction() bool {
	return len(r.Triggers()) > 0 || r.isCompactPath() || r.Metadata().Text("request_kind") == KindCompaction
}

// Warmup reports whether the frame only warms the connection up (`generate` false,
// compaction.md 6.4).
func (r *Request) Warmup() bool { return r.Body.Get("generate").Kind() == jsonraw.KindFalse }

// Whole is the body with the whole input: members in the order sent, without what only
// the WebSocket transport adds. It is nil when the body could not be read.
func (r *Request) Whole() jsonraw.Value {
	if !r.Known() {
		return nil
	}
	input := make([]jsonraw.Value, len(r.Input))
	for i, it := range r.Input {
		input[i] = it.Raw
	}
	var pairs []jsonraw.Pair
	for _, m := range r.Body.Members {
		v := m.Value
		switch m.Name {
		case "previous_response_id", "generate":
			continue
		case "type":
			if s, _ := v.Text(); s == frameCreate {
				continue
			}
		case "input":
			v = jsonraw.Array(input)
		}
		pairs = append(pairs, jsonraw.Pair{Name: m.Name, Value: v})
	}
	return jsonraw.Build(pairs...)
}

// ItemPointer is the JSON pointer in the body to item i of Input; false when another
// request has sent that item.
func (r *Request) ItemPointer(i int) (string, bool) {
	if i < r.Own {
		return "", false
	}
	return "/input/" + itoa(i-r.Own), true
}

// Response is what was answered.
type Response struct {
	Place Place
	// Known says that something of the answer was captured.
	Known      bool
	HasBody    bool // its body was captured: what Items and Usage lack was not sent
	Status     int  // HTTP status; 0 when it was not captured
	Headers    Headers
	HasHeaders bool
	ID         string       // response id
	Items      []parse.Item // output items that are done, in order
	Usage      Usage
	// Completed says that the answer ended with response.completed, or was one JSON text.
	Completed bool
	// Error is the message of an answer that failed, "" otherwise.
	Error string
	// TurnState is the x-codex-turn-state of the answer's headers or, over WebSocket, of a
	// metadata event; "" when there is none.
	TurnState string
}

// OK reports whether the answer is whole: no HTTP error, completed, not failed.
func (r *Response) OK() bool {
	return r.Known && r.Completed && r.Error == "" && (r.Status == 0 || r.Status >= 200 && r.Status < 300)
}

// Usage are tokens as the server counts them.
type Usage struct {
	Known                                   bool
	Input, Cached, Output, Reasoning, Total int64
}

// ProblemKind says what kind of thing could not be read.
type ProblemKind uint8

// The kinds.
const (
	ProblemCut      ProblemKind = iota + 1 // the file ends early, or is no JSON
	ProblemPair                            // one of request and response is missing
	ProblemPayload                         // a file that a bundle names is missing
	ProblemBody                            // a body cannot be read
	ProblemPrevious                        // previous_response_id names no response of the capture
)

// Problem says what could not be read, and where.
type Problem struct {
	Kind     ProblemKind
	Exchange int // Exchange.Index, -1 for none
	Place    Place
	Message  string // lower case, without the place
}

// String is the problem with its place.
func (p Problem) String() string {
	s := p.Place.File
	if p.Place.Offset > 0 {
		s += ": byte " + itoa(int(p.Place.Offset))
	}
	if p.Place.Pointer != "" {
		s += ": " + p.Place.Pointer
	}
	return s + ": " + p.Message
}
