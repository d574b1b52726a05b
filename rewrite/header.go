package rewrite

import (
	"errors"
	"io"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// Header is what a rollout says about itself in its first session_meta that Codex
// accepts (format.md 3.1). The zero Header stands for a file without one.
type Header struct {
	// Bare: a file of generation 0, without envelopes (format.md 2.8).
	Bare bool
	// Found: there is a session_meta; Line is its 1-based line.
	Found bool
	Line  int
	// Thread is the thread id as stored.
	Thread string
	// Paginated: records carry ordinals (format.md 1.8, 1.10).
	Paginated bool
	// Base is the file that the history starts in; nil for none (format.md 1.9).
	Base *Base
	// SubagentStart is subagent_history_start_ordinal; HasSubagentStart tells 0 from none.
	SubagentStart    uint64
	HasSubagentStart bool
	// Provider is the model provider, "" when it is not said.
	Provider string
}

// Base is a history_base (format.md 1.9).
type Base struct {
	Rollout    uuid.UUID
	EndOrdinal uint64 // exclusive
	EndOffset  int64  // bytes of the plain older file that belong to this one
}

// ReadHeader reads a file up to its first session_meta that the checker accepts.
func ReadHeader(src *parse.Source, checker *accept.Checker) (Header, error) {
	in, err := src.ReadFrom(0)
	if err != nil {
		return Header{}, err
	}
	defer in.Close()
	return readHeader(in, checker)
}

func readHeader(in io.Reader, checker *accept.Checker) (Header, error) {
	lines := parse.NewLineReader(in, 1, 0)
	for first := true; ; {
		l, err := lines.Next()
		var cut *parse.StreamError
		if errors.Is(err, io.EOF) || errors.As(err, &cut) {
			return Header{}, nil // whoever reads the file to its end will meet the failure
		}
		if err != nil {
			return Header{}, err
		}
		if parse.IsBlank(l.Bytes) {
			continue
		}
		if first {
			first = false
			if rec, err := parse.ViewRecord(l); err == nil && parse.IsBareMeta(rec) {
				return Header{Bare: true, Found: true, Line: l.Number, Thread: rec.Envelope.Text("id")}, nil
			}
		}
		if res := checker.Line(l.Bytes); res.Verdict == accept.OK && res.Kind == parse.RecordSessionMeta {
			rec := parse.ViewAccepted(l)
			return headerOf(rec.Fields(), l.Number, res.ThreadID), nil
		}
	}
}

func headerOf(meta jsonraw.Object, line int, thread string) Header {
	h := Header{
		Found: true, Line: line, Thread: thread,
		Paginated: meta.Text("history_mode") == "paginated", Provider: meta.Text("model_provider"),
	}
	h.SubagentStart, h.HasSubagentStart = meta.Get("subagent_history_start_ordinal").Uint64()
	raw := meta.Get("history_base")
	if raw.Kind() != jsonraw.KindObject {
		return h
	}
	b := &Base{}
	if text, ok := jsonraw.Lookup(raw, "thread_id").Text(); ok {
		b.Rollout, _ = uuid.Parse(text)
	}
	b.EndOrdinal, _ = jsonraw.Lookup(raw, "end_ordinal_exclusive").Uint64()
	end, _ := jsonraw.Lookup(raw, "end_byte_offset").Uint64()
	b.EndOffset = int64(min(end, 1<<62))
	h.Base = b
	return h
}
