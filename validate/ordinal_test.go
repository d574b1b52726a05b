package validate

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// withOrdinal is a record with that ordinal, unlike any other; "-" stands for none.
func withOrdinal(n int, ordinal string) string {
	line := strings.Replace(testUser, "hi", fmt.Sprintf("text %d", n), 1)
	if ordinal == "-" {
		return line
	}
	return strings.Replace(line, `"type":"response_item"`, `"ordinal":`+ordinal+`,"type":"response_item"`, 1)
}

func metaWith(ordinal, mode string) string {
	line := strings.Replace(testMeta, `"cwd"`, `"history_mode":"`+mode+`","cwd"`, 1)
	if ordinal == "-" {
		return line
	}
	return strings.Replace(line, `"type":"session_meta"`, `"ordinal":`+ordinal+`,"type":"session_meta"`, 1)
}

func ofFamily(found []Finding, letter string) []place {
	return places(slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return f.Code[:1] != letter }))
}

func TestOrdinals(t *testing.T) {
	tests := []struct {
		name, mode, ordinals string // "!": a line that cannot be read; "x" before an ordinal: rejected
		want                 []place
	}{
		{"in order", "paginated", "0 1 2 3", nil},
		{"none in a legacy file", "legacy", "- - -", nil},
		{"one in a legacy file", "legacy", "- - 2 3", []place{{"O007", 3, "/ordinal"}}},
		{"first is not 0", "paginated", "5 6 7", []place{{"O005", 1, "/ordinal"}}},
		{"twice", "paginated", "0 1 1 2", []place{{"O002", 3, "/ordinal"}}},
		{"each twice", "paginated", "0 1 1 2 2", []place{{"O002", 3, "/ordinal"}, {"O002", 5, "/ordinal"}}},
		{"a foreign 0", "paginated", "0 1 2 0 3", []place{{"O003", 4, "/ordinal"}}},
		{"starts over", "paginated", "0 1 2 3 2 3 4 5", []place{{"O003", 5, "/ordinal"}}},
		{"two writers", "paginated", "0 1 2 3 2 4 3", []place{{"O003", 5, "/ordinal"}, {"O003", 7, "/ordinal"}}},
		{"the one before it, and on", "paginated", "0 1 1 3 4", []place{{"O017", 3, "/ordinal"}}},
		{"one too high, and on", "paginated", "0 1 7 3 4", []place{{"O017", 3, "/ordinal"}}},
		{"one too low, and on", "paginated", "0 1 2 0 4", []place{{"O017", 4, "/ordinal"}}},
		{"two in a row, which nothing explains", "paginated", "0 1 9 8 4", []place{{"O004", 3, "/ordinal"}, {"O003", 4, "/ordinal"}, {"O003", 5, "/ordinal"}}},
		{"the last one", "paginated", "0 1 7", []place{{"O004", 3, "/ordinal"}}},
		{"one of each other", "paginated", "0 7 2 8 4", []place{{"O017", 2, "/ordinal"}, {"O017", 4, "/ordinal"}}},
		{"two have changed places", "paginated", "0 2 1 3", []place{{"O003", 3, "/ordinal"}}},
		{"the last two have", "paginated", "0 1 3 2", []place{{"O003", 4, "/ordinal"}}},
		{"one wrong before unreadable lines", "paginated", "0 1 7 ! 4", []place{{"O017", 3, "/ordinal"}}},
		{"one wrong behind them", "paginated", "0 1 ! 9 4", []place{{"O017", 4, "/ordinal"}}},
		{"a gap, and a line torn and written again", "paginated", "0 1 3 ! 4", []place{{"O004", 3, "/ordinal"}}},
		{"first alone", "paginated", "5 1 2", []place{{"O005", 1, "/ordinal"}}},
		{"gap", "paginated", "0 1 3 4", []place{{"O004", 3, "/ordinal"}}},
		{"gap explained by an unreadable line", "paginated", "0 1 ! 3", nil},
		{"gap larger than that", "paginated", "0 1 ! 4", []place{{"O004", 4, "/ordinal"}}},
		{"rejected record keeps its place", "paginated", "0 1 x2 3", nil},
		{"torn and written again", "paginated", "0 1 ! 2", nil},
		{"missing inside", "paginated", "0 - - 1", []place{{"O001", 2, ""}}},
		{"missing inside, counted", "paginated", "0 - - 3", []place{{"O001", 2, ""}}},
		{"missing twice", "paginated", "0 - 1 - 2", []place{{"O001", 2, ""}, {"O001", 4, ""}}},
		{"missing at the end", "paginated", "0 1 - -", []place{{"O006", 3, ""}}},
		{"missing at the end, rejected lines do not count", "paginated", "0 1 - !", []place{{"O006", 3, ""}}},
		{"null is missing", "paginated", "0 1 null", []place{{"O006", 3, ""}}},
		{"missing from the start", "paginated", "- - -", []place{{"O006", 1, ""}}},
		{"last of all", "paginated", "0 18446744073709551614 18446744073709551615",
			[]place{{"O004", 2, "/ordinal"}, {"O016", 1, ""}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var lines []string
			for i, o := range strings.Fields(tt.ordinals) {
				bad := strings.HasPrefix(o, "x")
				o = strings.TrimPrefix(o, "x")
				line := withOrdinal(i, o)
				switch {
				case i == 0:
					line = metaWith(o, tt.mode)
				case o == "!":
					line = "{"
				case bad:
					line = strings.Replace(line, `"role":"user"`, `"role":5`, 1)
				}
				lines = append(lines, line)
			}
			_, found := validateLines(t, 1, lines...)
			if got := ofFamily(found, "O"); !slices.Equal(got, sorted(tt.want)) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// TestBaseThatIsNotLookedFor: without a way to find other files nothing is said of them.
func TestBaseThatIsNotLookedFor(t *testing.T) {
	path := filepath.Join(invalidDir, "O009-base-missing", "bad.jsonl")
	src, err := parse.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if _, err := New(Options{}).File(src, func(f Finding) { t.Errorf("%s", messages([]Finding{f})) }); err != nil {
		t.Fatal(err)
	}
}

func TestInherited(t *testing.T) {
	path := filepath.Join(t.TempDir(), "base.jsonl")
	long := strings.Replace(withOrdinal(2, "2"), "text 2", strings.Repeat("tide ", 100_000), 1) // more than one piece
	lines := []string{metaWith("0", "paginated"), withOrdinal(1, "1"), long, "{", withOrdinal(4, "4"), withOrdinal(5, "-")}
	var ends []uint64
	var text bytes.Buffer
	for _, l := range lines {
		text.WriteString(l + "\n")
		ends = append(ends, uint64(text.Len()))
	}
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		end  uint64
		want tail
	}{
		{"nothing", 0, tail{boundary: true}},
		{"session_meta", ends[0], tail{boundary: true, found: true, has: true, ordinal: 0}},
		{"inside a line", ends[0] + 5, tail{}},
		{"newline missing", ends[1] - 1, tail{}},
		{"a long line", ends[2], tail{boundary: true, found: true, has: true, ordinal: 2}},
		{"a rejected line before a long one", ends[3], tail{boundary: true, found: true, has: true, ordinal: 2}},
		{"a short line", ends[4], tail{boundary: true, found: true, has: true, ordinal: 4}},
		{"no ordinal", ends[5], tail{boundary: true, found: true}},
	}
	src, err := parse.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	check := accept.NewChecker()
	for _, tt := range tests {
		got, err := inherited(src, tt.end, check)
		if err != nil || got != tt.want {
			t.Errorf("%s: %+v, %v, want %+v", tt.name, got, err, tt.want)
		}
	}
	if _, err := inherited(src, ends[5]+1, check); err == nil {
		t.Error("an offset past the end is read")
	}
}
