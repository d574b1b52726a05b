package ops

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/rollout-tool/rollout-tool/tokens"
)

// imageKey identifies an image by the SHA-256 of its base64 text: one for its copies in
// data URLs and in members that hold the base64 alone.
type imageKey [sha256.Size]byte

func keyOf(payload []byte) imageKey { return sha256.Sum256(payload) }

// imageFacts are what is said of an image.
type imageFacts struct {
	decodes bool   // it is strict base64
	media   string // of the bytes, or as declared when they are of no known format
	size    int64  // decoded bytes
	sum     string // SHA-256 of the decoded bytes, in hex
}

// what describes the image in a text that stands for it.
func (f *imageFacts) what() string {
	return fmt.Sprintf("%s, %d bytes, sha256 %s", f.media, f.size, f.sum[:12])
}

// fileName is the name of the file for the image.
func (f *imageFacts) fileName() string { return f.sum + extension(f.media) }

// lookInto reads an image to its end, without holding it decoded. declared is the media
// type as written.
func lookInto(payload, declared []byte) *imageFacts {
	f := &imageFacts{}
	sum := sha256.New()
	var err error
	if f.size, err = decode(sum, payload); err != nil {
		return f
	}
	f.decodes, f.sum = true, hex.EncodeToString(sum.Sum(nil))
	switch format, _ := tokens.CheckImage(payload); {
	case format != "":
		f.media = "image/" + format
	case isMediaType(declared):
		f.media = strings.ToLower(string(declared))
	default:
		f.media = "unknown type"
	}
	return f
}

// isMediaType reports whether text is like a media type: what else stands in a data URL is
// not repeated.
func isMediaType(text []byte) bool {
	const most = 64
	major, minor, ok := bytes.Cut(text, []byte("/"))
	return ok && len(text) <= most && isToken(major) && isToken(minor)
}

func isToken(text []byte) bool {
	for _, c := range text {
		if (c < 'a' || 'z' < c) && (c < 'A' || 'Z' < c) && (c < '0' || '9' < c) && !strings.ContainsRune("+-.", rune(c)) {
			return false
		}
	}
	return len(text) > 0
}

// extension is the file name extension of a media type.
func extension(media string) string {
	switch media {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/tiff", "image/avif", "image/heic":
		return "." + strings.TrimPrefix(media, "image/")
	case "image/svg+xml":
		return ".svg"
	}
	return ".bin"
}

// decode writes the bytes of strict base64: padded, without line breaks, trailing bits
// zero (rule 26). It returns how many there are.
func decode(w interface{ Write([]byte) (int, error) }, payload []byte) (int64, error) {
	const step = 16 << 10 // characters, a multiple of 4
	if bytes.ContainsAny(payload, "\r\n") {
		return 0, base64.CorruptInputError(0) // the decoder would skip them
	}
	strict := base64.StdEncoding.Strict()
	var buf [step / 4 * 3]byte
	var size int64
	for len(payload) > 0 {
		part := payload[:min(step, len(payload))]
		payload = payload[len(part):]
		n, err := strict.Decode(buf[:], part)
		if err == nil && len(payload) > 0 && n < len(buf) {
			err = base64.CorruptInputError(size) // padding before the end
		}
		if err != nil {
			return size, err
		}
		if _, err := w.Write(buf[:n]); err != nil {
			return size, err
		}
		size += int64(n)
	}
	return size, nil
}
