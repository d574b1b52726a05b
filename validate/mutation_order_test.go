package validate

import (
	"fmt"
	"strconv"
	"testing"
)

// In the demo session the ordinal of line n is n-1.

// TestMutateOrdinals changes ordinals and leaves the records (format.md 1.10).
func TestMutateOrdinals(t *testing.T) {
	b, demo := newBench(t, demoFile)
	number := func(l lines, line, ordinal int) lines { return l.edit(line, setTo("/ordinal", strconv.Itoa(ordinal))) }
	from := func(line, by int) lines {
		out := demo.clone()
		for n := line; n <= demoLines; n++ {
			out = number(out, n, n-1+by)
		}
		return out
	}
	for line := 1; line <= demoLines; line++ {
		last := line == demoLines
		alone := func(code string) []hit { // the next line tells, if there is one, that no other is wrong
			if !last {
				code = "O017"
			}
			return []hit{{code, line}}
		}
		name := func(what string) string { return fmt.Sprintf("line %d: %s", line, what) }

		missing := hit{"O001", line}
		if last {
			missing.Code = "O006" // 1.10.4: the final record has to have one
		}
		b.check(t, name("no ordinal"), demo.edit(line, without("/ordinal")), []hit{missing})
		b.check(t, name("null"), demo.edit(line, setTo("/ordinal", "null")), []hit{missing})

		if line == 1 {
			// The session_meta has to have 0; the next one goes on as if it had.
			b.check(t, name("1"), number(demo, 1, 1), hits(t, "O005@1"))
			b.check(t, name("all from here one more"), from(1, 1), hits(t, "O005@1"))
			b.check(t, name("1000"), number(demo, 1, 1000), hits(t, "O005@1"))
			continue
		}
		b.check(t, name("that of the line before"), number(demo, line, line-2), alone("O002"))
		b.check(t, name("one more"), number(demo, line, line), alone("O004"))
		b.check(t, name("1000"), number(demo, line, 1000), alone("O004"))
		b.check(t, name("all from here one more"), from(line, 1), []hit{{"O004", line}})
		b.check(t, name("all from here one less"), from(line, -1), []hit{{"O002", line}})
		if line > 3 {
			b.check(t, name("1"), number(demo, line, 1), alone("O003"))
		}
	}
	b.check(t, "two runs without ordinals",
		demo.edit(20, without("/ordinal")).edit(21, without("/ordinal")).edit(40, without("/ordinal")), hits(t, "O001@20 O001@40"))
	b.check(t, "an end without ordinals", demo.edit(93, without("/ordinal")).edit(94, without("/ordinal")), hits(t, "O006@93"))
	b.check(t, "the largest ordinal", demo.edit(demoLines, setTo("/ordinal", "18446744073709551615")), hits(t, "O004@94 O016@1"))

	legacy := demo.edit(1, setTo("/payload/history_mode", `"legacy"`))
	b.check(t, "legacy with ordinals", legacy, hits(t, "O007@1"))
	for line := 1; line <= demoLines; line++ {
		legacy = legacy.edit(line, without("/ordinal"))
	}
	b.check(t, "legacy without ordinals", legacy, nil)
	b.check(t, "legacy, one ordinal", legacy.edit(50, setTo("/ordinal", "49")), hits(t, "O007@50"))
	b.check(t, "legacy, an ordinal that is null", legacy.edit(50, setTo("/ordinal", "null")), nil)
	b.check(t, "no history_mode and no ordinal", legacy.edit(1, without("/payload/history_mode")), nil)
}

// TestMutateInheritedPrefix: a subagent's file has to reach its own start (1.10.4).
func TestMutateInheritedPrefix(t *testing.T) {
	b, demo := newBench(t, demoFile)
	for start, want := range map[string]string{"0": "", "5": "", "94": "", "95": "O015@1"} {
		b.check(t, "start ordinal "+start, demo.edit(1, setTo("/payload/subagent_history_start_ordinal", start)), hits(t, want))
	}
}

// TestMutateRemoveLine: a gap, and what is missing with the record.
func TestMutateRemoveLine(t *testing.T) {
	b, demo := newBench(t, demoFile)
	for line := 1; line <= demoLines; line++ {
		want := movedUp(demoWithout(line), line)
		if line > 1 && line < demoLines { // without session_meta nothing says that the file is paginated
			want = append(want, hit{"O004", line})
		}
		b.check(t, fmt.Sprintf("without line %d", line), demo.with(line, 1), want)
	}
}

// TestMutateRepeatLine: a line and its copy is one finding, whatever is in it. A message
// that a checkpoint keeps is in the history twice and in the checkpoint once; a checkpoint
// that replaces itself saves nothing.
func TestMutateRepeatLine(t *testing.T) {
	b, demo := newBench(t, demoFile)
	for line := 1; line <= demoLines; line++ {
		want := []hit{{"L011", line + 1}}
		switch line {
		case 7, 30, 39, 65:
			want = append(want, hit{"C025", 75})
		case 74:
			want = append(want, hit{"C022", 75})
		}
		b.check(t, fmt.Sprintf("line %d twice", line), demo.with(line, 0, demo[line-1]), want)
	}
}

// TestMutateSwapLines swaps neighbours: their ordinals, and for some what they are to
// each other.
func TestMutateSwapLines(t *testing.T) {
	b, demo := newBench(t, demoFile)
	more := map[int]string{
		6:  "C025@74", // the notice is no longer directly behind its image (rule 28),
		9:  "C025@74", // here too
		26: "L008@27", // 71 s lie between these turns,
		71: "L008@72", // and 94 s between these
		38: "P008@39", // a message of an agent in front of the output
		48: "P003@48", // the output in front of its call,
		50: "P003@50", // here too
	}
	for line := 1; line < demoLines; line++ {
		want := []hit{{"O003", line + 1}}
		if line == 1 {
			want = hits(t, "S004@1 O004@3") // ordinals count from the session_meta on
		}
		b.check(t, fmt.Sprintf("lines %d and %d swapped", line, line+1),
			demo.with(line, 2, demo[line], demo[line-1]), append(want, hits(t, more[line])...))
	}
}

// TestMutateCopyLine puts a copy of a line further down, with the next ordinal of the
// file, so that only what the record says counts.
func TestMutateCopyLine(t *testing.T) {
	b, demo := newBench(t, demoFile)
	tests := []struct {
		line, to int // the copy becomes this line of a file with one line more
		want     string
	}{
		{1, 95, ""}, // later session_metas are data (2.6)
		{3, 95, ""}, // a turn_context
		{12, 15, "P004@15"},
		{16, 18, "P005@18"},
		{63, 67, "P005@67"},
		{7, 10, "C033@10 C025@75"}, // in the same turn, without an answer; the checkpoint has it once
		{32, 92, ""},               // a client's developer message
		{7, 92, ""},                // behind an answer a prompt may be the same
		{83, 85, "C033@85"},
		// A checkpoint that does not follow the one before. It lacks the prompt of the last
		// turn, and that turn is short.
		{74, 95, "W001@95 W002@95 C025@95 C022@95"},
	}
	for _, tt := range tests {
		copied := lines{demo[tt.line-1]}.edit(1, setTo("/timestamp", string(valueAt(demo[tt.to-2], "/timestamp"))))
		mutant := demo.with(tt.to, 0, copied[0])
		for n := tt.to; n <= len(mutant); n++ {
			mutant = mutant.edit(n, setTo("/ordinal", strconv.Itoa(n-1)))
		}
		b.check(t, fmt.Sprintf("line %d again as line %d", tt.line, tt.to), mutant, hits(t, tt.want))
	}
}

// TestMutateSession breaks which session the file is.
func TestMutateSession(t *testing.T) {
	b, demo := newBench(t, demoFile)
	other := lines{demo[0]}.edit(1, setTo("/payload/id", `"01a139ae-df16-7098-9add-000000000000"`)).
		edit(1, setTo("/ordinal", "94")).edit(1, setTo("/timestamp", `"2026-10-14T09:16:39.000Z"`))
	tests := []struct {
		name   string
		mutant lines
		want   string
	}{
		{"unknown history_mode", demo.edit(1, setTo("/payload/history_mode", `"paged"`)), "S002@1"},
		{"history_mode null", demo.edit(1, setTo("/payload/history_mode", "null")), "S002@1"},
		{"history_mode true", demo.edit(1, setTo("/payload/history_mode", "true")), "S002@1"},
		{"a later session_meta of another thread", demo.with(95, 0, other[0]), "S005@95"},
		// After the first accepted session_meta the same only rejects the line (2.6.5).
		{"a later unknown history_mode", demo.with(95, 0, lines{other[0]}.edit(1, setTo("/payload/history_mode", `"paged"`))[0]), "R005@95"},
		{"a later history_mode null", demo.with(95, 0, lines{other[0]}.edit(1, setTo("/payload/history_mode", "null"))[0]), "R002@95"},
		// Items before it are what readers of the head do not take (2.6); the image of the
		// notice on line 9 goes away with the item.
		{"an item in front", demo.with(7, 1).with(1, 0, demo[6]), "S003@1 O004@8 C025@74"},
		{"garbage in front", demo.with(1, 0, []byte("{\n")), "J006@1 S004@1"},
	}
	for _, tt := range tests {
		b.check(t, tt.name, tt.mutant, hits(t, tt.want))
	}
}
