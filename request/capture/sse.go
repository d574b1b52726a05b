package capture

import (
	"bytes"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// events yields the data of server-sent events: the text of its data fields joined with
// line feeds. A last event that no empty line ends is yielded with whole false: the
// stream may be cut off. Lines end in LF, CR LF or CR.
func events(stream []byte, yield func(data []byte, off int, whole bool) bool) {
	stream = bytes.TrimPrefix(stream, []byte("\xef\xbb\xbf"))
	var data []byte
	at, fields := 0, 0
	for i := 0; i < len(stream); {
		end, next := lineEnd(stream, i)
		line := stream[i:end]
		if len(line) == 0 {
			if fields > 0 && !yield(data, at, true) {
				return
			}
			data, fields = nil, 0
		} else if value, ok := bytes.CutPrefix(line, []byte("data")); ok && (len(value) == 0 || value[0] == ':') {
			value = bytes.TrimPrefix(bytes.TrimPrefix(value, []byte(":")), []byte(" "))
			if fields == 0 {
				data, at = value, end-len(value)
			} else { // append copies: data aliases the stream
				joined := make([]byte, 0, len(data)+1+len(value))
				data = append(append(append(joined, data...), '\n'), value...)
			}
			fields++
		}
		i = next
	}
	if fields > 0 {
		yield(data, at, false)
	}
}

// lineEnd is the end of the line that starts at i, and the start of the next one.
func lineEnd(b []byte, i int) (end, next int) {
	n := bytes.IndexAny(b[i:], "\r\n")
	if n < 0 {
		return len(b), len(b)
	}
	end = i + n
	if b[end] == '\r' && end+1 < len(b) && b[end+1] == '\n' {
		return end, end + 2
	}
	return end, end + 1
}

// takeStream reads a stream of server-sent events into an answer.
func (r *Reader) takeStream(e *Exchange, stream []byte) {
	a := answer{r: r, e: e}
	events(stream, func(data []byte, off int, whole bool) bool {
		data = trimJSON(data)
		if len(data) == 0 || string(data) == "[DONE]" {
			return true
		}
		event, err := jsonraw.ParseObject(data)
		if err != nil {
			if whole {
				r.note(e, ProblemBody, e.Response.Place, "byte "+itoa(off)+" of the stream: an event is no JSON object: "+syntax(err))
			} else {
				r.note(e, ProblemCut, e.Response.Place, "byte "+itoa(off)+" of the stream: the last event is cut off")
			}
			return true
		}
		a.event(event)
		return true
	})
	a.end()
}
