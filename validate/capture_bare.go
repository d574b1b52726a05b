package validate

import (
	"bytes"
	"strings"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/request"
)

// agree reports whether the items sent are those rebuilt, and the index of the first that
// is not.
func agree(sent, rebuilt []history.Row) (int, bool) {
	a, b := bareItems(sent), bareItems(rebuilt)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && !isCutOf(sent[i].Item, rebuilt[i].Item) {
			return i, false
		}
	}
	return min(len(a), len(b)), len(a) == len(b)
}

// bareItems stand for items as they are compared: in wire form (compaction.md 6.3), without
// id, status, passthrough and what only some providers get; equal for equal ones.
func bareItems(rows []history.Row) []uint64 {
	b := request.Turn(rows, history.Facts{})
	b.Wire(true)
	out := make([]uint64, len(b.Rows))
	for i, r := range b.Rows {
		out[i] = bare(r.Item)
	}
	return out
}

func bare(it parse.Item) uint64 {
	var pairs []jsonraw.Pair
	for _, m := range it.Fields.Members {
		switch m.Name {
		case "id", "status", "encrypted_function_args", parse.PassthroughKey:
			continue
		}
		pairs = append(pairs, jsonraw.Pair{Name: m.Name, Value: m.Value})
	}
	text, err := jsonraw.Compact(jsonraw.Build(pairs...))
	if err != nil {
		return recordKey(it.Raw)
	}
	return recordKey(text)
}

// isCutOf reports whether a tool output was sent cut to the model's limit, which no record
// proves: rollouts store the whole output (compaction.md 1.4 rule 4).
func isCutOf(sent, stored parse.Item) bool {
	if !sent.IsToolOutput() || sent.Type != stored.Type {
		return false
	}
	sentID, _ := sent.CallID()
	if storedID, _ := stored.CallID(); sentID != storedID {
		return false
	}
	cut, whole := sent.Output(), stored.Output()
	if !cut.IsText || !whole.IsText {
		return !cut.IsText && !whole.IsText && bytes.Contains(cut.Raw, []byte(" truncated\u2026"))
	}
	head, tail, ok := cutAtMarker(cut.Text())
	text := whole.Text()
	return ok && len(head)+len(tail) < len(text) && strings.HasPrefix(text, head) && strings.HasSuffix(text, tail)
}

// cutAtMarker splits a text at the marker of a cut (rule 27).
func cutAtMarker(s string) (head, tail string, ok bool) {
	for _, unit := range [...]string{" tokens truncated\u2026", " chars truncated\u2026"} {
		at := strings.Index(s, unit)
		if at < 0 {
			continue
		}
		before := strings.TrimRight(s[:at], "0123456789")
		if head, ok := strings.CutSuffix(before, "\u2026"); ok && len(before) < at {
			return head, s[at+len(unit):], true
		}
	}
	return "", "", false
}
