package ops

import (
	"errors"
	"io"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// window is a context window (format.md 4.3, compaction.md 3.6 rule 2). Ids are those of
// version 7, "" for none: others count as absent.
type window struct {
	number    uint64
	first, id string
}

// windows follows the windows of a session from compaction to compaction.
type windows struct {
	window
	begun       bool
	numbered    bool   // a compaction had a number
	compactions uint64 // readable ones so far
}

// take follows an accepted record.
func (w *windows) take(r *parse.Record) {
	f := r.Fields()
	switch {
	case r.Type == parse.RecordSessionMeta && !w.begun:
		w.begun = true
		w.id = windowID(jsonraw.Lookup(f.Get("context_window"), "window_id"))
		w.first = w.id
	case r.Type == parse.RecordCompacted:
		w.compactions++
		n, ok := f.Get("window_number").Uint64()
		if !ok { // rule 5
			n, ok = f.Get("window_id").Uint64()
		}
		switch {
		case ok:
			w.number, w.numbered = n, true
		case !w.numbered:
			w.number = w.compactions
		}
		w.id = windowID(f.Get("window_id"))
		if first := windowID(f.Get("first_window_id")); first != "" {
			w.first = first
		}
	}
}

func windowID(v jsonraw.Value) string {
	text, _ := v.Text()
	if id, err := uuid.Parse(text); err != nil || id.Version() != 7 {
		return ""
	}
	return text
}

// ending is what a record at the end of a file goes on from.
type ending struct {
	window   window // the one in force
	stamp    string // of the last record
	crlf     bool   // the last record ends so
	torn     bool   // the last line is cut off inside a record
	openTurn bool   // a turn has begun and not ended
	rollback bool   // turns were rolled back by marker
}

// readEnd reads the file, and those that its history starts in, to the end.
func readEnd(in *rewrite.Input, checker *accept.Checker, r *replay) (ending, error) {
	var w windows
	if err := ancestorWindows(&w, checker, r.Rollout); err != nil {
		return ending{}, err
	}
	var end ending
	k, own := newest(r.Rollout), 0
	w.begun = w.compactions > 0 // else the windows begin with this file
	found := false
	err := in.Records(true, func(rec *rewrite.Record) error {
		if rec.Broken != nil {
			end.torn = !rec.Terminated && !errors.Is(rec.Broken, rewrite.ErrBlank)
			return nil
		}
		end.stamp, end.crlf = rec.Timestamp(), rec.CRLF()
		if rec.Type == parse.RecordEvent {
			end.event(rec.Kind())
		}
		if !tellsWindow(&rec.Record) || checker.Line(rec.Bytes).Verdict != accept.OK {
			return nil
		}
		w.take(&rec.Record)
		if rec.Type == parse.RecordCompacted {
			if own++; own == k { // those behind it were rolled back
				end.window, found = w.window, true
			}
		}
		return nil
	})
	if !found {
		end.window = w.window
	}
	return end, err
}

// event follows the turns (format.md 3.9).
func (e *ending) event(kind string) {
	switch kind {
	case taskStarted, turnStarted:
		e.openTurn = true
	case "task_complete", "turn_complete", "turn_aborted":
		e.openTurn = false
	case "thread_rolled_back":
		e.rollback = true
	}
}

func tellsWindow(r *parse.Record) bool {
	return r.Type == parse.RecordSessionMeta || r.Type == parse.RecordCompacted
}

// ancestorWindows follows the windows of the files that the history starts in, each as
// far as it belongs to the next.
func ancestorWindows(w *windows, checker *accept.Checker, h *history.Rollout) error {
	files := append(h.Ancestors(), h.Source())
	for i, src := range files[:len(files)-1] {
		head, err := rewrite.ReadHeader(files[i+1], checker.Clone())
		if err != nil {
			return err
		}
		if head.Base == nil {
			continue
		}
		in, err := src.ReadFrom(0)
		if err != nil {
			return err
		}
		err = recordWindows(w, checker, io.LimitReader(in, head.Base.EndOffset))
		in.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func recordWindows(w *windows, checker *accept.Checker, in io.Reader) error {
	lines := parse.NewLineReader(in, 1, 0)
	for {
		l, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if rec, err := parse.ViewRecord(l); err == nil && tellsWindow(&rec) && checker.Line(l.Bytes).Verdict == accept.OK {
			w.take(&rec)
		}
	}
}

// newest is the number of the compaction that the history at the end goes back to: the
// checkpoint that seeds the replay, or a later compaction without a replacement history,
// which is replayed as it stands (rules 10 to 15, 23); 0 for none in the file itself.
func newest(h *history.Rollout) int {
	k := h.Compactions()
	for base := h.BaseOf(h.Lines()); k > base; k-- {
		if rec, err := h.CompactionRecord(k); err == nil && rec.Fields().Get(historyKey).Missing() {
			break
		}
	}
	return k
}
