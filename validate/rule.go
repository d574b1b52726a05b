package validate

import (
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// Looked is what a lineRule notes about one line for a streamRule. It must not keep
// bytes of the line.
type Looked struct {
	Number   int
	Offset   int64
	Size     int64 // newline included
	Verdict  accept.Verdict
	Readable bool   // the line is a JSON object
	Type     string // record type, "" when there is none
	Kind     string // type inside the payload
	Ordinal  uint64
	HasOrd   bool
	Key      uint64 // equal for equal bytes
	Findings []Finding
	// Time is the envelope's timestamp in milliseconds since 1970, 0 when there is none
	// of the writer's form (format.md 2.1). lineFormRule sets it.
	Time int64
	form lineForm // how the line is written, also from lineFormRule

	// Notes are what the rules' Look have left for their Take, one for each rule that
	// left something, by the rule's index.
	notes []note
}

type note struct {
	rule  int
	value any
}

// A lineRule looks at each line by itself. Look runs on several goroutines at once;
// an instance serves one goroutine. It reports through line.Add and may return a note
// for the Take of its streamRule, nil for none.
type lineRule interface {
	Look(line *lineView) any
}

// A streamRule sees the notes of its lineRule in file order and may keep state. Take
// gets every line, which is used again afterwards; note is nil when Look left none. End comes after the last line.
type streamRule interface {
	Take(l *Looked, note any, out *sink)
	End(f *fileView, out *sink)
}

// A historyRule runs after the last line and may replay.
type historyRule interface {
	Check(f *fileView, out *sink) error
}

// rule is one set of checks. Any of the three may be nil; line is called once for each
// goroutine, stream and history once for each file.
type rule struct {
	name    string
	line    func() lineRule
	stream  func() streamRule
	history func() historyRule
}

// rules lists all checks. The order is that of findings of the same line.
func rules() []rule {
	return []rule{
		rejectRule(), jsonRule(), lineFormRule(), sessionRule(), ordinalRule(),
		itemRule(), pairingRule(), metadataRule(), windowRule(), checkpointRule(), retentionRule(),
		usageRule(), encryptedRule(), bloatRule(), fileNameRule(),
	}
}

// lineView is a line as a lineRule sees it. Bytes and views are valid during Look only.
type lineView struct {
	history.View
	looked *Looked
	memo   *factMemo
	held   held // what items and images return
}

// Add reports a finding at a JSON pointer of this line.
func (v *lineView) Add(code, pointer, message string) {
	v.looked.Findings = append(v.looked.Findings, v.finding(code, pointer, message))
}

// finding is a finding at a JSON pointer of this line, for a rule that decides later
// whether to report it.
func (v *lineView) finding(code, pointer, message string) Finding {
	off := 0
	if pointer != "" {
		off, _, _ = jsonraw.Locate(v.Bytes, pointer)
	}
	return Finding{
		Code: code, Message: message, Pointer: pointer, Line: v.Number, Offset: v.Offset + int64(off),
		Ordinal: v.looked.Ordinal, HasOrdinal: v.looked.HasOrd, Key: v.looked.Key,
	}
}

// OK reports whether Codex accepts the line as a record (in a generation 0 file, whether
// the item in it would be accepted).
func (v *lineView) OK() bool { return v.Record != nil && v.Result.Verdict == accept.OK }

// Item is the payload of an accepted response_item; false for other lines.
func (v *lineView) Item() (parse.Item, bool) {
	if !v.OK() || v.Record.Type != parse.RecordResponseItem {
		return parse.Item{}, false
	}
	return v.Record.Item(), true
}

// fileView is the file after its last line.
type fileView struct {
	Path    string
	Rollout *history.Rollout // nil when it could not be loaded
	Bare    bool             // generation 0
	File    *File
	Check   *accept.Checker // for lines of other files
}

// cutOff reports whether the file could not be read to its end: what is missing in it may
// stand behind.
func (f *fileView) cutOff() bool { return f.Rollout != nil && f.Rollout.ReadError() != nil }

// sink takes the findings of one file.
type sink struct{ emit func(Finding) }

// At reports a finding about a line that has been seen, at a pointer whose offset is not
// known any more: the place is the line.
func (s *sink) At(l *Looked, code, pointer, message string) {
	s.emit(Finding{
		Code: code, Message: message, Pointer: pointer, Line: l.Number, Offset: l.Offset,
		Ordinal: l.Ordinal, HasOrdinal: l.HasOrd, Key: l.Key,
	})
}

// File reports a finding about the file as a whole.
func (s *sink) File(code, message string) { s.emit(Finding{Code: code, Message: message}) }
