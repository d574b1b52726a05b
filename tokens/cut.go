package tokens

import "strings"

// IsCutInTheMiddle reports whether a whole text is what TruncateTokens leaves of a longer
// one: the marker stands in its middle. Texts that commands and their formats have cut
// before they became a text have it elsewhere.
func IsCutInTheMiddle(text string) bool {
	const (
		unit    = markerTokensText + markerEdge
		longest = len(markerEdge) + len("18446744073709551615") + len(unit)
		// uneven is how many bytes head and tail of a cut can differ by: an odd budget, and
		// characters of up to four bytes that are not split.
		uneven = 4
	)
	mid := len(text) / 2
	from, to := max(0, mid-longest), min(len(text), mid+longest)
	at := strings.LastIndex(text[from:to], unit)
	if at < 0 {
		return false
	}
	end := from + at + len(unit)
	digits := strings.TrimRight(text[from:from+at], "0123456789")
	head, marked := strings.CutSuffix(digits, markerEdge)
	if !marked || len(digits) == at {
		return false
	}
	differ := from + len(head) - (len(text) - end)
	return -uneven <= differ && differ <= uneven
}
