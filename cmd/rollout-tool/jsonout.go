package main

import (
	"bufio"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// formatVersion is the version of the JSON documents: a minor step adds members at
// the top and in objects beside lists of rows, a major step breaks.
const formatVersion = "1.0"

// jsonDoc streams one JSON object. Write errors stick to the writer and come back
// from its Flush.
type jsonDoc struct {
	w     *bufio.Writer
	first bool
}

// newDoc opens a document with the two version members.
func newDoc(w *bufio.Writer) *jsonDoc {
	d := openObject(w)
	d.text("format_version", formatVersion)
	d.text("tool_version", toolVersion())
	return d
}

func openObject(w *bufio.Writer) *jsonDoc {
	w.WriteByte('{')
	return &jsonDoc{w: w, first: true}
}

func (d *jsonDoc) name(name string) {
	if !d.first {
		d.w.WriteByte(',')
	}
	d.first = false
	d.w.Write(jsonraw.Quote(name))
	d.w.WriteByte(':')
}

func (d *jsonDoc) raw(name string, v jsonraw.Value) {
	d.name(name)
	d.w.Write(v)
}

func (d *jsonDoc) text(name, v string)      { d.raw(name, jsonraw.Quote(v)) }
func (d *jsonDoc) int(name string, v int64) { d.raw(name, jsonraw.Int(v)) }
func (d *jsonDoc) bool(name string, v bool) { d.raw(name, jsonraw.Bool(v)) }
func (d *jsonDoc) null(name string)         { d.raw(name, jsonraw.Value("null")) }
func (d *jsonDoc) intOrNull(name string, v int, there bool) {
	if there {
		d.int(name, int64(v))
	} else {
		d.null(name)
	}
}
func (d *jsonDoc) maybeText(name, v string) {
	if v != "" {
		d.text(name, v)
	}
}

// list writes an array of n values, each written by item.
func (d *jsonDoc) list(name string, n int, item func(i int)) {
	d.name(name)
	d.w.WriteByte('[')
	for i := range n {
		if i > 0 {
			d.w.WriteByte(',')
		}
		item(i)
	}
	d.w.WriteByte(']')
}

func (d *jsonDoc) close() { d.w.WriteByte('}') }

// end closes a whole document.
func (d *jsonDoc) end() {
	d.close()
	d.w.WriteByte('\n')
}

// textList is an array of strings.
func textList(list []string) jsonraw.Value {
	vals := make([]jsonraw.Value, len(list))
	for i, s := range list {
		vals[i] = jsonraw.Quote(s)
	}
	return jsonraw.Array(vals)
}
