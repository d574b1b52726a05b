package accept

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// scalar is a type without parts.
type scalar uint8

const (
	scalarText scalar = iota
	scalarBool
	scalarInt    // signed, bits wide
	scalarUint   // unsigned, bits wide
	scalarFloat  // format.md 2.3: only in shortest form
	scalarNumber // any number literal, kept as text
	scalarUUID
	scalarAbsPath
	scalarAnyAbsPath
	scalarFileURI
	scalarAgentPath
	scalarNonEmpty
	scalarTime
	scalarBase64
)

func basic(s scalar, name string) *typ { return &typ{form: formScalar, scalar: s, name: name} }

// The basic types of the tables.
var (
	anything = &typ{form: formAny, name: "any value"}
	text     = basic(scalarText, "a string")
	boolean  = basic(scalarBool, "a boolean")
	i32      = basic(scalarInt, "i32")
	i64      = basic(scalarInt, "i64")
	u16      = basic(scalarUint, "u16")
	u32      = basic(scalarUint, "u32")
	u64      = basic(scalarUint, "u64")
	usize    = basic(scalarUint, "usize")
	nonZero  = basic(scalarUint, "a nonzero usize")
	float    = basic(scalarFloat, "f64")
	number   = basic(scalarNumber, "a JSON number")
	uuid     = basic(scalarUUID, "a UUID")
	anyPath  = text // PathBuf: relative paths pass too
	absPath  = basic(scalarAbsPath, "an absolute path")
	fileURI  = basic(scalarFileURI, "a file URI")
	// hostPath is absolute under the rules of some system, not only this one.
	hostPath   = basic(scalarAnyAbsPath, "an absolute path")
	agentPath  = basic(scalarAgentPath, "an agent path")
	effort     = basic(scalarNonEmpty, "a reasoning effort")
	timestamp  = basic(scalarTime, "an RFC 3339 formatted date and time string")
	base64Text = basic(scalarBase64, "a base64 string")
)

// kindOf is the kind of JSON value a scalar is written as.
func (s scalar) kindOf() jsonraw.Kind {
	switch s {
	case scalarBool:
		return jsonraw.KindTrue
	case scalarInt, scalarUint, scalarFloat, scalarNumber:
		return jsonraw.KindNumber
	}
	return jsonraw.KindString
}

// badScalar says what is wrong with lit, a literal of the right kind; "" when
// nothing is.
func (t *typ) badScalar(lit jsonraw.Value) string {
	switch t.scalar {
	case scalarInt, scalarUint:
		return badInteger(lit, t.name)
	case scalarFloat:
		if !exactFloat(string(lit)) {
			return "invalid type: map, expected f64"
		}
	case scalarUUID:
		if _, ok := parseUUID(lit.Unquoted()); !ok {
			return "UUID parsing failed"
		}
	case scalarAbsPath:
		if s := lit.Unquoted(); len(s) == 0 || s[0] != '/' {
			return "AbsolutePathBuf deserialized without a base path"
		}
	case scalarAnyAbsPath:
		if !absoluteSomewhere(lit.Unquoted()) {
			return "path is not absolute"
		}
	case scalarFileURI:
		if !isFileURI(lit.Unquoted()) {
			return "not a file URI"
		}
	case scalarAgentPath:
		if !isAgentPath(string(lit.Unquoted())) {
			return "invalid agent path"
		}
	case scalarNonEmpty:
		if lit.TextLen() == 0 {
			return "reasoning effort must not be empty"
		}
	case scalarTime:
		if !isTime(string(lit.Unquoted())) {
			return "input is not a date and time"
		}
	case scalarBase64:
		if !isBase64(lit.Unquoted()) {
			return "invalid base64"
		}
	}
	return ""
}

// badInteger checks the literal of an integer field: no fraction, no exponent,
// in range. "-0" is 0 for unsigned types too.
func badInteger(lit jsonraw.Value, name string) string {
	if bytes.ContainsAny(lit, ".eE") {
		return "invalid type: floating point `" + string(lit) + "`, expected " + name
	}
	ok := false
	switch name {
	case "i32":
		_, err := strconv.ParseInt(string(lit), 10, 32)
		ok = err == nil
	case "i64":
		_, ok = lit.Int64()
	case "u16":
		ok = unsigned(lit, 16)
	case "u32":
		ok = unsigned(lit, 32)
	case "a nonzero usize":
		ok = unsigned(lit, 64) && !bytes.Equal(lit, []byte("0")) && lit[0] != '-'
	default:
		ok = unsigned(lit, 64)
	}
	if !ok {
		return "invalid value: integer `" + string(lit) + "`, expected " + name
	}
	return ""
}

func unsigned(lit jsonraw.Value, bits int) bool {
	if string(lit) == "-0" {
		return true
	}
	_, err := strconv.ParseUint(string(lit), 10, bits)
	return err == nil
}

// wideInteger reports an integer literal that Codex's decoder reads as a 128-bit
// number and then cannot use: 2^64 to 2^128-1 and -2^127 to -2^63-1 (format.md
// 2.3). Beyond those bounds a literal is kept as text again.
func wideInteger(lit jsonraw.Value) bool {
	if bytes.ContainsAny(lit, ".eE") {
		return false
	}
	if lit[0] == '-' {
		return greater(lit[1:], "9223372036854775808") && !greater(lit[1:], "170141183460469231731687303715884105728")
	}
	return greater(lit, "18446744073709551615") && !greater(lit, "340282366920938463463374607431768211455")
}

// greater compares two integer literals without sign and leading zeros.
func greater(a jsonraw.Value, b string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return string(a) > b
}

// exactFloat reports whether a float field takes the literal: an integer, or a
// number in one of the two shortest forms of the decoder (format.md 2.3). The
// first has a point, and an exponent only below 1e-5 (above 1e16 too, but the
// decoder writes that "e+16" when it reads and "e16" when it compares); the
// second never has an exponent, and no point for whole numbers.
func exactFloat(lit string) bool {
	if _, err := strconv.ParseInt(lit, 10, 64); err == nil {
		return true
	}
	f, err := strconv.ParseFloat(lit, 64)
	if err != nil {
		return false
	}
	plain := strconv.FormatFloat(f, 'f', -1, 64)
	if lit == plain {
		return true
	}
	if strings.HasSuffix(lit, ".0") && math.Abs(f) < 1e16 {
		return lit == plain+".0"
	}
	if math.Abs(f) >= 1e-5 {
		return false
	}
	exp := strings.Replace(strconv.FormatFloat(f, 'e', -1, 64), "e-0", "e-", 1)
	return strings.Replace(lit, "E", "e", 1) == exp
}
