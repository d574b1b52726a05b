package rewrite

import (
	"bytes"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// Rename gives the members called from of an object another name; their values and
// places stay.
func (e *Editing) Rename(object jsonraw.Value, from, to string) *Editing {
	o, ok := jsonraw.SplitObject(object)
	if !ok {
		e.failed = true
		return e
	}
	for _, m := range o.Members {
		if m.Name == from {
			e.Replace(nameAt(object, m.Off), jsonraw.Quote(to))
		}
	}
	return e
}

// nameAt is the name, quotes included, of the member whose value starts at byte off of a
// well-formed object. No quote stands inside: a name with one is no name to rename.
func nameAt(object jsonraw.Value, off int) jsonraw.Value {
	end := bytes.LastIndexByte(object[:off], '"')
	if end < 0 {
		return nil
	}
	start := bytes.LastIndexByte(object[:end], '"')
	if start < 0 {
		return nil
	}
	return object[start : end+1]
}

// Result is the line that the edit puts in the place of the record; nil when it keeps or
// drops it.
func (e Edit) Result() []byte {
	if e.action == changed {
		return e.line
	}
	return nil
}
