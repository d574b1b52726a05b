package diff

import (
	"bytes"
	"strings"
	"testing"
)

func markdownText(t testing.TB, r Result, o TextOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := WriteMarkdown(&out, r, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestMarkdown(t *testing.T) {
	before, after := session(t)
	before.Rows = append(before.Rows, rows(t, assistant("a | b <b>*c*</b> ```` @team"))...)
	r := Compare(before, after, Options{})
	got := markdownText(t, r, TextOptions{})
	for _, want := range []string{
		"## compaction:2:before → compaction:2:after\n",
		"| items | 27 | 6 | -77.8% |\n",
		"Common prefix: 0 items, 0 tokens, 0 bytes.\n",
		"| function\\_call | 9 | 0 | 81 | 0 |\n",
		"### Cut: 1 item, 175 -> 17 tokens\n",
		"    ```diff\n    @@ /content/0/text @@\n    -   <date>2026-10-14</date>\n    +   <date>2026-10-15</date>\n    ```\n",
		"- tool call and output: not retained (18 items, 117 tokens)\n",
		"  - … and 13 more\n",
		"a \\| b \\<b\\>\\*c\\*\\</b\\> \\`\\`\\`\\` \\@team\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
	if strings.ContainsAny(got, "\x1b\t\r") {
		t.Error("control characters")
	}
	if full := markdownText(t, r, TextOptions{Full: true}); !strings.Contains(full, "pkg8") || strings.Contains(full, " more\n") {
		t.Errorf("full report:\n%s", full)
	}
}

// A changed text cannot close the block it stands in.
func TestMarkdownFence(t *testing.T) {
	r := Compare(Side{Rows: rows(t, userID("m", "a ```` b"))}, Side{Rows: rows(t, userID("m", "a ```` c"))}, Options{})
	got := markdownText(t, r, TextOptions{})
	if !strings.Contains(got, "\n    `````diff\n") || !strings.Contains(got, "\n    `````\n") {
		t.Errorf("got:\n%s", got)
	}
}

func TestMarkdownOfEqualSides(t *testing.T) {
	got := markdownText(t, Compare(Side{}, Side{}, Options{}), TextOptions{})
	if !strings.Contains(got, "The payloads are the same.\n") || strings.Contains(got, "###") {
		t.Errorf("got:\n%s", got)
	}
}
