package accept

import (
	"bytes"
	"encoding/hex"
	"regexp"
	"strings"
	"time"
)

// parseUUID reads the forms that Codex reads: 32 digits, with hyphens, in braces
// or behind "urn:uuid:", in either case (format.md 6.4). It returns the canonical
// form, lower case with hyphens.
func parseUUID(s []byte) (string, bool) {
	switch {
	case len(s) == 38 && s[0] == '{' && s[37] == '}':
		s = s[1:37]
	case len(s) == 45 && bytes.HasPrefix(s, []byte("urn:uuid:")):
		s = s[9:]
	}
	var digits [32]byte
	switch len(s) {
	case 32:
		copy(digits[:], s)
	case 36:
		n := 0
		for i, c := range s {
			if i == 8 || i == 13 || i == 18 || i == 23 {
				if c != '-' {
					return "", false
				}
				continue
			}
			digits[n] = c
			n++
		}
	default:
		return "", false
	}
	var id [16]byte
	if _, err := hex.Decode(id[:], digits[:]); err != nil {
		return "", false
	}
	d := hex.EncodeToString(id[:])
	return d[:8] + "-" + d[8:12] + "-" + d[12:16] + "-" + d[16:20] + "-" + d[20:], true
}

// isAgentPath reports whether s is /morpheus, /root, or /root/<seg>/... with
// segments of [a-z0-9_]+ other than "root" (format.md 3.6, rule 7).
func isAgentPath(s string) bool {
	if s == "/morpheus" || s == "/root" {
		return true
	}
	rest, ok := strings.CutPrefix(s, "/root/")
	if !ok {
		return false
	}
	for seg := range strings.SplitSeq(rest, "/") {
		if seg == "" || seg == "root" || strings.Trim(seg, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			return false
		}
	}
	return true
}

// isFileURI reports whether s is a URI with the scheme file and neither query
// nor fragment; the path may be relative (format.md 6.4).
func isFileURI(s []byte) bool {
	return len(s) >= 5 && bytes.EqualFold(s[:5], []byte("file:")) && !bytes.ContainsAny(s, "?#")
}

// absoluteSomewhere reports whether s is an absolute path of Unix or Windows.
func absoluteSomewhere(s []byte) bool {
	switch {
	case len(s) > 0 && s[0] == '/', bytes.HasPrefix(s, []byte(`\\`)):
		return true
	case len(s) > 2 && s[1] == ':' && (s[2] == '/' || s[2] == '\\'):
		c := s[0] | 0x20
		return 'a' <= c && c <= 'z'
	}
	return false
}

// timeForm is what Codex's clock library takes: RFC 3339 with a space for the T,
// any number of decimals, and an offset with or without its colon.
var timeForm = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):([0-5]\d|60)(\.\d+)? *([Zz]|[+-]\d\d:?\d\d|[Uu][Tt][Cc])$`)

// isTime reports whether s is a date and time with an offset (format.md 3.8).
func isTime(s string) bool {
	m := timeForm.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	_, err := time.Parse("2006-01-02 15:04", m[1]+" "+m[2])
	return err == nil
}

var base64Form = regexp.MustCompile(`^[A-Za-z0-9+/]*={0,2}$`)

// isBase64 reports whether s is padded standard base64.
func isBase64(s []byte) bool { return len(s)%4 == 0 && base64Form.Match(s) }
