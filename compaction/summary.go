package compaction

import (
	"slices"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// summaryKind is what content_item_kinds calls a local summary (rule 23).
const summaryKind = "compaction.summary"

// IsLocalSummary reports whether a user message holds the summary of a local
// compaction: by its prefix (rule 17), or by its kind where the prefix is missing.
func IsLocalSummary(it parse.Item) bool {
	if !it.IsMessage("user") {
		return false
	}
	if kinds, _ := it.Passthrough().ContentItemKinds(); slices.Contains(kinds, summaryKind) {
		return true
	}
	for _, p := range it.Content() {
		if p.Type == parse.PartInputText && mayBeSummary(p.TextValue()) && history.IsSummary(p.Text()) {
			return true
		}
	}
	return false
}

// mayBeSummary looks at a text before it is decoded: the prefix of a summary starts
// with an A, if not with an escape.
func mayBeSummary(v jsonraw.Value) bool { return len(v) > 1 && (v[1] == 'A' || v[1] == '\\') }

// IsInjected reports whether the harness put the message into the history as context:
// a user message with a contextual part that is no hook prompt (rule 18), or a
// developer message with one (rule 19).
func IsInjected(it parse.Item) bool {
	switch {
	case it.IsMessage("user"):
		return history.ClassifyUser(it) == history.Contextual
	case it.IsMessage("developer"):
		for _, p := range it.Content() {
			if p.Type == parse.PartInputText && history.IsContextualDeveloperText(p.Text()) {
				return true
			}
		}
	}
	return false
}
