package rewrite

import (
	"strconv"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// BaseMove says where the end of the inherited part of a base has gone (format.md 1.9).
type BaseMove struct {
	EndOffset int64  // the new end_byte_offset
	Shift     uint64 // added to end_ordinal_exclusive, and so to the ordinals of the file itself
}

func (b *BaseMove) shift() uint64 {
	if b == nil {
		return 0
	}
	return b.Shift
}

// moveBase is the operation that corrects the history_base of the first session_meta.
type moveBase struct {
	move BaseMove
	line int // of the session_meta; set by Plan
}

func (m moveBase) Name() string      { return "lineage" }
func (m moveBase) Needles() []string { return []string{"history_base"} }

func (m moveBase) Plan(in *Input) (func() Editor, error) {
	m.line = in.Header.Line
	return func() Editor { return m }, nil
}

func (m moveBase) Edit(r *Record) Edit {
	if r.Number != m.line || r.Added {
		return Keep()
	}
	base := r.Fields().Get("history_base")
	e := r.Change()
	set := func(object jsonraw.Value, name string, n uint64) {
		if old := jsonraw.Lookup(object, name); old != nil {
			if now := strconv.AppendUint(nil, n, 10); string(old) != string(now) {
				e.Replace(old, now)
			}
		}
	}
	set(base, "end_byte_offset", uint64(m.move.EndOffset))
	if end, ok := jsonraw.Lookup(base, "end_ordinal_exclusive").Uint64(); ok {
		set(base, "end_ordinal_exclusive", end+m.move.Shift)
	}
	if start, ok := r.Fields().Get("subagent_history_start_ordinal").Uint64(); ok {
		set(r.Payload, "subagent_history_start_ordinal", start+m.move.Shift)
	}
	return e.Done("history_base corrected")
}
