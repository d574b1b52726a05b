package tokens

import "time"

// Constants taken from Codex. Sources are sections of compaction.md.
const (
	// bytesPerToken converts between bytes and tokens, everywhere (1.1).
	bytesPerToken = 4

	// resizedImageBytes is the cost of any image whose size does not count (1.6).
	resizedImageBytes = 7373
	// originalFileBytes is the cost of a file_id image with detail original (1.6).
	originalFileBytes = 40_000
	// patchPixels is the edge of one image patch; a patch costs one token (1.6).
	patchPixels = 32
	// maxPatches caps the cost of one image (1.6).
	maxPatches = 10_000

	// audioTokensPerSecond is the cost of audio with a known duration (1.7).
	audioTokensPerSecond = 10

	// reasoningOverhead is what encryption adds to a reasoning or compaction
	// item, taken off after undoing base64: len*3/4 - 650 bytes (1.5).
	reasoningOverhead = 650
	// encryptedPartNum and encryptedPartDen scale an encrypted content part:
	// ceil(len*9/16) bytes (1.5).
	encryptedPartNum, encryptedPartDen = 9, 16

	// defaultNamespace is counted for a call without a namespace (1.5).
	defaultNamespace = "functions"

	// otherItem is what an item of an unknown type becomes (format.md 5.1).
	otherItem = `{"type":"other"}`
	// otherAction is what an unknown web search action becomes (format.md 5.1).
	otherAction = `{"type":"other"}`

	markerEdge       = "…"                 // U+2026 at both ends of a marker (1.2)
	markerTokensText = " tokens truncated" // unit of a token budget (1.2)
	markerCharsText  = " chars truncated"  // unit of a byte budget (1.2)
)

// lastJSONEstimate is the newest date whose reader is known to estimate whole
// items as JSON (compaction.md 0, snapshot A; 1.8).
func lastJSONEstimate() time.Time { return time.Date(2026, time.August, 21, 0, 0, 0, 0, time.UTC) }

// isAudioType reports whether Codex looks for a duration in data of this media
// type (1.7).
func isAudioType(media []byte) bool {
	for _, known := range [...]string{
		"audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave",
		"audio/mpeg", "audio/mp3",
		"audio/mp4", "audio/m4a", "audio/x-m4a",
		"audio/webm", "audio/ogg",
	} {
		if equalFoldASCII(media, known) {
			return true
		}
	}
	return false
}
