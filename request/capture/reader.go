package capture

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// Reader reads the exchanges of one capture, in order. It is for one goroutine.
type Reader struct {
	form     Form
	src      source
	close    func() error
	count    int
	problems []Problem
}

// source is one form of captures. next fills an exchange, and returns io.EOF when there
// are no more. What cannot be read is noted, and is no error.
type source interface {
	next(e *Exchange) error
}

// Open opens a capture. It fails when path is none (see Sniff), or cannot be read at all.
func Open(path string) (*Reader, error) {
	form, err := Sniff(path)
	if err != nil {
		return nil, err
	}
	r := &Reader{form: form, close: func() error { return nil }}
	switch form {
	case FormBody:
		r.src = &bodyFile{path: path, r: r}
	case FormDump:
		r.src, err = openDump(path, r)
	case FormBundle:
		r.src, err = openBundle(path, r)
	case FormHAR:
		r.src, err = r.openFile(path)
	default:
		return nil, fmt.Errorf("%s: %w", path, ErrNoCapture)
	}
	if err != nil {
		return nil, errors.Join(err, r.close())
	}
	return r, nil
}

// openFile opens a HAR file, which stays open until Close. A compressed one goes to a
// temporary file first: entries are read out of order.
func (r *Reader) openFile(path string) (source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	head := make([]byte, len(zstdMagic))
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, f.Close())
	}
	var cut error
	r.close = f.Close
	if head = head[:n]; hasPrefix(head, zstdMagic) || hasPrefix(head, gzipMagic) {
		if f, cut, err = r.spool(f); err != nil {
			return nil, err
		}
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if cut != nil {
		r.note(nil, ProblemCut, Place{File: path, Offset: info.Size()}, "the compressed stream breaks off: "+cut.Error())
	}
	return openHAR(path, f, info.Size(), r)
}

// spool decompresses a file to a temporary one, which goes with Close, and closes the
// first. cut says where the stream breaks off; what stands before it is there.
func (r *Reader) spool(from *os.File) (to *os.File, cut, err error) {
	defer from.Close()
	r.close = func() error { return nil }
	text, stop, err := plain(from)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, gzip.ErrHeader):
		text, stop, cut = strings.NewReader(""), func() {}, err
	case err != nil:
		return nil, nil, err
	}
	defer stop()
	tmp, err := os.CreateTemp("", "rollout-tool-*.har")
	if err != nil {
		return nil, nil, err
	}
	r.close = tmp.Close
	if os.Remove(tmp.Name()) != nil { // where an open file cannot go, it goes last
		r.close = func() error { return errors.Join(tmp.Close(), os.Remove(tmp.Name())) }
	}
	w := &writeError{w: tmp}
	_, err = io.Copy(w, text)
	if w.err != nil {
		return nil, nil, w.err
	}
	if cut == nil {
		cut = err
	}
	return tmp, cut, nil
}

// writeError tells errors of writing from those of reading.
type writeError struct {
	w   io.Writer
	err error
}

func (w *writeError) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	if err != nil {
		w.err = err
	}
	return n, err
}

// ErrNoCapture says that a file or folder is no capture.
var ErrNoCapture = errors.New("no capture: a request body, a folder of responses-api-proxy --dump-dir, a trace bundle or a HAR file is needed")

// Form is the form of the capture.
func (r *Reader) Form() Form { return r.form }

// Next returns the next exchange, or io.EOF when there are no more. An exchange that
// could be read in part has Problems. Any other error ends the reading.
func (r *Reader) Next() (*Exchange, error) {
	e := &Exchange{Index: r.count, Transport: HTTP}
	if err := r.src.next(e); err != nil {
		return nil, err
	}
	r.count++
	e.identity()
	return e, nil
}

// Problems are what could not be read so far, those of exchanges included.
func (r *Reader) Problems() []Problem { return r.problems }

// Close closes the capture.
func (r *Reader) Close() error { return r.close() }

// note keeps a problem; e is the exchange that it belongs to, or nil.
func (r *Reader) note(e *Exchange, kind ProblemKind, at Place, message string) {
	p := Problem{Kind: kind, Exchange: -1, Place: at, Message: message}
	if e != nil {
		p.Exchange = e.Index
		e.Problems = append(e.Problems, p)
	}
	r.problems = append(r.problems, p)
}

// setBody parses a request body, or notes why it cannot.
func (r *Reader) setBody(e *Exchange, text []byte) {
	req := &e.Request
	body, err := jsonraw.ParseObject(trimJSON(text))
	if err != nil {
		r.note(e, ProblemBody, req.Place, "the request body is no JSON object: "+syntax(err))
		return
	}
	req.Body = body
	req.Previous = body.Text("previous_response_id")
	items, ok := jsonraw.SplitArray(body.Get("input"))
	if !ok && !body.Get("input").Missing() {
		r.note(e, ProblemBody, req.Place, "the input is no list, but "+body.Get("input").Kind().Name())
		return
	}
	req.Input = r.items(e, req.Place, items)
}

// items views values as items; one that is no object has no type.
func (r *Reader) items(e *Exchange, at Place, values []jsonraw.Value) []parse.Item {
	out := make([]parse.Item, 0, len(values))
	for i, v := range values {
		it, err := parse.ViewItem(v)
		if err != nil {
			r.note(e, ProblemBody, at, fmt.Sprintf("item %d: %v", i, err))
		}
		out = append(out, it)
	}
	return out
}

// syntax is a parser's error without what the caller says already.
func syntax(err error) string {
	var s *jsonraw.SyntaxError
	if errors.As(err, &s) {
		return s.Error()
	}
	return err.Error()
}

func itoa(n int) string { return strconv.Itoa(n) }
