package ops

import (
	"bytes"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

func trimInfo() Info {
	return Info{
		Name:    "trim",
		Summary: "replace trailing tool outputs until the history fits the window",
		About: `What Codex does before a remote compaction, done to the file: from the end of the history
backwards, tool outputs are replaced by a sentence until the history fits the window or an
item that is no tool output stops the walk. Everything else of the records stays; image
resize notices of trimmed outputs go. The outputs are gone for good.`,
		Examples: []string{"rewrite trim --context-window 3000 fixtures/demo/rollout.jsonl"},
		Options:  replayOptions(),
		New: func(v Values) (rewrite.Operation, error) {
			o, err := newReplaying(v)
			if err == nil && o.window == nil && !o.auto {
				err = optionError("context-window", "is needed: the tokens that the history has to fit into, or auto")
			}
			return trim{o}, err
		},
	}
}

// trim is the operation.
type trim struct{ replaying }

func (t trim) Name() string { return "trim" }

func (t trim) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	lines := &itemLines{}
	r, err := t.replay(in, lines)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	opt, err := t.trimOptions(r)
	if err != nil {
		return nil, err
	}
	edits, err := placeTrims(r, compaction.Trim(r.state.Rows, opt), lines)
	if err != nil {
		return nil, err
	}
	return func() rewrite.Editor { return &trimming{edits: edits, checker: t.checker(in)} }, nil
}

// trimmed is what becomes of an item: it goes, or a member of it gets another value.
type trimmed struct {
	member string // "" when the item goes
	value  jsonraw.Value
}

// trimming is one pass.
type trimming struct {
	edits       *trimEdits
	checker     *accept.Checker
	items       int // countable records so far
	checkpoints int // readable compacted records so far
}

const (
	outputTrimmed = "tool output trimmed"
	noticeDropped = "resize notice of a trimmed output dropped"
	itemDropped   = "trailing item dropped"
)

func (t *trimming) Edit(r *rewrite.Record) rewrite.Edit {
	switch {
	case countable(&r.Record) && t.accepts(r):
		t.items++
		if x, ok := t.edits.items[t.items]; ok {
			return t.item(r, x)
		}
	case r.Type == parse.RecordCompacted && t.edits.checkpoint > 0 && t.accepts(r):
		if t.checkpoints++; t.checkpoints == t.edits.checkpoint {
			return t.stored(r)
		}
	}
	return rewrite.Keep()
}

func (t *trimming) accepts(r *rewrite.Record) bool {
	return t.checker.Line(r.Bytes).Verdict == accept.OK
}

// item edits a response_item.
func (t *trimming) item(r *rewrite.Record, x trimmed) rewrite.Edit {
	if x.member == "" {
		return rewrite.Drop(goneReason(r.Item()))
	}
	e := r.Change()
	replaceMember(e, r.Item(), x)
	return e.Done(outputTrimmed).Lossy()
}

func goneReason(it parse.Item) string {
	if it.IsMessage("developer") {
		return noticeDropped
	}
	return itemDropped
}

// replaceMember puts the new value in, unless it is there already.
func replaceMember(e *rewrite.Editing, it parse.Item, x trimmed) {
	if old := it.Fields.Get(x.member); !bytes.Equal(old, x.value) {
		e.Set(it.Raw, x.member, x.value)
	}
}

// stored edits the checkpoint that seeds the replay: outputs in place, what goes out of
// history and sidecar with one mask.
func (t *trimming) stored(r *rewrite.Record) rewrite.Edit {
	items, _ := jsonraw.SplitArray(r.Fields().Get(historyKey))
	e := r.Change()
	gone := false
	for i, x := range t.edits.stored {
		if i >= len(items) {
			continue
		}
		if x.member == "" {
			gone = true
		} else if it, err := parse.ViewItem(items[i]); err == nil {
			replaceMember(e, it, x)
		}
	}
	if gone {
		e.Mask(r.Fields(), func(i int) bool {
			x, ok := t.edits.stored[i]
			return ok && x.member == ""
		})
	}
	return e.Done("tool outputs in the checkpoint trimmed").Lossy()
}
