package history

import "github.com/rollout-tool/rollout-tool/parse"

// Row is one item of the model-visible history.
type Row struct {
	// Line is the 1-based physical line the item came from. Items of a
	// replacement history and of a legacy rebuild carry the line of their
	// compacted record; an item that normalisation inserted has line 0.
	Line int
	// File is the file of the lineage that holds the line: an index into
	// State.Files. It is 0 for a rollout without history_base.
	File int
	Item parse.Item
	// Meta is the item's sidecar, the zero Sidecar when it has none.
	Meta parse.Sidecar
}
