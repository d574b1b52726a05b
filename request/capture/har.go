package capture

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// har is a HAR 1.2 file, read entry by entry. Entries of other addresses are passed over.
type har struct {
	r       *Reader
	path    string
	f       io.ReaderAt
	size    int64
	w       *walker
	first   bool
	done    bool
	sockets int
	socket  *socket // the WebSocket connection that is being read
	// in and out are used again for the text of each request and response: what an
	// exchange keeps is a copy.
	in, out []byte
}

// entry is where the parts of a HAR entry stand.
type entry struct {
	request, response jsonraw.Value
	requestAt         int64
	responseAt        int64
	started           string
	messagesAt        int64 // of the list of WebSocket messages, 0 for none
}

func openHAR(path string, f io.ReaderAt, size int64, r *Reader) (*har, error) {
	h := &har{r: r, path: path, f: f, size: size, first: true}
	skip := int64(0)
	mark := make([]byte, 3)
	if n, _ := f.ReadAt(mark, 0); n == 3 && string(mark) == "\xef\xbb\xbf" {
		skip = 3
	}
	h.w = newWalker(io.NewSectionReader(f, skip, h.size-skip), skip)
	for _, name := range [...]string{"log", "entries"} {
		if err := h.enter(name); err != nil {
			return h, h.stop(nil, err)
		}
	}
	if err := h.w.open('['); err != nil {
		return h, h.stop(nil, err)
	}
	return h, nil
}

// enter opens an object and goes to its member called name.
func (h *har) enter(name string) error {
	if err := h.w.open('{'); err != nil {
		return err
	}
	for first := true; ; first = false {
		got, ok, err := h.w.member(first)
		switch {
		case err != nil:
			return err
		case !ok:
			return h.w.fail("no member called " + name + ": this is no HAR file")
		case got == name:
			return nil
		}
		if err := h.w.skip(); err != nil {
			return err
		}
	}
}

// stop ends the reading: where the text breaks off, it is noted; other errors are returned.
func (h *har) stop(e *Exchange, err error) error {
	var cut *cutError
	if !errors.As(err, &cut) {
		return err
	}
	if !h.done {
		h.r.note(e, ProblemCut, Place{File: h.path, Offset: cut.offset}, cut.msg+"; what stands before it was read")
	}
	h.done = true
	return nil
}

func (h *har) next(e *Exchange) error {
	for {
		if h.socket != nil {
			ok, err := h.socket.next(e)
			if ok || err != nil {
				return err
			}
			h.socket = nil
		}
		if h.done {
			return io.EOF
		}
		more, err := h.w.more(h.first, ']')
		h.first = false
		if err != nil {
			if err := h.stop(nil, err); err != nil {
				return err
			}
			continue
		}
		if !more {
			h.done = true
			continue
		}
		it, err := h.entry()
		if err != nil {
			if err := h.stop(e, err); err != nil {
				return err
			}
		}
		if it.messagesAt > 0 {
			h.sockets++
			h.socket = newSocket(h, it)
			continue
		}
		if h.http(e, it) {
			return nil
		}
		// The problem of an entry that is none of ours belongs to no exchange.
		for i := range e.Problems {
			h.r.problems[len(h.r.problems)-len(e.Problems)+i].Exchange = -1
		}
		e.Problems = nil
	}
}

// entry finds the parts of the next entry. What was found before an error is returned too.
func (h *har) entry() (entry, error) {
	var it entry
	if err := h.w.open('{'); err != nil {
		return it, err
	}
	ours := true
	for first := true; ; first = false {
		name, ok, err := h.w.member(first)
		if !ok || err != nil {
			return it, err
		}
		switch {
		case name == "request":
			if it.request, it.requestAt, err = h.value(&h.in); err == nil {
				o, _ := jsonraw.SplitObject(it.request)
				_, path := cleanURL(o.Text("url"))
				ours = isResponsesPath(path)
			}
		case name == "response" && ours:
			it.response, it.responseAt, err = h.value(&h.out)
		case name == "startedDateTime":
			var v jsonraw.Value
			if v, _, err = h.w.read(); err == nil {
				it.started, _ = v.Text()
			}
		case name == "_webSocketMessages":
			if _, err = h.w.peek(); err == nil {
				it.messagesAt = h.w.pos
				err = h.w.skip()
			}
		default:
			err = h.w.skip()
		}
		if err != nil {
			return it, err
		}
	}
}

// value reads the next value into a buffer, in one piece of its exact size; one that is no
// JSON is an error.
func (h *har) value(buf *[]byte) (jsonraw.Value, int64, error) {
	return readAt(h.w, h.f, buf)
}

// readAt measures the next value of w, then reads it from f.
func readAt(w *walker, f io.ReaderAt, buf *[]byte) (jsonraw.Value, int64, error) {
	if _, err := w.peek(); err != nil {
		return nil, w.pos, err
	}
	at := w.pos
	if err := w.skip(); err != nil {
		return nil, at, err
	}
	n := int(w.pos - at)
	if cap(*buf) < n {
		*buf = make([]byte, n)
	}
	v := jsonraw.Value((*buf)[:n:n])
	if _, err := f.ReadAt(v, at); err != nil {
		return nil, at, err
	}
	if !jsonraw.Valid(v) {
		return nil, at, &cutError{at, "the value that starts here is no JSON"}
	}
	return v, at, nil
}

// own returns text, copied when it aliases the buffer that it was read into.
func own(buf, text []byte) []byte {
	if _, aliases := jsonraw.OffsetIn(buf, text); aliases {
		return bytes.Clone(text)
	}
	return text
}

// http fills an exchange from an entry; false when it is none of ours.
func (h *har) http(e *Exchange, it entry) bool {
	o, ok := jsonraw.SplitObject(it.request)
	if !ok {
		return false
	}
	req := &e.Request
	req.Place = Place{File: h.path, Offset: it.requestAt}
	h.head(e, o)
	if !isResponsesPath(req.Path) || strings.EqualFold(req.Method, "OPTIONS") {
		return false
	}
	e.Time = parseTime(it.started)
	post, _ := jsonraw.SplitObject(o.Get("postData"))
	text := post.Get("text")
	req.Place.Pointer = "/postData/text"
	req.Place.Offset = it.requestAt + offsetIn(o.Raw, text)
	if text.Kind() != jsonraw.KindString {
		h.r.note(e, ProblemBody, Place{File: h.path, Offset: it.requestAt, Pointer: "/postData"}, "the capture has no body of this request")
	} else if body, err := textBody(text.Unquoted(), isBase64(post)); err != nil {
		h.r.note(e, ProblemBody, req.Place, err.Error())
	} else {
		h.r.setBody(e, own(o.Raw, body))
	}
	h.response(e, it)
	return true
}

// head reads method, address and headers of a request.
func (h *har) head(e *Exchange, o jsonraw.Object) {
	req := &e.Request
	req.Method = o.Text("method")
	req.URL, req.Path = cleanURL(o.Text("url"))
	req.Headers, req.HasHeaders = headerList(o.Get("headers"))
}

func (h *har) response(e *Exchange, it entry) {
	res := &e.Response
	o, ok := jsonraw.SplitObject(it.response)
	if !ok {
		return
	}
	res.Known = true
	res.Place = Place{File: h.path, Offset: it.responseAt}
	status, _ := o.Get("status").Int64()
	res.Status = int(status)
	res.Headers, res.HasHeaders = headerList(o.Get("headers"))
	if s, ok := res.Headers.Get(HeaderTurnState); ok {
		res.TurnState = s
	}
	content, _ := jsonraw.SplitObject(o.Get("content"))
	text := content.Get("text")
	if text.Kind() != jsonraw.KindString {
		return // browsers leave out the text of streams
	}
	res.Place.Pointer = "/content/text"
	res.Place.Offset += offsetIn(o.Raw, text)
	body, err := textBody(text.Unquoted(), isBase64(content))
	if err != nil {
		h.r.note(e, ProblemBody, res.Place, err.Error())
		return
	}
	h.r.takeBody(e, own(o.Raw, body))
}

// isBase64 reports whether a body is stored as base64; for request bodies HAR has no
// member for it, and tools use either name.
func isBase64(o jsonraw.Object) bool {
	return o.Text("encoding") == "base64" || o.Text("_encoding") == "base64"
}

func parseTime(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
