package history

import (
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// eventKind is what a record means to the backward scan (rule 11).
type eventKind uint8

const (
	nothing   eventKind = iota
	opens               // opens a segment if none is open
	counts              // opens, and makes the segment a user turn
	context             // turn_context: opens, names the turn
	completes           // task_complete: opens, names the turn
	aborts              // turn_aborted: names the turn, opens only with an id
	starts              // task_started: closes the segment
	rollback            // thread_rolled_back
	compacts            // compacted: opens, a candidate when it has a replacement history
)

// digest is what the index keeps of one line while it folds the lines together.
type digest struct {
	line    int
	offset  int64
	verdict accept.Result
	typ     string // record type, also of a rejected line
	event   eventKind
	turn    string // the turn id that names a segment
	own     string // the turn id that the record carries
	n       uint64 // num_turns
	cp      checkpoint
	window  jsonraw.Value // model_context_window in force from here on; a copy
}

// checkpoint is a readable compacted record.
type checkpoint struct {
	file, line int
	offset     int64
	history    bool // has a replacement history
	number     bool // has a window number (rule 5 applied)
	resume     bool // has non-null resume_metadata
}

// digester digests the lines of one file; one goroutine at a time.
type digester struct {
	checker *accept.Checker
	bare    bool // a generation 0 file

	// The line that was viewed last.
	members []jsonraw.Member
	current parse.Record
}

// record judges a line and views it. It returns false when there is no record to
// see: blank, dropped, or no JSON object. A rejected line that is an object is seen.
// The record's members are valid until the next call.
func (d *digester) record(l parse.Line) (parse.Record, accept.Result, bool) {
	if d.bare {
		return d.bareRecord(l)
	}
	res := d.checker.Line(l.Bytes)
	if res.Verdict == accept.Blank || res.Verdict == accept.Dropped {
		return parse.Record{}, res, false
	}
	if res.Verdict == accept.OK {
		if line, payload, ok := d.checker.MembersIn(&d.members); ok {
			return parse.ViewMembers(l, line, payload), res, true
		}
		return parse.ViewAccepted(l), res, true
	}
	rec, err := parse.ViewRecord(l)
	return rec, res, err == nil
}

// bareRecord judges a line of a generation 0 file: its item as if it had an
// envelope. Codex itself refuses all of them (format.md 2.8).
func (d *digester) bareRecord(l parse.Line) (parse.Record, accept.Result, bool) {
	if parse.IsBlank(l.Bytes) {
		return parse.Record{}, accept.Result{Verdict: accept.Blank}, false
	}
	rec, err := parse.ViewRecord(l)
	if err != nil {
		return rec, d.checker.Line(l.Bytes), false
	}
	rec = parse.AsBare(rec)
	if rec.Type != parse.RecordResponseItem {
		return rec, accept.Result{Verdict: accept.OK}, true
	}
	res := d.checker.Line(jsonraw.Build(
		jsonraw.Pair{Name: "timestamp", Value: jsonraw.Quote("")},
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.RecordResponseItem)},
		jsonraw.Pair{Name: "payload", Value: rec.Payload},
	))
	return rec, res, true
}

// line digests one line; what it saw goes with it and is valid until the next one.
func (d *digester) line(l parse.Line) (digest, View) {
	var res accept.Result
	var seen bool
	d.current, res, seen = d.record(l)
	out := digest{line: l.Number, offset: l.Offset, verdict: res}
	view := View{Line: l, Result: res, Bare: d.bare}
	if seen {
		view.Record = &d.current
		d.fill(&out, view.Record)
	}
	return out, view
}

func (d *digester) fill(out *digest, rec *parse.Record) {
	out.typ = rec.Type
	if out.verdict.Verdict != accept.OK {
		return
	}
	out.own = rec.OwnTurn()
	switch rec.Type {
	case parse.RecordResponseItem:
		it := rec.Item()
		switch {
		case IsDelivery(it, parse.ViewSidecar(rec.Metadata)):
		case IsBoundary(it, d.checker):
			out.event = counts
		default:
			out.event = opens
		}
	case parse.RecordCompacted:
		out.event, out.cp = compacts, viewCheckpoint(rec)
	case parse.RecordTurnContext:
		out.event, out.turn = context, rec.Fields().Text("turn_id")
	case parse.RecordWorldState:
		out.event = opens
	case parse.RecordInterAgent:
		out.event = counts
	case parse.RecordEvent:
		d.eventMsg(rec, out)
	}
}

func (d *digester) eventMsg(rec *parse.Record, out *digest) {
	f := rec.Fields()
	switch rec.Kind() {
	case "user_message":
		out.event = counts
	case "task_started", "turn_started":
		out.event, out.turn = starts, f.Text("turn_id")
		out.window = windowOf(f.Get("model_context_window"))
	case "task_complete", "turn_complete":
		out.event, out.turn = completes, f.Text("turn_id")
	case "turn_aborted":
		out.event, out.turn = aborts, f.Text("turn_id")
	case "thread_rolled_back":
		out.event = rollback
		out.n, _ = f.Get("num_turns").Uint64()
	case "token_count":
		out.window = windowOf(jsonraw.Lookup(f.Get("info"), "model_context_window"))
	}
}

func windowOf(v jsonraw.Value) jsonraw.Value {
	if v.Kind() != jsonraw.KindNumber {
		return nil
	}
	return append(jsonraw.Value(nil), v...)
}

func viewCheckpoint(rec *parse.Record) checkpoint {
	f := rec.Fields()
	return checkpoint{
		line: rec.Number, offset: rec.Offset,
		history: !f.Get("replacement_history").Missing(),
		number:  HasWindowNumber(f),
		resume:  !f.Get("resume_metadata").Missing(),
	}
}

// HasWindowNumber reports whether a compacted payload has a window number: its own
// or the one that a numeric window_id stands for (rule 5).
func HasWindowNumber(compacted jsonraw.Object) bool {
	if !compacted.Get("window_number").Missing() {
		return true
	}
	return compacted.Get("window_id").Kind() == jsonraw.KindNumber
}
