package textfmt

import "strconv"

// Thousands writes n with a comma between groups of three digits.
func Thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Count is a number and a noun in its number: "1 item", "2,000 items". The plural
// takes an s.
func Count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Thousands(n) + " " + noun + "s"
}

// Change is the way from one size to another in percent with one digit: "-62.5%",
// "+4.0%", "0.0%"; "new" when it was 0 before and is not now.
func Change(before, after int64) string {
	if before == 0 {
		if after == 0 {
			return "0.0%"
		}
		return "new"
	}
	s := strconv.FormatFloat(100*(float64(after)-float64(before))/float64(before), 'f', 1, 64)
	switch {
	case s == "-0.0":
		return "-0.0%" // less, but not by a digit that shows
	case s[0] != '-' && after > before:
		s = "+" + s
	}
	return s + "%"
}
