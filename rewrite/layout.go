package rewrite

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// Mark is a place at a line boundary that other files point to, by history_base.
type Mark struct {
	// Old is the byte offset in the file as it was, New in the file as it is.
	Old, New int64
	// Shift is what was added to the ordinals of the records from there on.
	Shift uint64
	// Found: Old lies on a line boundary of the file.
	Found bool
}

// layout writes what comes out of a chain, and keeps ordinals and offsets right.
type layout struct {
	w         *bufio.Writer
	paginated bool
	preserve  bool   // every line keeps its offset
	shift     uint64 // added to the ordinals of all lines from here on
	marks     []Mark // rising by Old
	marked    int    // how many of them are done

	in, out  int64 // bytes of the source consumed, of the result written
	open     bool  // the last line written has no newline
	last     uint64
	hasLast  bool // last is the newest ordinal, as written
	tail     []byte
	keepTail bool // somebody may add records at the end
	head     Header
}

func newLayout(w io.Writer, h Header, opt Options) *layout {
	l := &layout{w: bufio.NewWriterSize(w, 64<<10), head: h, paginated: h.Paginated, preserve: opt.PreserveOffsets, shift: opt.Base.shift()}
	for _, at := range opt.Marks {
		l.marks = append(l.marks, Mark{Old: at})
	}
	slices.SortFunc(l.marks, func(a, b Mark) int { return int(min(max(a.Old-b.Old, -1), 1)) })
	l.passed(true)
	return l
}

// passed settles the marks that the consumed bytes have reached; boundary says that the
// bytes end with a newline.
func (l *layout) passed(boundary bool) {
	for l.marked < len(l.marks) && l.marks[l.marked].Old <= l.in {
		if m := &l.marks[l.marked]; m.Old == l.in && boundary {
			m.New, m.Shift, m.Found = l.out, l.shift, true
		}
		l.marked++
	}
}

func (l *layout) write(b []byte) error {
	n, err := l.w.Write(b)
	l.out += int64(n)
	return err
}

func (l *layout) span(b parse.Block) error {
	if l.shift > 0 && l.paginated {
		var err error
		b.Lines(func(line parse.Line) bool {
			err = l.shifted(line)
			return err == nil
		})
		return err
	}
	for l.marked < len(l.marks) && l.marks[l.marked].Old < b.Offset+int64(len(b.Data)) {
		m := &l.marks[l.marked]
		if at := m.Old - b.Offset; at > 0 && b.Data[at-1] == '\n' {
			m.New, m.Shift, m.Found = l.out+at, l.shift, true
		}
		l.marked++
	}
	if err := l.write(b.Data); err != nil {
		return err
	}
	l.in = b.Offset + int64(len(b.Data))
	l.open = b.Data[len(b.Data)-1] != '\n'
	l.passed(!l.open)
	if l.keepTail {
		l.tail, l.hasLast = lastLine(l.tail, b.Data), false
	}
	return nil
}

// lastLine keeps a copy of the last line of data that is not blank.
func lastLine(into, data []byte) []byte {
	data = bytes.TrimRight(data, " \t\r\n")
	if len(data) == 0 {
		return into
	}
	return append(into[:0], data[bytes.LastIndexByte(data, '\n')+1:]...)
}

// shifted writes a line that no operation has touched, behind one that was added.
func (l *layout) shifted(line parse.Line) error {
	rec := &Record{}
	view(rec, line, nil)
	return l.entry(entry{rec: rec, src: line, last: true})
}

func (l *layout) entry(e entry) error {
	var err error
	switch {
	case e.state == dropped:
		err = l.drop(e)
	case e.rec.Added:
		err = l.add(e)
	default:
		err = l.keep(e)
	}
	if err == nil && e.last {
		l.in = e.src.Offset + e.src.Size()
		l.passed(e.src.Terminated)
	}
	return err
}

// line writes one line of the result. end is what stands behind its bytes.
func (l *layout) line(b []byte, terminated bool) error {
	if l.open { // the last line of the file had no newline, and now something follows
		if err := l.write(newline); err != nil {
			return err
		}
	}
	l.open = !terminated
	if err := l.write(b); err != nil || !terminated {
		return err
	}
	return l.write(newline)
}

var newline = []byte{'\n'}

// keep writes a line that stays, changed or not.
func (l *layout) keep(e entry) error {
	b := e.rec.Bytes
	if n, ok := l.ordinal(e.rec); ok {
		if l.shift > 0 {
			n += l.shift
			var err error
			if b, err = withOrdinal(e.rec, n); err != nil {
				return err
			}
		}
		l.last, l.hasLast = n, true
	}
	if l.preserve && len(b) != len(e.src.Bytes) {
		if b = padded(b, len(e.src.Bytes)); b == nil {
			return lineRefusal(e.src, "the line would get longer, and byte offsets are to stay", "leave --preserve-offsets out, and write to a new file")
		}
	}
	return l.line(b, e.rec.Terminated)
}

// ordinal is the ordinal that a record of a paginated file has, as it stands.
func (l *layout) ordinal(r *Record) (uint64, bool) {
	if !l.paginated || r.Broken != nil {
		return 0, false
	}
	return r.Ordinal()
}

// add writes a record that an operation made, with the ordinal after the last one.
func (l *layout) add(e entry) error {
	if l.preserve && e.src.Bytes != nil { // at the end of the file nothing moves
		return lineRefusal(e.src, "a record would be added, and byte offsets are to stay", "leave --preserve-offsets out, and write to a new file")
	}
	b := e.rec.Bytes
	if l.paginated && e.rec.Broken == nil {
		if !l.findLast() {
			return lineRefusal(e.src, "no ordinal is known that an added record could follow", "repair the ordinals first: rollout-tool rewrite repair")
		}
		if l.last++; l.last == 0 || l.last == math.MaxUint64 { // Codex could not append behind the last one (format.md 1.10)
			return lineRefusal(e.src, "ordinals are used up", "")
		}
		if l.head.HasSubagentStart && l.last < l.head.SubagentStart+l.shift {
			return lineRefusal(e.src, "a record would be added to the inherited prefix of a subagent (subagent_history_start_ordinal)", "")
		}
		var err error
		if b, err = withOrdinal(e.rec, l.last); err != nil {
			return err
		}
		if e.src.Bytes != nil {
			l.shift++
		}
	}
	return l.line(b, true)
}

// findLast looks for the newest ordinal in the last line of the last run of untouched
// lines, when no line was looked at since.
func (l *layout) findLast() bool {
	if l.hasLast {
		return true
	}
	if rec, err := parse.ViewRecord(parse.Line{Bytes: l.tail}); err == nil {
		l.last, l.hasLast = rec.Ordinal()
	}
	return l.hasLast
}

// drop leaves what has to stay of a record that goes: in a paginated file a filler with
// its ordinal, where offsets are to stay a line of the same length.
func (l *layout) drop(e entry) error {
	n, ok := l.ordinal(e.rec)
	switch {
	case ok && !e.gone:
		n += l.shift
		l.last, l.hasLast = n, true
		b := filler(e.rec, n)
		if l.preserve {
			if b = padded(b, len(e.src.Bytes)); b == nil {
				return lineRefusal(e.src, "the line is too short for a filler, and byte offsets are to stay", "leave --preserve-offsets out, and write to a new file")
			}
		}
		return l.line(b, e.src.Terminated)
	case l.preserve:
		return l.line(bytes.Repeat([]byte{' '}, len(e.src.Bytes)), e.src.Terminated)
	}
	return nil
}

// filler is a record that Codex reads and that means nothing (rule 2): an item of the
// type "other", with the time and the ordinal of the record that it stands for.
func filler(r *Record, ordinal uint64) []byte {
	stamp := r.Envelope.Get("timestamp")
	if stamp.Kind() != jsonraw.KindString {
		stamp = jsonraw.Quote("1970-01-01T00:00:00.000Z")
	}
	return jsonraw.Build(
		jsonraw.Pair{Name: "timestamp", Value: stamp},
		jsonraw.Pair{Name: "ordinal", Value: strconv.AppendUint(nil, ordinal, 10)},
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.RecordResponseItem)},
		jsonraw.Pair{Name: "payload", Value: jsonraw.Value(`{"type":"` + FillerType + `"}`)},
	)
}

// FillerType is the item type of the record that stands in for one that was taken out of
// a paginated file: Codex decodes every type it does not know as this one (format.md 5.1).
const FillerType = parse.ItemOther

// padded fills b up with JSON white space, before a carriage return; nil when b is longer.
func padded(b []byte, size int) []byte {
	if len(b) > size {
		return nil
	}
	text, cr := bytes.CutSuffix(b, []byte{'\r'})
	out := append(make([]byte, 0, size), text...)
	out = append(out, bytes.Repeat([]byte{' '}, size-len(b))...)
	if cr {
		out = append(out, '\r')
	}
	return out
}

// withOrdinal returns the line with an ordinal, behind the timestamp when it had none.
func withOrdinal(r *Record, n uint64) ([]byte, error) {
	lit := strconv.AppendUint(nil, n, 10)
	e := r.Change()
	if old := r.Envelope.Get("ordinal"); old != nil {
		e.Replace(old, lit)
	} else if stamp := r.Envelope.Get("timestamp"); stamp != nil {
		e.at(stamp, jsonraw.Splice{Off: len(stamp), New: append([]byte(`,"ordinal":`), lit...)})
	} else {
		e.Add(r.Envelope.Raw, "ordinal", lit)
	}
	ed := e.Done("ordinal")
	if ed.action == invalid {
		return nil, &LineError{Line: r.Number, Offset: r.Offset, Err: errors.New(ed.reason)}
	}
	return ed.line, nil
}

// LineError is a failure at one line of the file.
type LineError struct {
	Line   int   // 1-based; 0 for what is added at the end
	Offset int64 // of the line's first byte
	Err    error
}

func (e *LineError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("at the end of the file: %v", e.Err)
	}
	return fmt.Sprintf("line %d (byte offset %d): %v", e.Line, e.Offset, e.Err)
}

// Unwrap returns the failure.
func (e *LineError) Unwrap() error { return e.Err }

func lineRefusal(l parse.Line, reason, advice string) error {
	return &LineError{Line: l.Number, Offset: l.Offset, Err: &Refusal{reason, advice}}
}

// flush ends the writing.
func (l *layout) flush() error { return l.w.Flush() }
