package validate

import (
	"fmt"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// windowRule follows the context windows from compaction to compaction (format.md 4.3).
func windowRule() rule {
	return rule{
		name:   "window",
		line:   func() lineRule { return windowLook{} },
		stream: func() streamRule { return &windows{} },
	}
}

// windowNote are the window fields of a compacted record.
type windowNote struct {
	number              uint64
	hasNumber           bool
	numberAt            string // where the number stands
	first, previous, id string // "" for none, or no UUID of version 7
}

// metaNote is what a session_meta says about the first window.
type metaNote struct {
	window    string // "" for none
	inherited bool   // the windows of another thread come before
}

type windowLook struct{}

func (windowLook) Look(v *lineView) any {
	if !v.OK() {
		return nil
	}
	switch v.Record.Type {
	case parse.RecordCompacted:
		return lookWindow(v)
	case parse.RecordSessionMeta:
		f := v.Record.Fields()
		n := metaNote{inherited: !f.Get("history_base").Missing() || !f.Get("forked_from_id").Missing()}
		if w, ok := jsonraw.SplitObject(f.Get("context_window")); ok {
			n.window = windowID(v, w, "/payload/context_window/", "window_id")
		}
		return n
	}
	return nil
}

func lookWindow(v *lineView) windowNote {
	f := v.Record.Fields()
	var n windowNote
	n.number, n.hasNumber = f.Get("window_number").Uint64()
	n.numberAt = "/payload/window_number"
	if id := f.Get("window_id"); id.Kind() == jsonraw.KindNumber {
		v.Add("W006", "/payload/window_id", fmt.Sprintf("window_id is the number %s: a window number of June 2026", id))
		if !n.hasNumber {
			n.number, n.hasNumber = id.Uint64()
			n.numberAt = "/payload/window_id"
		}
	} else {
		n.id = windowID(v, f, "/payload/", "window_id")
	}
	n.first = windowID(v, f, "/payload/", "first_window_id")
	n.previous = windowID(v, f, "/payload/", "previous_window_id")
	return n
}

// windowID is the id of that name; what is no UUID of version 7 counts as absent.
func windowID(v *lineView, o jsonraw.Object, path, name string) string {
	text, ok := o.Get(name).Text()
	if !ok {
		return ""
	}
	id, err := uuid.Parse(text)
	switch {
	case err != nil:
		v.Add("W004", path+name, fmt.Sprintf("%s %q is no UUID", name, text))
		return ""
	case id.Version() != 7:
		v.Add("W004", path+name, fmt.Sprintf("%s %q is a UUID of version %d, not 7", name, text, id.Version()))
		return ""
	}
	return id.String()
}

// windows follows the chain of windows.
type windows struct {
	begun      bool // a session_meta was seen
	meta       metaNote
	records    uint64 // compacted records so far
	numbered   bool   // one had a number
	unnumbered bool   // one had none
	last       windowNote
	key        uint64 // of the line of last
	line       int
	// known are the numbers and ids of all windows so far, kept for rollbacks: a
	// compaction behind one goes on from the window that survived.
	rolledBack bool
	numbers    map[uint64]bool
	ids        map[string]bool
}

func (w *windows) Take(l *Looked, note any, out *sink) {
	if l.Verdict != accept.OK {
		return
	}
	switch n := note.(type) {
	case metaNote:
		if !w.begun {
			w.begin(n)
		}
	case windowNote:
		repeated := l.Key == w.key && l.Number == w.line+1 // L011
		w.key, w.line = l.Key, l.Number
		if !repeated || !n.hasNumber { // compactions without a number are counted
			w.follow(l, n, out)
		}
	default:
		w.rolledBack = w.rolledBack || l.Type == parse.RecordEvent && l.Kind == "thread_rolled_back"
	}
}

func (w *windows) begin(n metaNote) {
	w.begun, w.meta = true, n
	w.numbers, w.ids = map[uint64]bool{0: true}, map[string]bool{}
	if n.window != "" {
		w.ids[n.window] = true
	}
}

func (w *windows) follow(l *Looked, n windowNote, out *sink) {
	if w.numbers == nil {
		w.begin(metaNote{inherited: true})
	}
	w.checkNumber(l, n, out)
	w.checkIDs(l, n, out)
	w.records++
	w.rolledBack = false
	if !n.hasNumber {
		w.unnumbered = true
		n.number = w.last.number
	} else {
		w.numbered = true
		w.numbers[n.number] = true
	}
	if n.id != "" {
		w.ids[n.id] = true
	}
	if n.first == "" {
		n.first = w.last.first
	}
	w.last = n
}

func (w *windows) checkNumber(l *Looked, n windowNote, out *sink) {
	if !n.hasNumber {
		if w.numbered {
			out.At(l, "W005", "", "no window_number, although a compaction before has one")
		}
		return
	}
	want := w.last.number + 1
	switch {
	case w.numbered:
	case w.records > 0: // numbers begin behind compactions without: their count goes on
		want = w.records + 1
	case w.meta.inherited || w.meta.window == "":
		return // where the count began is not known
	}
	if n.number == want || w.rolledBack && n.number > 0 && w.numbers[n.number-1] {
		return
	}
	out.At(l, "W001", n.numberAt, fmt.Sprintf("window_number is %d, expected %d", n.number, want))
}

func (w *windows) checkIDs(l *Looked, n windowNote, out *sink) {
	if w.records == 0 {
		w.checkFirst(l, n, out)
		return
	}
	if n.previous != "" && w.last.id != "" && n.previous != w.last.id && !(w.rolledBack && w.ids[n.previous]) {
		out.At(l, "W002", "/payload/previous_window_id", fmt.Sprintf("previous_window_id is %s, the window before was %s", n.previous, w.last.id))
	}
	if n.first != "" && w.last.first != "" && n.first != w.last.first {
		out.At(l, "W003", "/payload/first_window_id", fmt.Sprintf("first_window_id is %s, before it was %s", n.first, w.last.first))
	}
}

// checkFirst compares the first compaction with the window that the session began with.
func (w *windows) checkFirst(l *Looked, n windowNote, out *sink) {
	begun := w.meta.window
	if begun == "" || w.meta.inherited {
		return
	}
	switch {
	case n.previous != "" && n.previous != begun:
		out.At(l, "W007", "/payload/previous_window_id", fmt.Sprintf("previous_window_id is %s, the session began with window %s", n.previous, begun))
	case n.first != "" && n.first != begun:
		out.At(l, "W007", "/payload/first_window_id", fmt.Sprintf("first_window_id is %s, the session began with window %s", n.first, begun))
	}
}

func (*windows) End(*fileView, *sink) {}
