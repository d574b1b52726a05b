package jsonraw

import (
	"strconv"
	"strings"
)

// Locate returns the byte offset in text of the value that a JSON pointer (RFC 6901)
// names, and the value; false when there is none. The text is one well-formed value,
// white space around it allowed. Of duplicate keys the last one counts.
func Locate(text []byte, pointer string) (int, Value, bool) {
	from := skipSpace(text, 0)
	v := Value(text[from:])
	for _, step := range pointerSteps(pointer) {
		at, end, ok := locateStep(v, step)
		if !ok {
			return 0, nil, false
		}
		from, v = from+at, v[at:end:end]
	}
	return from, v, true
}

func pointerSteps(pointer string) []string {
	if pointer == "" {
		return nil
	}
	steps := strings.Split(pointer[1:], "/")
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for i, s := range steps {
		steps[i] = unescape.Replace(s)
	}
	return steps
}

// locateStep finds a member or element of v: where it starts and ends in v.
func locateStep(v Value, step string) (from, to int, ok bool) {
	switch v.Kind() {
	case KindObject:
		o, _ := SplitObject(v)
		for i := len(o.Members) - 1; i >= 0; i-- {
			if m := o.Members[i]; m.Name == step {
				return m.Off, m.Off + len(m.Value), true
			}
		}
	case KindArray:
		n, err := strconv.Atoi(step)
		if err != nil || n < 0 {
			return 0, 0, false
		}
		i := skipSpace(v, 1)
		for ; i < len(v) && v[i] != ']'; n-- {
			end := skipValue(v, i)
			if n == 0 || end <= i {
				return i, end, end > i
			}
			if i = skipSpace(v, end); i < len(v) && v[i] == ',' {
				i = skipSpace(v, i+1)
			}
		}
	}
	return 0, 0, false
}
