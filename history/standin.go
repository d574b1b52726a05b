package history

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// InvalidImageText is the text that Codex itself puts in the place of an image which the
// server has refused (openai/codex#6774).
const InvalidImageText = "Invalid image"

// RemovedImageKind is the kind of a text that stands where a message had an image (rule 34).
const RemovedImageKind = noImageKind

// A text that stands for an image which a rewrite has taken out starts and ends so.
const (
	removedImageOpen  = "[image removed: "
	removedImageClose = "]"
)

// RemovedImageText is the text that stands for an image which a rewrite has taken out;
// what says what it was.
func RemovedImageText(what string) string { return removedImageOpen + what + removedImageClose }

// IsRemovedImage reports whether a text stands for an image that a rewrite has taken out.
func IsRemovedImage(text string) bool {
	return strings.HasPrefix(text, removedImageOpen) && strings.HasSuffix(text, removedImageClose)
}

// IsEmptied reports whether a compacted payload is a checkpoint whose replacement history
// a rewrite has taken out because nothing starts from it any more. Codex reads null as
// absent and never writes it (format.md 4.1), so that a null tells it from a compaction
// without a replacement history.
func IsEmptied(compacted jsonraw.Object) bool { return compacted.Get("replacement_history").IsNull() }

// RemovedImageTokens is what the texts that stand for images add to a message, in tokens.
func RemovedImageTokens(it parse.Item) int64 {
	if it.Type != parse.ItemMessage || !strings.Contains(string(it.Raw), removedImageOpen) {
		return 0
	}
	var n int64
	for _, p := range it.Content() {
		if IsRemovedImage(p.Text()) {
			n += tokens.PartText(p)
		}
	}
	return n
}

// IsThinned reports whether a rewrite has taken something out of the item: an image, or
// the middle of a tool output. What the item cost when the session ran is not known then.
func IsThinned(it parse.Item) bool {
	var parts []parse.Part
	switch {
	case it.Type == parse.ItemMessage:
		parts = it.Content()
	case it.IsToolOutput():
		out := it.Output()
		if out.IsText {
			return tokens.IsCutInTheMiddle(out.Text())
		}
		parts = out.Parts()
	}
	for _, p := range parts {
		if text := p.Text(); IsRemovedImage(text) || it.IsToolOutput() && tokens.IsCutInTheMiddle(text) {
			return true
		}
	}
	return false
}

// CutOutput cuts the texts of a tool output to n tokens, as recording does with the limit
// of a model (rules 22, 27): a text in its middle, a list front to back with one budget.
// It is false when there is nothing to cut: the output fits, or has been cut so before.
func CutOutput(it parse.Item, n uint64) (jsonraw.Value, bool) {
	out := it.Output()
	if out.IsText {
		text := out.Text()
		if tokens.IsCutInTheMiddle(text) && uint64(tokens.Text(text)) <= n+cutMarkerTokens {
			return nil, false
		}
		cut := tokens.TruncateTokens(text, n)
		return jsonraw.Quote(cut), cut != text
	}
	parts := out.Parts()
	var texts int64
	before := false // it was cut
	for _, p := range parts {
		texts += tokens.PartText(p)
		text := p.Text()
		before = before || tokens.IsCutInTheMiddle(text) || strings.HasPrefix(text, omittedOpen) && strings.HasSuffix(text, omittedClose)
	}
	most := int64(min(n, 1<<62))
	if before {
		most += cutListTokens
	}
	if texts <= most {
		return nil, false
	}
	kept, changed := limitParts(parts, n)
	return jsonraw.Array(kept), changed
}

const (
	// cutMarkerTokens is what the marker of a cut adds at most (rule 27).
	cutMarkerTokens = 12
	// cutListTokens is what a cut list adds at most: a marker, and the two texts that say
	// what was left out.
	cutListTokens = cutMarkerTokens + 2*16
)
