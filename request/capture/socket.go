package capture

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// socket is the list of messages of one WebSocket connection in a HAR. A message sent
// asks for an answer, the messages received up to its end are the answer
// (compaction.md 6.4).
type socket struct {
	h       *har
	w       *walker
	head    Exchange // what the handshake says
	started bool     // the list was entered
	ended   bool
	used    bool // an exchange was made: the handshake's answer is told once
	pending *message
	chain   chain
}

// message is one frame.
type message struct {
	body jsonraw.Object
	at   int64 // of its text in the file
	time time.Time
	sent bool
}

func newSocket(h *har, it entry) *socket {
	s := &socket{h: h, w: newWalker(io.NewSectionReader(h.f, it.messagesAt, h.size-it.messagesAt), it.messagesAt)}
	s.head.Connection = h.sockets
	if o, ok := jsonraw.SplitObject(it.request); ok {
		h.head(&s.head, o)
	}
	if o, ok := jsonraw.SplitObject(it.response); ok {
		status, _ := o.Get("status").Int64()
		s.head.Response.Status = int(status)
		s.head.Response.Headers, s.head.Response.HasHeaders = headerList(o.Get("headers"))
	}
	return s
}

// next fills the next exchange of the connection; false when there are no more.
func (s *socket) next(e *Exchange) (bool, error) {
	for s.pending == nil {
		m, ok, err := s.message()
		if !ok || err != nil {
			return false, err
		}
		if m.sent && m.body.Text("type") == frameCreate {
			s.pending = m
		}
	}
	s.request(e)
	a := answer{r: s.h.r, e: e}
	for done := false; ; {
		m, ok, err := s.message()
		if err != nil {
			return false, err
		}
		if !ok {
			break
		}
		if m.sent {
			if m.body.Text("type") != frameCreate {
				continue
			}
			s.pending = m
			break
		}
		if !e.Response.Known {
			e.Response.Place = Place{File: s.h.path, Offset: m.at}
		}
		if done { // only what says something about the connection may come late
			e.Response.takeState(m.body.Get("headers"))
			continue
		}
		done = a.event(m.body)
	}
	a.end()
	e.Response.HasBody = true
	s.chain.follow(e)
	return true, nil
}

// request fills an exchange from the pending frame.
func (s *socket) request(e *Exchange) {
	m := s.pending
	s.pending = nil
	e.Transport, e.Connection, e.Time = WebSocket, s.head.Connection, m.time
	e.Request.Method, e.Request.URL, e.Request.Path = s.head.Request.Method, s.head.Request.URL, s.head.Request.Path
	e.Request.Headers, e.Request.HasHeaders = s.head.Request.Headers, s.head.Request.HasHeaders
	if !s.used {
		e.Response.Headers, e.Response.HasHeaders = s.head.Response.Headers, s.head.Response.HasHeaders
		s.used = true
	}
	e.Request.Place = Place{File: s.h.path, Offset: m.at}
	s.h.r.setBody(e, m.body.Raw)
	s.chain.rebuild(s.h.r, e)
}

// message reads the next frame that is a JSON object; false at the end of the list.
func (s *socket) message() (*message, bool, error) {
	for !s.ended {
		m, ok, err := s.read()
		if err != nil {
			s.ended = true
			return nil, false, s.h.stop(nil, err)
		}
		if !ok {
			s.ended = true
			break
		}
		if m != nil {
			return m, true, nil
		}
	}
	return nil, false, nil
}

// read reads the next frame; nil when it is no JSON object (a ping, a binary frame).
func (s *socket) read() (*message, bool, error) {
	first := !s.started
	if first {
		s.started = true
		if err := s.w.open('['); err != nil {
			return nil, false, err
		}
	}
	more, err := s.w.more(first, ']')
	if !more || err != nil {
		return nil, false, err
	}
	v, at, err := readAt(s.w, s.h.f, &s.h.in)
	if err != nil {
		return nil, false, err
	}
	o, _ := jsonraw.SplitObject(v)
	data := o.Get("data")
	if data.Kind() != jsonraw.KindString {
		return nil, true, nil
	}
	binary := string(o.Get("opcode")) == "2" // Chrome stores binary frames as base64
	text, err := textBody(data.Unquoted(), binary)
	if err != nil {
		return nil, true, nil
	}
	body, err := jsonraw.ParseObject(trimJSON(own(v, text)))
	if err != nil {
		return nil, true, nil
	}
	return &message{
		body: body, at: at + offsetIn(v, data), time: unixTime(string(o.Get("time"))),
		sent: o.Text("type") == "send",
	}, true, nil
}

// unixTime reads decimal seconds since 1970.
func unixTime(s string) time.Time {
	whole, frac, _ := strings.Cut(s, ".")
	sec, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return time.Time{}
	}
	frac = (frac + "000000000")[:9]
	nanos, err := strconv.ParseInt(frac, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(sec, nanos).UTC()
}
