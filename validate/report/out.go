package report

import (
	"io"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// out writes text and keeps the first error.
type out struct {
	w   io.Writer
	err error
}

func (o *out) text(s string) {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, s)
	}
}

func (o *out) bytes(b []byte) {
	if o.err == nil {
		_, o.err = o.w.Write(b)
	}
}

// object streams the members of a JSON object.
type object struct {
	o     *out
	empty bool
}

func (o *out) object() *object {
	o.text("{")
	return &object{o, true}
}

// name starts a member; its value is written next. The name needs no escapes.
func (j *object) name(name string) {
	if !j.empty {
		j.o.text(",")
	}
	j.empty = false
	j.o.text(`"`)
	j.o.text(name)
	j.o.text(`":`)
}

func (j *object) raw(name string, v jsonraw.Value) {
	j.name(name)
	j.o.bytes(v)
}

func (j *object) string(name, v string) { j.raw(name, jsonraw.Quote(v)) }
func (j *object) int(name string, v int64) {
	j.raw(name, jsonraw.Int(v))
}
func (j *object) bool(name string, v bool) { j.raw(name, jsonraw.Bool(v)) }

// stringOrNull writes null for "".
func (j *object) stringOrNull(name, v string) {
	if v == "" {
		j.raw(name, jsonraw.Value("null"))
		return
	}
	j.string(name, v)
}

func (j *object) ints(name string, list []int) {
	vals := make([]jsonraw.Value, len(list))
	for i, n := range list {
		vals[i] = jsonraw.Int(int64(n))
	}
	j.raw(name, jsonraw.Array(vals))
}

// sub starts a member that is an object.
func (j *object) sub(name string) *object {
	j.name(name)
	return j.o.object()
}

func (j *object) end() { j.o.text("}") }

// comma writes a comma before every element but the first.
type comma struct{ more bool }

func (c *comma) next(o *out) {
	if c.more {
		o.text(",")
	}
	c.more = true
}
