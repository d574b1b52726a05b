package diff

import "github.com/rollout-tool/rollout-tool/internal/jsonraw"

// requests writes what differs around the inputs. "tools" is null when they were not
// compared.
func (j *jsonWriter) requests(r Result) {
	j.raw(`,"cache_breaks":[`)
	for i, b := range r.Breaks {
		j.comma(i).raw(`{"part":`).text(b.Part)
		j.raw(`,"pointer":`).text(b.Pointer)
		j.raw(`,"detail":`).text(b.Detail)
		j.raw(`}`)
	}
	j.raw(`],"tools":`)
	if r.Tools == nil {
		j.raw("null")
	} else {
		j.tools(r.Tools)
	}
	j.raw(`,"members":[`)
	for i, m := range r.Members {
		j.comma(i).raw(`{"pointer":`).text(m.Pointer)
		j.value("before", m.Before)
		j.value("after", m.After)
		j.raw(`}`)
	}
	j.raw(`],"not_compared":[`)
	for i, p := range r.NotCompared {
		j.comma(i).text(p)
	}
	j.raw(`]`)
}

func (j *jsonWriter) tools(d *ToolsDiff) {
	j.raw(`{"before":`).number(int64(d.Before))
	j.raw(`,"after":`).number(int64(d.After))
	j.raw(`,"bytes_before":`).number(d.BytesBefore)
	j.raw(`,"bytes_after":`).number(d.BytesAfter)
	j.raw(`,"changes":[`)
	for i, ch := range d.Changes {
		j.comma(i).raw(`{"op":`).text(string(ch.Op))
		j.raw(`,"name":`).text(ch.Name)
		j.pointer("pointer_before", ch.PointerBefore)
		j.pointer("pointer_after", ch.PointerAfter)
		if ch.Op == Altered {
			j.raw(`,"moved":`).bytes(jsonraw.Bool(ch.Moved))
			j.raw(`,"differing":[`)
			for k, tc := range ch.Text() {
				j.comma(k).text(tc.Pointer)
			}
			j.raw(`]`)
		}
		j.raw(`}`)
	}
	j.raw(`]}`)
}

// value writes a member that is left out when there is no value.
func (j *jsonWriter) value(name string, v jsonraw.Value) {
	if v != nil {
		j.raw(`,"` + name + `":`).bytes(v)
	}
}

func (j *jsonWriter) pointer(name, pointer string) {
	if pointer != "" {
		j.raw(`,"` + name + `":`).text(pointer)
	}
}
