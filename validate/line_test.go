package validate

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

func TestWriterTime(t *testing.T) {
	tests := []struct {
		text string
		ok   bool
	}{
		{"2026-11-02T09:00:00.000Z", true},
		{"2026-11-02T23:59:59.999Z", true},
		{"2024-02-29T00:00:00.001Z", true},
		{"2026-12-31T23:59:60.000Z", true}, // a leap second
		{"2026-02-29T00:00:00.000Z", false},
		{"2026-13-01T00:00:00.000Z", false},
		{"2026-11-00T00:00:00.000Z", false},
		{"2026-11-02T24:00:00.000Z", false},
		{"2026-11-02T09:00:00Z", false},
		{"2026-11-02T09:00:00.000z", false},
		{"2026-11-02 09:00:00.000Z", false},
		{"2026-11-02T09:00:00.000000Z", false},
		{"2026-11-02T09:00:00+00:00", false},
		{"", false},
	}
	for _, tt := range tests {
		got, ok := writerTime(jsonraw.Quote(tt.text))
		if ok != tt.ok {
			t.Errorf("%q: %v, want %v", tt.text, ok, tt.ok)
		}
		if want, err := time.Parse(time.RFC3339, tt.text); ok && err == nil && got != want.UnixMilli() {
			t.Errorf("%q: %d, want %d", tt.text, got, want.UnixMilli())
		}
	}
	if _, ok := writerTime(jsonraw.Value("null")); ok {
		t.Error("null is a time")
	}
}

func TestFragments(t *testing.T) {
	record := func(time, ordinal, text string) string {
		return `{"timestamp":"` + time + `"` + ordinal + `,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"` + text + `"}]}}`
	}
	long := strings.Repeat("a", 2*4096)
	tests := []struct {
		name       string
		torn, next string
		want       bool
	}{
		{"the same, later", record("1", "", "hello")[:110], record("2", "", "hello"), true},
		{"the same with the next ordinal", record("1", `,"ordinal":9`, "hello")[:120], record("2", `,"ordinal":10`, "hello"), true},
		{"another text", strings.TrimSuffix(record("1", "", "hello"), `llo"}]}}`), record("1", "", "halo"), false},
		{"torn before the payload", record("1", "", "hello")[:40], record("1", "", "hello"), false},
		{"not torn", record("1", "", "hello"), record("2", "", "hello"), false},
		{"longer than the next", record("1", "", "hello there")[:130], record("1", "", "hello"), false},
		{"longer than what is compared", record("1", "", long)[:8000], record("1", "", long), true},
		{"no record", "{", record("1", "", "hello"), false},
	}
	for _, tt := range tests {
		if got := parse.FragmentOf([]byte(tt.torn)).Starts(parse.FragmentOf([]byte(tt.next))); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestDuplicate(t *testing.T) {
	many := func(names ...string) []jsonraw.Member {
		var out []jsonraw.Member
		for i := range 40 {
			out = append(out, jsonraw.Member{Name: strings.Repeat("k", i)})
		}
		for _, n := range names {
			out = append(out, jsonraw.Member{Name: n, Off: len(out)})
		}
		return out
	}
	few := many("a", "b", "a")[40:]
	if m := duplicate(few); m == nil || m.Off != 40 {
		t.Errorf("of few: %v", m)
	}
	if m := duplicate(few[1:]); m != nil {
		t.Errorf("of few different ones: %v", m)
	}
	if m := duplicate(many("a", "b", "a")); m == nil || m.Off != 40 {
		t.Errorf("of many: %v", m)
	}
	if m := duplicate(many("a", "b")); m != nil {
		t.Errorf("of many different ones: %v", m)
	}
}

// TestDuplicateKeys: the value that does not count is reported at any depth where Codex
// knows the members.
func TestDuplicateKeys(t *testing.T) {
	item := func(members string) string {
		return itemLine(`{"type":"message","role":"user",` + members + `}`)
	}
	part := func(members string) string { return `{"type":"input_text",` + members + `}` }
	tests := []struct {
		name, line string
		want       []place
		at         string // what the first place starts with
	}{
		{"none", item(`"content":[` + part(`"text":"a"`) + "," + part(`"text":"a"`) + `]`), nil, ""},
		{"in the payload", item(`"role":"user","content":[]`), []place{{"J014", 2, "/payload/role"}}, `"user"`},
		{"in a part", item(`"content":[` + part(`"text":"a"`) + "," + part(`"text" : "first","text":"b"`) + `]`),
			[]place{{"J014", 2, "/payload/content/1/text"}}, `"first"`},
		{"in two parts", item(`"content":[` + part(`"text":"c","text":"b"`) + "," + part(`"text":"a","text":"b"`) + `]`),
			[]place{{"J014", 2, "/payload/content/0/text"}}, `"c"`},
		{"written with an escape", item(`"content":[` + part(`"text":"a","te\u0078t":"b"`) + `]`), []place{{"J014", 2, "/payload/content/0/text"}}, `"a"`},
		{"in the payload and below", item(`"role":"user","content":[` + part(`"text":"a","text":"b"`) + `]`),
			[]place{{"J014", 2, "/payload/content/0/text"}, {"J014", 2, "/payload/role"}}, `"user"`},
		{"in the sidecar", recordLine("response_item", `{"type":"message","role":"user","content":[]},"metadata":{"client_authored":true,"client_authored":false}`),
			[]place{{"J014", 2, "/metadata/client_authored"}}, "true"},
		{"in an opaque value", itemLine(`{"type":"tool_search_call","execution":"x","call_id":"c","arguments":{"a":1,"a":2}}`), nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, found := validateLines(t, 1, testMeta, tt.line)
			found = slices.DeleteFunc(found, func(f Finding) bool { return f.Code != "J014" })
			if got := places(found); !slices.Equal(got, sorted(tt.want)) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			if len(found) > 0 && !strings.HasPrefix(tt.line[int(found[0].Offset)-len(testMeta)-1:], tt.at) {
				t.Errorf("the place is %d", found[0].Offset)
			}
		})
	}
}

// TestLines looks at the places of what is reported once for a whole file.
func TestLines(t *testing.T) {
	at := func(s, text string) string {
		return strings.Replace(strings.Replace(testUser, "2026-11-02T09:00:01.000Z", s, 1), "hi", text, 1)
	}
	tests := []struct {
		name, text string
		want       []place
	}{
		{"nothing", "", []place{{"L014", 0, ""}}},
		{"white space", "\n \t\n", []place{{"L014", 0, ""}}},
		{"a minute back", testMeta + "\n" + at("2026-11-02T10:01:00.000Z", "a") + "\n" + at("2026-11-02T10:00:00.000Z", "b") + "\n", nil},
		{"more than a minute back", testMeta + "\n" + at("2026-11-02T10:01:00.001Z", "a") + "\n" + at("2026-11-02T10:00:00.000Z", "b") + "\n",
			[]place{{"L008", 3, "/timestamp"}}},
		{"back again and again", testMeta + "\n" + at("2026-11-02T10:02:00.000Z", "a") + "\n" + at("2026-11-02T10:00:00.000Z", "b") + "\n" +
			at("2026-11-02T10:02:00.000Z", "c") + "\n" + at("2026-11-02T10:00:00.000Z", "d") + "\n", []place{{"L008", 3, "/timestamp"}}},
		{"all ends CRLF", testMeta + "\r\n" + testUser + "\r\n", []place{{"L010", 1, ""}}},
		{"twice, the second with CRLF", testMeta + "\n" + testUser + "\n" + testUser + "\r\n", []place{{"L010", 3, ""}, {"L011", 3, ""}}},
		{"twice, the second without newline", testMeta + "\n" + testUser + "\n" + testUser, []place{{"L011", 3, ""}, {"L013", 3, ""}}},
		{"twice with a blank line between", testMeta + "\n" + testUser + "\n\n" + testUser + "\n", []place{{"L009", 3, ""}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, found := validateText(t, 1, tt.text)
			if got := ofFamily(found, "L"); !slices.Equal(got, sorted(tt.want)) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// TestBrokenDemo holds the codes to the table of damages in fixtures/README.md.
func TestBrokenDemo(t *testing.T) {
	_, found := validateFile(t, newTestValidator(1), "../fixtures/demo/broken.jsonl")
	want := []place{{"J002", 2, ""}, {"L010", 3, ""}, {"L009", 4, ""}, {"J003", 5, ""}, {"L004", 6, "/type"}, {"J004", 8, ""}, {"J005", 10, ""}}
	var got []place
	for _, p := range places(found) {
		if strings.Contains("JLSORF", p.Code[:1]) {
			got = append(got, p)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
