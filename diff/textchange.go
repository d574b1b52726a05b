package diff

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/internal/textfmt"
)

// TextChange is a member or element that differs between the two items of a
// change, as deep inside as possible.
type TextChange struct {
	// Pointer is the JSON pointer in the item: of the after item where both have
	// the place, else of the one that has it.
	Pointer string
	// Before and After are the raw values; nil when the item does not have one.
	Before, After jsonraw.Value
	// Edits turn the text before into the text after, when both are strings. Equal
	// and inserted texts make up the text after, equal and deleted ones the text before.
	Edits []Edit
	// Note says why there are no Edits for two strings: they are too long.
	Note string
}

// Edit is a piece of text.
type Edit struct {
	Op   EditOp
	Text string
}

// EditOp says where a piece of text stands.
type EditOp int8

// The pieces of an edited text.
const (
	Delete EditOp = -1 // only before
	Equal  EditOp = 0  // on both sides
	Insert EditOp = 1  // only after
)

// Bounds of the comparison of two strings. Work grows with the product of what
// differs on either side.
const (
	maxRunes = 1_000 // compared by character up to so many, once common ends are off
	maxLines = 2_000 // else by line up to so many
)

// Text walks the two items of a change and returns what differs. It is nil for
// items on one side only. It is computed anew with each call.
func (ch Change) Text() []TextChange {
	if ch.Before == nil || ch.After == nil || ch.Op == Keep || ch.Op == Move {
		return nil
	}
	return walk(nil, "", ch.Before.Item.Raw, ch.After.Item.Raw)
}

func walk(out []TextChange, pointer string, before, after jsonraw.Value) []TextChange {
	if sameValue(before, after) {
		return out
	}
	bk, ak := before.Kind(), after.Kind()
	switch {
	case bk == jsonraw.KindObject && ak == jsonraw.KindObject:
		b, berr := jsonraw.ParseObject(before)
		a, aerr := jsonraw.ParseObject(after)
		if berr != nil || aerr != nil {
			break
		}
		for _, name := range memberNames(b, a) {
			out = walk(out, pointer+"/"+escapePointer(name), b.Get(name), a.Get(name))
		}
		return out
	case bk == jsonraw.KindArray && ak == jsonraw.KindArray:
		b, berr := jsonraw.Elements(before)
		a, aerr := jsonraw.Elements(after)
		if berr == nil && aerr == nil {
			return walkArrays(out, pointer, b, a)
		}
	case bk == jsonraw.KindString && ak == jsonraw.KindString:
		return append(out, textChange(pointer, before, after))
	}
	return append(out, TextChange{Pointer: pointer, Before: before, After: after})
}

// memberNames are the names of both objects, those of the first one first.
func memberNames(b, a jsonraw.Object) []string {
	var names []string
	for _, o := range []jsonraw.Object{b, a} {
		for _, m := range o.Members {
			if !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

func escapePointer(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// walkArrays takes off equal elements at both ends and pairs the others by place.
func walkArrays(out []TextChange, pointer string, b, a []jsonraw.Value) []TextChange {
	head := 0
	for head < len(b) && head < len(a) && sameValue(b[head], a[head]) {
		head++
	}
	endB, endA := len(b), len(a)
	for endB > head && endA > head && sameValue(b[endB-1], a[endA-1]) {
		endB, endA = endB-1, endA-1
	}
	for k := head; k < endB || k < endA; k++ {
		var before, after jsonraw.Value
		if k < endB {
			before = b[k]
		}
		if k < endA {
			after = a[k]
		}
		out = walk(out, pointer+"/"+strconv.Itoa(k), before, after)
	}
	return out
}

func textChange(pointer string, before, after jsonraw.Value) TextChange {
	t := TextChange{Pointer: pointer, Before: before, After: after}
	b, a := string(before.Unquoted()), string(after.Unquoted())
	if c := cutText(b, a); c != nil {
		t.Edits = edits(Edit{Equal, c.head}, Edit{Delete, c.removed}, Edit{Insert, c.marker}, Edit{Equal, c.tail})
		return t
	}
	t.Edits, t.Note = diffTexts(b, a)
	return t
}

// edits drops the empty ones.
func edits(all ...Edit) []Edit {
	return slices.DeleteFunc(all, func(e Edit) bool { return e.Text == "" })
}

// diffTexts compares two texts: by character when what differs is short and within
// one line, else by line.
func diffTexts(b, a string) ([]Edit, string) {
	head, tail := commonEnds(b, a)
	b1, a1 := b[head:len(b)-tail], a[head:len(a)-tail]
	if b1 == "" || a1 == "" {
		return edits(Edit{Equal, b[:head]}, Edit{Delete, b1}, Edit{Insert, a1}, Edit{Equal, b[len(b)-tail:]}), ""
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0
	var middle []diffmatchpatch.Diff
	if runes := max(utf8.RuneCountInString(b1), utf8.RuneCountInString(a1)); runes <= maxRunes &&
		!strings.Contains(b1, "\n") && !strings.Contains(a1, "\n") {
		middle = dmp.DiffCleanupSemantic(dmp.DiffMain(b1, a1, false))
	} else {
		// Whole lines: back to the start of the first one and on to the end of the last.
		start := strings.LastIndexByte(b[:head], '\n') + 1
		rest := b[len(b)-tail:]
		if k := strings.IndexByte(rest, '\n'); k >= 0 {
			tail -= k + 1
		} else {
			tail = 0
		}
		head = start
		b1, a1 = b[head:len(b)-tail], a[head:len(a)-tail]
		if lines := 1 + max(strings.Count(b1, "\n"), strings.Count(a1, "\n")); lines > maxLines {
			return nil, "too long to compare: " + textfmt.Thousands(int64(len(b))) + " and " +
				textfmt.Thousands(int64(len(a))) + " bytes"
		}
		rb, ra, lines := dmp.DiffLinesToRunes(b1, a1)
		middle = dmp.DiffCharsToLines(dmp.DiffMainRunes(rb, ra, false), lines)
	}
	out := []Edit{{Equal, b[:head]}}
	for _, d := range middle {
		out = append(out, Edit{EditOp(d.Type), d.Text})
	}
	return edits(append(out, Edit{Equal, b[len(b)-tail:]})...), ""
}

// commonEnds are the lengths of the longest common prefix and, of what is left, the
// longest common suffix in bytes; neither splits a character.
func commonEnds(b, a string) (head, tail int) {
	head = commonPrefix(b, a)
	for head > 0 && (head < len(b) && !utf8.RuneStart(b[head]) || head < len(a) && !utf8.RuneStart(a[head])) {
		head--
	}
	limit := min(len(b), len(a)) - head
	for tail < limit && b[len(b)-1-tail] == a[len(a)-1-tail] {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(b[len(b)-tail]) {
		tail--
	}
	return head, tail
}

func commonPrefix(b, a string) int {
	n := min(len(b), len(a))
	const step = 64 // blocks compare faster than bytes
	i := 0
	for i+step <= n && b[i:i+step] == a[i:i+step] {
		i += step
	}
	for i < n && b[i] == a[i] {
		i++
	}
	return i
}
