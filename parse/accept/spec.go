package accept

// The language of the tables. A table row is one field:
//
//	opt("turn_id", text).from("2026-02-11")
//
// Everything in this file is plain data; compile.go turns it into the form that
// the checker interprets, for one Profile.

// date is a day, "2026-08-11", or a month, compared as text.
type date string

// Days at which the reader changed that several rows share.
const (
	// afterA marks what came between that reader and the newest one; the exact
	// days are not known (format.md 0).
	afterA date = "2026-08-22"
	// envelopeDay is the first day of the current envelope (format.md 2.2).
	envelopeDay date = "2025-09-09"
)

// span is the time in which readers know something: from <= day < to. An empty
// bound is open.
type span struct{ since, until date }

func (s span) covers(p Profile) bool {
	day := date(p)
	if day == "" { // the newest reader
		return s.until == ""
	}
	return s.since <= day && (s.until == "" || day < s.until)
}

// presence says what an absent field and a null mean (format.md 2.4).
type presence uint8

const (
	required  presence = iota // G4: absent and null are errors (null may fit the type)
	optional                  // G2, `?`: absent = null = none
	defaulted                 // G3, `=x`: absent is x, null is an error
	either                    // one of the fields so marked must fit its type, the others may be anything
	forbidden                 // must be absent
)

// field is one row of an object's table.
type field struct {
	name   string
	alias  string // also read under this name; both together are an error
	typ    *typ
	is     presence
	dflt   string // the default in words, for readers of the table
	keep   slot   // where the checker keeps the value, for rules over several fields
	window span
}

func req(name string, t *typ) field { return field{name: name, typ: t} }
func opt(name string, t *typ) field { return field{name: name, typ: t, is: optional} }
func def(name string, t *typ, x string) field {
	return field{name: name, typ: t, is: defaulted, dflt: x}
}
func oneOf(name string, t *typ) field { return field{name: name, typ: t, is: either} }
func never(name string) field         { return field{name: name, typ: anything, is: forbidden} }

func (f field) or(alias string) field { f.alias = alias; return f }
func (f field) from(d date) field     { f.window.since = d; return f }
func (f field) to(d date) field       { f.window.until = d; return f }
func (f field) kept(s slot) field     { f.keep = s; return f }

// slot names a value that the checker keeps while it reads a line.
type slot uint8

const (
	keepNothing slot = iota
	keepID
	keepHistoryMode
	keepPayload
	keepHistory
	keepSidecar
	keepUserInputOrder
	keepDelivered
	keepSecs
	keepNanos
	slots // number of slots
)

// form is the shape of a type.
type form uint8

const (
	formAny      form = iota // any JSON, kept opaque
	formScalar               // string, number or boolean, see scalar
	formEnum                 // closed set of strings
	formList                 // array of elem
	formTuple                // array of exactly these elems
	formMap                  // object with free keys (keys) and values (elem)
	formObject               // fields
	formTagged               // object whose tag picks the variant
	formExternal             // a string of values, or an object with one key of variants
	formByKey                // object of one type if it has a key, of another otherwise
	formByKind               // picked by the kind of JSON value
	formNull                 // null
)

// typ is a type of the wire format.
type typ struct {
	form   form
	name   string // in messages
	source string // section of format.md

	scalar   scalar
	bits     int       // integer: width
	nonZero  bool      // integer: 0 is an error
	values   []value   // enum, external
	elem     *typ      // list, map
	elems    []*typ    // tuple; byKey (with, without); byKind
	keys     *typ      // map: type of the keys, nil for any
	fields   []field   // object; tagged: fields common to all variants
	strict   bool      // object: unknown keys are errors (G1, G9)
	tag      string    // tagged: name of the tag; byKey: the key
	variants []variant // tagged, external
	open     openness
	uniform  string // list of byKey: message when elements differ
	finish   finish // rule over several fields, checked after the object
}

// openness says what happens to names that are not in the table (G5, G6).
type openness uint8

const (
	closed       openness = iota
	openTags              // tagged: unknown tags pass with any body
	openKeys              // external: unknown strings and unknown keys pass
	openUnitKeys          // external: unknown strings pass, also as {name: null} and {name: {}}
)

// finish names a rule over several fields of one object.
type finish uint8

const (
	finishNone finish = iota
	finishCompacted
	finishDuration
)

// value is one string of an enumeration.
type value struct {
	name   string
	window span
}

// variant is one tag or key of a union.
type variant struct {
	name   string
	alias  string
	fields []field // tagged
	typ    *typ    // external: the content; tagged: a type in place of fields
	strict bool
	ghost  bool // a ghost snapshot (format.md 2.7)
	window span
}

func v(name string, fields ...field) variant { return variant{name: name, fields: fields} }

// loose is a variant whose fields the reference does not give: any body passes.
func loose(name string) variant { return variant{name: name} }

// key is a variant of an external union: {name: content}.
func key(name string, content *typ) variant { return variant{name: name, typ: content} }

func (x variant) or(alias string) variant { x.alias = alias; return x }
func (x variant) from(d date) variant     { x.window.since = d; return x }
func (x variant) noExtraKeys() variant    { x.strict = true; return x }

// as reads the object, tag included, as another type.
func (x variant) as(t *typ) variant { x.typ = t; return x }
func (x variant) isGhost() variant  { x.ghost = true; return x }

func list(elem *typ) *typ               { return &typ{form: formList, name: "a sequence", elem: elem} }
func dict(elem *typ) *typ               { return &typ{form: formMap, name: "a map", elem: elem} }
func dictOf(keys, elem *typ) *typ       { return &typ{form: formMap, name: "a map", keys: keys, elem: elem} }
func tuple(name string, e ...*typ) *typ { return &typ{form: formTuple, name: name, elems: e} }

func object(name, source string, fields ...field) *typ {
	return &typ{form: formObject, name: "struct " + name, source: source, fields: fields}
}

func strictObject(name, source string, fields ...field) *typ {
	t := object(name, source, fields...)
	t.strict = true
	return t
}

func tagged(tag, name, source string, variants ...variant) *typ {
	return &typ{form: formTagged, name: "tagged union " + name, source: source, tag: tag, variants: variants}
}

// with adds fields that all variants of a tagged union share.
func (t *typ) with(fields ...field) *typ {
	c := *t
	c.fields = append(append([]field{}, t.fields...), fields...)
	return &c
}

func (t *typ) opened(o openness) *typ   { c := *t; c.open = o; return &c }
func (t *typ) then(f finish) *typ       { c := *t; c.finish = f; return &c }
func (t *typ) allAlike(msg string) *typ { c := *t; c.uniform = msg; return &c }

func enum(name string, names ...string) *typ {
	t := &typ{form: formEnum, name: "variant of " + name}
	for _, n := range names {
		t.values = append(t.values, value{name: n})
	}
	return t
}

// plus adds values that readers know from a day on.
func (t *typ) plus(since date, names ...string) *typ {
	c := *t
	c.values = append([]value{}, t.values...)
	for _, n := range names {
		c.values = append(c.values, value{name: n, window: span{since: since}})
	}
	return &c
}

// aliases adds values that are only read, never written.
func (t *typ) aliases(names ...string) *typ { return t.plus("", names...) }

// external is an enumeration whose other variants are one-key objects.
func external(units *typ, source string, variants ...variant) *typ {
	c := *units
	c.form, c.source, c.variants = formExternal, source, variants
	return &c
}

// byKey reads an object as one type when it has the key, as another when not.
func byKey(key string, with, without *typ) *typ {
	return &typ{form: formByKey, name: with.name, tag: key, elems: []*typ{with, without}}
}

// byKind reads a value as the first type that takes its kind of JSON.
func byKind(name string, alternatives ...*typ) *typ {
	return &typ{form: formByKind, name: name, elems: alternatives}
}
