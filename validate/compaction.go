package validate

import (
	"time"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// checkpointRule checks each stored checkpoint by itself and where it stands.
func checkpointRule() rule {
	return rule{
		name:   "checkpoint",
		line:   func() lineRule { return checkpointLook{} },
		stream: func() streamRule { return &transcript{} },
	}
}

// retentionRule compares each checkpoint with the history that it replaced.
func retentionRule() rule {
	var current *live // stream and history are asked for by turns, for each file
	return rule{
		name: "retention",
		line: func() lineRule { return retentionLook{} },
		stream: func() streamRule {
			current = &live{}
			return current
		},
		history: func() historyRule { return retention{current} },
	}
}

// usageRule looks for what a failed compaction leaves behind.
func usageRule() rule {
	return rule{
		name:   "usage",
		line:   func() lineRule { return usageLook{} },
		stream: func() streamRule { return &usage{} },
	}
}

// stored is a replacement history as its record holds it.
type stored struct {
	fields jsonraw.Object
	date   time.Time // of the record; zero when it cannot be read
	items  []storedItem
	ghosts []storedItem // ghost snapshots, which were left out
}

// storedItem is an item of a replacement history.
type storedItem struct {
	*itemFacts
	raw, meta jsonraw.Value
	index     int // in the list, where ghost snapshots count
}

func (s storedItem) view() parse.Item {
	it, _ := parse.ViewItem(s.raw)
	return it
}

// viewStored takes the replacement history of an accepted compacted record apart; false
// when it has none (a local compaction of the first generations). Ghost snapshots are
// left out (rule 3).
func viewStored(rec *parse.Record, memo *factMemo) (*stored, bool) {
	s := &stored{fields: rec.Fields(), date: compaction.RecordDate(rec)}
	items, ok := jsonraw.SplitArray(s.fields.Get("replacement_history"))
	if !ok {
		return s, false
	}
	metas, _ := jsonraw.SplitArray(s.fields.Get("replacement_history_metadata"))
	s.items = make([]storedItem, 0, len(items))
	for i, raw := range items {
		one := storedItem{raw: raw, index: i}
		if i < len(metas) && !metas[i].IsNull() {
			one.meta = metas[i]
		}
		switch one.itemFacts, ok = memo.of(raw, one.meta); {
		case !ok:
		case one.typ == parse.ItemGhostSnapshot:
			s.ghosts = append(s.ghosts, one)
		default:
			s.items = append(s.items, one)
		}
	}
	return s, true
}

// rowsOf are items as rows of a history.
func rowsOf(items []storedItem, line int) []history.Row {
	rows := make([]history.Row, len(items))
	for i, it := range items {
		rows[i] = history.Row{Line: line, Item: it.view(), Meta: parse.ViewSidecar(it.meta)}
	}
	return rows
}

// Days that tell the generations of checkpoints apart where nothing in the record does
// (compaction.md 0.1).
func remoteV2Day() time.Time { return time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC) }

// endpointGone is the day after the newest source that still had the older endpoint.
func endpointGone() time.Time { return time.Date(2026, 8, 22, 0, 0, 0, 0, time.UTC) }

// newest reports whether the record has a key that came with generation C3.
func (s *stored) newest() bool {
	for _, key := range []string{"resume_metadata", "compaction_response_id", "latest_token_usage_record", "retained_context", "guardian_history"} {
		if s.fields.Get(key) != nil {
			return true
		}
	}
	return false
}

// mayBeV1 reports whether the older endpoint may have made the checkpoint: then the
// server chose the items, assistant messages among them (compaction.md 3.7).
func (s *stored) mayBeV1() bool {
	switch {
	case s.newest() || s.date.IsZero():
		return false
	case s.date.Before(remoteV2Day()):
		return true
	case s.date.Before(endpointGone()):
		for _, it := range s.items {
			if it.isMessage("assistant") {
				return true
			}
		}
	}
	return false
}

// beforeV2 reports whether the record is of a day before remote compactions of the
// second kind.
func (s *stored) beforeV2() bool { return !s.date.IsZero() && s.date.Before(remoteV2Day()) }

// free reports whether the checkpoint was made without the budget of rule 37.
func (s *stored) free() bool { return s.mayBeV1() || s.isLocal() || s.beforeV2() }

// chosen reports whether the server chose what to retain.
func (s *stored) chosen() bool { return s.mayBeV1() || s.beforeV2() && !s.isLocal() }

// isLocal reports whether a local compaction made the checkpoint: a summary in words
// and no compaction item (compaction.md 3.8).
func (s *stored) isLocal() bool { return s.lastCompaction() < 0 && s.hasSummary() }

// hasSummary reports whether a summary is there: the item of a remote compaction, the
// message of a local one, or the record's own.
func (s *stored) hasSummary() bool {
	if s.fields.Text("message") != "" || s.lastCompaction() >= 0 {
		return true
	}
	for _, it := range s.items {
		if it.is(traitLocalSummary) {
			return true
		}
	}
	return false
}

// lastCompaction is the item of the last compaction item, -1 when there is none.
func (s *stored) lastCompaction() int {
	for i := len(s.items) - 1; i >= 0; i-- {
		if s.items[i].isCompaction() {
			return i
		}
	}
	return -1
}

func isCompactionItem(it parse.Item) bool {
	return it.Type == parse.ItemCompaction || it.Type == parse.ItemContextCompaction
}

// isWords reports whether an item is what a user said: a message of a person or of a
// hook, no context and no summary.
func isWords(it parse.Item) bool {
	switch history.ClassifyUser(it) {
	case history.RealUser, history.HookPrompt:
		return !compaction.IsLocalSummary(it)
	}
	return false
}

// isClientOutput reports whether a client asked to retain a tool output (rule 29).
func isClientOutput(r history.Row) bool {
	if r.Item.Type != parse.ItemFunctionOutput || !r.Meta.ClientAuthored() {
		return false
	}
	_, call := r.Item.CallID()
	return !call && r.Item.Fields.Get("name").Kind() == jsonraw.KindString
}
