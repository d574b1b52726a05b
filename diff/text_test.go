package diff

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/rollout-tool/rollout-tool/internal/textfmt"
)

var update = flag.Bool("update", false, "write the golden files")

// session is a compaction with one of everything the report shows.
func session(t testing.TB) (before, after Side) {
	long := "Please read all of this. " + strings.Repeat("0123456789 ", 60) + "That was it."
	env := func(day string) string {
		return "<environment_context>\n  <cwd>/srv/app</cwd>\n  <date>" + day + "</date>\n</environment_context>"
	}
	b := []string{
		developer("<permissions instructions>\nread only"), user(env("2026-10-14")),
		user("Fix the \x1b[31mred\x1b[0m test\u202e"), reasoning("**Looking**\n\nat the test"),
		userID("msg_9", "日本語のテキストはとても幅が広いので端末の幅に合わせて切らなければなりません。もっと長い文章です。"),
	}
	for i := range 9 {
		id := "c" + strconv.Itoa(i)
		b = append(b, call(id, `{"cmd":"go test ./pkg`+strconv.Itoa(i)+`"}`), output(id, "ok\tpkg"+strconv.Itoa(i)+"\t0.1s"))
	}
	b = append(b, assistant("Done."), user(long), checkpoint(strings.Repeat("QUJD", 300)))
	// 25 + 660 + 12 bytes; budget 10 tokens: 20 bytes from either end, 657 over.
	cut := long[:20] + "…165 tokens truncated…" + long[len(long)-20:]
	a := []string{
		user("Fix the \x1b[31mred\x1b[0m test\u202e"), b[4], developer("<permissions instructions>\nread only"),
		user(env("2026-10-15")), user(cut), checkpoint(strings.Repeat("WFla", 300)),
	}
	before = Side{Point: "compaction:2:before", Instructions: "You are an agent.", Rows: rows(t, b...)}
	after = Side{Point: "compaction:2:after", Instructions: "You are an agent.", Rows: rows(t, a...)}
	for i := range after.Rows {
		after.Rows[i].Line = 99
	}
	return before, after
}

func text(t testing.TB, r Result, o TextOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := WriteText(&out, r, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTextGolden(t *testing.T) {
	before, after := session(t)
	r := Compare(before, after, Options{})
	for name, o := range map[string]TextOptions{
		"80": {Width: 80}, "200": {Width: 200}, "full": {Width: 120, Full: true}, "color": {Color: true},
	} {
		file := filepath.Join("testdata", "report-"+name+".golden")
		got := text(t, r, o)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: differs from %s:\n%s", name, file, got)
		}
	}
}

// What the report has to say, by hand.
func TestTextSays(t *testing.T) {
	before, after := session(t)
	r := Compare(before, after, Options{})
	got := text(t, r, TextOptions{Width: 100})
	for _, want := range []string{
		"compaction:2:before -> compaction:2:after\n",
		"common prefix: 0 items, 0 tokens, 0 bytes\n",
		"kept: 2 items, ",
		"moved: 1 item, ",
		"cut: 1 item, 175 -> 17 tokens\n", // 697 bytes; 40 and a marker of 26
		"cut to the token budget (1 item, ",
		"…165 tokens truncated…",
		"changed: 1 item, ",
		"context refreshed (1 item, ",
		"-   <date>2026-10-14</date>",
		"+   <date>2026-10-15</date>",
		"summary of this compaction (1 item, ",
		"tool call and output: not retained (18 items, ",
		"… and 13 more (use --full)\n",
		"older checkpoint replaced (1 item, ",
		`Fix the \x1b[31mred\x1b[0m test\u202e`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
	if full := text(t, r, TextOptions{Width: 100, Full: true}); strings.Contains(full, "--full") || !strings.Contains(full, "pkg8") {
		t.Errorf("full report:\n%s", full)
	}
}

func TestTextFitsTheWidth(t *testing.T) {
	before, after := session(t)
	fitsTheWidth(t, Compare(before, after, Options{}))
	long := strings.Repeat("long_name_", 12)
	fitsTheWidth(t, Compare(
		sent(t, `{"model":"`+long+`","instructions":"`+long+`","input":[`+user(long)+`],"tools":[{"name":"`+long+`","d":1},{"name":"\u001b[31m"}],"`+long+`":1}`, long, "1"),
		sent(t, `{"model":"m","instructions":"x","input":[`+assistant(long)+`],"tools":[{"name":"new"},{"name":"`+long+`","d":2}],"`+long+`":"`+long+`"}`), Options{}))
}

func fitsTheWidth(t *testing.T, r Result) {
	t.Helper()
	for _, width := range []int{40, 53, 80, 200} {
		for _, full := range []bool{false, true} {
			for n, line := range strings.Split(text(t, r, TextOptions{Width: width, Full: full}), "\n") {
				if w := textfmt.Width(line); w > width {
					t.Errorf("width %d: line %d takes %d: %s", width, n+1, w, line)
				}
				if strings.TrimRightFunc(line, unicode.IsSpace) != line {
					t.Errorf("width %d: line %d ends in a space: %q", width, n+1, line)
				}
				if strings.ContainsAny(line, "\x1b\t\r\u202e") {
					t.Errorf("width %d: line %d has a control character: %q", width, n+1, line)
				}
			}
		}
	}
}

// A space at the end of a changed line is shown, or nothing would be seen to change.
func TestTextShowsSpacesAtTheEnd(t *testing.T) {
	r := Compare(Side{Rows: rows(t, userID("m", "one  \ntwo"))}, Side{Rows: rows(t, userID("m", "one\ntwo"))}, Options{})
	if got := text(t, r, TextOptions{}); !strings.Contains(got, "        - one··\n") {
		t.Errorf("got:\n%s", got)
	}
}

// Colours only come from the report: without them both texts are the same.
func TestTextColors(t *testing.T) {
	before, after := session(t)
	r := Compare(before, after, Options{})
	colored := text(t, r, TextOptions{Color: true})
	if !strings.Contains(colored, red) || !strings.Contains(colored, green) {
		t.Error("no colours")
	}
	stripped := strings.NewReplacer(bold, "", faint, "", red, "", green, "", yellow, "", reset, "").Replace(colored)
	if plain := text(t, r, TextOptions{}); stripped != plain {
		t.Errorf("got:\n%s\nwant:\n%s", stripped, plain)
	}
}

func TestTextOfEqualSides(t *testing.T) {
	side := Side{Point: "end", Rows: rows(t, user("a"))}
	got := text(t, Compare(side, side, Options{}), TextOptions{})
	if !strings.Contains(got, "the payloads are the same\n") || strings.Contains(got, "kept") {
		t.Errorf("got:\n%s", got)
	}
	if got := text(t, Compare(Side{}, Side{}, Options{}), TextOptions{}); !strings.Contains(got, "the payloads are the same\n") {
		t.Errorf("got:\n%s", got)
	}
	other := side
	other.Instructions = "x"
	if got := text(t, Compare(side, other, Options{}), TextOptions{}); !strings.Contains(got, "common prefix: none, the instructions differ") {
		t.Errorf("got:\n%s", got)
	}
}
