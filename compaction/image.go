package compaction

import (
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// blockStart is where the last block of parts starts: an image with the labels
// directly around it (rule 40), or the last part alone. parts is not empty.
func blockStart(parts []history.KindedPart) int {
	last := len(parts) - 1
	image := last
	if last > 0 && isText(parts[last], closeImageTag) {
		image--
	}
	if parts[image].Type != parse.PartInputImage {
		return last
	}
	if image > 0 && parts[image-1].Type == parse.PartInputText && history.IsImageOpenTag(parts[image-1].Text()) {
		return image - 1
	}
	return image
}

func isText(p history.KindedPart, text string) bool {
	return p.Type == parse.PartInputText && p.Text() == text
}

// isImageBlock reports whether a block of blockStart holds an image.
func isImageBlock(block []history.KindedPart) bool {
	for _, p := range block {
		if p.Type == parse.PartInputImage {
			return true
		}
	}
	return false
}

// blockTokens is the cost of a block: each part rounded up alone.
func blockTokens(block []history.KindedPart) int64 {
	var n int64
	for _, p := range block {
		if p.Type == parse.PartInputImage {
			n += tokens.Image(p.Part)
		} else {
			n += tokens.PartText(p.Part)
		}
	}
	return n
}
