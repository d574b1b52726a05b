package validate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// metadataTake sums up what a build or a tool writes with every item.
type metadataTake struct {
	keys   map[string]*keyTotal // unknown sidecar keys
	beside total
	inside total
	at     string // the first of inside
}

// maxUnknownKeys bounds the names of unknown keys that are told apart.
const maxUnknownKeys = 64

// keyTotal counts an unknown key.
type keyTotal struct {
	total
	pointer string
}

func (t *metadataTake) Take(l *Looked, note any, _ *sink) {
	n, ok := note.(*metadataNote)
	if !ok {
		return
	}
	for _, key := range n.keys {
		k := t.keys[key.name]
		if k == nil {
			if len(t.keys) == maxUnknownKeys {
				continue
			}
			k = &keyTotal{pointer: key.pointer}
			t.keys[key.name] = k
		}
		k.add(l, 1)
	}
	if n.beside {
		t.beside.add(l, 1)
	}
	if t.inside.add(l, n.inside) {
		t.at = n.at
	}
}

func (t *metadataTake) End(_ *fileView, out *sink) {
	names := slices.SortedFunc(maps.Keys(t.keys), func(a, b string) int {
		return cmp.Or(cmp.Compare(t.keys[a].first.Number, t.keys[b].first.Number), cmp.Compare(a, b))
	})
	for _, name := range names {
		k := t.keys[name]
		message := fmt.Sprintf("unknown sidecar key %q", clip(name))
		if k.n > 1 {
			message += fmt.Sprintf(", %d times in the file", k.n)
		}
		out.At(&k.first, "M012", k.pointer, message)
	}
	t.beside.report(out, "M013", "/metadata", "metadata beside a record that is no response_item", "records that are no response_items have metadata")
	t.inside.report(out, "M014", t.at, "metadata inside the item", "items have metadata inside")
}
