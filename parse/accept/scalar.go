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
	scalarWindowsPath
	scalarAnyAbsPath
	scalarFileURI
	scalarAgentPath
	scalarNonEmpty
	scalarTime
	scalarBase64
)

func basic(s scalar, name string) *typ { return &typ{form: formScalar, scalar: s, name: name} }

func whole(s scalar, bits int, name string) *typ {
	return &typ{form: formScalar, scalar: s, bits: bits, name: name}
}

func (t *typ) positive() *typ { c := *t; c.nonZero = true; return &c }

// The basic types of the tables.
var (
	anything = &typ{form: formAny, name: "any value"}
	text     = basic(scalarText, "a string")
	boolean  = basic(scalarBool, "a boolean")
	i32      = whole(scalarInt, 32, "i32")
	i64      = whole(scalarInt, 64, "i64")
	u16      = whole(scalarUint, 16, "u16")
	u32      = whole(scalarUint, 32, "u32")
	u64      = whole(scalarUint, 64, "u64")
	usize    = whole(scalarUint, 64, "usize")
	nonZero  = whole(scalarUint, 64, "a nonzero usize").positive()
	float    = basic(scalarFloat, "f64")
	number   = basic(scalarNumber, "a JSON number")
	uuid     = basic(scalarUUID, "a UUID")
	anyPath  = text // PathBuf: relative paths pass too
	// absPath is absolute for the system that reads: see OnWindows.
	absPath     = basic(scalarAbsPath, "an absolute path")
	windowsPath = basic(scalarWindowsPath, "an absolute path")
	fileURI     = basic(scalarFileURI, "a file URI")
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
		return t.badInteger(lit)
	case scalarFloat:
		if !exactFloat(lit) {
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
	case scalarWindowsPath:
		if !isWindowsPath(lit.Unquoted()) {
			return "AbsolutePathBuf deserialized without a base path"
		}
	case scalarAnyAbsPath:
		if s := lit.Unquoted(); !isWindowsPath(s) && !bytes.HasPrefix(s, []byte("/")) {
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
func (t *typ) badInteger(lit jsonraw.Value) string {
	const small = 9 // digits that fit every type of at least 32 bits
	if len(lit) <= small && t.bits >= 32 && !t.nonZero && allDigits(lit) {
		return ""
	}
	if bytes.ContainsAny(lit, ".eE") {
		return "invalid type: floating point `" + string(lit) + "`, expected " + t.name
	}
	var err error
	if t.scalar == scalarInt {
		_, err = strconv.ParseInt(string(lit), 10, t.bits)
	} else if string(lit) != "-0" {
		_, err = strconv.ParseUint(string(lit), 10, t.bits)
	}
	if err != nil || t.nonZero && (string(lit) == "0" || string(lit) == "-0") {
		return "invalid value: integer `" + string(lit) + "`, expected " + t.name
	}
	return ""
}

func allDigits(lit jsonraw.Value) bool {
	for _, c := range lit {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
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
func exactFloat(lit jsonraw.Value) bool {
	if short, exact := shortDecimal(lit); short {
		return exact
	}
	s := string(lit)
	if _, err := strconv.ParseInt(s, 10, 64); err == nil {
		return true
	}
	if _, err := strconv.ParseUint(s, 10, 64); err == nil {
		return true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return false
	}
	plain := strconv.FormatFloat(f, 'f', -1, 64)
	if s == plain {
		return true
	}
	if strings.HasSuffix(s, ".0") && math.Abs(f) < 1e16 {
		return s == plain+".0"
	}
	if math.Abs(f) >= 1e-5 {
		return false
	}
	exp := strings.Replace(strconv.FormatFloat(f, 'e', -1, 64), "e-0", "e-", 1)
	return strings.Replace(s, "E", "e", 1) == exp
}

// shortDecimal judges literals of at most 15 digits without an exponent: a
// float64 keeps them all, so that only trailing zeros are in excess.
func shortDecimal(lit jsonraw.Value) (short, exact bool) {
	const most = 15
	point := bytes.IndexByte(lit, '.')
	whole, frac := lit, jsonraw.Value("0")
	if point >= 0 {
		whole, frac = lit[:point], lit[point+1:]
	}
	if whole[0] == '-' {
		whole = whole[1:]
	}
	if len(whole)+len(frac) > most || !allDigits(whole) || !allDigits(frac) {
		return false, false
	}
	return true, len(frac) == 1 || frac[len(frac)-1] != '0'
}
