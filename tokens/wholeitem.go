package tokens

import (
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// wholeItemBytes is the older estimate (compaction.md 1.8) for everything but
// encrypted reasoning and compaction items, which cost the same in both.
//
// It starts from the length of the item as compact JSON: type, ids, role,
// passthrough and escapes included. Then, in messages and tool outputs,
//
//   - the base64 payload of an image data URL is taken off and the cost of the
//     image added; the URL's head stays, and so does any other URL in full;
//   - likewise for an audio data URL, of any audio type;
//
// and in function_call_output and agent_message the ciphertext of an encrypted
// part is taken off and ceil(len*9/16) added.
//
// The item is measured as stored. Codex measured what its own types hold, so
// members that it did not know count here and did not there.
func wholeItemBytes(it parse.Item) int64 {
	switch {
	case it.Type == parse.ItemGhostSnapshot:
		return 0
	case !parse.KnownItem(it.Type):
		return int64(len(otherItem))
	}
	n := compactLen(it.Raw)
	var parts []parse.Part
	switch it.Type {
	case parse.ItemMessage, parse.ItemAgentMessage:
		parts = it.Content()
	case parse.ItemFunctionOutput, parse.ItemCustomToolOutput:
		parts = it.Output().Parts()
	}
	sealed := it.Type == parse.ItemFunctionOutput || it.Type == parse.ItemAgentMessage
	for _, p := range parts {
		n += replacedBytes(p, sealed)
	}
	return max(n, 0)
}

// replacedBytes is the cost of a part's payload less its length.
func replacedBytes(p parse.Part, sealed bool) int64 {
	switch p.Type {
	case parse.PartInputImage:
		if n, ok := payloadLen(p.ImageURL(), "image/"); ok {
			return ImageBytes(p) - n
		}
	case parse.PartInputAudio:
		if n, ok := payloadLen(p.AudioURL(), "audio/"); ok {
			return AudioBytes(p) - n
		}
	case parse.PartEncryptedContent:
		if sealed {
			n := textBytes(p.Encrypted())
			return encryptedPartBytes(n) - n
		}
	}
	return 0
}

// payloadLen is the length of the payload of a base64 data URL of that kind.
func payloadLen(url jsonraw.Value, kind string) (int64, bool) {
	media, payload, ok := splitDataURL(url.Unquoted())
	return int64(len(payload)), ok && hasMediaPrefix(media, kind)
}
