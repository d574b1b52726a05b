package ops

import (
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// alignInfo describes the operation that makes sidecars fit (rules 3, 4, 9).
func alignInfo() Info {
	return Info{
		Name:    "align",
		Summary: "make replacement_history_metadata fit its replacement_history",
		About: `A compacted record whose sidecar does not have one entry for each item of its history is
rejected as a whole: Codex goes on from an older checkpoint. Entries that are missing at the end
are written as {"client_authored":false}, those in excess go, null becomes such an entry, a
sidecar without a history goes. Ghost snapshots that kept the two apart are taken out first.`,
		Examples: []string{
			"rewrite align fixtures/invalid/M001-length/bad.jsonl",
			"rewrite align --drop -o fixed.jsonl fixtures/invalid/M001-length/bad.jsonl",
		},
		Cures: []string{"M001", "M002", "M003", "M004"},
		Options: []Option{
			{Name: "pad", Kind: Bool, Usage: "keep the entries that are there: fill up at the end, or cut there (the default)"},
			{Name: "drop", Kind: Bool, Usage: "take a sidecar of the wrong length out as a whole"},
		},
		New: func(v Values) (rewrite.Operation, error) {
			if v.Bool("pad") && v.Bool("drop") {
				return nil, optionError("drop", "and --pad exclude each other")
			}
			return align{drop: v.Bool("drop")}, nil
		},
	}
}

// align is the operation; it looks at one record at a time.
type align struct{ drop bool }

func (align) Name() string      { return "align" }
func (align) Needles() []string { return []string{"replacement_history_metadata"} }
func (a align) Plan(*rewrite.Input) (func() rewrite.Editor, error) {
	return func() rewrite.Editor { return a }, nil
}

// defaultEntry is what a sidecar says of an item without metadata (rule 9).
var defaultEntry = jsonraw.Value(`{"client_authored":false}`)

// Edit aligns the sidecar of a compacted record.
func (a align) Edit(r *rewrite.Record) rewrite.Edit {
	if r.Type != parse.RecordCompacted {
		return rewrite.Keep()
	}
	fields := r.Fields()
	history, sidecar := fields.Get(historyKey), fields.Get(sidecarKey)
	if sidecar.Missing() {
		return rewrite.Keep()
	}
	if history.Missing() {
		return r.Change().Remove(r.Payload, sidecarKey).Done("sidecar without a history").Lossy()
	}
	if history.Kind() != jsonraw.KindArray || sidecar.Kind() != jsonraw.KindArray {
		return rewrite.Keep() // another type than Codex knows: not a matter of length
	}
	items, _ := jsonraw.SplitArray(history)
	metas, _ := jsonraw.SplitArray(sidecar)
	if len(items) == len(metas) {
		return fillNulls(r.Change(), metas).Done("null in the sidecar")
	}
	return a.fit(r, items, metas)
}

// fit gives a history of n items n entries.
func (a align) fit(r *rewrite.Record, items, metas []jsonraw.Value) rewrite.Edit {
	history, sidecar := r.Fields().Get(historyKey), r.Fields().Get(sidecarKey)
	e, reason := r.Change(), "sidecar of another length"
	n := len(items)
	// Codex takes ghosts out itself where the lengths are equal (rule 3). Here the sidecar
	// may have been written for the history without them.
	if ghost := ghosts(items); ghost != nil {
		e.RemoveElements(history, func(i int) bool { return ghost[i] })
		n -= len(ghost)
		reason = "ghost snapshots, and a sidecar of another length"
	}
	switch {
	case n == len(metas):
		fillNulls(e, metas)
	case a.drop:
		return e.Remove(r.Payload, sidecarKey).Done(reason).Lossy()
	case n < len(metas):
		fillNulls(e, metas[:n])
		return e.RemoveElements(sidecar, func(i int) bool { return i >= n }).Done(reason).Lossy()
	case len(metas) == 0:
		e.Replace(sidecar, defaultEntries(n))
	default:
		last := metas[len(metas)-1]
		fillNulls(e, metas[:len(metas)-1])
		with := last
		if last.IsNull() {
			with = defaultEntry
		}
		more := defaultEntries(n - len(metas))
		padded := append(append(jsonraw.Value(nil), with...), ',')
		e.Replace(last, append(padded, more[1:len(more)-1]...))
	}
	return e.Done(reason)
}

// fillNulls replaces entries that are null: each makes Codex reject the record.
func fillNulls(e *rewrite.Editing, metas []jsonraw.Value) *rewrite.Editing {
	for _, m := range metas {
		if m.IsNull() {
			e.Replace(m, defaultEntry)
		}
	}
	return e
}

// ghosts are the indexes of the ghost snapshots in a history, nil when there are none.
func ghosts(items []jsonraw.Value) map[int]bool {
	var out map[int]bool
	for i, raw := range items {
		if it, err := parse.ViewItem(raw); err == nil && it.Type == parse.ItemGhostSnapshot {
			if out == nil {
				out = map[int]bool{}
			}
			out[i] = true
		}
	}
	return out
}

// defaultEntries is a list of n default entries.
func defaultEntries(n int) jsonraw.Value {
	list := make([]jsonraw.Value, n)
	for i := range list {
		list[i] = defaultEntry
	}
	return jsonraw.Array(list)
}
