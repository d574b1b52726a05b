package jsonraw

import "bytes"

// SplitObject splits an object that is known to be well-formed, as any part of a
// value that ParseObject, Elements or the loader's checker has gone through is. It
// looks at quotes and brackets only, several times faster than checking again. Of
// text that is not well-formed it makes something without meaning, never a panic.
func SplitObject(v Value) (Object, bool) {
	o := Object{Raw: v}
	if v.Kind() != KindObject {
		return o, false
	}
	o.Members = make([]Member, 0, 8)
	for i := skipSpace(v, 1); i < len(v) && v[i] == '"'; {
		end := skipString(v, i)
		name := Value(v[i:end])
		from := skipSpace(v, skipSpace(v, end)+1) // past the colon
		to := skipValue(v, from)
		if from >= to {
			return o, false
		}
		o.Members = append(o.Members, Member{Name: nameOf(name.Unquoted()), Value: v[from:to:to], Off: from})
		if i = skipSpace(v, to); i < len(v) && v[i] == ',' {
			i = skipSpace(v, i+1)
		}
	}
	return o, true
}

// Lookup returns the value of the last member called name of an object that is known to
// be well-formed (see SplitObject), nil when there is none. It allocates nothing.
func Lookup(v Value, name string) Value {
	if v.Kind() != KindObject {
		return nil
	}
	var found Value
	for i := skipSpace(v, 1); i < len(v) && v[i] == '"'; {
		end := skipString(v, i)
		from := skipSpace(v, skipSpace(v, end)+1) // past the colon
		to := skipValue(v, from)
		if from >= to {
			break
		}
		if string(v[i:end].Unquoted()) == name {
			found = v[from:to:to]
		}
		if i = skipSpace(v, to); i < len(v) && v[i] == ',' {
			i = skipSpace(v, i+1)
		}
	}
	return found
}

// SplitArray splits an array that is known to be well-formed; see SplitObject.
func SplitArray(v Value) ([]Value, bool) {
	if v.Kind() != KindArray {
		return nil, false
	}
	var out []Value
	for i := skipSpace(v, 1); i < len(v) && v[i] != ']'; {
		end := skipValue(v, i)
		if end <= i {
			return out, false
		}
		out = append(out, v[i:end:end])
		if i = skipSpace(v, end); i < len(v) && v[i] == ',' {
			i = skipSpace(v, i+1)
		}
	}
	return out, true
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the end of the string that starts at i.
func skipString(b []byte, i int) int {
	for i++; i < len(b); {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		i += n + 1
		back := 0 // an odd number of backslashes escapes the quote
		for k := i - 2; k >= 0 && b[k] == '\\'; k-- {
			back++
		}
		if back%2 == 0 {
			return i
		}
	}
	return len(b)
}

// skipValue returns the end of the value that starts at i.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return i
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
	default:
		for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] > ' ' {
			i++
		}
		return i
	}
	for depth := 0; i < len(b); {
		switch b[i] {
		case '"':
			i = skipString(b, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return len(b)
}
