package validate

import (
	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// sessionRule reports what is wrong with the session_meta and with a file that holds no
// session.
func sessionRule() rule {
	return rule{
		name:   "session",
		line:   func() lineRule { return &sessionLook{} },
		stream: func() streamRule { return &sessionTake{} },
	}
}

// metaFacts are the members of a session_meta that rules need (format.md 3.1).
type metaFacts struct {
	thread    string // canonical
	paginated bool
	timestamp string
	base      *historyBase
	// start is subagent_history_start_ordinal; hasStart tells 0 from none.
	start    uint64
	hasStart bool
}

// historyBase is a history_base (format.md 1.9).
type historyBase struct {
	rollout    uuid.UUID
	endOrdinal uint64
	endByte    uint64
}

// metaOf takes an accepted session_meta apart; nil for any other line.
func metaOf(v *lineView) *metaFacts {
	if !v.OK() || v.Bare || v.Record.Type != parse.RecordSessionMeta {
		return nil
	}
	o := v.Record.Fields()
	m := &metaFacts{
		thread: v.Result.ThreadID, paginated: o.Text("history_mode") == "paginated", timestamp: o.Text("timestamp"),
	}
	m.start, m.hasStart = o.Get("subagent_history_start_ordinal").Uint64()
	if raw := o.Get("history_base"); !raw.Missing() {
		b, _ := jsonraw.SplitObject(raw)
		m.base = &historyBase{}
		m.base.rollout, _ = uuid.Parse(b.Text("thread_id"))
		m.base.endOrdinal, _ = b.Get("end_ordinal_exclusive").Uint64()
		m.base.endByte, _ = b.Get("end_byte_offset").Uint64()
	}
	return m
}

// sessionLook notes session_metas, and the first user turn and the first output of the
// model that its goroutine sees: the first of the file is among them.
type sessionLook struct{ turn, output bool }

// sessionNote is what Look leaves for Take.
type sessionNote struct {
	meta    *metaFacts
	badMode bool // a session_meta whose history_mode stops the load
	turn    bool // starts a user turn
	output  bool // is output of the model
}

func (s *sessionLook) Look(v *lineView) any {
	if v.Result.BadHistoryMode {
		return &sessionNote{badMode: true}
	}
	if m := metaOf(v); m != nil {
		return &sessionNote{meta: m}
	}
	if !s.turn && startsTurn(v) {
		s.turn = true
		return &sessionNote{turn: true}
	}
	if !s.output && isOutput(v) {
		s.output = true
		return &sessionNote{output: true}
	}
	return nil
}

// startsTurn reports whether an accepted line is one in which a user or an agent speaks
// to the model (rules 13 and 17), in any form of any generation.
func startsTurn(v *lineView) bool {
	if !v.OK() {
		return false
	}
	switch v.Record.Type {
	case parse.RecordInterAgent:
		return true
	case parse.RecordEvent:
		switch v.Record.Kind() {
		case "user_message":
			return true
		case "item_completed":
			item, _ := jsonraw.SplitObject(v.Record.Fields().Get("item"))
			return item.Text("type") == "UserMessage"
		}
	case parse.RecordResponseItem:
		item := v.Record.Item()
		return item.Type == parse.ItemAgentMessage || history.ClassifyUser(item) == history.RealUser
	}
	return false
}

// isOutput reports whether an accepted line is output of the model.
func isOutput(v *lineView) bool {
	item, ok := v.Item()
	if !ok {
		return false
	}
	switch item.Type {
	case parse.ItemReasoning, parse.ItemFunctionCall, parse.ItemLocalShellCall, parse.ItemCustomToolCall,
		parse.ItemToolSearchCall, parse.ItemWebSearchCall, parse.ItemImageGenerationCall:
		return true
	}
	return item.IsMessage("assistant")
}

// sessionTake follows which session_metas and turns a file has.
type sessionTake struct {
	meta      *metaFacts // the first accepted
	badMode   bool
	seen      bool   // a line that is not blank
	first     Looked // that line
	early     Looked // the first item before any session_meta
	others    bool   // an accepted record that is no session_meta
	rejected  bool
	metaLine  int // the first rejected session_meta
	turn      bool
	output    Looked // the first output of the model
	compacted bool
}

func (s *sessionTake) Take(l *Looked, left any, out *sink) {
	note, _ := left.(*sessionNote)
	if isBlankLine(l) {
		return
	}
	if !s.seen {
		s.seen, s.first = true, *l
	}
	switch {
	case isErr(l):
		s.rejected = true
		if l.Type == parse.RecordSessionMeta && s.metaLine == 0 {
			s.metaLine = l.Number
		}
	case note != nil && note.meta != nil:
		s.take(l, note.meta, out)
	default:
		s.others = true
		s.record(l)
	}
	if note != nil {
		s.badMode = s.badMode || note.badMode
		s.turn = s.turn || note.turn
		if note.output && s.output.Number == 0 {
			s.output = *l
		}
	}
}

func (s *sessionTake) record(l *Looked) {
	if s.meta == nil && s.early.Number == 0 && (l.Type == parse.RecordResponseItem || l.Type == parse.RecordInterAgent) {
		s.early = *l
	}
	s.compacted = s.compacted || l.Type == parse.RecordCompacted
}

func (s *sessionTake) take(l *Looked, m *metaFacts, out *sink) {
	switch {
	case s.meta == nil:
		s.meta = m
		s.head(l, out)
	case m.thread != s.meta.thread:
		out.At(l, "S005", "/payload/id", "session_meta of thread "+m.thread+" in a file of thread "+s.meta.thread)
	}
}

// head judges what stands before the first session_meta.
func (s *sessionTake) head(l *Looked, out *sink) {
	switch {
	case s.early.Number > 0:
		out.At(&s.early, "S003", "", "rollout does not start with session metadata: the first session_meta is line "+itoa(l.Number))
	case s.first.Number == l.Number:
	case isErr(&s.first):
		out.At(&s.first, "S004", "", "failed to parse first rollout record; the first readable session_meta is line "+itoa(l.Number))
	default:
		out.At(&s.first, "S004", "", "rollout does not start with session metadata: the first session_meta is line "+itoa(l.Number))
	}
}

func (s *sessionTake) End(f *fileView, out *sink) {
	switch {
	case !s.seen:
	case f.Bare:
		out.At(&s.first, "S006", "", "generation 0: no line has an envelope")
	case s.meta == nil && s.badMode:
	case s.meta == nil && s.metaLine > 0:
		out.File("S001", "failed to parse thread ID from rollout file: the session_meta on line "+itoa(s.metaLine)+" is rejected")
	case s.meta == nil:
		out.File("S001", "failed to parse thread ID from rollout file: no session_meta is readable")
	case s.meta.base != nil:
	case !s.others && !s.rejected && f.cutOff():
	case !s.others && !s.rejected:
		out.At(&s.first, "S008", "", "the file has nothing but session metadata")
	case s.output.Number > 0 && !s.turn && !s.compacted:
		out.At(&s.output, "S007", "", "the model answers from here on, and no user turn is recognised")
	}
}
