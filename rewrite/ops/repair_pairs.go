package ops

import (
	"bytes"
	"strconv"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// repairPairs makes calls and outputs pairs, in the stream and in checkpoints, as Codex
// does when it builds a request (rules 31 to 33), and beyond that: outputs come behind
// their calls, one for each.
type repairPairs struct{ openCalls bool }

func (repairPairs) Name() string { return "repair" }

func (op repairPairs) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	p := newPairing(op.openCalls, in.Header.Bare)
	if err := in.Records(false, p.look); err != nil {
		return nil, err
	}
	p.end()
	if p.mending.empty() {
		return func() rewrite.Editor { return keepAll{} }, nil
	}
	touched := p.mending.records()
	return func() rewrite.Editor {
		return &pairMender{mending: &p.mending, touched: touched, bare: p.bare, n: -1, held: map[place]heldOutput{}}
	}, nil
}

// pairMender is the editor.
type pairMender struct {
	*mending
	touched map[int]bool
	bare    bool
	n       int
	held    map[place]heldOutput // outputs on their way to their calls
}

// heldOutput is a copy of an output that is moved.
type heldOutput struct {
	line []byte // of the record that it was; nil for one of a checkpoint
	item jsonraw.Value
	meta jsonraw.Value
}

// Edit mends one record.
func (m *pairMender) Edit(r *rewrite.Record) rewrite.Edit {
	m.n++
	if !m.touched[m.n] {
		return rewrite.Keep()
	}
	if r.Type == parse.RecordCompacted && !m.bare {
		return m.checkpoint(r)
	}
	return m.stream(r)
}

func (m *pairMender) stream(r *rewrite.Record) rewrite.Edit {
	at := place{m.n, -1}
	if reason := m.drop[at]; reason != "" {
		return rewrite.Drop(reason)
	}
	rec := r.Record
	if m.bare {
		rec = parse.AsBare(rec)
	}
	it := rec.Item()
	e := r.Change()
	if n := m.rename[at]; n > 0 {
		renameCall(e, it, n)
	}
	edit := e.Done("call_id of two calls")
	if m.moved[at] {
		line := r.Bytes
		if changed := edit.Result(); changed != nil {
			line = changed
		}
		m.held[at] = heldOutput{line: bytes.TrimSuffix(bytes.Clone(line), []byte{'\r'})}
		return rewrite.Drop("output in front of its call")
	}
	for _, from := range m.bring[at] {
		edit = edit.After("output in front of its call", m.line(r, m.held[from]))
		delete(m.held, from)
	}
	if m.answer[at] {
		out := abortedOutput(renamed(it, m.rename[at]))
		edit = edit.After("call without an output", m.line(r, heldOutput{item: out}))
	}
	return edit
}

// line makes a record of an output, with the time of the call that it goes behind.
func (m *pairMender) line(call *rewrite.Record, out heldOutput) []byte {
	switch {
	case out.line != nil:
		return out.line
	case m.bare:
		return out.item
	}
	return jsonraw.Build(
		jsonraw.Pair{Name: "timestamp", Value: call.Envelope.Get("timestamp")},
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.RecordResponseItem)},
		jsonraw.Pair{Name: "payload", Value: out.item},
		jsonraw.Pair{Name: "metadata", Value: out.meta},
	)
}

// checkpoint mends a replacement history, and its sidecar with it.
func (m *pairMender) checkpoint(r *rewrite.Record) rewrite.Edit {
	fields := r.Fields()
	items, _ := jsonraw.SplitArray(fields.Get(historyKey))
	metas, _ := jsonraw.SplitArray(fields.Get(sidecarKey))
	if len(metas) != len(items) {
		metas = nil
	}
	e, reason, lossy := r.Change(), "", false
	note := func(s string) {
		if reason == "" {
			reason = s
		}
	}
	m.hold(items, metas)
	e.Mask(fields, func(i int) bool {
		at := place{m.n, i}
		if why := m.drop[at]; why != "" {
			note(why)
			lossy = true
			return true
		}
		return m.moved[at]
	})
	for i, raw := range items {
		at := place{m.n, i}
		if m.drop[at] != "" || m.moved[at] {
			continue
		}
		it, err := parse.ViewItem(raw)
		if err != nil {
			continue
		}
		var more, entries []jsonraw.Value
		if m.rename[at] > 0 {
			note("call_id of two calls")
			it = renamed(it, m.rename[at])
		}
		for _, from := range m.bring[at] {
			note("output in front of its call")
			out := m.held[from]
			more, entries = append(more, out.item), append(entries, out.entry())
			delete(m.held, from)
		}
		if m.answer[at] {
			note("call without an output")
			more, entries = append(more, abortedOutput(it)), append(entries, defaultEntry)
		}
		if len(more) > 0 || m.rename[at] > 0 {
			e.Replace(raw, joined(it.Raw, more))
		}
		if len(more) > 0 && metas != nil {
			e.Replace(metas[i], joined(metas[i], entries))
		}
	}
	if reason == "" {
		reason = "output in front of its call"
	}
	edit := e.Done(reason)
	if lossy {
		edit = edit.Lossy()
	}
	return edit
}

// hold keeps the outputs of a checkpoint that are to be moved, be it behind it.
func (m *pairMender) hold(items, metas []jsonraw.Value) {
	for i, raw := range items {
		at := place{m.n, i}
		if !m.moved[at] {
			continue
		}
		out := heldOutput{item: bytes.Clone(raw)}
		if it, err := parse.ViewItem(raw); err == nil && m.rename[at] > 0 {
			out.item = renamed(it, m.rename[at]).Raw
		}
		if metas != nil {
			out.meta = bytes.Clone(metas[i])
		}
		m.held[at] = out
	}
}

// entry is the sidecar entry of an output.
func (o heldOutput) entry() jsonraw.Value {
	if o.meta == nil {
		return defaultEntry
	}
	return o.meta
}

// joined is a list element and others behind it, as they stand in a list.
func joined(first jsonraw.Value, more []jsonraw.Value) []byte {
	out := bytes.Clone(first)
	for _, v := range more {
		out = append(append(out, ','), v...)
	}
	return out
}

// abortedOutput is the output that Codex puts behind a call without one when it builds a
// request. Its id, where the call has one, tells it from a real one: it is derived from
// that of the call (rule 32).
func abortedOutput(call parse.Item) jsonraw.Value {
	rows := history.Normalize([]history.Row{{Item: call}}, history.AllModalities).Rows
	return rows[len(rows)-1].Item.Raw
}

// nthCallID is the call_id of one of several calls with the same.
func nthCallID(it parse.Item, n int) jsonraw.Value {
	id, _ := it.CallID()
	return jsonraw.Quote(id + "_" + strconv.Itoa(n))
}

func renameCall(e *rewrite.Editing, it parse.Item, n int) {
	e.Replace(it.Fields.Get("call_id"), nthCallID(it, n))
}

// renamed is the item with the call_id of the n-th call, unchanged for n 0.
func renamed(it parse.Item, n int) parse.Item {
	if n == 0 {
		return it
	}
	return it.Replace("call_id", nthCallID(it, n))
}
