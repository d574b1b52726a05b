package validate

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// envelopeMutation changes the envelope of any record (format.md 2.1 to 2.3).
type envelopeMutation struct {
	name   string
	change func(v jsonraw.Value) jsonraw.Value
	code   string // the one finding, "" for none
	fatal  bool   // the record is lost
}

func setTo(pointer, text string) func(jsonraw.Value) jsonraw.Value {
	return func(v jsonraw.Value) jsonraw.Value { return put(v, pointer, text) }
}

func without(pointer string) func(jsonraw.Value) jsonraw.Value {
	return func(v jsonraw.Value) jsonraw.Value { return drop(v, pointer) }
}

func raw(text string) func(jsonraw.Value) jsonraw.Value {
	return func(jsonraw.Value) jsonraw.Value { return jsonraw.Value(text) }
}

func nested(levels int) string {
	return string(bytes.Repeat([]byte("["), levels)) + string(bytes.Repeat([]byte("]"), levels))
}

// fatalEnvelopes make the line unreadable.
func fatalEnvelopes() []envelopeMutation {
	before := func(text string) func(jsonraw.Value) jsonraw.Value {
		return func(v jsonraw.Value) jsonraw.Value { return append(jsonraw.Value(text), v...) }
	}
	behind := func(text string) func(jsonraw.Value) jsonraw.Value {
		return func(v jsonraw.Value) jsonraw.Value { return append(bytes.Clone(v), text...) }
	}
	key := func(text string) func(jsonraw.Value) jsonraw.Value { return setTo("/extra", text) }
	return []envelopeMutation{
		// 2.3 step 3: absent, or no string.
		{"timestamp dropped", without("/timestamp"), "L002", true},
		{"timestamp null", setTo("/timestamp", "null"), "L002", true},
		{"timestamp number", setTo("/timestamp", "1791969124"), "L002", true},
		{"timestamp object", setTo("/timestamp", "{}"), "L002", true},
		// 2.1: type is a required string out of twelve.
		{"type dropped", without("/type"), "L005", true},
		{"type null", setTo("/type", "null"), "L005", true},
		{"type list", setTo("/type", "[]"), "L005", true},
		{"type unknown", setTo("/type", `"session_state"`), "L004", true},
		{"type in capitals", setTo("/type", `"Response_Item"`), "L004", true},
		// G4: required, so absent and null reject, and every payload is an object.
		{"payload dropped", without("/payload"), "L006", true},
		{"payload null", setTo("/payload", "null"), "R002", true},
		{"payload text", setTo("/payload", `"text"`), "R003", true},
		{"payload number", setTo("/payload", "7"), "R003", true},
		{"payload true", setTo("/payload", "true"), "R003", true},
		// 2.1: an ordinal is a u64 or null.
		{"ordinal text", setTo("/ordinal", `"3"`), "L003", true},
		{"ordinal with fraction", setTo("/ordinal", "3.0"), "L003", true},
		{"ordinal negative", setTo("/ordinal", "-1"), "L003", true},
		{"ordinal object", setTo("/ordinal", "{}"), "L003", true},
		{"ordinal past u128", setTo("/ordinal", "340282366920938463463374607431768211456"), "L003", true},
		// 2.3: integers of 128 bits reject anywhere.
		{"ordinal 2^64", setTo("/ordinal", "18446744073709551616"), "J012", true},
		{"integer 2^64 in an unknown key", key("18446744073709551616"), "J012", true},
		{"integer 2^128-1", key(`[{"a":340282366920938463463374607431768211455}]`), "J012", true},
		{"integer -2^63-1", key("-9223372036854775809"), "J012", true},
		{"integer -2^127", key("-170141183460469231731687303715884105728"), "J012", true},
		// 2.3, as text.
		{"lone surrogate in a value", key(`"\ud83d"`), "J010", true},
		{"lone surrogate in a name", func(v jsonraw.Value) jsonraw.Value { return append(jsonraw.Value(`{"\udc00":1,`), v[1:]...) }, "J010", true},
		{"nested 127 deep in the record", key(nested(127)), "J011", true},
		{"byte order mark", before("\xef\xbb\xbf"), "J002", true},
		{"NUL in front", before("\x00\x00"), "J003", true},
		{"NUL behind", behind("\x00"), "J003", true},
		{"NUL in a string", key("\"a\x00b\""), "J003", true},
		{"raw tab in a string", key("\"a\tb\""), "J009", true},
		{"invalid UTF-8", key("\"\xe6\""), "J004", true},
		{"garbage behind", behind("]"), "J008", true},
		{"a second object", behind(`{"timestamp":"2026-10-14T10:00:00.000Z","type":"event_msg","payload":{"type":"context_compacted"}}`), "J007", true},
		{"no JSON", raw("timestamp: now"), "J001", true},
		{"quotes left out", func(v jsonraw.Value) jsonraw.Value { return append(jsonraw.Value("{timestamp"), v[11:]...) }, "J001", true},
		{"list", func(v jsonraw.Value) jsonraw.Value { return slices.Concat(jsonraw.Value("["), v, jsonraw.Value("]")) }, "L001", true},
		{"null", raw("null"), "L001", true},
		{"number", raw("12"), "L001", true},
		{"text", func(v jsonraw.Value) jsonraw.Value { return jsonraw.Quote(string(v)) }, "L001", true},
		{"half of it", func(v jsonraw.Value) jsonraw.Value { return v[:len(v)/2] }, "J006", true},
		{"all but the last brace", func(v jsonraw.Value) jsonraw.Value { return v[:len(v)-1] }, "J006", true},
	}
}

// harmless changes are none of Codex's business.
func harmless() []envelopeMutation {
	key := func(text string) func(jsonraw.Value) jsonraw.Value { return setTo("/extra", text) }
	return []envelopeMutation{
		{"unknown key", key(`{"a":[1,2]}`), "", false},
		{"integer 2^128", key("340282366920938463463374607431768211456"), "", false},
		{"integer below -2^127", key("-170141183460469231731687303715884105729"), "", false},
		{"integer 2^64-1", key("18446744073709551615"), "", false},
		{"integer -2^63", key("-9223372036854775808"), "", false},
		{"float beyond f64 in an unknown key", key("1e400"), "", false},
		{"nested 126 deep in the record", key(nested(126)), "", false},
		{"surrogate pair", key(`"\ud83d\ude00"`), "", false},
		{"NUL as an escape", key(`"\u0000"`), "", false},
		{"spaces behind", func(v jsonraw.Value) jsonraw.Value { return append(bytes.Clone(v), "  \t"...) }, "", false},
		{"spaces in front", func(v jsonraw.Value) jsonraw.Value { return append(jsonraw.Value("  "), v...) }, "", false},
		{"same key again", func(v jsonraw.Value) jsonraw.Value { return append(jsonraw.Value(`{"type":"x",`), v[1:]...) }, "J014", false},
		{"timestamp in another form", setTo("/timestamp", `"yesterday"`), "L007", false},
		{"CRLF", func(v jsonraw.Value) jsonraw.Value { return append(bytes.Clone(v), '\r') }, "L010", false},
	}
}

// TestMutateEnvelopes breaks one record of each kind in each way, and each of the others
// in some.
func TestMutateEnvelopes(t *testing.T) {
	b, demo := newBench(t, demoFile)
	one := map[string]bool{}
	for line := 1; line <= demoLines; line++ {
		kind := string(valueAt(demo[line-1], "/type")) + string(valueAt(demo[line-1], "/payload/type"))
		for i, m := range slices.Concat(fatalEnvelopes(), harmless()) {
			if one[kind] && (line+i)%7 != 0 {
				continue
			}
			var want []hit
			if m.code != "" {
				want = append(want, hit{m.code, line})
			}
			if m.fatal {
				want = append(want, demoUnread(line)...)
			}
			b.check(t, fmt.Sprintf("line %d: %s", line, m.name), demo.edit(line, m.change), want)
		}
		one[kind] = true
	}
}

// TestMutateBlankLines: skipped silently, whatever white space they are made of.
func TestMutateBlankLines(t *testing.T) {
	b, demo := newBench(t, demoFile)
	for line := 1; line <= demoLines+1; line++ {
		for _, blank := range []string{"\n", "  \t\n", "\u00a0\u3000\u0085\n"} {
			mutant := demo.with(line, 0, []byte(blank))
			b.check(t, fmt.Sprintf("blank line %d", line), mutant, []hit{{"L009", line}})
		}
	}
	b.check(t, "two blank lines", demo.with(9, 0, []byte("\n")).with(30, 0, []byte("\r\n")), hits(t, "L009@9 L010@30"))
	b.check(t, "all lines end in CRLF", splitLines(bytes.ReplaceAll(demo.bytes(), []byte("\n"), []byte("\r\n"))), hits(t, "L010@1"))
	b.check(t, "nothing but blank lines", lines{[]byte("\n"), []byte(" \n")}, hits(t, "L014@0"))
	b.check(t, "no line", lines{}, hits(t, "L014@0"))
}

// TestMutateJoinLines: both records of the line are lost (format.md 2.3), and so are two
// ordinals, which the finding explains.
func TestMutateJoinLines(t *testing.T) {
	b, demo := newBench(t, demoFile)
	for line := 1; line < demoLines; line++ {
		joined := append(bytes.TrimSuffix(bytes.Clone(demo[line-1]), []byte("\n")), demo[line]...)
		want := append([]hit{{"J007", line}}, movedUp(joinedLoss(line), line)...)
		b.check(t, fmt.Sprintf("lines %d and %d joined", line, line+1), demo.with(line, 2, joined), want)
		half := append(bytes.Clone(demo[line-1][:len(demo[line-1])/2]), demo[line]...)
		b.check(t, fmt.Sprintf("half of line %d joined to the next", line), demo.with(line, 2, half), want)
	}
}

// joinedLoss is what follows when the records of lines n and n+1 are both lost: of a pair
// that is lost together nothing is left to find.
func joinedLoss(n int) []hit {
	if slices.Contains(demoPairs(), [2]int{n, n + 1}) {
		return nil
	}
	return append(demoUnread(n), demoUnread(n+1)...)
}

// TestMutateTornLines: what a writer leaves that failed and wrote the record again
// (format.md 1.4), and what one leaves that did not come back.
func TestMutateTornLines(t *testing.T) {
	b, demo := newBench(t, demoFile)
	for line := 1; line <= demoLines; line++ {
		text := demo[line-1]
		for _, cut := range []int{20, 9 * len(text) / 10, len(text) - 2} {
			start := append(bytes.Clone(text[:cut]), '\n')
			want := []hit{{"L012", line}}
			if cut == 20 { // the start of any record of that day
				want = []hit{{"J006", line}}
			}
			if line == 1 {
				want = append(want, hit{"S004", 1}) // the first line that is not blank has to be the session_meta (1.10)
			}
			b.check(t, fmt.Sprintf("%d bytes of line %d, then all of it", cut, line), demo.with(line, 0, start), want)
		}
	}
}

// TestMutateEnd cuts the file at every byte of its last record, once as it is and once
// with characters of several bytes and escapes in it.
func TestMutateEnd(t *testing.T) {
	b, demo := newBench(t, demoFile)
	plain := demo[demoLines-1]
	fancy := demo.edit(demoLines, setTo("/payload/last_agent_message", `"Ger\u00e4umt: 12 × \"ok\" \ud83d\ude00 😀 ä\\n"`))[demoLines-1]
	for _, last := range [][]byte{plain, fancy} {
		for cut := 0; cut <= len(last); cut++ {
			var want []hit
			switch {
			case cut == 0 || cut == len(last):
			case cut == len(last)-1:
				want = []hit{{"L013", demoLines}} // complete, without its newline
			case insideCharacter(last, cut):
				want = []hit{{"J004", demoLines}} // the forward reader stops there
			default:
				want = []hit{{"J005", demoLines}}
			}
			mutant := demo[:demoLines-1].clone()
			if cut > 0 {
				mutant = append(mutant, last[:cut])
			}
			b.check(t, fmt.Sprintf("%d of %d bytes of the last record", cut, len(last)), mutant, want)
		}
	}
}

func insideCharacter(text []byte, at int) bool { return text[at]&0xc0 == 0x80 }

// TestMutateLength cuts the file behind each line. Calls whose turn goes on are open; a
// session_meta alone is a session of which nothing was kept.
func TestMutateLength(t *testing.T) {
	b, demo := newBench(t, demoFile)
	for n := 1; n < demoLines; n++ {
		var want []hit
		if n == 1 {
			want = []hit{{"S008", 1}}
		}
		for _, p := range demoPairs() {
			if p[0] <= n && n < p[1] {
				want = append(want, hit{"P007", p[0]})
			}
		}
		b.check(t, fmt.Sprintf("the first %d lines", n), demo[:n].clone(), want)
	}
}
