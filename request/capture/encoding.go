package capture

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

// Magic bytes of compressed bodies (RFC 8878, RFC 1952).
const (
	zstdMagic = "\x28\xb5\x2f\xfd"
	gzipMagic = "\x1f\x8b"
)

// lossyZstd and lossyGzip are the magic bytes after a decoder of UTF-8 has put U+FFFD in
// the place of what is no text: the body is lost.
const (
	lossyZstd = "\x28\ufffd\x2f\ufffd"
	lossyGzip = "\x1f\ufffd"
)

// latinZstd and latinGzip are the magic bytes read as Latin-1: nothing is lost.
const (
	latinZstd = "\x28\u00b5\x2f\u00fd"
	latinGzip = "\x1f\u008b"
)

// maxWindow bounds what the header of a frame can make the decoder allocate, in bytes.
const maxWindow = 128 << 20

// maxBody bounds a decompressed body, in bytes: what a small body may blow up to.
const maxBody = 1 << 30

var errLossy = errors.New("the body was compressed and stored as text: its bytes are lost (the proxy and many tools do that); capture with compression off")

// decompress undoes zstd or gzip, told by their magic bytes. Bytes of neither are
// returned as they are.
func decompress(b []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(b, []byte(zstdMagic)):
		dec, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
		defer dec.Close()
		return readBody("zstd", dec)
	case bytes.HasPrefix(b, []byte(gzipMagic)):
		dec, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		return readBody("gzip", dec)
	}
	return b, nil
}

func readBody(name string, r io.Reader) ([]byte, error) {
	out, err := io.ReadAll(io.LimitReader(r, maxBody+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%s: after %d decompressed bytes: the stream is cut off", name, len(out))
	case err != nil:
		return nil, fmt.Errorf("%s: after %d decompressed bytes: %w", name, len(out), err)
	case len(out) > maxBody:
		return nil, fmt.Errorf("%s: the body is longer than %d bytes", name, maxBody)
	}
	return out, nil
}

// textBody is the body that a capture stores as text: it may be base64, or compressed
// bytes that were taken for text.
func textBody(text []byte, isBase64 bool) ([]byte, error) {
	if isBase64 {
		out := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
		n, err := base64.StdEncoding.Decode(out, text)
		if err != nil {
			return nil, fmt.Errorf("base64: %w", err)
		}
		return decompress(out[:n])
	}
	switch {
	case hasPrefix(text, lossyZstd), hasPrefix(text, lossyGzip):
		return nil, errLossy
	case hasPrefix(text, latinZstd), hasPrefix(text, latinGzip):
		raw, ok := fromLatin1(text)
		if !ok {
			return nil, errLossy
		}
		return decompress(raw)
	}
	return decompress(text)
}

func hasPrefix(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }

// fromLatin1 turns characters up to U+00FF back into bytes.
func fromLatin1(text []byte) ([]byte, bool) {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r > 0xff || r == utf8.RuneError {
			return nil, false
		}
		out, i = append(out, byte(r)), i+n
	}
	return out, true
}

// trimJSON takes the white space of JSON off both ends, and a byte order mark off the
// front.
func trimJSON(b []byte) []byte {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	return bytes.Trim(b, " \t\r\n")
}

// isEventStream reports whether a body is a stream of server-sent events: by its content
// type, or when there is none by its look.
func isEventStream(h Headers, body []byte) bool {
	if t, ok := h.Get("content-type"); ok {
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(t)), "text/event-stream") {
			return true
		}
	}
	head := bytes.TrimLeft(body[:min(len(body), 64)], " \t\r\n\ufeff")
	for _, field := range [...]string{"event:", "data:", "id:", "retry:", ":"} {
		if hasPrefix(head, field) {
			return true
		}
	}
	return false
}
