package capture

import (
	"io"
	"os"
)

// bodyFile is one request in a file of its own: a body, a WebSocket frame, or a request
// that the proxy has dumped, with the response beside it.
type bodyFile struct {
	path string
	r    *Reader
	done bool
}

func (b *bodyFile) next(e *Exchange) error {
	if b.done {
		return io.EOF
	}
	b.done = true
	if kind, response, ok := dumpFile(b.path); ok && kind == dumpRequest {
		if _, err := os.Stat(response); err != nil {
			response = ""
		}
		return (&dump{r: b.r}).read(e, dumpPair{request: b.path, response: response})
	}
	text, err := os.ReadFile(b.path)
	if err != nil {
		return err
	}
	e.Request.Place.File = b.path
	text, err = decompress(text)
	if err != nil {
		b.r.note(e, ProblemBody, e.Request.Place, err.Error())
		return nil
	}
	if o, ok := dumped(text); ok {
		b.r.takeDumpedRequest(e, o)
		return nil
	}
	b.r.setBody(e, text)
	if e.Request.Body.Text("type") == frameCreate {
		e.Transport = WebSocket
	}
	if e.Request.Previous != "" {
		e.Request.Partial = true
		b.r.note(e, ProblemPrevious, e.Request.Place, "previous_response_id names a response that a single body does not have: the input lacks its beginning")
	}
	return nil
}
