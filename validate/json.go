package validate

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// jsonRule reports duplicate keys. The other codes of the J family are rejections: see
// rejectRule.
func jsonRule() rule {
	return rule{name: "json", line: func() lineRule { return duplicateKeys{} }}
}

// textDefect says what is wrong with a line that is no JSON object (format.md 2.3).
func textDefect(l parse.Line, res accept.Result) rejection {
	out := rejection{code: "J001", message: res.Message, offset: res.Offset}
	b := l.Bytes
	found := l.Defects(false)
	switch {
	case found&parse.DefectInvalidUTF8 != 0:
		out.code = "J004"
		out.offset = invalidAt(b)
		out.message = fmt.Sprintf("stream did not contain valid UTF-8: byte 0x%02x", b[out.offset])
	case found&parse.DefectBOM != 0:
		out.code, out.offset = "J002", 0
		out.message = "the line starts with a byte order mark"
	case found&parse.DefectNUL != 0:
		out.code, out.offset = "J003", bytes.IndexByte(b, 0)
		if out.message = "a NUL byte"; bytes.Count(b, []byte{0}) > 1 {
			out.message = fmt.Sprintf("%d NUL bytes", bytes.Count(b, []byte{0}))
		}
	case secondRecord(l, res) > 0:
		out.code, out.offset = codeJoined, secondRecord(l, res)
		out.message = "another record starts at byte " + itoa(out.offset) + " of the line"
	case res.Message == "trailing characters":
		out.code = "J008"
	case strings.HasPrefix(res.Message, "rollout line must be"):
		out.code = "L001"
	case endsInside(b, res):
		out.code = codeCutOff
		if found&parse.DefectTorn != 0 {
			out.code = "J005"
		}
	case strings.HasPrefix(res.Message, "control character"):
		out.code = "J009"
	case res.Message == loneSurrogate, res.Message == halfPair:
		out.code = "J010"
	case strings.HasPrefix(res.Message, tooDeep):
		out.code = "J011"
	}
	return out
}

// tooLarge reports whether the number at the place of a rejection is beyond a float of 64
// bits in any spelling.
func tooLarge(v *lineView, res accept.Result) bool {
	_, number, ok := jsonraw.Locate(v.Bytes, res.Pointer)
	if !ok {
		return false
	}
	_, err := strconv.ParseFloat(string(number), 64)
	return errors.Is(err, strconv.ErrRange)
}

// Messages of the decoder that two places ask for.
const (
	floatAsMap    = "invalid type: map, expected f64"
	tooDeep       = "recursion limit exceeded"
	loneSurrogate = "lone leading surrogate in hex escape"
	halfPair      = "unexpected end of hex escape"
)

// decoderDefect is the code of what only Codex's decoder does not read, "" for another
// message: it is JSON all right.
func decoderDefect(v *lineView) string {
	res := v.Result
	switch {
	case res.Message == tooDeep:
		return "J011"
	case strings.HasPrefix(res.Message, "number out of range: integer"):
		return "J012"
	case res.Message == floatAsMap && v.Bytes[res.Offset] != '{':
		if tooLarge(v, res) {
			return "R017"
		}
		return "J013"
	}
	return ""
}

// invalidAt is the offset of the first byte that is not valid UTF-8.
func invalidAt(b []byte) int {
	for at := 0; at < len(b); {
		r, n := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && n == 1 {
			return at
		}
		at += n
	}
	return 0
}

// recordStart is how every record starts that Codex writes (format.md 1.4.5).
var recordStart = []byte(`{"timestamp":"`)

// secondRecord is the offset of a whole record behind another one, or behind the start
// of another one, on one line; 0 when there is none.
func secondRecord(l parse.Line, res accept.Result) int {
	b := l.Bytes
	if res.Message == "trailing characters" && b[res.Offset] == '{' {
		return res.Offset
	}
	at := bytes.LastIndex(b, recordStart)
	if at <= 0 || at > res.Offset+len(`\ud83c\udf0a`) { // an error in an escape is where that starts
		return 0
	}
	rec, err := parse.ViewRecord(parse.Line{Bytes: b[at:]})
	if err != nil || rec.Type == "" || rec.Payload == nil {
		return 0
	}
	return at
}

// endsInside reports whether the text is over before the value is.
func endsInside(b []byte, res accept.Result) bool {
	if strings.HasPrefix(res.Message, "EOF while") {
		// An escape that is too short can be near the end of a whole text, too.
		return !bytes.ContainsRune(b[res.Offset:], '"')
	}
	// White space behind a cut literal is what its next letter is not.
	rest := string(bytes.TrimRight(b[res.Offset:], " \t\r"))
	return rest == "" || res.Message == "expected ident" &&
		(strings.HasPrefix("null", rest) || strings.HasPrefix("true", rest) || strings.HasPrefix("false", rest))
}

// duplicateKeys looks for members of one name in the envelope and in the payload, and
// below them where the loader has come by one.
type duplicateKeys struct{}

func (duplicateKeys) Look(v *lineView) any {
	if v.Record == nil || v.Bare || v.Result.Verdict != accept.OK {
		return nil
	}
	reportDuplicate(v, v.Record.Envelope, "")
	reportDuplicate(v, v.Record.Fields(), "/payload")
	if v.Result.Repeats {
		reportDeeper(v)
	}
	return nil
}

// reportDeeper reports the first member below the payload's own that a later one of the
// same name overrides.
func reportDeeper(v *lineView) {
	var first rejection
	var scan jsonraw.Scanner
	n := 0
	for _, off := range slices.Sorted(maps.Keys(jsonraw.Overridden(v.Bytes))) {
		scan.Reset(v.Bytes[off:])
		name := scan.Skip()
		value := bytes.TrimLeft(v.Bytes[off+len(name):], " \t\r:")
		at := len(v.Bytes) - len(value)
		pointer := jsonraw.Pointer(v.Bytes, at)
		if depth := strings.Count(pointer, "/"); depth < 2 || depth == 2 && strings.HasPrefix(pointer, "/payload/") {
			continue // reported with its object
		}
		if n++; n == 1 {
			first = rejection{"J014", duplicateMessage(string(name.Unquoted())), pointer, at}
		}
	}
	if n > 1 {
		first.message += fmt.Sprintf(" (%d like this in the values below, the first here)", n)
	}
	if n > 0 {
		v.looked.Findings = append(v.looked.Findings, first.finding(v))
	}
}

func duplicateMessage(name string) string {
	return "duplicate key `" + clip(name) + "`: the last one counts"
}

func reportDuplicate(v *lineView, o jsonraw.Object, at string) {
	m := duplicate(o.Members)
	if m == nil {
		return
	}
	base, _, _ := jsonraw.Locate(v.Bytes, at)
	name := strings.NewReplacer("~", "~0", "/", "~1").Replace(m.Name)
	why := rejection{"J014", duplicateMessage(m.Name), at + "/" + name, base + m.Off}
	v.looked.Findings = append(v.looked.Findings, why.finding(v))
}

// duplicate returns the first member that a later one of the same name overrides, nil
// for none.
func duplicate(members []jsonraw.Member) *jsonraw.Member {
	const few = 32 // up to here comparing all pairs is faster than a map
	if len(members) > few {
		return duplicateOfMany(members)
	}
	for i := range members {
		for k := i + 1; k < len(members); k++ {
			if members[i].Name == members[k].Name {
				return &members[i]
			}
		}
	}
	return nil
}

func duplicateOfMany(members []jsonraw.Member) *jsonraw.Member {
	last := make(map[string]int, len(members))
	for i, m := range members {
		last[m.Name] = i
	}
	for i := range members {
		if last[members[i].Name] != i {
			return &members[i]
		}
	}
	return nil
}
