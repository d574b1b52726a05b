package validate

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// The fork goes on behind line 19 of its parent (ordinal 18), of which it inherits 8086
// bytes; its own session_meta has ordinal 19.
const (
	forkedBytes = 8086
	forkedLines = 19
)

// forkBench is a bench for the fork with the parent beside it, which setParent changes.
func forkBench(t *testing.T) (b *bench, fork, parent lines, setParent func(lines)) {
	t.Helper()
	fork, parent = readLines(t, forkFile), readLines(t, parentFile)
	b = &bench{path: filepath.Join(t.TempDir(), filepath.Base(forkFile)), serial: newTestValidator(1), wide: newTestValidator(3)}
	setParent = func(l lines) {
		t.Helper()
		path := filepath.Join(filepath.Dir(b.path), filepath.Base(parentFile))
		if l == nil {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			return
		}
		if err := os.WriteFile(path, l.bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	setParent(parent)
	if n := len(parent[:forkedLines].bytes()); n != forkedBytes {
		t.Fatalf("%d lines of the parent have %d bytes, the tables were made for %d", forkedLines, n, forkedBytes)
	}
	if _, b.base = b.run(t, b.serial, fork); len(b.base) > 0 {
		t.Fatal(messages(b.base))
	}
	return b, fork, parent, setParent
}

// TestMutateHistoryBase changes what the fork says of its base (format.md 1.9).
func TestMutateHistoryBase(t *testing.T) {
	b, fork, parent, _ := forkBench(t)
	base := func(member, text string) func(jsonraw.Value) jsonraw.Value {
		return setTo("/payload/history_base/"+member, text)
	}
	behind := func(lines int) string { return strconv.Itoa(len(parent[:lines].bytes())) }
	size := len(parent.bytes())
	tests := []struct {
		name   string
		change func(jsonraw.Value) jsonraw.Value
		want   string
	}{
		{"offset one more", base("end_byte_offset", strconv.Itoa(forkedBytes+1)), "O012@1"},
		{"offset one less", base("end_byte_offset", strconv.Itoa(forkedBytes-1)), "O012@1"},
		{"offset one line more", base("end_byte_offset", behind(forkedLines+1)), "O013@1"},
		{"offset one line less", base("end_byte_offset", behind(forkedLines-1)), "O013@1"},
		{"offset 0", base("end_byte_offset", "0"), "O013@1"},
		{"offset at the end", base("end_byte_offset", strconv.Itoa(size)), "O013@1"},
		{"offset past the end", base("end_byte_offset", strconv.Itoa(size+1)), "O011@1"},
		{"the largest offset", base("end_byte_offset", "18446744073709551615"), "O011@1"},
		{"offset negative", base("end_byte_offset", "-1"), "R017@1 S001@0"},
		{"offset text", base("end_byte_offset", `"8086"`), "R003@1 S001@0"},
		{"offset missing", without("/payload/history_base/end_byte_offset"), "R001@1 S001@0"},
		// The session_meta's own ordinal fits the inherited records: the base is wrong.
		{"ordinal one more", base("end_ordinal_exclusive", "20"), "O013@1"},
		{"ordinal one less", base("end_ordinal_exclusive", "18"), "O013@1"},
		{"ordinal one more, and the session_meta's two", all(base("end_ordinal_exclusive", "20"), setTo("/ordinal", "30")), "O013@1 O005@1 O003@2"},
		{"no file of that id", base("thread_id", `"01a13eae-b740-781d-80e0-000000000000"`), "O009@1"},
		{"no UUID", base("thread_id", `"parent"`), "R014@1 S001@0"},
		{"the base null", setTo("/payload/history_base", "null"), "O005@1"},
		{"the base missing", without("/payload/history_base"), "O005@1"},
		{"the base text", setTo("/payload/history_base", `"x"`), "R003@1 S001@0"},
		{"legacy", setTo("/payload/history_mode", `"legacy"`), "O007@1 O008@1"},
	}
	for _, tt := range tests {
		b.check(t, tt.name, fork.edit(1, tt.change), hits(t, tt.want))
	}
	for n := 2; n <= len(fork); n++ {
		want := []hit{{"O017", n}}
		if n == len(fork) {
			want = []hit{{"O004", n}}
		}
		b.check(t, fmt.Sprintf("ordinal of line %d one more", n), fork.edit(n, setTo("/ordinal", strconv.Itoa(19+n))), want)
	}
	b.check(t, "session_meta with ordinal 0", fork.edit(1, setTo("/ordinal", "0")), hits(t, "O005@1"))
}

// TestMutateParent changes the file that the fork goes on from, and leaves the fork.
func TestMutateParent(t *testing.T) {
	b, fork, parent, setParent := forkBench(t)
	sameSize := func(line int, text string) lines {
		return parent.with(line, 1, append([]byte(text+strings.Repeat(" ", len(parent[line-1])-1-len(text))), '\n'))
	}
	cut := func(n int) lines { return splitLines(parent.bytes()[:n]) }
	for _, tt := range []struct {
		name   string
		parent lines
		want   string
	}{
		{"gone", nil, "O009@1"},
		{"cut behind what is inherited", parent[:forkedLines], ""},
		{"cut one byte before", cut(forkedBytes - 1), "O011@1"},
		{"cut in the middle", cut(forkedBytes / 2), "O011@1"},
		{"other records behind", append(parent[:forkedLines:forkedLines], []byte("{\n")), ""},
		{"one byte more in front", parent.with(2, 0, []byte("\n")), "O012@1"},
		{"CRLF", splitLines(bytes.ReplaceAll(parent.bytes(), []byte("\n"), []byte("\r\n"))), "O012@1"},
		{"a line removed", parent.with(5, 1), "O012@1"},
		{"legacy", parent.edit(1, setTo("/payload/history_mode", `"legacy"`)), "O014@1"},
		{"no history_mode", parent.edit(1, without("/payload/history_mode")), "O014@1"},
		{"session_meta rejected", sameSize(1, `{"type":"session_meta"}`), "O014@1"},
		{"the last inherited record without ordinal", parent.with(forkedLines, 1,
			bytes.Replace(parent[forkedLines-1], []byte(`"ordinal":18`), []byte(`"0rdinal":18`), 1)), "O013@1"},
		{"the last inherited record with another ordinal", parent.with(forkedLines, 1,
			bytes.Replace(parent[forkedLines-1], []byte(`"ordinal":18`), []byte(`"ordinal":17`), 1)), "O013@1"},
		// What is wrong in the parent alone is found when the parent is validated.
		{"another ordinal before", parent.with(forkedLines-1, 1,
			bytes.Replace(parent[forkedLines-2], []byte(`"ordinal":17`), []byte(`"ordinal":99`), 1)), ""},
		{"a record rejected before", sameSize(5, "{}"), ""},
	} {
		setParent(tt.parent)
		b.check(t, "parent: "+tt.name, fork, hits(t, tt.want))
		if tt.parent == nil {
			setParent(parent)
		}
	}
}

// TestMutateName: the file is called by its thread and the time of its session_meta.
func TestMutateName(t *testing.T) {
	l := readLines(t, parentFile)
	other := l.edit(1, all(setTo("/payload/id", `"01a13eae-b740-781d-80e0-000000000000"`), setTo("/payload/session_id", `"01a13eae-b740-781d-80e0-000000000000"`)))
	b := newBenchOf(t, parentFile, l)
	b.check(t, "another thread", other, hits(t, "F002@1"))
	// 26 hours are explained by time zones (the name is in local time).
	b.check(t, "26 hours later", l.edit(1, setTo("/payload/timestamp", `"2026-10-16T10:30:00.000Z"`)), nil)
	b.check(t, "more than 26 hours later", l.edit(1, setTo("/payload/timestamp", `"2026-10-16T10:30:01.000Z"`)), hits(t, "F006@1"))
	b.check(t, "more than 26 hours earlier", l.edit(1, setTo("/payload/timestamp", `"2026-10-14T06:29:59.000Z"`)), hits(t, "F006@1"))
}

// TestMutateScenarios: on files that nobody made for this test, a change that Codex does
// not mind is found at its line and nowhere else, and a sidecar of another length is all
// that is left of its checkpoint.
func TestMutateScenarios(t *testing.T) {
	files, err := filepath.Glob("../fixtures/scenarios/*/*.jsonl")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d scenarios: %v", len(files), err)
	}
	sidecars := 0
	for _, path := range files {
		l := readLines(t, path)
		if len(l.bytes()) > 1<<20 {
			continue
		}
		b := newBenchOf(t, path, l)
		for line := 1; line <= len(l); line++ {
			name := fmt.Sprintf("%s line %d: ", filepath.Base(filepath.Dir(path)), line)
			for i, m := range harmless() {
				if (line+i)%7 != 0 {
					continue
				}
				var want []hit
				if m.code != "" {
					want = []hit{{m.code, line}}
				}
				b.check(t, name+m.name, l.edit(line, m.change), want)
			}
			if valueAt(l[line-1], sidecar0+"/0") != nil && len(b.base) == 0 {
				sidecars++
				b.check(t, name+"sidecar entry dropped", l.edit(line, without(sidecar0+"/0")), []hit{{"M001", line}})
				b.check(t, name+"sidecar entry null", l.edit(line, setTo(sidecar0+"/0", "null")), []hit{{"M003", line}})
				b.check(t, name+"history dropped", l.edit(line, without(stored0)), []hit{{"M002", line}})
			}
		}
	}
	if sidecars == 0 {
		t.Error("no scenario has a sidecar: is the pattern still right")
	}
}
