package tokens

import "bytes"

// ImageState says whether an inline image can be read.
type ImageState uint8

// The states of an inline image.
const (
	ImageReads   ImageState = iota // a known format, sound as far as CheckImage looks
	ImageBase64                    // the payload is not strict base64
	ImageUnknown                   // of no known format
	ImageDamaged                   // of a known format, but cut off or changed
)

// DataURL takes a base64 data URL apart: the media type as written and the payload. It
// is false for any other URL and for a data URL that is not base64 (compaction.md 1.6).
func DataURL(url []byte) (media, payload []byte, ok bool) { return splitDataURL(url) }

// CheckImage reads the base64 payload of an inline image to its end: strict base64,
// padded and without line breaks, and in it an image of a known format, which is
// sniffed from the bytes and returned even when the image is damaged. PNG is checked
// down to the checksums, but not inflated as ImageSize does; of the other formats the
// header is checked. It holds no more than a few tens of kilobytes.
func CheckImage(payload []byte) (format string, state ImageState) {
	src, ok := newBase64Reader(payload)
	if !ok {
		return "", ImageBase64
	}
	head := make([]byte, 12)
	n, _ := src.Read(head)
	format = sniffFormat(head[:n])
	src, _ = newBase64Reader(payload)
	_, _, _, sound := readSize(src, false)
	switch {
	case !drain(src):
		return format, ImageBase64
	case format == "":
		return "", ImageUnknown
	case !sound:
		return format, ImageDamaged
	}
	return format, ImageReads
}

// sniffFormat tells the format from the first 12 bytes, "" for none that is known.
func sniffFormat(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte(pngSignature)):
		return FormatPNG
	case bytes.HasPrefix(head, []byte{0xff, 0xd8, 0xff}):
		return FormatJPEG
	case bytes.HasPrefix(head, []byte("GIF87a")), bytes.HasPrefix(head, []byte("GIF89a")):
		return FormatGIF
	case len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP":
		return FormatWebP
	}
	return ""
}
