package capture

import (
	"crypto/sha256"
	"net/url"
	"strings"
)

// Header is one HTTP header. The Value of a secret is Redacted from the moment it is read.
type Header struct {
	Name, Value string

	sum [sha256.Size]byte // of a secret that was there to read; else zero
}

// newHeader keeps of a secret only what tells it from another one.
func newHeader(name, value string) Header {
	h := Header{Name: name, Value: redact(name, value)}
	if h.Value != value {
		h.sum = sha256.Sum256([]byte(value))
	}
	return h
}

// SameSecret compares the values of two headers that are secrets; known is false when one
// of them was redacted before it was read.
func (h Header) SameSecret(other Header) (same, known bool) {
	none := [sha256.Size]byte{}
	return h.sum == other.sum, h.sum != none && other.sum != none
}

// Headers are HTTP headers in the order captured.
type Headers []Header

// Get returns the value of the first header called name, whatever its case; false when
// there is none.
func (h Headers) Get(name string) (string, bool) {
	for _, e := range h {
		if strings.EqualFold(e.Name, name) {
			return e.Value, true
		}
	}
	return "", false
}

// Redacted stands for a secret.
const Redacted = "[REDACTED]"

// secretParts are parts of the names of headers whose values are secrets.
var secretParts = [...]string{"authorization", "cookie", "api-key", "apikey", "token", "secret", "attestation"}

// redact takes the secret out of a header's value; the scheme of an authorization stays.
func redact(name, value string) string {
	name = strings.ToLower(name)
	for _, part := range secretParts {
		if !strings.Contains(name, part) {
			continue
		}
		if scheme, _, ok := strings.Cut(value, " "); ok && name == "authorization" && isScheme(scheme) {
			return scheme + " " + Redacted
		}
		return Redacted
	}
	return value
}

// isScheme keeps a secret with a space in it from being taken for a scheme.
func isScheme(s string) bool {
	switch strings.ToLower(s) {
	case "bearer", "basic", "digest", "aws4-hmac-sha256":
		return true
	}
	return false
}

// cleanURL takes user, password, query and fragment out of a URL; a HAR has keys in them.
func cleanURL(raw string) (clean, path string) {
	u, err := url.Parse(raw)
	if err != nil {
		cut, _, _ := strings.Cut(raw, "?")
		return cut, cut
	}
	u.User, u.RawQuery, u.Fragment, u.ForceQuery = nil, "", "", false
	return u.String(), u.Path
}

// isResponsesPath reports whether a path is that of the endpoint which answers turns and
// compactions.
func isResponsesPath(path string) bool {
	path = strings.TrimSuffix(path, "/")
	return strings.HasSuffix(path, "/responses") || strings.HasSuffix(path, compactPath)
}

// compactPath ends the path of the older compaction endpoint (compaction.md 3.7).
const compactPath = "/responses/compact"

func (r *Request) isCompactPath() bool {
	return strings.HasSuffix(strings.TrimSuffix(r.Path, "/"), compactPath)
}
