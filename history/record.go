package history

import (
	"fmt"
	"math"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// serializationAllowance is what a model's output limit grows by (rule 22,
// compaction.md 1.4).
const serializationAllowance = 1.2

// recorded reports whether history takes the item (rule 20).
func recorded(it parse.Item, meta parse.Sidecar) bool {
	switch it.Type {
	case parse.ItemMessage:
		return it.Role() != "system"
	case parse.ItemConfigurationUpdate:
		return meta.HarnessAuthoredConfiguration()
	case parse.ItemCompactionTrigger:
		return false
	}
	return parse.KnownItem(it.Type)
}

// limitOutput cuts a tool output as recording does: to the item's own limit
// (rule 21), else to the model's with the allowance, when one is given (rule 22).
// limit is in tokens, nil for none.
func limitOutput(it parse.Item, meta parse.Sidecar, limit *uint64) parse.Item {
	if !it.IsToolOutput() {
		return it
	}
	budget, ok := meta.FallbackTokenLimit()
	if !ok {
		if limit == nil {
			return it
		}
		budget = scale(*limit)
	}
	out := it.Output()
	if out.IsText {
		text := out.Text()
		if cut := tokens.TruncateTokens(text, budget); cut != text {
			return it.Replace("output", jsonraw.Quote(cut))
		}
		return it
	}
	parts := out.Parts()
	kept, changed := limitParts(parts, budget)
	if !changed {
		return it
	}
	return it.Replace("output", jsonraw.Array(kept))
}

// scale is ceil(limit * 1.2) in tokens, computed in float64 as upstream does.
func scale(limit uint64) uint64 {
	f := math.Ceil(float64(limit) * serializationAllowance)
	if f >= math.MaxUint64 {
		return math.MaxUint64
	}
	return uint64(f)
}

// What is left out of a list is counted in a text that starts and ends so (rule 22).
const (
	omittedOpen  = "[omitted "
	omittedClose = " items ...]"
)

// limitParts spends one budget (tokens) over the parts front to back (rule 22).
func limitParts(parts []parse.Part, budget uint64) (kept []jsonraw.Value, changed bool) {
	var texts, audios int
	for _, p := range parts {
		switch p.Type {
		case parse.PartInputText:
			text := p.Text()
			cost := uint64(tokens.Text(text))
			switch {
			case text == "":
				changed = true
			case budget == 0:
				texts++
			case cost <= budget:
				kept, budget = append(kept, p.Raw), budget-cost
			default:
				kept = append(kept, WithText(p, tokens.TruncateTokens(text, budget)).Raw)
				budget, changed = 0, true
			}
		case parse.PartInputAudio:
			if cost := uint64(tokens.AudioTokens(p)); cost <= budget {
				kept, budget = append(kept, p.Raw), budget-cost
			} else {
				audios++
			}
		default:
			kept = append(kept, p.Raw)
		}
	}
	if texts > 0 {
		kept = append(kept, TextPart(fmt.Sprintf(omittedOpen+"%d text"+omittedClose, texts)).Raw)
	}
	if audios > 0 {
		kept = append(kept, TextPart(fmt.Sprintf(omittedOpen+"%d audio"+omittedClose, audios)).Raw)
	}
	return kept, changed || texts > 0 || audios > 0
}
