package ops

import (
	"strconv"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// repairOrdinals numbers the records of a paginated file from its session_meta on, each
// one more than the one before, and takes ordinals out of a legacy file (format.md 1.10).
type repairOrdinals struct{}

func (repairOrdinals) Name() string  { return "repair" }
func (repairOrdinals) Repairs() bool { return true } // to count the lines that are none

func (repairOrdinals) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	h := in.Header
	switch {
	case h.Bare || !h.Found:
		return func() rewrite.Editor { return keepAll{} }, nil
	case !h.Paginated:
		return func() rewrite.Editor { return legacyOrdinals{} }, nil
	}
	first := uint64(0)
	if h.Base != nil {
		first = h.Base.EndOrdinal
	}
	var start jsonraw.Value // the new subagent_history_start_ordinal, nil to leave it
	if h.HasSubagentStart {
		count := numbering{first: first}
		err := in.Records(true, func(r *rewrite.Record) error {
			old, ok := r.Ordinal()
			if now, numbered := count.next(r); numbered && ok && old == h.SubagentStart && start == nil {
				start = strconv.AppendUint(nil, now+count.added, 10)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return func() rewrite.Editor { return &renumber{numbering{first: first}, h, start} }, nil
}

// legacyOrdinals takes the ordinals out of a file that has none.
type legacyOrdinals struct{}

func (legacyOrdinals) Edit(r *rewrite.Record) rewrite.Edit {
	if _, ok := r.Ordinal(); r.Broken != nil || !ok || !r.Accepted() {
		return rewrite.Keep()
	}
	return r.Change().Remove(r.Envelope.Raw, "ordinal").Done("ordinal in a legacy file")
}

// numbering gives out ordinals in file order.
type numbering struct {
	first   uint64 // of the session_meta
	started bool
	now     uint64 // the last one given out
	old     uint64 // what stood in its place
	unread  uint64 // lines since then that may have had ordinals of their own
	added   uint64 // records that an operation has added, which the engine numbers
}

// next returns the ordinal that a record is to have in the file; the engine adds to it the
// number of records that were added before. It is false for a line without one.
//
// Steps between ordinals that lines without a readable ordinal account for stay; all
// others become 1.
func (c *numbering) next(r *rewrite.Record) (uint64, bool) {
	if !c.started && (r.Broken != nil || r.Type != parse.RecordSessionMeta || !r.Accepted()) {
		return 0, false
	}
	if r.Broken != nil {
		if !parse.IsBlank(r.Bytes) {
			c.unread++
		}
		return 0, false
	}
	old, has := r.Ordinal()
	if r.Judge().Verdict != accept.OK && !(has && old == c.old+1) {
		c.unread++
		return 0, false
	}
	step := uint64(1)
	switch {
	case !c.started:
		c.started, c.now, step = true, c.first, 0
	case has && !r.Added && old > c.old && old-c.old <= c.unread+1:
		step = old - c.old
	}
	c.now += step
	if c.old++; has && !r.Added {
		c.old = old
	}
	c.unread = 0
	if r.Added {
		c.added++
		return 0, false
	}
	return c.now - c.added, true
}

// renumber is the editor of a paginated file.
type renumber struct {
	numbering
	header rewrite.Header
	start  jsonraw.Value
}

// Edit gives a record its ordinal.
func (o *renumber) Edit(r *rewrite.Record) rewrite.Edit {
	isMeta := !o.started
	n, ok := o.next(r)
	if !ok {
		return rewrite.Keep()
	}
	e := r.Change()
	lit := strconv.AppendUint(nil, n, 10)
	if old, has := r.Ordinal(); !has {
		addOrdinal(r, e, lit)
	} else if old != n {
		e.Replace(r.Envelope.Get("ordinal"), lit)
	}
	if isMeta && o.start != nil {
		if old := r.Fields().Get("subagent_history_start_ordinal"); string(old) != string(o.start) {
			e.Replace(old, o.start)
		}
	}
	return e.Done("ordinal")
}

// addOrdinal puts an ordinal behind the timestamp, where Codex writes it (format.md 1.4.5).
func addOrdinal(r *rewrite.Record, e *rewrite.Editing, lit jsonraw.Value) {
	if old := r.Envelope.Get("ordinal"); old != nil { // null
		e.Replace(old, lit)
		return
	}
	stamp := r.Envelope.Get("timestamp")
	e.Replace(stamp, append(append(append(jsonraw.Value(nil), stamp...), `,"ordinal":`...), lit...))
}
