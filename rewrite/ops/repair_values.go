package ops

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// maxDepth is how deep Codex's decoder goes into arrays and objects (format.md 2.3).
const maxDepth = 127

// flatten writes each value that is nested deeper than limit levels as a string of its
// text. It returns nil when nothing is that deep.
func flatten(b []byte, limit int) []byte {
	var out []byte
	done, start, depth, inside := 0, 0, 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case inside:
		case c == '{' || c == '[':
			if depth++; depth == limit+1 {
				start = i
			}
		case c == '}' || c == ']':
			if depth--; depth == limit {
				out = append(out, b[done:start]...)
				out = jsonraw.AppendQuote(out, string(b[start:i+1]))
				done = i + 1
			}
		}
	}
	if out == nil {
		return nil
	}
	return append(out, b[done:]...)
}

// floatAsMap is what the decoder says of a float that is not in its shortest form.
const floatAsMap = "invalid type: map, expected f64"

// mendNumbers respells numbers that Codex's decoder does not read (format.md 2.3): an
// integer of 128 bits gets a fraction of 0, which makes the decoder keep it as text, a
// float field its shortest form. It returns nil when that does not make Codex accept the
// line.
func mendNumbers(line []byte, checker *accept.Checker) []byte {
	line = withoutWide(line)
	for range 100 {
		res := checker.Line(line)
		if res.Verdict == accept.OK {
			return line
		}
		if res.Message != floatAsMap {
			return nil
		}
		if line = shortened(line, res.Offset, checker); line == nil {
			return nil
		}
	}
	return nil
}

// withoutWide writes a fraction behind each integer that only 128 bits hold.
func withoutWide(line []byte) []byte {
	var splices []jsonraw.Splice
	scan := jsonraw.Scanner{LongNumber: func(off int, lit jsonraw.Value) {
		if isWide(string(lit)) {
			splices = append(splices, jsonraw.Splice{Off: off + len(lit), New: []byte(".0")})
		}
	}}
	scan.Reset(line)
	scan.Skip()
	if out, err := jsonraw.Apply(line, splices); err == nil && scan.Err() == nil {
		return out
	}
	return line
}

// isWide reports whether a literal is an integer that fits 128 bits and not 64.
func isWide(lit string) bool {
	const digits = 40 // of 2^128, and a sign
	if len(lit) > digits || strings.ContainsAny(lit, ".eE") {
		return false
	}
	n, ok := new(big.Int).SetString(lit, 10)
	if !ok || n.IsInt64() || n.IsUint64() {
		return false
	}
	if n.Sign() < 0 {
		n.Not(n) // -2^127 needs 128 bits, as 2^127-1 does
		return n.BitLen() <= 127
	}
	return n.BitLen() <= 128
}

// shortened writes the number at an offset in the shortest form of the same value that
// the checker takes there, nil when there is none.
func shortened(line []byte, off int, checker *accept.Checker) []byte {
	var scan jsonraw.Scanner
	scan.Reset(line[off:])
	old := scan.Skip()
	f, err := strconv.ParseFloat(string(old), 64)
	if err != nil {
		return nil
	}
	plain := strconv.FormatFloat(f, 'f', -1, 64)
	power := strings.Replace(strconv.FormatFloat(f, 'e', -1, 64), "e-0", "e-", 1)
	forms := []string{plain, power}
	if !strings.Contains(plain, ".") {
		forms = []string{plain + ".0", plain, power}
	}
	for _, form := range forms {
		now := slices.Concat(line[:off], []byte(form), line[off+len(old):])
		if res := checker.Line(now); res.Verdict == accept.OK || res.Offset != off {
			return now
		}
	}
	return nil
}

// withoutOverridden takes out the members that a later one of the same name overrides,
// at any depth: the last counts everywhere (format.md 2.3). It returns nil when there are
// none.
func withoutOverridden(line []byte) []byte {
	var names []int
	for off := range jsonraw.Overridden(line) {
		names = append(names, off)
	}
	slices.Sort(names)
	var splices []jsonraw.Splice
	end := 0
	for _, off := range names {
		if off < end {
			continue // in a value that goes
		}
		end = nextMember(line, off)
		splices = append(splices, jsonraw.Splice{Off: off, Len: end - off})
	}
	if len(splices) == 0 {
		return nil
	}
	out, err := jsonraw.Apply(line, splices)
	if err != nil {
		return nil
	}
	return out
}

// nextMember is where the name of the next member starts, given that of one; the member
// is not the last of its object.
func nextMember(line []byte, name int) int {
	var scan jsonraw.Scanner
	skip := func(at int, mark byte) int {
		scan.Reset(line[at:])
		scan.Skip()
		at += scan.Offset()
		for line[at] != mark {
			at++
		}
		at++
		for line[at] == ' ' || line[at] == '\t' || line[at] == '\r' || line[at] == '\n' {
			at++
		}
		return at
	}
	return skip(skip(name, ':'), ',')
}
