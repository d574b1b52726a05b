package rewrite

import (
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// Record is a line on its way through the operations. Its views alias its bytes; make
// changes with an Editing, never in place.
type Record struct {
	// Record is the view of the line as it is now. Its Number and Offset are those of the
	// line of the file that it came from; a record that an operation has added has those
	// of the record it was added to.
	parse.Record
	// Broken says why the line is no JSON object; nil when it is one. Then the view has
	// the bytes only. A blank line is broken too: ErrBlank.
	Broken error
	// Added: an operation before this one made the record.
	Added bool

	checker *accept.Checker
	judged  bool
	result  accept.Result
}

// Accepted reports whether Codex's loader takes the line as a record.
func (r *Record) Accepted() bool { return r.Judge().Verdict == accept.OK }

// Judge says what Codex's loader does with the line.
func (r *Record) Judge() accept.Result {
	if !r.judged {
		r.result, r.judged = r.checker.Line(r.Bytes), true
	}
	return r.result
}

// Change starts an edit of the record.
func (r *Record) Change() *Editing { return &Editing{r: r} }

// Editing collects changes of one record. Values passed to it must be views of the
// record's bytes (its payload, a member of it, an element of a list in it).
type Editing struct {
	r       *Record
	splices []jsonraw.Splice
	failed  bool
}

// Replace puts new JSON in the place of a value.
func (e *Editing) Replace(old jsonraw.Value, with []byte) *Editing {
	return e.at(old, jsonraw.Splice{Len: len(old), New: with})
}

// Remove takes the members called name out of an object.
func (e *Editing) Remove(object jsonraw.Value, name string) *Editing {
	return e.all(object, jsonraw.WithoutMember(object, name))
}

// RemoveElements takes elements out of a list: element i goes when drop says so.
func (e *Editing) RemoveElements(list jsonraw.Value, drop func(i int) bool) *Editing {
	return e.all(list, jsonraw.WithoutElements(list, drop))
}

// Add puts a member behind the last one of an object. The object must not have it.
func (e *Editing) Add(object jsonraw.Value, name string, value []byte) *Editing {
	if len(object) < 2 {
		e.failed = true
		return e
	}
	last := len(object) - 1
	for last > 1 && (object[last-1] == ' ' || object[last-1] == '\t' || object[last-1] == '\r' || object[last-1] == '\n') {
		last--
	}
	var add jsonraw.Value
	if last > 1 {
		add = append(add, ',')
	}
	add = append(append(jsonraw.AppendQuote(add, name), ':'), value...)
	return e.at(object, jsonraw.Splice{Off: last, New: add})
}

// Set replaces a member of an object, or adds it.
func (e *Editing) Set(object jsonraw.Value, name string, value []byte) *Editing {
	if old := jsonraw.Lookup(object, name); old != nil {
		return e.Replace(old, value)
	}
	return e.Add(object, name, value)
}

// Mask takes the same items out of a checkpoint's replacement_history and, when it is a
// list of the same length, out of its replacement_history_metadata (rule 9). compacted is
// the payload of the record.
func (e *Editing) Mask(compacted jsonraw.Object, drop func(i int) bool) *Editing {
	items := compacted.Get("replacement_history")
	e.RemoveElements(items, drop)
	metas := compacted.Get("replacement_history_metadata")
	if metas.Kind() != jsonraw.KindArray {
		return e
	}
	a, _ := jsonraw.SplitArray(items)
	if b, _ := jsonraw.SplitArray(metas); len(a) == len(b) {
		e.RemoveElements(metas, drop)
	}
	return e
}

// Empty reports whether nothing was changed so far.
func (e *Editing) Empty() bool { return len(e.splices) == 0 && !e.failed }

// Done ends the edit. reason says in a few words what was done; edits with equal reasons
// are counted together. An edit without a change keeps the record.
func (e *Editing) Done(reason string) Edit {
	if e.Empty() {
		return Keep()
	}
	line, err := jsonraw.Apply(e.r.Bytes, e.splices)
	if err != nil || e.failed {
		return Edit{action: invalid, reason: "an edit of line bytes that are not in the line, or twice the same"}
	}
	return Edit{action: changed, line: line, reason: reason}
}

func (e *Editing) at(part jsonraw.Value, s jsonraw.Splice) *Editing {
	off, ok := jsonraw.OffsetIn(e.r.Bytes, part)
	if !ok {
		e.failed = true
		return e
	}
	s.Off += off
	e.splices = append(e.splices, s)
	return e
}

func (e *Editing) all(part jsonraw.Value, splices []jsonraw.Splice) *Editing {
	for _, s := range splices {
		e.at(part, s)
	}
	return e
}

type action uint8

const (
	kept action = iota
	changed
	dropped
	invalid
)

// Edit says what becomes of a record. The zero Edit keeps it.
type Edit struct {
	action        action
	line          []byte
	before, after [][]byte
	reason        string
	lossy         bool
	ended         bool // the line gets a newline
	gone          bool // leaves no filler
}

// Keep leaves the record as it is.
func Keep() Edit { return Edit{} }

// Drop takes the record out.
func Drop(reason string) Edit { return Edit{action: dropped, reason: reason, lossy: true} }

// Line puts another line (without newline) in the place of the record.
func Line(line []byte, reason string) Edit { return Edit{action: changed, line: line, reason: reason} }

// Before adds lines (without newlines) in front of the record. They need no ordinals: the
// engine gives a paginated file's records theirs.
func (e Edit) Before(reason string, lines ...[]byte) Edit {
	e.before = append(e.before, lines...)
	return e.because(reason)
}

// After adds lines behind the record.
func (e Edit) After(reason string, lines ...[]byte) Edit {
	e.after = append(e.after, lines...)
	return e.because(reason)
}

// Lossy marks an edit that takes content away: a quarantine then keeps the old record.
func (e Edit) Lossy() Edit {
	e.lossy = e.action != kept
	return e
}

// Ended gives a changed line, the last of a file, the newline that it lacks.
func (e Edit) Ended() Edit {
	e.ended = true
	return e
}

// WithoutFiller is for a dropped record whose ordinal another record has, too: nothing
// stays in its place, also in a paginated file.
func (e Edit) WithoutFiller() Edit {
	e.gone = true
	return e
}

// Kept reports whether the edit changes nothing.
func (e Edit) Kept() bool { return e.action == kept && len(e.before)+len(e.after) == 0 }

func (e Edit) because(reason string) Edit {
	if e.reason == "" {
		e.reason = reason
	}
	return e
}
