package validate

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// rejectRule gives each line that Codex rejects exactly one finding, with the most
// specific code of the families J, L, S and R. What it leaves to the M family says
// leftToMetadata.
func rejectRule() rule {
	return rule{
		name:   "reject",
		line:   func() lineRule { return &rejectLook{} },
		stream: func() streamRule { return &rejectTake{} },
	}
}

// rejection is why a line is rejected: a code, and where in the line.
type rejection struct {
	code    string
	message string
	pointer string
	offset  int // bytes from the start of the line
}

// finding is the rejection as a finding of the line.
func (r rejection) finding(v *lineView) Finding {
	return Finding{
		Code: r.code, Message: r.message, Pointer: r.pointer, Line: v.Number, Offset: v.Offset + int64(r.offset),
		Ordinal: v.looked.Ordinal, HasOrdinal: v.looked.HasOrd, Key: v.looked.Key,
	}
}

// Messages of the loader for a sidecar that does not fit its history (rule 4).
const (
	sidecarLength = "replacement_history_metadata has "
	sidecarAlone  = "replacement_history_metadata requires "
)

const sidecarPointer = "/payload/replacement_history_metadata"

// leftToMetadata reports whether a rejection is about the alignment of a sidecar: its
// length, a sidecar without a history, or a null entry (format.md 4.2). The M family
// reports these.
func leftToMetadata(res accept.Result) bool {
	if strings.HasPrefix(res.Message, sidecarLength) || strings.HasPrefix(res.Message, sidecarAlone) {
		return true
	}
	rest, ok := strings.CutPrefix(res.Pointer, sidecarPointer+"/")
	return ok && !strings.Contains(rest, "/") && strings.HasPrefix(res.Message, nullType)
}

// rejectLook classifies rejected lines. A line that ends inside a record has to wait
// for the next one, which may be the whole record (format.md 1.4.4).
type rejectLook struct {
	number int            // of the line looked at last, 0 for none
	torn   parse.Fragment // the line looked at last, if it is cut off
}

// rejectNote is what Look leaves for Take.
type rejectNote struct {
	cut       *Finding       // the line is cut off: J006, unless the next line completes it
	fragment  parse.Fragment // with cut: how the record starts
	head      parse.Fragment // the first line that this goroutine sees of a run: its start
	completes bool           // the line completes the one before it
	mode      *Finding       // S002, if no session_meta is accepted before
	variant   Finding        // with mode: the finding otherwise
}

func (r *rejectLook) Look(v *lineView) any {
	var note rejectNote
	follows := r.number != 0 && v.Number == r.number+1
	switch {
	case !follows:
		note.head = parse.FragmentOf(v.Bytes)
	case !r.torn.Empty():
		note.completes = r.torn.Starts(parse.FragmentOf(v.Bytes))
	}
	r.number, r.torn = v.Number, parse.Fragment{}
	if v.Result.Verdict == accept.Err && !leftToMetadata(v.Result) {
		r.report(v, &note)
	}
	if note.cut == nil && note.mode == nil && !note.completes && note.head.Empty() {
		return nil
	}
	left := note // a copy: most lines leave none, and allocate none
	return &left
}

func (r *rejectLook) report(v *lineView, note *rejectNote) {
	why := classify(v)
	f := why.finding(v)
	switch {
	case why.code == codeCutOff:
		if r.torn = parse.FragmentOf(v.Bytes); !r.torn.Empty() {
			note.cut, note.fragment = &f, r.torn
			return
		}
	case v.Result.BadHistoryMode:
		mode := why
		mode.code, mode.pointer = codeHistoryMode, "/payload/history_mode"
		mode.offset, _, _ = jsonraw.Locate(v.Bytes, mode.pointer)
		mode.message = "invalid session metadata history_mode: " + historyModeOf(v)
		m := mode.finding(v)
		note.mode, note.variant = &m, f
		return
	}
	v.looked.Findings = append(v.looked.Findings, f)
}

func historyModeOf(v *lineView) string {
	if v.Record == nil {
		return "unreadable"
	}
	mode := v.Record.Fields().Get("history_mode")
	if mode.Kind() == jsonraw.KindString && len(mode) < 80 {
		return "unknown variant `" + string(mode.Unquoted()) + "`"
	}
	return mode.Kind().Name() + " where legacy or paginated is needed"
}

// rejectTake decides what needs the lines before and after.
type rejectTake struct {
	named   bool // a session_meta was accepted
	pending *rejectNote
}

func (r *rejectTake) Take(l *Looked, left any, out *sink) {
	note, _ := left.(*rejectNote)
	if r.pending != nil {
		whole := note != nil && (note.completes || r.pending.fragment.Starts(note.head))
		r.settle(whole && l.Verdict == accept.OK, l, out)
	}
	if note != nil && note.cut != nil {
		r.pending = note
	}
	if note != nil && note.mode != nil {
		if r.named {
			out.emit(note.variant)
		} else {
			out.emit(*note.mode)
		}
	}
	if l.Type == parse.RecordSessionMeta && l.Verdict == accept.OK {
		r.named = true
	}
}

func (r *rejectTake) End(_ *fileView, out *sink) {
	if r.pending != nil {
		r.settle(false, nil, out)
	}
}

// settle reports the line that was cut off; whole says that the next line l is the
// record in full.
func (r *rejectTake) settle(whole bool, l *Looked, out *sink) {
	f := *r.pending.cut
	if whole {
		f.Code, f.Message = codeRetried, "the start of the record on line "+itoa(l.Number)+": a write that failed and was done again"
	}
	out.emit(f)
	r.pending = nil
}
