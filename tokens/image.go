package tokens

import (
	"bufio"
	"bytes"
	"io"

	"github.com/rollout-tool/rollout-tool/parse"
)

// Names of image formats as ImageSize returns them.
const (
	FormatPNG  = "png"
	FormatJPEG = "jpeg"
	FormatGIF  = "gif"
	FormatWebP = "webp"
)

// detailOriginal is the detail of an image that is charged by its size.
const detailOriginal = "original"

// Image is the cost of an input_image part in tokens, rounded up; 0 for other
// parts.
func Image(p parse.Part) int64 { return FromBytes(ImageBytes(p)) }

// ImageBytes is the cost of an input_image part in bytes (rule 26); 0 for other
// parts. Only detail original makes it look at the image itself.
func ImageBytes(p parse.Part) int64 {
	if p.Type != parse.PartInputImage {
		return 0
	}
	if p.Detail() != detailOriginal {
		return resizedImageBytes
	}
	if url := p.ImageURL(); url != nil {
		return originalURLBytes(url.Unquoted())
	}
	if _, ok := p.Fields.Get("file_id").Text(); ok {
		return originalFileBytes
	}
	return resizedImageBytes
}

// originalURLBytes is the cost of an image with detail original at url: by size
// when it is inline and decodes, the flat cost otherwise.
func originalURLBytes(url []byte) int64 {
	media, payload, ok := splitDataURL(url)
	if !ok || !hasMediaPrefix(media, "image/") {
		return resizedImageBytes
	}
	src, ok := newBase64Reader(payload)
	if !ok {
		return resizedImageBytes
	}
	w, h, _, ok := readSize(src, true)
	if !ok || !drain(src) {
		return resizedImageBytes
	}
	return bytesPerToken * patches(w, h)
}

// patches is the number of 32-pixel squares that cover w by h pixels, capped.
func patches(w, h int) int64 {
	across := (int64(w) + patchPixels - 1) / patchPixels
	down := (int64(h) + patchPixels - 1) / patchPixels
	return min(across*down, maxPatches)
}

// drain reads src to its end and reports whether all of it could be decoded.
func drain(src *base64Reader) bool {
	_, err := io.Copy(io.Discard, src)
	return err == nil
}

// ImageSize returns width and height in pixels and the format, which is sniffed
// from the bytes. PNG is checked down to checksums and pixel data, the other
// formats by their header only (U6). It is false for everything else.
func ImageSize(data []byte) (w, h int, format string, ok bool) {
	return readSize(bytes.NewReader(data), true)
}

// readSize reads an image as far as it has to be checked. It holds no more than
// a few tens of kilobytes. Without inflate the pixel data of a PNG is checked by its
// checksums alone.
func readSize(src io.Reader, inflate bool) (w, h int, format string, ok bool) {
	r := bufio.NewReader(src)
	head, _ := r.Peek(webpHeaderBytes) // shorter at the end of a short file
	switch format = sniffFormat(head); format {
	case FormatPNG:
		w, h, ok = pngSize(r, inflate)
	case FormatJPEG:
		w, h, ok = jpegSize(r)
	case FormatGIF:
		w, h, ok = gifSize(head)
	case FormatWebP:
		w, h, ok = webpSize(head)
	}
	if !ok || w <= 0 || h <= 0 {
		return 0, 0, "", false
	}
	return w, h, format, true
}
