package ops

import (
	"slices"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

func rollbackInfo() Info {
	return Info{
		Name:    "rollback-checkpoint",
		Summary: "drop the newest checkpoint and go on from the one before",
		About: `Takes the compaction that a resume starts from out of the file: the history is then the
one before that compaction and what came after it. The records of the compaction that
mean nothing without it go too: its usage record and the notice that it took place. A file
without a compaction stays as it is. Each run takes one more checkpoint away.`,
		Examples: []string{"rewrite rollback-checkpoint fixtures/demo/rollout.jsonl"},
		Cures:    rollbackCures(),
		Step:     true,
		New:      func(Values) (rewrite.Operation, error) { return rollback{}, nil },
	}
}

// rollbackCures are the defects of a checkpoint itself: they go with it.
func rollbackCures() []string {
	return []string{
		"C001", "C002", "C005", "C007", "C008", "C010", "C011", "C012", "C013",
		"C020", "C021", "C022", "C023", "C024", "C026", "E003",
	}
}

// rollback is the operation.
type rollback struct{}

func (rollback) Name() string { return "rollback-checkpoint" }

// Needles are in every record that it takes away, and in those that tell which.
func (rollback) Needles() []string {
	return []string{parse.RecordCompacted, parse.RecordTokenUsage, contextCompacted, contextCompaction, taskStarted, turnStarted}
}

func (rollback) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	k, response, err := newestCheckpoint(in)
	if err != nil {
		return nil, err
	}
	return func() rewrite.Editor { return &rollingBack{target: k, response: response} }, nil
}

// newestCheckpoint is the number of the compaction that goes, from 1; 0 for none. response
// is the id of the response that made it, "" when it is not known.
func newestCheckpoint(in *rewrite.Input) (k int, response string, err error) {
	h, err := in.History(history.Options{})
	if err != nil {
		return 0, "", err
	}
	defer h.Close()
	if err := h.ReadError(); err != nil {
		return 0, "", err
	}
	k = newest(h)
	if k == 0 {
		if err := h.BaseError(); err != nil {
			return 0, "", err // a checkpoint may be there
		}
		if st, err := h.At(history.Point{}); err == nil && st.BaseLine > 0 {
			return 0, "", rewrite.Refuse("the checkpoint lies in the file that history_base names, "+st.Files[st.BaseFile], "roll that file back")
		}
		return 0, "", nil
	}
	rec, err := h.CompactionRecord(k)
	if err != nil {
		return 0, "", err
	}
	before, err := h.At(history.Point{Kind: history.BeforeCompaction, N: k})
	if err != nil {
		return 0, "", err
	}
	if items, _ := jsonraw.SplitArray(rec.Fields().Get(historyKey)); len(items) > 0 {
		switch {
		case len(before.Rows) == 0:
			return 0, "", rewrite.Refuse("the history before the checkpoint is empty: without it nothing would be left", "look for a backup of the file")
		case k == 1 && !hasBoundary(before.Rows, in):
			return 0, "", rewrite.Refuse("nobody has asked for anything in the history before the checkpoint", "look for a backup of the file")
		}
	}
	return k, rec.Fields().Text("compaction_response_id"), nil
}

// hasBoundary reports whether a turn starts somewhere in a history (rule 17).
func hasBoundary(rows []history.Row, in *rewrite.Input) bool {
	agents := in.Checker()
	return slices.ContainsFunc(rows, func(r history.Row) bool { return history.IsBoundary(r.Item, agents) })
}

// How a transcript shows that a compaction took place (format.md 3.9).
const (
	contextCompacted  = "context_compacted" // event of a legacy file
	contextCompaction = "ContextCompaction" // turn item of a paginated one
)

// The names of the event that opens a turn (format.md 3.9).
const (
	taskStarted = "task_started"
	turnStarted = "turn_started"
)

// rollingBack is one pass.
type rollingBack struct {
	target   int // the compaction that goes, from 1
	seen     int // readable compactions so far
	response string
	// behind: the compaction that goes was the last one met, and neither its notice nor
	// another turn came since.
	behind bool
}

func (b *rollingBack) Edit(r *rewrite.Record) rewrite.Edit {
	switch r.Type {
	case parse.RecordCompacted:
		if b.behind = false; !r.Accepted() {
			return rewrite.Keep()
		}
		switch b.seen++; {
		case b.target == 0 || b.seen < b.target:
		case b.seen == b.target:
			b.behind = true
			return rewrite.Drop("checkpoint dropped")
		default:
			// Its turn was rolled back, so it counts for nothing; its window followed the one
			// that is gone.
			return rewrite.Drop("rolled-back checkpoint behind it dropped")
		}
	case parse.RecordTokenUsage:
		if b.response != "" && r.Fields().Text("response_id") == b.response {
			return rewrite.Drop("usage of the dropped compaction")
		}
	case parse.RecordEvent:
		switch kind := r.Kind(); {
		case kind == taskStarted || kind == turnStarted:
			b.behind = false
		case b.behind && isCompactionNotice(r):
			b.behind = false
			return rewrite.Drop("notice of the dropped compaction")
		}
	}
	return rewrite.Keep()
}

// isCompactionNotice reports whether an event tells a transcript of a compaction.
func isCompactionNotice(r *rewrite.Record) bool {
	switch r.Kind() {
	case contextCompacted:
		return true
	case "item_completed":
		typ, _ := jsonraw.Lookup(r.Fields().Get("item"), "type").Text()
		return typ == contextCompaction
	}
	return false
}
