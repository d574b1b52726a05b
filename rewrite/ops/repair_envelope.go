package ops

import (
	"bytes"
	"errors"
	"io"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// repairEnvelope mends what stands around payloads, and the place of the session_meta.
type repairEnvelope struct{ parts map[string]bool }

func (repairEnvelope) Name() string  { return "repair" }
func (repairEnvelope) Repairs() bool { return true }

// head is what a plan finds out about the start of a file.
type head struct {
	stamp       jsonraw.Value // the first timestamp, nil when there is none
	first, meta int           // places among the lines, from 0, of the first that is not blank and of the session_meta; -1 for none
	moved       []byte        // the session_meta, when it goes to the top
	badMode     bool          // it has a history_mode that Codex does not know
	paginated   bool          // the other records have ordinals
}

// Plan looks for the session_meta; it is nearly always the first line.
func (op repairEnvelope) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	if in.Header.Bare {
		return func() rewrite.Editor { return keepAll{} }, nil
	}
	h := head{first: -1, meta: -1}
	m := envelopeMender{parts: op.parts, checker: in.Checker(), head: &h}
	if err := in.Records(true, m.look); err != nil {
		return nil, err
	}
	if h.badMode {
		if err := h.countOrdinals(in); err != nil {
			return nil, err
		}
	}
	if h.meta <= h.first {
		h.moved = nil
	}
	return func() rewrite.Editor {
		return &envelopeMender{parts: op.parts, checker: in.Checker(), head: &h}
	}, nil
}

// keepAll is the editor of a file that an operation has nothing to do with.
type keepAll struct{}

func (keepAll) Edit(*rewrite.Record) rewrite.Edit { return rewrite.Keep() }

// countOrdinals finds out whether all records have ordinals: then the file is paginated.
func (h *head) countOrdinals(in *rewrite.Input) error {
	with, without := 0, 0
	err := in.Records(false, func(r *rewrite.Record) error {
		if r.Type == parse.RecordSessionMeta {
			return nil
		}
		if _, ok := r.Ordinal(); ok {
			with++
		} else if r.Accepted() {
			without++
		}
		return nil
	})
	h.paginated = with > 0 && without == 0
	return err
}

// envelopeMender is the editor, and what looks at the records for the plan.
type envelopeMender struct {
	parts   map[string]bool
	checker *accept.Checker
	head    *head

	n     int
	found bool          // the session_meta
	stamp jsonraw.Value // of the record before, a copy
}

// look notes the head; it ends at the session_meta.
func (m *envelopeMender) look(r *rewrite.Record) error {
	h := m.head
	n := m.n
	m.n++
	if errors.Is(r.Broken, rewrite.ErrBlank) {
		return nil
	}
	if h.first < 0 {
		h.first = n
	}
	if r.Broken != nil {
		return nil
	}
	if stamp := stampOf(r); stamp != nil && h.stamp == nil {
		h.stamp = bytes.Clone(stamp)
	}
	if r.Type != parse.RecordSessionMeta {
		return nil
	}
	line, _ := m.mend(r)
	if line == nil {
		line = r.Bytes
	}
	if m.checker.Line(line).Verdict != accept.OK {
		return nil
	}
	h.meta, h.badMode = n, r.Judge().BadHistoryMode
	if m.parts[partOrder] && n > h.first {
		h.moved = bytes.Clone(bytes.TrimSuffix(line, []byte{'\r'}))
	}
	return io.EOF
}

// Edit mends one record.
func (m *envelopeMender) Edit(r *rewrite.Record) rewrite.Edit {
	n := m.n
	m.n++
	moved := m.head.moved != nil
	if moved && n == m.head.meta {
		m.found = true
		return rewrite.Drop("session_meta moved to the top").WithoutFiller()
	}
	var line []byte
	var reason string
	if r.Broken == nil {
		line, reason = m.mend(r)
		m.found = m.found || n == m.head.meta
	}
	if moved && n == m.head.first {
		if line == nil {
			line = bytes.Clone(r.Bytes)
		}
		// In its place, and not in front of it: an added record needs an ordinal to follow.
		return rewrite.Line(m.topLine(), "session_meta moved to the top").After("", line)
	}
	if line == nil {
		return rewrite.Keep()
	}
	return rewrite.Line(line, reason)
}

// topLine is the session_meta that goes to the top. When its history_mode was mended, it
// was before the plan knew about ordinals.
func (m *envelopeMender) topLine() []byte {
	if !m.head.badMode || !m.head.paginated {
		return m.head.moved
	}
	rec, err := parse.ViewRecord(parse.Line{Bytes: m.head.moved})
	if err != nil {
		return m.head.moved
	}
	return rec.Envelope.Set("payload", rec.Fields().Set("history_mode", jsonraw.Quote("paginated")))
}

// mend returns the record as Codex takes it, nil when nothing is to be done or that does
// not help.
func (m *envelopeMender) mend(r *rewrite.Record) (line []byte, reason string) {
	if stamp := stampOf(r); stamp != nil {
		m.stamp = append(m.stamp[:0], stamp...)
	}
	if r.Judge().Verdict != accept.Err {
		return nil, ""
	}
	line = r.Bytes
	if m.parts[partTimestamp] && stampOf(r) == nil {
		if line, reason = m.withStamp(r), "timestamp of a neighbour"; line == nil {
			return nil, ""
		}
	}
	rec, err := parse.ViewRecord(parse.Line{Bytes: line})
	if err != nil {
		return nil, ""
	}
	if n := rec.Envelope.Get("ordinal"); m.parts[partOrdinals] && !n.Missing() {
		if _, ok := rec.Ordinal(); !ok {
			if line = withoutMember(line, rec.Envelope.Raw, "ordinal"); reason == "" {
				reason = "ordinal of the wrong form"
			}
		}
	}
	if m.parts[partMode] && !m.found && rec.Type == parse.RecordSessionMeta && r.Judge().BadHistoryMode {
		if line = m.withMode(line); reason == "" {
			reason = "unknown history_mode"
		}
	}
	if reason == "" || m.checker.Line(line).Verdict != accept.OK {
		return nil, ""
	}
	return line, reason
}

// stampOf is the timestamp of a record, nil when it is missing or no string.
func stampOf(r *rewrite.Record) jsonraw.Value {
	if v := r.Envelope.Get("timestamp"); v.Kind() == jsonraw.KindString {
		return v
	}
	return nil
}

// withStamp gives a record the timestamp of the one before it, else its own from within,
// else the first of the file; nil when there is none.
func (m *envelopeMender) withStamp(r *rewrite.Record) []byte {
	stamp := m.stamp
	if len(stamp) == 0 {
		if stamp = r.Fields().Get("timestamp"); stamp.Kind() != jsonraw.KindString {
			stamp = m.head.stamp
		}
	}
	if len(stamp) == 0 {
		return nil
	}
	if r.Envelope.Get("timestamp") != nil {
		return spliceEnvelope(r.Bytes, r.Envelope.Set("timestamp", stamp), r.Envelope.Raw)
	}
	at, ok := jsonraw.OffsetIn(r.Bytes, r.Envelope.Raw)
	if !ok || len(r.Envelope.Members) == 0 {
		return nil
	}
	head := append(append([]byte(`"timestamp":`), stamp...), ',')
	line, err := jsonraw.Apply(r.Bytes, []jsonraw.Splice{{Off: at + 1, New: head}})
	if err != nil {
		return nil
	}
	return line
}

// spliceEnvelope puts a new envelope in the place of the one in the line.
func spliceEnvelope(line []byte, now, old jsonraw.Value) []byte {
	at, ok := jsonraw.OffsetIn(line, old)
	if !ok {
		return nil
	}
	out, err := jsonraw.Apply(line, []jsonraw.Splice{{Off: at, Len: len(old), New: now}})
	if err != nil {
		return nil
	}
	return out
}

// withoutMember takes a member out of an object in a line.
func withoutMember(line []byte, object jsonraw.Value, name string) []byte {
	at, ok := jsonraw.OffsetIn(line, object)
	if !ok {
		return line
	}
	splices := jsonraw.WithoutMember(object, name)
	for i := range splices {
		splices[i].Off += at
	}
	out, err := jsonraw.Apply(line, splices)
	if err != nil {
		return line
	}
	return out
}

// withMode gives a session_meta the history_mode that its records show, which for legacy
// is none (format.md 1.8).
func (m *envelopeMender) withMode(line []byte) []byte {
	rec, err := parse.ViewRecord(parse.Line{Bytes: line})
	if err != nil {
		return line
	}
	if !m.head.paginated {
		return withoutMember(line, rec.Payload, "history_mode")
	}
	mode := rec.Fields().Get("history_mode")
	at, ok := jsonraw.OffsetIn(line, mode)
	if !ok {
		return line
	}
	out, err := jsonraw.Apply(line, []jsonraw.Splice{{Off: at, Len: len(mode), New: jsonraw.Quote("paginated")}})
	if err != nil {
		return line
	}
	return out
}
