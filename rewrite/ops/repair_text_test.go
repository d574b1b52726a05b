package ops

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// stamped is a record of 2026-11-02 at a second, without its braces.
func stamped(second, rest string) string {
	return `{"timestamp":"2026-11-02T09:00:` + second + `.000Z",` + rest + `}`
}

// said is a message of the user.
func said(second, text string) string {
	return stamped(second, `"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"`+text+`"}]}`)
}

// state is a world_state with a value in it.
func state(value string) string {
	return stamped("01", `"type":"world_state","payload":{"full":true,"state":{"v":`+value+`}}`)
}

// scores is a security_risk_score with a float field.
func scores(value string) string {
	return stamped("01", `"type":"security_risk_score","payload":{"scores":{"a":`+value+`},"sampled_at":"2026-11-02T09:00:05Z"}`)
}

// checkRepair runs a repair with a session_meta in front of the lines, each of which
// ends in a newline.
func checkRepair(t *testing.T, in, want []string, options ...string) rewrite.Result {
	t.Helper()
	join := func(lines []string) string { return repairMeta + "\n" + strings.Join(append(lines, ""), "\n") }
	got, res, err := run(t, join(in), rewrite.Options{}, operation(t, "repair", options...))
	if err != nil || got != join(want) {
		t.Errorf("%v\n got %q\nwant %q", err, got, join(want))
	}
	if again, res, err := run(t, got, rewrite.Options{}, operation(t, "repair", options...)); err != nil || again != got || res.Edits() > 0 {
		t.Errorf("second time: %d edits, %v\n%q", res.Edits(), err, again)
	}
	return res
}

// Expected lines follow format.md 2.3: what its decoder reads, in the bytes that are
// closest to the broken ones.
func TestRepairText(t *testing.T) {
	a, b := said("02", "a"), said("03", "b")
	tests := []struct {
		name     string
		in, want []string
	}{
		{"byte order mark", []string{"\ufeff" + a}, []string{a}},
		{"nul bytes around a record", []string{"\x00\x00" + a + "\x00"}, []string{a}},
		{"nul bytes alone", []string{"\x00\x00", a}, []string{a}},
		{"nul byte in a string", []string{said("02", "x\x00y")}, []string{said("02", "xy")}},
		{"invalid utf-8", []string{said("02", "x\xe0\xffy")}, []string{said("02", "x\ufffdy")}},
		{"invalid utf-8 that stays broken", []string{"{\xff", a}, []string{"{\ufffd", a}},
		{"control characters", []string{said("02", "x\ty\x1b")}, []string{said("02", `x\ty\u001b`)}},
		{"control character behind an escaped quote", []string{said("02", `x\"`+"\t")}, []string{said("02", `x\"\t`)}},
		{"high surrogate", []string{said("02", `x\ud83dy`)}, []string{said("02", `x\ufffdy`)}},
		{"low surrogate", []string{said("02", `x\uDF0Ay`)}, []string{said("02", `x\ufffdy`)}},
		{"pair and half", []string{said("02", `\ud83c\udf0a\ud83c`)}, []string{said("02", `\ud83c\udf0a\ufffd`)}},
		{"escaped backslash before u", []string{said("02", `\\ud83d`+"\t")}, []string{said("02", `\\ud83d\t`)}},
		{"two records", []string{a + b}, []string{a, b}},
		{"three records with spaces", []string{a + " " + b + " " + said("04", "c")}, []string{a, b, said("04", "c")}},
		{"start in front of a record", []string{a[:60] + b}, []string{b}},
		{"record, start, record", []string{said("01", "z") + a[:60] + b}, []string{said("01", "z"), b}},
		{"start behind a record", []string{a + b[:60]}, []string{a}},
		{"characters behind a record", []string{a + "]}"}, []string{a}},
		{"carriage return", []string{a + "\r"}, []string{a}},
		{"wide integer", []string{state("18446744073709551616")}, []string{state("18446744073709551616.0")}},
		{"negative wide integer", []string{state("-9223372036854775809")}, []string{state("-9223372036854775809.0")}},
		{"integers that are read", []string{state("[18446744073709551615,-9223372036854775808,340282366920938463463374607431768211456]")}, []string{state("[18446744073709551615,-9223372036854775808,340282366920938463463374607431768211456]")}},
		{"trailing zeros", []string{scores("0.50")}, []string{scores("0.5")}},
		{"exponents", []string{scores("5e-1"), scores("1e2")}, []string{scores("0.5"), scores("100.0")}},
		{"more digits than a double has", []string{scores("0.1000000000000000055")}, []string{scores("0.1")}},
		{"free numbers stay", []string{state("0.50")}, []string{state("0.50")}},
		{"two keys", []string{stamped("01", `"type":"response_item","payload":{"type":"message","role":"user","content":[{"text":"x", "type":"input_text" , "text" : "y"}]}`)}, []string{stamped("01", `"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text" , "text" : "y"}]}`)}},
		{"two keys that nobody looks at", []string{state(`{"a":1,"a":3}`)}, []string{state(`{"a":1,"a":3}`)}},
		{"two types", []string{stamped("01", `"type":"x","type":"world_state","payload":{"full":true,"state":{}}`)}, []string{stamped("01", `"type":"world_state","payload":{"full":true,"state":{}}`)}},
		{"no record at all", []string{"hello", `{"a":`, a}, []string{"hello", `{"a":`, a}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkRepair(t, tt.in, tt.want) })
	}
}

// 127 levels are read, the 128th is not (format.md 2.3).
func TestRepairDepth(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	const around = 3 // record, payload, state
	checkRepair(t, []string{state(deep(127 - around))}, []string{state(deep(127 - around))})
	in := strings.Repeat("[", 124) + `["x",[1]],2` + strings.Repeat("]", 124)
	want := strings.Repeat("[", 124) + `"[\"x\",[1]]",2` + strings.Repeat("]", 124)
	checkRepair(t, []string{state(in)}, []string{state(want)})
}

// The bounds of format.md 2.3: from 2^64 to 2^128-1 and from -2^127 to -2^63-1.
func TestIsWide(t *testing.T) {
	for lit, want := range map[string]bool{
		"18446744073709551615": false, "18446744073709551616": true,
		"340282366920938463463374607431768211455": true, "340282366920938463463374607431768211456": false,
		"-9223372036854775808": false, "-9223372036854775809": true,
		"-170141183460469231731687303715884105728": true, "-170141183460469231731687303715884105729": false,
		"18446744073709551616.0": false, "1e30": false,
	} {
		if got := isWide(lit); got != want {
			t.Errorf("%s: %v", lit, got)
		}
	}
}

// Whatever the bytes are, mending ends, does not panic, and leaves nothing to mend.
func FuzzRepairLine(f *testing.F) {
	for _, s := range []string{said("02", "a"), "\ufeff{}", "{\"a\":1}{\"b\":2}", "{\"a\":\"\xff\\ud800\x01", state("1e5"), recordStartText + said("02", "b")} {
		f.Add([]byte(s))
	}
	parts := map[string]bool{}
	for _, p := range repairParts() {
		parts[p] = true
	}
	checker := accept.NewChecker()
	f.Fuzz(func(t *testing.T, line []byte) {
		if strings.Contains(string(line), "\n") {
			return
		}
		m := textMender{parts, checker}
		var once mended
		m.text(line, &once)
		for _, l := range once.lines {
			if len(once.lines) > 1 && !isObject(l) {
				t.Errorf("%q: a part that is no object: %q", line, l)
			}
			if isObject(l) {
				continue
			}
			var twice mended
			if m.text(l, &twice); twice.what != "" {
				t.Errorf("%q: %q is mended again: %s", line, l, twice.what)
			}
		}
	})
}

const recordStartText = `{"timestamp":"2026`
