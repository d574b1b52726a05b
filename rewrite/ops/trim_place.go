package ops

import (
	"bytes"
	"slices"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// trimEdits says where the items of a plan are stored, by counting: the lines of a replay
// are not those of the file when operations before have added or dropped some.
type trimEdits struct {
	items      map[int]trimmed // by number among the countable records, from 1
	checkpoint int             // the compaction that seeds the replay, from 1; 0 when none of its items changes
	stored     map[int]trimmed // by index in its replacement history
}

// countable reports whether a record that Codex accepts counts for trimEdits.items:
// response_items, but for the fillers that stand in for dropped records, which a pass
// does not show, and ghosts, which a replay does not.
func countable(r *parse.Record) bool {
	if r.Type != parse.RecordResponseItem {
		return false
	}
	kind := r.Kind()
	return kind != rewrite.FillerType && kind != parse.ItemGhostSnapshot
}

// itemLines notes, while a file is loaded, which lines hold countable records.
type itemLines struct{ lines []int32 }

// Look is for history.Watcher.
func (l *itemLines) Look(_ int, v history.View) any {
	if v.Record != nil && v.Result.Verdict == accept.OK && countable(v.Record) {
		return v.Number
	}
	return 0
}

// Take is for history.Watcher.
func (l *itemLines) Take(looked any) error {
	if n, _ := looked.(int); n > 0 {
		l.lines = append(l.lines, int32(n))
	}
	return nil
}

// number is that of the record of a line, from 1; false when none is there.
func (l *itemLines) number(line int) (int, bool) {
	i, ok := slices.BinarySearch(l.lines, int32(line))
	return i + 1, ok
}

// placeTrims finds the items of the plan in the file.
func placeTrims(r *replay, plan compaction.TrimPlan, lines *itemLines) (*trimEdits, error) {
	edits := &trimEdits{items: map[int]trimmed{}, stored: map[int]trimmed{}}
	var slots []int // by row: index in the checkpoint
	for _, d := range plan.Decisions {
		x := trimmed{}
		switch d.Action {
		case compaction.Rewritten:
			x = trimmedOf(plan.Rows[d.OutputIndex].Item)
		case compaction.Dropped:
		default:
			continue
		}
		row := r.state.Rows[d.Index]
		if row.File != len(r.state.Files)-1 {
			return nil, rewrite.Refuse("an output to trim lies in the file that history_base names, "+r.state.Files[row.File], "trim that file, or give a larger --context-window")
		}
		if n, ok := lines.number(row.Line); ok {
			edits.items[n] = x
			continue
		}
		if slots == nil {
			var err error
			if slots, err = storedSlots(r); err != nil {
				return nil, err
			}
		}
		if i := slots[d.Index]; i >= 0 {
			edits.stored[i] = x
			edits.checkpoint = r.BaseOf(r.Lines())
		}
	}
	return edits, nil
}

// trimmedOf is the change that makes the rewritten item of a plan of the stored one.
func trimmedOf(it parse.Item) trimmed {
	member := "output"
	if it.Type == parse.ItemToolSearchOutput {
		member = "tools"
	}
	return trimmed{member, bytes.Clone(it.Fields.Get(member))}
}

// storedSlots finds the rows that come from the checkpoint in its replacement history: by
// row its index, -1 for the others. Rows stand in the order of the checkpoint; a rollback
// takes a tail of them away, and single messages (rule 16), but never a tool output alone.
func storedSlots(r *replay) ([]int, error) {
	slots := slices.Repeat([]int{-1}, len(r.state.Rows))
	k := r.BaseOf(r.Lines())
	if k == 0 {
		return slots, nil
	}
	rec, err := r.CompactionRecord(k)
	if err != nil {
		return nil, err
	}
	items, _ := jsonraw.SplitArray(rec.Fields().Get(historyKey))
	next := 0
	for i, row := range r.state.Rows {
		if row.Line != rec.Number {
			continue
		}
		for j := next; j < len(items); j++ {
			if bytes.Equal(items[j], row.Item.Raw) {
				slots[i], next = j, j+1
				break
			}
		}
	}
	return slots, nil
}
