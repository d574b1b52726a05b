package ops

import (
	"slices"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// prompt is the history at the end of a text as a request carries it.
func prompt(t *testing.T, text string) []string {
	t.Helper()
	h, err := history.Load(open(t, text), history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	end, err := h.At(history.Point{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range history.Normalize(end.Rows, history.AllModalities).Rows {
		out = append(out, string(r.Item.Raw))
	}
	return out
}

// What the model sees stays where Codex itself mends a history when it builds a request
// (rules 31, 33), and where a line is only spelled anew that Codex skips at most.
func TestRule33RepairKeepsThePrompt(t *testing.T) {
	for _, file := range []string{
		"invalid/P001-call-without-output/bad", "invalid/P002-output-without-call/bad", "invalid/P007-open-call/bad",
		"invalid/O002-twice/bad", "invalid/O006-last-missing/bad", "invalid/O007-legacy-ordinals/bad", "invalid/L010-crlf/bad",
		"invalid/J014-duplicate-key/bad", "invalid/L012-retried/bad", "invalid/S003-item-first/bad",
		"cures/repair/unclean-shutdown", "cures/repair/interrupted-write", "cures/repair/tail-without-ordinals",
		"cures/repair/patches-without-output", "cures/repair/orphan-output", "cures/repair/checkpoint-keeps-the-call",
	} {
		text := readText(t, "../../fixtures/"+file+".jsonl")
		out, res, err := run(t, text, rewrite.Options{}, operation(t, "repair", "open-calls", "true"))
		if err != nil || res.Edits() == 0 {
			t.Errorf("%s: %d edits, %v", file, res.Edits(), err)
			continue
		}
		if before, after := prompt(t, text), prompt(t, out); file == "invalid/J014-duplicate-key/bad" && len(before) != len(after) ||
			file != "invalid/J014-duplicate-key/bad" && !slices.Equal(before, after) {
			t.Errorf("%s:\nbefore %q\nafter  %q", file, before, after)
		}
	}
}

// What is left of a history without its bound items: the others, in their order.
func TestEncryptedKeepsReadableItems(t *testing.T) {
	for _, file := range []string{"cures/encrypted/provider-migrated", "cures/encrypted/forked-elsewhere", "invalid/E001-provider-changed/bad"} {
		text := readText(t, "../../fixtures/"+file+".jsonl")
		out, _, err := run(t, text, rewrite.Options{}, operation(t, "encrypted", "all", "true"))
		if err != nil {
			t.Fatal(err)
		}
		readable := func(items []string, bound bool) (kinds []string) {
			for _, raw := range items {
				it, _ := parse.ViewItem([]byte(raw))
				switch {
				case it.Type == parse.ItemReasoning && bound:
				case it.Type == parse.ItemCompaction && bound:
					kinds = append(kinds, "message/user") // what stands in its place
				default:
					kinds = append(kinds, parse.ItemLabel(it))
				}
			}
			return kinds
		}
		if before, after := readable(prompt(t, text), true), readable(prompt(t, out), false); !slices.Equal(before, after) {
			t.Errorf("%s:\nbefore %q\nafter  %q", file, before, after)
		}
	}
}

// An aligned checkpoint counts: the history is its items and what came after it.
func TestRule04AlignBringsTheCheckpointBack(t *testing.T) {
	text := readText(t, "../../fixtures/cures/align/item-added.jsonl")
	for _, drop := range []string{"false", "true"} {
		out, _, err := run(t, text, rewrite.Options{}, operation(t, "align", "drop", drop))
		if err != nil {
			t.Fatal(err)
		}
		// Two messages and the compaction item of the checkpoint, a question and an answer.
		if before, after := len(prompt(t, text)), len(prompt(t, out)); before != 4 || after != 5 {
			t.Errorf("drop=%s: %d items before, %d after", drop, before, after)
		}
	}
}
