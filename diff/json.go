package diff

import (
	"bufio"
	"io"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// FormatVersion is the version of the document that WriteJSON writes: a new minor
// adds members at the top level or beside lists of rows, a new major changes rows.
const FormatVersion = "1.1"

// WriteJSON writes the result as one JSON document on one line. Items are written
// verbatim; "line" is null for an item that comes from no line, "rule" is absent
// when no rule is evident.
func WriteJSON(w io.Writer, r Result, toolVersion string) error {
	j := &jsonWriter{w: bufio.NewWriter(w)}
	j.raw(`{"format_version":`).text(FormatVersion)
	j.raw(`,"tool_version":`).text(toolVersion)
	j.raw(`,"before":`).summary(r.Before)
	j.raw(`,"after":`).summary(r.After)
	j.raw(`,"changes":[`)
	for i, c := range r.Changes {
		j.comma(i).change(c)
	}
	j.raw(`],"common_prefix":`).prefix(r.Prefix)
	j.raw(`,"same_instructions":`).bytes(jsonraw.Bool(r.SameInstructions))
	if e := r.Recorded; e != nil {
		j.raw(`,"recorded":{"matches":`).bytes(jsonraw.Bool(e.Matches))
		j.raw(`,"with":`).text(e.With)
		j.raw(`,"missing":`).number(int64(e.Missing))
		j.raw(`,"extra":`).number(int64(e.Extra))
		j.raw(`,"moved":`).number(int64(len(e.Moved)))
		j.raw(`}`)
	}
	j.raw(`,"by_kind":[`)
	for i, k := range r.ByKind {
		j.comma(i).kind(k)
	}
	j.raw(`],"input_prefix":`).prefix(r.InputPrefix)
	j.requests(r)
	j.raw("}\n")
	return j.w.Flush()
}

// jsonWriter writes the pieces of a document. Its buffer keeps the first error.
type jsonWriter struct{ w *bufio.Writer }

func (j *jsonWriter) raw(s string) *jsonWriter {
	_, _ = j.w.WriteString(s)
	return j
}

func (j *jsonWriter) bytes(v jsonraw.Value) { _, _ = j.w.Write(v) }
func (j *jsonWriter) text(s string)         { j.bytes(jsonraw.Quote(s)) }
func (j *jsonWriter) number(n int64)        { j.bytes(jsonraw.Int(n)) }

func (j *jsonWriter) comma(i int) *jsonWriter {
	if i > 0 {
		j.raw(",")
	}
	return j
}

func (j *jsonWriter) summary(s Summary) {
	j.raw(`{"point":`).text(s.Point)
	if s.File != "" {
		j.raw(`,"file":`).text(s.File)
	}
	j.raw(`,"items":`).number(int64(s.Items))
	j.raw(`,"tokens":`).number(s.Tokens)
	j.raw(`,"bytes":`).number(s.Bytes)
	j.raw(`}`)
}

func (j *jsonWriter) prefix(p Prefix) {
	j.raw(`{"items":`).number(int64(p.Items))
	j.raw(`,"bytes":`).number(p.Bytes)
	j.raw(`,"tokens":`).number(p.Tokens)
	j.raw(`}`)
}

func (j *jsonWriter) change(c Change) {
	j.raw(`{"op":`).text(string(c.Op))
	j.ref("before", c.Before)
	j.ref("after", c.After)
	if c.Rule != 0 {
		j.raw(`,"rule":`).number(int64(c.Rule))
	}
	j.raw(`,"reason":`).text(c.Reason)
	j.raw(`,"tokens_before":`).number(c.TokensBefore)
	j.raw(`,"tokens_after":`).number(c.TokensAfter)
	j.raw(`}`)
}

func (j *jsonWriter) ref(name string, r *Ref) {
	if r == nil {
		return
	}
	j.raw(`,"` + name + `":{"index":`).number(int64(r.Index))
	j.raw(`,"line":`)
	if r.Line == 0 {
		j.raw("null")
	} else {
		j.number(int64(r.Line))
	}
	j.raw(`,"item":`)
	if r.Item.Raw == nil {
		j.raw("null")
	} else {
		j.bytes(r.Item.Raw)
	}
	j.raw(`}`)
}

func (j *jsonWriter) kind(k KindTotal) {
	j.raw(`{"kind":`).text(k.Kind)
	j.raw(`,"items_before":`).number(int64(k.ItemsBefore))
	j.raw(`,"items_after":`).number(int64(k.ItemsAfter))
	j.raw(`,"tokens_before":`).number(k.TokensBefore)
	j.raw(`,"tokens_after":`).number(k.TokensAfter)
	j.raw(`,"bytes_before":`).number(k.BytesBefore)
	j.raw(`,"bytes_after":`).number(k.BytesAfter)
	j.raw(`}`)
}
