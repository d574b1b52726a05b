package ops

import (
	"bytes"
	"errors"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// repairText mends lines one by one: their bytes, their JSON, numbers and keys.
type repairText struct{ parts map[string]bool }

func (repairText) Name() string  { return "repair" }
func (repairText) Repairs() bool { return true }

func (op repairText) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	return func() rewrite.Editor { return &textMender{op.parts, in.Checker()} }, nil
}

type textMender struct {
	parts   map[string]bool
	checker *accept.Checker
}

// mended is what becomes of one line.
type mended struct {
	lines [][]byte
	what  string // the first thing that was done, "" for nothing
	lossy bool   // content went away that somebody could have read
}

func (m *mended) note(what string) {
	if m.what == "" {
		m.what = what
	}
}

// Edit mends a line.
func (t *textMender) Edit(r *rewrite.Record) rewrite.Edit {
	if errors.Is(r.Broken, rewrite.ErrBlank) {
		return rewrite.Keep()
	}
	var m mended
	b := r.Bytes
	if t.parts[partCRLF] && r.CRLF() {
		b = b[:len(b)-1]
		m.note("crlf")
	}
	if r.Broken != nil {
		t.text(b, &m)
	} else {
		m.lines = [][]byte{b}
	}
	t.values(r, &m)
	switch {
	case m.what == "":
		return rewrite.Keep()
	case len(m.lines) == 0:
		return rewrite.Drop(m.what)
	}
	e := rewrite.Line(m.lines[0], m.what)
	if len(m.lines) > 1 {
		e = e.After(m.what, m.lines[1:]...)
	}
	if m.lossy {
		e = e.Lossy()
	}
	return e
}

// text mends a line that is no JSON object. What does not make it one is not kept, but
// for the encoding: a line that is not UTF-8 stops the load of the whole file.
func (t *textMender) text(b []byte, m *mended) {
	if t.parts[partUTF8] {
		if valid := bytes.ToValidUTF8(b, []byte("\ufffd")); len(valid) != len(b) || !bytes.Equal(valid, b) {
			b = valid
			m.note("invalid utf-8")
			m.lossy = true
		}
	}
	m.lines = [][]byte{b}
	fixed, what := mendBytes(b, t.parts)
	if parse.IsBlank(fixed) && what != "" {
		m.lines = nil // there was nothing else on the line
		m.note(what)
		return
	}
	if isObject(fixed) {
		m.lines = [][]byte{fixed}
		if what != "" {
			m.note(what)
		}
		return
	}
	lines, how := t.split(fixed)
	if lines == nil {
		return
	}
	m.lines = lines
	if what != "" {
		m.note(what)
	}
	m.note(how.what)
	m.lossy = m.lossy || how.lossy
}

// recordStart is how every record starts that Codex writes (format.md 1.4.5); inside a
// string the quotes would be escaped.
var recordStart = []byte(`{"timestamp":"`)

// split takes the records of a line apart that has something else beside one: another
// record, the start of one, or characters. It returns nil when it finds no record.
func (t *textMender) split(b []byte) ([][]byte, mended) {
	var scan jsonraw.Scanner
	scan.Reset(b)
	object := scan.Next() == jsonraw.KindObject
	from := scan.Offset()
	scan.Skip()
	if scan.Err() == nil && object {
		return t.behind(b[from:scan.Offset()], bytes.TrimSpace(b[scan.Offset():]))
	}
	at := bytes.LastIndex(b, recordStart)
	asItWas := bytes.HasPrefix(b, byteOrderMark) || bytes.IndexByte(b, 0) >= 0 // their parts were left out
	if at <= 0 || asItWas || !t.parts[partJoined] || !isRecord(b[at:]) {
		return nil, mended{}
	}
	// The start of the line is the start of a record at most, unless it holds whole ones.
	lines, _ := t.split(b[:at])
	if isObject(b[:at]) {
		lines = [][]byte{b[:at]}
	}
	return append(lines, bytes.TrimSpace(b[at:])), mended{what: "start of a record in front of another", lossy: true}
}

// behind takes apart what follows the first record of a line.
func (t *textMender) behind(first, rest []byte) ([][]byte, mended) {
	lines := [][]byte{first}
	switch {
	case len(rest) == 0:
		return lines, mended{}
	case rest[0] != '{':
		if !t.parts[partTrailing] {
			return nil, mended{}
		}
		return lines, mended{what: "characters behind the record", lossy: true}
	case !t.parts[partJoined]:
		return nil, mended{}
	case isObject(rest):
		return append(lines, rest), mended{what: "records on one line"}
	}
	more, how := t.split(rest)
	if more == nil {
		return lines, mended{what: "start of a record behind another", lossy: true}
	}
	if how.what == "" {
		how.what = "records on one line"
	}
	return append(lines, more...), how
}

// isObject reports whether a text is one JSON object as Codex's decoder reads it.
func isObject(b []byte) bool {
	_, err := jsonraw.ParseObject(bytes.TrimSpace(b))
	return err == nil
}

// isRecord reports whether a text is an object with a type and a payload.
func isRecord(b []byte) bool {
	rec, err := parse.ViewRecord(parse.Line{Bytes: b})
	return err == nil && rec.Type != "" && rec.Payload != nil
}

// values mends depth, numbers and duplicate keys in the lines that are JSON.
func (t *textMender) values(r *rewrite.Record, m *mended) {
	if !t.parts[partDepth] && !t.parts[partNumbers] && !t.parts[partKeys] {
		return
	}
	for i, b := range m.lines {
		var res accept.Result
		if m.what == "" {
			res = r.Judge() // nothing was done to the line: the engine may have judged it
		} else {
			res = t.checker.Line(b)
		}
		if t.parts[partDepth] && res.Message == "recursion limit exceeded" {
			if fixed := flatten(b, maxDepth); fixed != nil && t.checker.Line(fixed).Verdict == accept.OK {
				m.lines[i] = fixed
				m.note("nesting too deep")
				b, res = fixed, t.checker.Line(fixed)
			}
		}
		if res.Verdict == accept.Err && t.parts[partNumbers] && badNumber(res.Message) {
			if fixed := mendNumbers(b, t.checker); fixed != nil {
				m.lines[i] = fixed
				m.note("numbers the decoder does not read")
				b, res = fixed, t.checker.Line(fixed)
			}
		}
		if res.Verdict == accept.OK && t.parts[partKeys] && repeatsKey(b, res) {
			if fixed := withoutOverridden(b); fixed != nil {
				m.lines[i] = fixed
				m.note("duplicate keys")
			}
		}
	}
}

// badNumber reports whether the decoder stumbled over the spelling of a number.
func badNumber(message string) bool {
	return message == floatAsMap || strings.HasPrefix(message, "number out of range: integer")
}

// repeatsKey reports whether the record, its payload or an object below that Codex looks
// at has two members of one name.
func repeatsKey(line []byte, res accept.Result) bool {
	if res.Repeats {
		return true
	}
	envelope, ok := jsonraw.SplitObject(bytes.TrimSpace(line))
	if !ok {
		return false
	}
	payload, _ := jsonraw.SplitObject(envelope.Get("payload"))
	return twoAlike(envelope.Members) || twoAlike(payload.Members)
}

func twoAlike(members []jsonraw.Member) bool {
	const few = 32 // up to here comparing all pairs is faster than a map
	if len(members) <= few {
		for i := range members {
			for _, m := range members[i+1:] {
				if m.Name == members[i].Name {
					return true
				}
			}
		}
		return false
	}
	seen := make(map[string]bool, len(members))
	for _, m := range members {
		if seen[m.Name] {
			return true
		}
		seen[m.Name] = true
	}
	return false
}
