package ops

import (
	"strconv"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

const (
	historyKey = "replacement_history"
	sidecarKey = "replacement_history_metadata"
)

// eachItem makes the edit of a record of one of an item: of a response_item, or of each
// item of a checkpoint.
func eachItem(edit func(it parse.Item, e *rewrite.Editing, c *change) bool) func(*rewrite.Record, *rewrite.Editing, *change) bool {
	return func(r *rewrite.Record, e *rewrite.Editing, c *change) bool {
		switch r.Type {
		case parse.RecordResponseItem:
			return edit(r.Item(), e, c)
		case parse.RecordCompacted:
			found := false
			items, _ := jsonraw.SplitArray(r.Fields().Get(historyKey))
			for _, raw := range items {
				if it, err := parse.ViewItem(raw); err == nil && edit(it, e, c) {
					found = true
				}
			}
			return found
		}
		return false
	}
}

// compactionAlias writes the type that builds of November and December 2025 called
// compaction_summary as compaction.
func compactionAlias(it parse.Item, e *rewrite.Editing, _ *change) bool {
	typ := it.Fields.Get("type")
	if text, _ := typ.Text(); it.Type != parse.ItemCompaction || text == parse.ItemCompaction {
		return false
	}
	e.Replace(typ, jsonraw.Quote(parse.ItemCompaction))
	return true
}

// insideMetadata makes the metadata that items of June 2026 hold the passthrough that it
// was renamed to a week later. Where an item has both, the passthrough counts.
func insideMetadata(it parse.Item, e *rewrite.Editing, c *change) bool {
	meta := it.Fields.Get("metadata")
	if meta.Kind() != jsonraw.KindObject || !parse.KnownItem(it.Type) {
		return false
	}
	through := it.Fields.Get(parse.PassthroughKey)
	switch {
	case through == nil:
		e.Rename(it.Raw, "metadata", parse.PassthroughKey)
		return true
	case through.IsNull():
		e.Replace(through, meta)
	case through.Kind() != jsonraw.KindObject:
		return false
	default:
		c.lossy = true
		if turn := jsonraw.Lookup(meta, "turn_id"); turn.HasText() && jsonraw.Lookup(through, "turn_id") == nil {
			e.Add(through, "turn_id", turn)
		}
	}
	e.Remove(it.Raw, "metadata")
	return true
}

// isGhost holds for ghost snapshots, which Codex drops when it loads a file.
func isGhost(r *rewrite.Record) bool {
	return r.Type == parse.RecordResponseItem && r.Kind() == parse.ItemGhostSnapshot
}

// checkpointGhosts takes ghost snapshots out of a checkpoint, with their sidecar entries.
// A sidecar of another length stays as it is: which entry belongs to which item is not
// known, and Codex rejects the record either way.
func checkpointGhosts(r *rewrite.Record, e *rewrite.Editing, c *change) bool {
	if r.Type != parse.RecordCompacted {
		return false
	}
	items, _ := jsonraw.SplitArray(r.Fields().Get(historyKey))
	if side := r.Fields().Get(sidecarKey); !side.Missing() {
		if metas, ok := jsonraw.SplitArray(side); !ok || len(metas) != len(items) {
			return false
		}
	}
	ghost := make([]bool, len(items))
	found := false
	for i, raw := range items {
		text, _ := jsonraw.Lookup(raw, "type").Text()
		ghost[i] = text == parse.ItemGhostSnapshot
		found = found || ghost[i]
	}
	if found {
		e.Mask(r.Fields(), func(i int) bool { return ghost[i] })
		c.lossy = true
	}
	return found
}

// windowNumber writes the window number that files of June 2026 have as window_id under
// its name of today.
func windowNumber(r *rewrite.Record, e *rewrite.Editing, _ *change) bool {
	f := r.Fields()
	id := f.Get("window_id")
	n, ok := id.Uint64()
	if r.Type != parse.RecordCompacted || !ok {
		return false
	}
	switch number := f.Get("window_number"); {
	case number == nil:
		e.Rename(r.Payload, "window_id", "window_number")
	case number.IsNull():
		e.Replace(number, strconv.AppendUint(nil, n, 10)).Remove(r.Payload, "window_id")
	default:
		e.Remove(r.Payload, "window_id")
	}
	return true
}
