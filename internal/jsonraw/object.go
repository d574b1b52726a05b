package jsonraw

import "fmt"

// Member is one name and value of an object, in file order.
type Member struct {
	Name  string // decoded
	Value Value  // aliases the object
	Off   int    // byte offset of Value in the object
}

// Object is an object split into its members. The zero Object has none.
type Object struct {
	Raw     Value
	Members []Member // in file order, duplicates included
}

// viewDepth bounds nesting when a text is only looked at. The loader's own, lower
// limit is for parse/accept.
const viewDepth = 10_000

// ParseObject splits the object v. It fails when v is no well-formed object or
// has trailing bytes.
func ParseObject(v Value) (Object, error) {
	o := Object{Raw: v}
	if v.Kind() != KindObject {
		return o, fmt.Errorf("%s where an object is needed", v.Kind().Name())
	}
	s := Scanner{MaxDepth: viewDepth}
	s.Reset(v)
	s.OpenObject()
	for name, more := s.Member(true); more; name, more = s.Member(false) {
		m := Member{Name: nameOf(s.Text(name))}
		s.space()
		m.Off = s.Offset()
		m.Value = s.Skip()
		o.Members = append(o.Members, m)
	}
	s.End()
	return o, s.failure()
}

// Elements splits the array v. It fails when v is no well-formed array.
func Elements(v Value) ([]Value, error) {
	if v.Kind() != KindArray {
		return nil, fmt.Errorf("%s where an array is needed", v.Kind().Name())
	}
	s := Scanner{MaxDepth: viewDepth}
	s.Reset(v)
	s.OpenArray()
	var out []Value
	for more := s.Element(true); more; more = s.Element(false) {
		out = append(out, s.Skip())
	}
	s.End()
	return out, s.failure()
}

// Valid reports whether v is one well-formed JSON value with nothing after it.
func Valid(v Value) bool {
	s := Scanner{MaxDepth: viewDepth}
	s.Reset(v)
	s.Skip()
	s.End()
	return s.Err() == nil
}

// failure is Err as a plain error, nil when all went well.
func (s *Scanner) failure() error {
	if s.err == nil {
		return nil
	}
	return s.err
}

// Get returns the value of the last member called name, nil when there is none.
func (o Object) Get(name string) Value {
	if m := o.at(name); m != nil {
		return m.Value
	}
	return nil
}

// Text returns the string called name, "" when it is absent or no string.
func (o Object) Text(name string) string {
	s, _ := o.Get(name).Text()
	return s
}

// Word is Text for strings that come often, such as types: it allocates none of those
// that fill rollouts.
func (o Object) Word(name string) string {
	v := o.Get(name)
	if v.Kind() != KindString {
		return ""
	}
	return nameOf(v.Unquoted())
}

// Set returns the object with the value of name replaced: a splice of the last
// member of that name, or a new last member. All other bytes stay as they are.
func (o Object) Set(name string, val Value) Value {
	if m := o.at(name); m != nil {
		return splice(o.Raw, m.Off, m.Off+len(m.Value), val)
	}
	add := make(Value, 0, len(name)+len(val)+4)
	if len(o.Members) > 0 {
		add = append(add, ',')
	}
	add = AppendQuote(add, name)
	add = append(append(add, ':'), val...)
	end := len(o.Raw) - 1
	return splice(o.Raw, end, end, add)
}

func splice(raw Value, from, to int, put Value) Value {
	out := make(Value, 0, len(raw)-(to-from)+len(put))
	out = append(out, raw[:from]...)
	out = append(out, put...)
	return append(out, raw[to:]...)
}

// Array joins values into an array without white space.
func Array(vals []Value) Value {
	n := 2
	for _, v := range vals {
		n += len(v) + 1
	}
	out := append(make(Value, 0, n), '[')
	for i, v := range vals {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']')
}

// Build writes an object without white space from name, value pairs in order;
// a pair with a nil value is left out.
func Build(pairs ...Pair) Value {
	out := Value{'{'}
	for _, p := range pairs {
		if p.Value == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = AppendQuote(out, p.Name)
		out = append(append(out, ':'), p.Value...)
	}
	return append(out, '}')
}

// Pair is a member for Build.
type Pair struct {
	Name  string
	Value Value
}

// Strings returns the elements of an array of strings; false when v is no
// array or an element is no string.
func Strings(v Value) ([]string, bool) {
	elems, ok := SplitArray(v)
	if !ok {
		return nil, false
	}
	out := make([]string, len(elems))
	for i, e := range elems {
		s, ok := e.Text()
		if !ok {
			return nil, false
		}
		out[i] = s
	}
	return out, true
}
