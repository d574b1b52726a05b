package parse

import "bytes"

// Fragment is how a record starts, from its type on: what a writer that was interrupted
// leaves, and writes again with a new timestamp and perhaps a new ordinal (format.md 1.4).
type Fragment struct {
	text []byte // at most fragmentKept bytes, a copy
	size int    // bytes from the type to the end of the line; 0 for no fragment
}

// fragmentKept bounds what is compared of two lines, in bytes: enough for the ids that
// tell records apart.
const fragmentKept = 4096

// FragmentOf takes the start of a line; it is empty when the line does not even hold the
// start of a payload, which says nothing about the record.
func FragmentOf(line []byte) Fragment {
	const envelope = 256 // the type stands behind a timestamp and an ordinal
	at := bytes.Index(line[:min(len(line), envelope)], []byte(`"type":"`))
	if at < 0 || !bytes.Contains(line[at:min(len(line), at+envelope)], []byte(`"payload":`)) {
		return Fragment{}
	}
	rest := bytes.TrimSuffix(line[at:], []byte{'\r'})
	return Fragment{text: bytes.Clone(rest[:min(len(rest), fragmentKept)]), size: len(rest)}
}

// Empty reports whether there is none.
func (f Fragment) Empty() bool { return f.size == 0 }

// Starts reports whether f is the start of the longer record.
func (f Fragment) Starts(longer Fragment) bool {
	return f.size > 0 && f.size < longer.size && bytes.HasPrefix(longer.text, f.text)
}
