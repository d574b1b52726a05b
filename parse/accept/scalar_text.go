package accept

import (
	"bytes"
	"encoding/hex"
	"regexp"
	"strconv"
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

// isFileURI reports whether s is a URI with the scheme file: no query, fragment,
// credentials or port, and no encoded NUL; the path may be relative (format.md
// 6.4). As usual for URLs, blanks around it and line breaks in it do not count.
func isFileURI(s []byte) bool {
	u := strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, strings.TrimFunc(string(s), func(r rune) bool { return r <= ' ' }))
	const scheme = "file:"
	if len(u) < len(scheme) || !strings.EqualFold(u[:len(scheme)], scheme) || strings.ContainsAny(u, "?#") {
		return false
	}
	rest := strings.ReplaceAll(u[len(scheme):], `\`, "/")
	// A path that is no valid URI is stored behind this prefix.
	if strings.Contains(rest, "%00") && !strings.HasPrefix(rest, "///%00/bad/path/") {
		return false
	}
	host, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return true
	}
	host, _, _ = strings.Cut(host, "/")
	return driveLetter.MatchString(host) || strings.HasPrefix(host, "[") || !strings.ContainsAny(host, " :<>@^|")
}

var driveLetter = regexp.MustCompile(`^[A-Za-z][:|]$`)

// isWindowsPath reports whether s is absolute under Windows: C:\x or \\server\x.
func isWindowsPath(s []byte) bool {
	separator := func(c byte) bool { return c == '/' || c == '\\' }
	switch {
	case len(s) > 2 && s[1] == ':':
		c := s[0] | 0x20
		return 'a' <= c && c <= 'z' && separator(s[2])
	case len(s) > 2:
		return separator(s[0]) && separator(s[1])
	}
	return false
}

// timeForm is what Codex's clock library takes: RFC 3339 with a space for the T,
// short numbers, any count of decimals, and an offset with or without its colon.
var timeForm = regexp.MustCompile(
	`^(\d{1,4})-(\d{1,2})-(\d{1,2})[Tt ](\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)? *(?:[Zz]|[Uu][Tt][Cc]|[+-](\d\d)[: ]*(\d\d)) *$`)

// isTime reports whether s is a date and time with an offset (format.md 3.8).
func isTime(s string) bool {
	m := timeForm.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	var n [9]int // year, month, day, hour, minute, second, offset hours, minutes
	for i := 1; i < len(m); i++ {
		n[i], _ = strconv.Atoi(m[i]) // "" is 0
	}
	day := time.Date(n[1], time.Month(n[2]), n[3], 0, 0, 0, 0, time.UTC)
	return int(day.Month()) == n[2] && day.Day() == n[3] &&
		n[4] < 24 && n[5] < 60 && n[6] <= 60 && n[7] < 24 && n[8] < 60
}

var base64Form = regexp.MustCompile(`^[A-Za-z0-9+/]*={0,2}$`)

// isBase64 reports whether s is padded standard base64.
func isBase64(s []byte) bool { return len(s)%4 == 0 && base64Form.Match(s) }
