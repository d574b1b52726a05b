package tokens

import (
	"bytes"
	"encoding/base64"
	"io"
)

// splitDataURL takes a base64 data URL apart (compaction.md 1.6): the media type
// ends at the first `;`, one of the parameters behind it is base64, the payload
// follows the first comma. Words are compared without regard to ASCII case.
func splitDataURL(url []byte) (media, payload []byte, ok bool) {
	const scheme = "data:"
	if len(url) < len(scheme) || !equalFoldASCII(url[:len(scheme)], scheme) {
		return nil, nil, false
	}
	head, payload, ok := bytes.Cut(url[len(scheme):], []byte(","))
	if !ok {
		return nil, nil, false
	}
	media, params, more := bytes.Cut(head, []byte(";"))
	for more {
		var param []byte
		param, params, more = bytes.Cut(params, []byte(";"))
		if equalFoldASCII(param, "base64") {
			return media, payload, true
		}
	}
	return nil, nil, false
}

// hasMediaPrefix reports whether media starts with prefix, such as "image/".
func hasMediaPrefix(media []byte, prefix string) bool {
	return len(media) >= len(prefix) && equalFoldASCII(media[:len(prefix)], prefix)
}

// equalFoldASCII compares b with the lower-case word, folding ASCII letters only.
func equalFoldASCII(b []byte, word string) bool {
	if len(b) != len(word) {
		return false
	}
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// base64Reader decodes strict base64 (padded, no line breaks, trailing bits
// zero) piece by piece. Its first error is final.
type base64Reader struct {
	src  []byte // not decoded yet, a multiple of four
	rest []byte // decoded, not delivered yet
	tmp  [3]byte
	err  error
}

// newBase64Reader checks what can only be seen on the whole payload: its length,
// line breaks, which the decoder would skip, and padding before the end, which
// would pass at the end of a piece.
func newBase64Reader(payload []byte) (*base64Reader, bool) {
	if len(payload)%4 != 0 ||
		bytes.IndexByte(payload, '\n') >= 0 || bytes.IndexByte(payload, '\r') >= 0 {
		return nil, false
	}
	if i := bytes.IndexByte(payload, '='); i >= 0 && i < len(payload)-2 {
		return nil, false
	}
	return &base64Reader{src: payload}, true
}

func (r *base64Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		if len(r.src) == 0 {
			return 0, io.EOF
		}
		if len(p) >= 3 {
			return r.decode(p)
		}
		n, err := r.decode(r.tmp[:])
		if n == 0 {
			return 0, err
		}
		r.rest = r.tmp[:n]
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// decode fills dst, which holds at least three bytes, with whole groups.
func (r *base64Reader) decode(dst []byte) (int, error) {
	take := min(len(dst)/3*4, len(r.src))
	n, err := base64.StdEncoding.Strict().Decode(dst, r.src[:take])
	r.src, r.err = r.src[take:], err
	return n, err
}
