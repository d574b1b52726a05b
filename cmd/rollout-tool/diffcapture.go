package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// captured is a capture whose requests can be picked. It keeps what tells them apart,
// and reads a request again when it is wanted: one body can be as long as memory allows.
type captured struct {
	path        string // as the user named it
	file        string // what is opened
	requests    []requestHead
	compactions []captureCompaction
	problems    []capture.Problem
}

// requestHead is what is kept of a request.
type requestHead struct {
	thread, turn string
	compaction   bool
	turnRequest  bool // neither a compaction nor a warm-up nor for memory
}

// captureCompaction is a compaction with all its attempts, in one thread.
type captureCompaction struct {
	request       int // its first attempt
	before, after int // the turn requests around it, -1 for none
}

// openCaptured reads a capture once.
func openCaptured(path, file string) (*captured, error) {
	k := &captured{path: path, file: file}
	problems, err := eachExchange(file, func(e *capture.Exchange) bool {
		kind := e.Request.Metadata().Text("request_kind")
		h := requestHead{thread: e.Thread, turn: e.Turn, compaction: e.Request.IsCompaction()}
		h.turnRequest = !h.compaction && !e.Request.Warmup() && kind != capture.KindMemory && kind != capture.KindPrewarm && e.Request.Known()
		k.requests = append(k.requests, h)
		return true
	})
	if err != nil {
		return nil, unreadable(err)
	}
	k.problems = problems
	k.compactions = findCompactions(k.requests)
	if len(k.requests) == 0 {
		return nil, unreadable(fmt.Errorf("%s: the capture has no request", path))
	}
	return k, nil
}

// eachExchange reads a capture until take returns false.
func eachExchange(file string, take func(*capture.Exchange) bool) ([]capture.Problem, error) {
	r, err := capture.Open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r.Problems(), nil
		}
		if err != nil {
			return r.Problems(), err
		}
		if !take(e) {
			return r.Problems(), nil
		}
	}
}

// findCompactions groups attempts: compaction requests of a thread with no turn request
// between them are one compaction.
func findCompactions(list []requestHead) []captureCompaction {
	var out []captureCompaction
	open := map[string]int{} // compaction that waits for the request after, by thread
	last := map[string]int{} // turn request, by thread
	for i, h := range list {
		k, waits := open[h.thread]
		switch {
		case h.compaction && !waits:
			c := captureCompaction{request: i, before: -1, after: -1}
			if b, ok := last[h.thread]; ok {
				c.before = b
			}
			open[h.thread] = len(out)
			out = append(out, c)
		case h.turnRequest:
			if waits {
				out[k].after = i
				delete(open, h.thread)
			}
			last[h.thread] = i
		}
	}
	return out
}

// capturePoints are the points that a capture has, for errors.
func (k *captured) capturePoints() string {
	s := fmt.Sprintf("its points are end, request:0 to request:%d, turn:ID", len(k.requests)-1)
	if n := len(k.compactions); n > 0 {
		s += fmt.Sprintf(", compaction:K:before and compaction:K:after with K from 1 to %d", n)
	}
	return s
}

// index is the request that a point names.
func (k *captured) index(p diffPoint) (int, error) {
	missing := func(why string) (int, error) {
		return 0, usageError("%s has no point %s%s; %s", clean(k.path), clean(p.String()), why, k.capturePoints())
	}
	if p.isRequest {
		n := p.request
		if n < 0 {
			n += len(k.requests)
		}
		if n < 0 || n >= len(k.requests) {
			return missing("")
		}
		return n, nil
	}
	switch p.Kind {
	case history.AtEnd:
		return len(k.requests) - 1, nil
	case history.AtTurn:
		for i := len(k.requests) - 1; i >= 0; i-- {
			if k.requests[i].turn == p.Turn {
				return i, nil
			}
		}
		return missing("")
	case history.AtLine:
		return missing(": it is a capture, and lines are those of a rollout")
	}
	n := p.N
	if n < 0 {
		n += len(k.compactions) + 1
	}
	if n < 1 || n > len(k.compactions) {
		return missing("")
	}
	c := k.compactions[n-1]
	if p.Kind == history.BeforeCompaction {
		if c.before >= 0 {
			return c.before, nil
		}
		return c.request, nil // the capture starts with it: its input is what was there before
	}
	if c.after < 0 {
		return missing(": no request follows that compaction")
	}
	return c.after, nil
}

// say is a problem in words; standard input is called as the user calls it.
func (k *captured) say(p capture.Problem) string {
	if p.Place.File == k.file {
		p.Place.File = k.path
	}
	return p.String()
}

// exchange reads one request.
func (k *captured) exchange(index int) (*capture.Exchange, error) {
	var found *capture.Exchange
	_, err := eachExchange(k.file, func(e *capture.Exchange) bool {
		if e.Index == index {
			found = e
		}
		return found == nil
	})
	switch {
	case err != nil:
		return nil, unreadable(err)
	case found == nil:
		return nil, unreadable(fmt.Errorf("%s: request %d is no longer there: did the file change", k.path, index))
	case !found.Request.Known():
		why := "its body was not captured"
		if len(found.Problems) > 0 {
			why = k.say(found.Problems[0])
		}
		return nil, unreadable(fmt.Errorf("%s: request %d: %s", k.path, index, why))
	}
	return found, nil
}
