package ops

import (
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// summaryPrefix is the sentence by which Codex knows a local summary (rule 17,
// compaction.md 3.8): a message with it is no turn of the user, so that rollbacks still
// count right.
const summaryPrefix = "Another language model started to solve this problem and produced a summary of its thinking process. " +
	"You also have access to the state of the tools that were used by that language model. " +
	"Use this to build on the work that has already been done and avoid duplicating work. " +
	"Here is the summary produced by the other language model, " +
	"use the information in this summary to assist with your own analysis:"

// checkpoint opens a replacement history and keeps its sidecar aligned (rule 9). Its
// compaction item becomes a message that says what is missing: without one the model would
// not know that anything is.
func (d *decrypter) checkpoint(r *rewrite.Record) rewrite.Edit {
	fields := r.Fields()
	items, _ := jsonraw.SplitArray(fields.Get(historyKey))
	metas, _ := jsonraw.SplitArray(fields.Get(sidecarKey))
	if len(metas) != len(items) {
		metas = nil
	}
	d.orphaned = false
	fates := make([]fate, len(items))
	views := make([]parse.Item, len(items))
	last, touched := -1, false
	for i, raw := range items {
		it, err := parse.ViewItem(raw)
		if err != nil {
			continue
		}
		views[i], fates[i] = it, d.judge(it)
		touched = touched || fates[i] != stays
		if fates[i] == summary {
			last = i
		}
	}
	d.orphaned = false
	if !touched {
		return rewrite.Keep()
	}
	e := r.Change()
	e.Mask(fields, func(i int) bool { return fates[i] == goes || fates[i] == summary && i != last })
	for i, it := range views {
		switch fates[i] {
		case summary:
			if i != last {
				continue
			}
			e.Replace(it.Raw, d.stand(fields.Text("message")))
			if metas != nil {
				e.Replace(metas[i], defaultEntry) // what the old entry said was about the compaction item
			}
		case goes:
		default:
			openItem(e, it, fates[i])
		}
	}
	return e.Done("bound items of a checkpoint").Lossy()
}

// stand is the message in the place of a compaction item: with the summary of the record,
// when there is one.
func (d *decrypter) stand(message string) jsonraw.Value {
	if message == "" {
		message = d.placeholder
	}
	return jsonraw.Build(
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.ItemMessage)},
		jsonraw.Pair{Name: "role", Value: jsonraw.Quote("user")},
		jsonraw.Pair{Name: "content", Value: jsonraw.Array([]jsonraw.Value{jsonraw.Build(
			jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.PartInputText)},
			jsonraw.Pair{Name: "text", Value: jsonraw.Quote(summaryPrefix + "\n" + message)},
		)})},
	)
}
