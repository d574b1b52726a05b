package validate

import (
	"bytes"
	"strconv"
)

// fragment is how a record starts, from its type on: a retried record has a new
// timestamp, and may have a new ordinal.
type fragment struct {
	text []byte // at most fragmentKept bytes, a copy
	size int    // bytes from the type to the end of the line; 0 for no fragment
}

// fragmentKept bounds what is compared of two lines, in bytes: enough for the ids that
// tell records apart.
const fragmentKept = 4096

// startOf takes the start of a line; it is empty when the line does not even hold the
// start of a payload, which says nothing about the record.
func startOf(line []byte) fragment {
	const envelope = 256 // the type stands behind a timestamp and an ordinal
	at := bytes.Index(line[:min(len(line), envelope)], []byte(`"type":"`))
	if at < 0 || !bytes.Contains(line[at:min(len(line), at+envelope)], []byte(`"payload":`)) {
		return fragment{}
	}
	rest := bytes.TrimSuffix(line[at:], []byte{'\r'})
	return fragment{text: bytes.Clone(rest[:min(len(rest), fragmentKept)]), size: len(rest)}
}

// startsWhat reports whether f is the start of the longer record.
func (f fragment) startsWhat(longer fragment) bool {
	return f.size > 0 && f.size < longer.size && bytes.HasPrefix(longer.text, f.text)
}

func itoa(n int) string { return strconv.Itoa(n) }
