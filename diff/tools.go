package diff

import (
	"strconv"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// ToolsDiff compares two lists of tools. The tools of a namespace count one by one.
type ToolsDiff struct {
	Before, After           int   // tools
	BytesBefore, BytesAfter int64 // of the lists as compact JSON
	// Changes are those of the after side in its order, then the tools that are only
	// before. Tools that stay the same at their place are not listed.
	Changes []ToolChange
	// First is the place of the first difference: a JSON pointer in the body that is
	// longer, "" when there is none.
	First string
	// FirstName is the name of the tool there.
	FirstName string
}

// ToolChange says what became of a tool: Add, Drop, Altered or Move. One that changed
// and moved is Altered.
type ToolChange struct {
	Op   Op
	Name string // with its namespace: "files.read"
	// PointerBefore and PointerAfter are where it stands in the body, "" for nowhere.
	PointerBefore, PointerAfter string
	Moved                       bool // it stands at another place among the tools on both sides

	before, after jsonraw.Value
}

// Text returns what differs inside a tool on both sides.
func (ch ToolChange) Text() []TextChange {
	if ch.Op != Altered {
		return nil
	}
	return walk(nil, "", ch.before, ch.after)
}

// tool is one tool of a list.
type tool struct {
	name    string
	pointer string
	value   jsonraw.Value // of a namespace without its tools
	mate    int
}

func compareTools(before, after jsonraw.Value) *ToolsDiff {
	b, a := toolList(before), toolList(after)
	d := &ToolsDiff{Before: len(b), After: len(a)}
	if before != nil {
		d.BytesBefore = compactLen(before)
	}
	if after != nil {
		d.BytesAfter = compactLen(after)
	}
	stays := mateTools(b, a)
	for j, t := range a {
		ch := ToolChange{Op: Add, Name: t.name, PointerAfter: t.pointer, after: t.value}
		if t.mate >= 0 {
			old := b[t.mate]
			ch.PointerBefore, ch.before, ch.Moved = old.pointer, old.value, !stays[j]
			switch {
			case !sameValue(old.value, t.value):
				ch.Op = Altered
			case ch.Moved:
				ch.Op = Move
			default:
				continue
			}
		}
		d.Changes = append(d.Changes, ch)
	}
	for _, t := range b {
		if t.mate < 0 {
			d.Changes = append(d.Changes, ToolChange{Op: Drop, Name: t.name, PointerBefore: t.pointer, before: t.value})
		}
	}
	d.first(b, a)
	return d
}

// first finds the first place where the lists differ.
func (d *ToolsDiff) first(b, a []tool) {
	k := 0
	for k < len(b) && k < len(a) && sameTool(b[k], a[k]) {
		k++
	}
	longer := a
	if k >= len(a) {
		longer = b
	}
	if k < len(longer) {
		d.First, d.FirstName = longer[k].pointer, longer[k].name
	}
}

func sameTool(b, a tool) bool {
	return b.name == a.name && b.pointer == a.pointer && sameValue(b.value, a.value)
}

// mateTools pairs tools of one name, the first with the first, and tells which of after
// are in order with the most others.
func mateTools(b, a []tool) (stays []bool) {
	places := map[string][]int{}
	for i, t := range b {
		places[t.name] = append(places[t.name], i)
	}
	var pairs []indexPair
	for j := range a {
		if left := places[a[j].name]; len(left) > 0 {
			i := left[0]
			places[a[j].name] = left[1:]
			a[j].mate, b[i].mate = i, j
		}
	}
	for i := range b {
		if b[i].mate >= 0 {
			pairs = append(pairs, indexPair{i, b[i].mate})
		}
	}
	stays = make([]bool, len(a))
	for _, p := range longestOrdered(pairs) {
		stays[p.j] = true
	}
	return stays
}

// toolList is empty when v is no list.
func toolList(v jsonraw.Value) []tool {
	return appendTools(nil, "", "/body/tools", v)
}

func appendTools(out []tool, namespace, pointer string, v jsonraw.Value) []tool {
	elems, err := jsonraw.Elements(v)
	if err != nil {
		return out
	}
	for i, e := range elems {
		at := pointer + "/" + strconv.Itoa(i)
		o, err := jsonraw.ParseObject(e)
		if err != nil {
			out = append(out, tool{name: strings.TrimPrefix(at, "/body/"), pointer: at, value: e, mate: -1})
			continue
		}
		name := toolName(o)
		if name == "" {
			name = strings.TrimPrefix(at, "/body/")
		}
		if namespace != "" {
			name = namespace + "." + name
		}
		inner := o.Get("tools")
		if inner.Kind() != jsonraw.KindArray || namespace != "" {
			out = append(out, tool{name: name, pointer: at, value: e, mate: -1})
			continue
		}
		out = append(out, tool{name: name, pointer: at, value: o.Set("tools", jsonraw.Value("[]")), mate: -1})
		out = appendTools(out, name, at+"/tools", inner)
	}
	return out
}

// toolName is what tells a tool from others: its name, with the namespace of older
// lists (format.md 3.1); the label of a server; its type, of which there is one.
func toolName(o jsonraw.Object) string {
	for _, key := range [...]string{"name", "server_label", "type"} {
		if s := o.Text(key); s != "" {
			if ns := o.Text("namespace"); key == "name" && ns != "" {
				return ns + "." + s
			}
			return s
		}
	}
	return ""
}
