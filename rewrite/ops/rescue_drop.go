package ops

import (
	"errors"
	"strconv"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// dropUnread takes out what Codex rejects: the load then has no loss. A filler stays, to
// say that something was there; nothing may stand in front of the session_meta.
type dropUnread struct{}

func (dropUnread) Name() string  { return "rescue" }
func (dropUnread) Repairs() bool { return true }

func (dropUnread) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	if in.Header.Bare {
		return func() rewrite.Editor { return keepAll{} }, nil
	}
	var gaps *gapFiller
	if in.Header.Paginated {
		gaps = &gapFiller{free: map[int]uint64{}}
		if err := in.Records(true, gaps.look); err != nil {
			return nil, err
		}
	}
	return func() rewrite.Editor { return &unreadDropper{gaps: gaps} }, nil
}

// unread reports whether Codex rejects a line.
func unread(r *rewrite.Record) bool {
	return r.Broken != nil && !errors.Is(r.Broken, rewrite.ErrBlank) || r.Broken == nil && r.Judge().Verdict == accept.Err
}

// gapFiller finds the ordinals of lines that go and do not tell them: those that the
// records around them leave free. Without their fillers the ordinals would have gaps.
type gapFiller struct {
	n       int // lines so far
	last    uint64
	begun   bool
	pending []int          // lines that go since the last record with an ordinal
	free    map[int]uint64 // ordinals, by the place of the line from 1
}

func (g *gapFiller) look(r *rewrite.Record) error {
	g.n++
	var n uint64
	ok := false
	if r.Broken == nil {
		n, ok = r.Ordinal()
	}
	switch {
	case ok:
		for g.begun && len(g.pending) > 0 && g.last+1 < n {
			g.last++
			g.free[g.pending[0]], g.pending = g.last, g.pending[1:]
		}
		g.last, g.begun, g.pending = n, true, nil
	case unread(r):
		g.pending = append(g.pending, g.n)
	}
	return nil
}

// unreadDropper is one pass.
type unreadDropper struct {
	gaps  *gapFiller // nil in a legacy file
	n     int
	begun bool          // the session_meta was there
	after bool          // the line before has become a filler
	stamp jsonraw.Value // of the record before, a copy
}

func (d *unreadDropper) Edit(r *rewrite.Record) rewrite.Edit {
	d.n++
	if r.Broken == nil {
		if stamp := r.Envelope.Get("timestamp"); stamp.Kind() == jsonraw.KindString {
			d.stamp = append(d.stamp[:0], stamp...)
		}
	}
	if !unread(r) {
		d.after = isFillerRecord(r)
	}
	switch {
	case !unread(r):
		d.begun = d.begun || r.Broken == nil && r.Type == parse.RecordSessionMeta
		return rewrite.Keep()
	case r.Broken != nil:
		return d.drop(r, "line that cannot be read dropped")
	case r.Type == parse.RecordCompacted:
		return d.drop(r, "checkpoint that cannot be read dropped")
	}
	return d.drop(r, "record that Codex rejects dropped")
}

// drop takes a line out. The engine makes fillers itself for records that have an ordinal.
func (d *unreadDropper) drop(r *rewrite.Record, reason string) rewrite.Edit {
	switch {
	case !d.begun, d.gaps == nil && d.after: // a second one would be a repetition
	case d.gaps == nil:
		d.after = true
		return rewrite.Line(fillerLine(d.stamp, r, nil), reason).Lossy()
	default:
		if n, ok := d.gaps.free[d.n]; ok {
			return rewrite.Line(fillerLine(d.stamp, r, strconv.AppendUint(nil, n, 10)), reason).Lossy()
		}
	}
	return rewrite.Drop(reason)
}

// fillerLine is a record that Codex reads and that means nothing (rule 2).
func fillerLine(stamp jsonraw.Value, r *rewrite.Record, ordinal jsonraw.Value) []byte {
	if len(stamp) == 0 {
		stamp = jsonraw.Quote("1970-01-01T00:00:00.000Z")
	}
	line := jsonraw.Build(
		jsonraw.Pair{Name: "timestamp", Value: stamp},
		jsonraw.Pair{Name: "ordinal", Value: ordinal},
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.RecordResponseItem)},
		jsonraw.Pair{Name: "payload", Value: jsonraw.Value(`{"type":"` + rewrite.FillerType + `"}`)},
	)
	if n := len(r.Bytes); n > 0 && r.Bytes[n-1] == '\r' {
		line = append(line, '\r')
	}
	return line
}
