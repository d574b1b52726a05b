package capture

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// manifestName is the file that makes a folder a trace bundle (compaction.md 7).
const manifestName = "manifest.json"

// bundle is a rollout trace bundle: events name the files with what was sent and received.
type bundle struct {
	r      *Reader
	dir    string
	calls  []*call
	chains map[string]*chain // by thread
}

// call is one request of the event log, in order of its start.
type call struct {
	line           Place
	thread, turn   string
	time           time.Time
	compaction     bool
	full           bool // the trace says that the payload has the whole input
	request        string
	prefix         string // payload with what an untraced response stands for
	response       string
	ended, success bool
	failure        string
}

func openBundle(dir string, r *Reader) (*bundle, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return nil, err
	}
	manifest, err := jsonraw.ParseObject(trimJSON(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, manifestName), err)
	}
	log := manifest.Text("raw_event_log")
	if !filepath.IsLocal(log) {
		return nil, fmt.Errorf("%s: raw_event_log %q is no file in the bundle", filepath.Join(dir, manifestName), log)
	}
	b := &bundle{r: r, dir: dir, chains: map[string]*chain{}}
	return b, b.index(filepath.Join(dir, log))
}

// index reads the event log.
func (b *bundle) index(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	open := map[string]*call{}
	lines := parse.NewLineReader(f, 1, 0)
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if parse.IsBlank(line.Bytes) {
			continue
		}
		at := Place{File: path, Offset: line.Offset}
		event, err := jsonraw.ParseObject(trimJSON(line.Bytes))
		if err != nil {
			b.r.note(nil, ProblemCut, at, fmt.Sprintf("line %d is no event: %s", line.Number, syntax(err)))
			continue
		}
		b.event(event, at, open)
	}
}

// event keeps what an event says about requests.
func (b *bundle) event(event jsonraw.Object, at Place, open map[string]*call) {
	p, ok := jsonraw.SplitObject(event.Get("payload"))
	if !ok {
		return
	}
	// Ids of the two kinds of requests do not clash.
	key := firstText(p.Text("inference_call_id"), p.Text("compaction_id")+"/"+p.Text("compaction_request_id"))
	switch typ := p.Text("type"); typ {
	case "inference_started", "compaction_request_started":
		c := &call{
			line: at, compaction: typ == "compaction_request_started",
			thread:  firstText(p.Text("thread_id"), event.Text("thread_id")),
			turn:    firstText(p.Text("codex_turn_id"), event.Text("codex_turn_id")),
			request: payloadPath(p.Get("request_payload")),
		}
		if ms, ok := event.Get("wall_time_unix_ms").Int64(); ok {
			c.time = time.UnixMilli(ms).UTC()
		}
		mode, _ := jsonraw.SplitObject(p.Get("request_input_mode"))
		c.full = mode.Text("type") == "full_snapshot"
		c.prefix = payloadPath(mode.Get("prefix_payload"))
		b.calls = append(b.calls, c)
		open[key] = c
	case "inference_completed", "compaction_request_completed",
		"inference_failed", "compaction_request_failed", "inference_cancelled":
		c := open[key]
		if c == nil {
			b.r.note(nil, ProblemPair, at, "the request that this event ends was not started in the trace")
			return
		}
		delete(open, key)
		c.ended = true
		c.response = firstText(payloadPath(p.Get("response_payload")), payloadPath(p.Get("partial_response_payload")))
		switch typ {
		case "inference_completed", "compaction_request_completed":
			c.success = true
		case "inference_cancelled":
			c.failure = "cancelled: " + firstText(p.Text("reason"), "no reason given")
		default:
			c.failure = firstText(p.Text("error"), "failed")
		}
	}
}

// payloadPath is the path of a payload reference, "" when there is none.
func payloadPath(v jsonraw.Value) string {
	o, _ := jsonraw.SplitObject(v)
	return o.Text("path")
}

func (b *bundle) next(e *Exchange) error {
	if len(b.calls) == 0 {
		return io.EOF
	}
	c := b.calls[0]
	b.calls = b.calls[1:]
	e.Thread, e.Turn, e.Time = c.thread, c.turn, c.time
	conversation := b.chains[c.thread]
	if conversation == nil {
		conversation = &chain{}
		b.chains[c.thread] = conversation
	}
	if err := b.request(e, c, conversation); err != nil {
		return err
	}
	if err := b.response(e, c); err != nil {
		return err
	}
	if !c.compaction {
		conversation.follow(e)
	}
	return nil
}

func (b *bundle) request(e *Exchange, c *call, conversation *chain) error {
	text, err := b.payload(e, c, c.request, &e.Request.Place, "request")
	if err != nil || text == nil {
		return err
	}
	b.r.setBody(e, text)
	req := &e.Request
	if req.Body.Text("type") == frameCreate {
		e.Transport = WebSocket
	}
	if c.compaction {
		req.Reduced = req.Body.Get("client_metadata") == nil
		if req.Body.Get("tools") != nil && len(req.Triggers()) == 0 {
			req.Path = compactPath // the whole body of the older endpoint (compaction.md 7)
		}
	}
	switch {
	case c.full:
	case c.prefix != "":
		return b.prefix(e, c)
	default:
		conversation.rebuild(b.r, e)
	}
	return nil
}

// prefix puts the input that an untraced response stands for before the frame's own.
func (b *bundle) prefix(e *Exchange, c *call) error {
	var at Place
	text, err := b.payload(e, c, c.prefix, &at, "input before the request")
	if err != nil {
		return err
	}
	if text == nil {
		e.Request.Partial = true
		return nil
	}
	o, err := jsonraw.ParseObject(trimJSON(text))
	if err != nil {
		e.Request.Partial = true
		b.r.note(e, ProblemBody, at, "the payload is no JSON object: "+syntax(err))
		return nil
	}
	list, _ := jsonraw.SplitArray(o.Get("input"))
	before := b.r.items(e, at, list)
	e.Request.Own = len(before)
	e.Request.Input = append(before, e.Request.Input...)
	return nil
}

func (b *bundle) response(e *Exchange, c *call) error {
	res := &e.Response
	res.Known, res.Error = c.ended, c.failure
	res.Place = c.line
	if c.response == "" {
		if c.success {
			b.r.note(e, ProblemPayload, c.line, "the event that ends this request names no payload file")
		}
		return nil
	}
	text, err := b.payload(e, c, c.response, &res.Place, "response")
	if err != nil || text == nil {
		return err
	}
	o, err := jsonraw.ParseObject(trimJSON(text))
	if err != nil {
		b.r.note(e, ProblemBody, res.Place, "the payload is no JSON object: "+syntax(err))
		return nil
	}
	res.HasBody = true
	b.r.takeJSON(e, o)
	res.Completed = c.success
	return nil
}

// payload reads a payload file; nil when it is missing, which is noted.
func (b *bundle) payload(e *Exchange, c *call, path string, at *Place, what string) ([]byte, error) {
	*at = c.line
	switch {
	case path == "":
		b.r.note(e, ProblemPayload, c.line, "the event names no payload file of the "+what)
		return nil, nil
	case !filepath.IsLocal(path):
		b.r.note(e, ProblemPayload, c.line, fmt.Sprintf("payload path %q leads out of the bundle", path))
		return nil, nil
	}
	full := filepath.Join(b.dir, path)
	text, err := os.ReadFile(full)
	if errors.Is(err, os.ErrNotExist) {
		b.r.note(e, ProblemPayload, c.line, "the payload file of the "+what+" is missing: "+path)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	*at = Place{File: full}
	return text, nil
}
