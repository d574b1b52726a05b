package jsonraw

import (
	"fmt"
	"slices"
	"unsafe"
)

// Splice replaces Len bytes at byte offset Off of a text by New.
type Splice struct {
	Off, Len int
	New      []byte
}

// Apply returns a copy of text with the splices made; their offsets are those of text,
// in any order. It fails when two overlap or one lies outside.
func Apply(text []byte, splices []Splice) ([]byte, error) {
	sorted := slices.Clone(splices)
	slices.SortStableFunc(sorted, func(a, b Splice) int { return a.Off - b.Off })
	size, at := len(text), 0
	for _, s := range sorted {
		if s.Len < 0 || s.Off < at || s.Off > len(text)-s.Len {
			return nil, fmt.Errorf("splice of %d bytes at %d: outside the text or over another splice", s.Len, s.Off)
		}
		at = s.Off + s.Len
		size += len(s.New) - s.Len
	}
	out, at := make([]byte, 0, size), 0
	for _, s := range sorted {
		out = append(append(out, text[at:s.Off]...), s.New...)
		at = s.Off + s.Len
	}
	return append(out, text[at:]...), nil
}

// OffsetIn returns the byte offset in text of a part that aliases it, as a Value taken
// from text does; false when part is empty or lies elsewhere.
func OffsetIn(text, part []byte) (int, bool) {
	if len(part) == 0 || len(text) == 0 {
		return 0, false
	}
	from := uintptr(unsafe.Pointer(unsafe.SliceData(text)))
	at := uintptr(unsafe.Pointer(unsafe.SliceData(part)))
	if at < from || at-from > uintptr(len(text)-min(len(part), len(text))) || len(part) > len(text) {
		return 0, false
	}
	return int(at - from), true
}

// WithoutElements returns the splices that take the marked elements out of a
// well-formed array: element i goes when drop says so. Offsets are those of the array.
// The bytes of what stays, white space between the elements that stay included, are kept
// but for one comma and the white space around it for each that goes.
func WithoutElements(array Value, drop func(i int) bool) []Splice {
	if array.Kind() != KindArray {
		return nil
	}
	var spans []span
	for i := skipSpace(array, 1); i < len(array) && array[i] != ']'; {
		end := skipValue(array, i)
		if end <= i {
			return nil
		}
		spans = append(spans, span{i, end, drop(len(spans))})
		if i = skipSpace(array, end); i < len(array) && array[i] == ',' {
			i = skipSpace(array, i+1)
		}
	}
	return without(spans)
}

// WithoutMember returns the splices that take all members called name out of a
// well-formed object; none when there is no such member. Offsets are those of the object.
func WithoutMember(object Value, name string) []Splice {
	if object.Kind() != KindObject {
		return nil
	}
	var spans []span
	for i := skipSpace(object, 1); i < len(object) && object[i] == '"'; {
		mid := skipString(object, i)
		end := skipValue(object, skipSpace(object, skipSpace(object, mid)+1))
		if end <= mid {
			return nil
		}
		spans = append(spans, span{i, end, string(Value(object[i:mid]).Unquoted()) == name})
		if i = skipSpace(object, end); i < len(object) && object[i] == ',' {
			i = skipSpace(object, i+1)
		}
	}
	return without(spans)
}

// span is one element or member of a list, from its first byte to past its last.
type span struct {
	from, to int
	drop     bool
}

// without takes spans out of a list: each with the separator after it, and the last ones
// with the separator before them.
func without(spans []span) []Splice {
	var out []Splice
	kept := len(spans)
	for kept > 0 && spans[kept-1].drop {
		kept--
	}
	for i := 0; i < kept; i++ {
		if spans[i].drop {
			out = append(out, Splice{Off: spans[i].from, Len: spans[i+1].from - spans[i].from})
		}
	}
	if kept < len(spans) {
		from := spans[kept].from
		if kept > 0 {
			from = spans[kept-1].to
		}
		out = append(out, Splice{Off: from, Len: spans[len(spans)-1].to - from})
	}
	return out
}
