package diff

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// tools is a list of functions, each with a description.
func tools(names ...string) jsonraw.Value {
	var out []string
	for _, n := range names {
		name, description, _ := strings.Cut(n, "=")
		out = append(out, `{"type":"function","name":"`+name+`","description":"`+description+`"}`)
	}
	return jsonraw.Value("[" + strings.Join(out, ",") + "]")
}

func toolBrief(d *ToolsDiff) []string {
	var out []string
	for _, ch := range d.Changes {
		out = append(out, toolWord(ch)+" "+ch.Name+" "+toolPlace(ch))
	}
	return out
}

func TestCompareTools(t *testing.T) {
	tests := []struct {
		name          string
		before, after jsonraw.Value
		want          []string
		words, first  string
	}{
		{"same", tools("a", "b"), tools("a", "b"), nil, "the same", ""},
		{"spelling", jsonraw.Value(`[{"name":"a","type":"function"}]`), jsonraw.Value(`[ {"type":"function", "name":"\u0061"} ]`), nil, "the same", ""},
		{"added behind", tools("a"), tools("a", "b"), []string{"added b tools/1"}, "1 added", "/body/tools/1"},
		{"added in front", tools("a", "b"), tools("c", "a", "b"), []string{"added c tools/0"}, "1 added", "/body/tools/0"},
		{"removed", tools("a", "b", "c"), tools("a", "c"), []string{"removed b tools/1"}, "1 removed", "/body/tools/1"},
		{"removed at the end", tools("a", "b"), tools("a"), []string{"removed b tools/1"}, "1 removed", "/body/tools/1"},
		{"changed", tools("a", "b=old"), tools("a", "b=new"), []string{"changed b tools/1"}, "1 changed", "/body/tools/1"},
		{"moved", tools("a", "b", "c"), tools("c", "a", "b"), []string{"moved c tools/2 -> tools/0"}, "1 moved", "/body/tools/0"},
		{"changed and moved", tools("a", "b", "c=old"), tools("c=new", "a", "b"), []string{"changed, moved c tools/2 -> tools/0"}, "1 changed", "/body/tools/0"},
		{"of each", tools("a", "b", "c", "d=1"), tools("c", "a", "d=2", "e"),
			[]string{"moved a tools/0 -> tools/1", "changed d tools/3 -> tools/2", "added e tools/3", "removed b tools/1"},
			"1 added, 1 removed, 1 changed, 1 moved", "/body/tools/0"},
		{"from none", nil, tools("a"), []string{"added a tools/0"}, "1 added", "/body/tools/0"},
		{"to an empty list", tools("a"), tools(), []string{"removed a tools/0"}, "1 removed", "/body/tools/0"},
		{"without a name", jsonraw.Value(`[{"type":"web_search"},{"type":"mcp","server_label":"s"}]`), jsonraw.Value(`[{"type":"web_search","filters":1},7]`),
			[]string{"changed web_search tools/0", "added tools/1 tools/1", "removed s tools/1"}, "1 added, 1 removed, 1 changed", "/body/tools/0"},
		{"in a namespace", jsonraw.Value(`[{"type":"namespace","name":"n","tools":[{"name":"a"},{"name":"b"}]}]`),
			jsonraw.Value(`[{"type":"namespace","name":"n","tools":[{"name":"b"},{"name":"a"},{"name":"c"}]}]`),
			[]string{"moved n.a tools/0/tools/0 -> tools/0/tools/1", "added n.c tools/0/tools/2"}, "1 added, 1 moved", "/body/tools/0/tools/0"},
		{"older lists (format.md 3.1)", jsonraw.Value(`[{"namespace":"n","name":"a","description":"x"}]`), jsonraw.Value(`[{"namespace":"n","name":"a","description":"y"}]`),
			[]string{"changed n.a tools/0"}, "1 changed", "/body/tools/0"},
		{"the same name twice", tools("a=1", "a=2"), tools("a=1", "a=3"), []string{"changed a tools/1"}, "1 changed", "/body/tools/1"},
		{"no list", jsonraw.Value(`{"a":1}`), tools(), nil, "the same", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := compareTools(tt.before, tt.after)
			if got := toolBrief(d); !slices.Equal(got, tt.want) {
				t.Errorf("(-want +got):\n%s", cmp.Diff(tt.want, got))
			}
			if d.Words() != tt.words || d.First != tt.first {
				t.Errorf("%q, first %q; want %q, %q", d.Words(), d.First, tt.words, tt.first)
			}
		})
	}
	d := compareTools(jsonraw.Value(`[ {"name":"a"} ]`), tools())
	if d.Before != 1 || d.After != 0 || d.BytesBefore != int64(len(`[{"name":"a"}]`)) || d.BytesAfter != 2 {
		t.Errorf("totals %+v", d)
	}
	text := compareTools(tools("a=old"), tools("a=new")).Changes[0].Text()
	if len(text) != 1 || text[0].Pointer != "/description" {
		t.Errorf("inside: %+v", text)
	}
}
