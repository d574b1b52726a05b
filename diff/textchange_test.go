package diff

import (
	"strings"
	"testing"
)

func changeOf(t *testing.T, before, after string) Change {
	t.Helper()
	r := rows(t, before, after)
	return Change{Op: Altered, Before: &Ref{Item: r[0].Item}, After: &Ref{Item: r[1].Item}}
}

// show writes edits as text with [-deleted-] and {+inserted+}.
func show(es []Edit) string {
	var b strings.Builder
	for _, e := range es {
		switch e.Op {
		case Delete:
			b.WriteString("[-" + e.Text + "-]")
		case Insert:
			b.WriteString("{+" + e.Text + "+}")
		default:
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

func TestTextChanges(t *testing.T) {
	long := strings.Repeat("line\n", 3000)
	tests := []struct {
		name          string
		before, after string
		want          string // pointer: edits or values, one to a line
	}{
		{"a word", user("the quick fox"), user("the slow fox"), "/content/0/text: the [-quick-]{+slow+} fox\n"},
		{"insertion", user("ab"), user("aXb"), "/content/0/text: a{+X+}b\n"},
		{"characters stay whole", user("aé"), user("aè"), "/content/0/text: a[-é-]{+è+}\n"},
		{"lines", user("a\nb one\nc\nd\ne"), user("a\nb two\nc\nD\ne"),
			"/content/0/text: a\n[-b one\n-]{+b two\n+}c\n[-d\n-]{+D\n+}e\n"},
		{"cut", user(strings.Repeat("a", 40)), user("aa…9 tokens truncated…aa"),
			"/content/0/text: aa[-" + strings.Repeat("a", 36) + "-]{+…9 tokens truncated…+}aa\n"},
		{"member gone", `{"type":"x","a~/b":1,"c":2}`, `{"type":"x","c":"2"}`, "/a~0~1b: 1 -> absent\n/c: 2 -> \"2\"\n"},
		{"part gone", message("user", "", textPart("a"), textPart("b"), textPart("c")), message("user", "", textPart("a"), textPart("c")),
			"/content/1: " + textPart("b") + " -> absent\n"},
		{"spelling", `{"a":"b"}`, `{"a":"\u0062"}`, ""},
		{"too long", user("x" + strings.Replace(long, "line", "other", 1) + "y"), user("z" + long + "w"),
			"/content/0/text: too long to compare: 15,003 and 15,002 bytes\n"},
	}
	for _, tt := range tests {
		var b strings.Builder
		for _, tc := range changeOf(t, tt.before, tt.after).Text() {
			b.WriteString(tc.Pointer + ": ")
			switch {
			case tc.Edits != nil:
				b.WriteString(show(tc.Edits))
			case tc.Note != "":
				b.WriteString(tc.Note)
			default:
				b.WriteString(orAbsent(tc.Before) + " -> " + orAbsent(tc.After))
			}
			b.WriteByte('\n')
		}
		if got := b.String(); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
	if (Change{Op: Add, After: &Ref{}}).Text() != nil {
		t.Error("an added item has texts")
	}
}

func orAbsent(v []byte) string {
	if v == nil {
		return "absent"
	}
	return string(v)
}
