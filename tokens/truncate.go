package tokens

import (
	"strconv"
	"unicode/utf8"
)

// TruncateTokens cuts the middle out of text that is longer than n tokens (rule
// 27). The marker says how many tokens the text is over budget, not how many
// were removed, and is not charged: the result can be longer than n tokens.
func TruncateTokens(text string, n uint64) string {
	budget, ok := cutBudget(text, ToBytes(n))
	if !ok {
		return text
	}
	over := FromBytes(int64(len(text) - budget))
	head, tail := cutEnds(text, budget)
	return text[:head] + marker(over, markerTokensText) + text[tail:]
}

// TruncateBytes cuts the middle out of text that is longer than n bytes (rule
// 27). The marker, which is not charged, says how many characters were removed.
func TruncateBytes(text string, n uint64) string {
	budget, ok := cutBudget(text, n)
	if !ok {
		return text
	}
	head, tail := cutEnds(text, budget)
	removed := utf8.RuneCountInString(text[head:tail])
	return text[:head] + marker(int64(removed), markerCharsText) + text[tail:]
}

// cutBudget reports whether text has to be cut to n bytes, and n as an int.
func cutBudget(text string, n uint64) (int, bool) {
	if uint64(len(text)) <= n {
		return 0, false
	}
	return int(n), true
}

// cutEnds returns where the head ends and the tail starts. The odd byte of the
// budget goes to the tail; neither splits a character, so both may fall short.
func cutEnds(text string, budget int) (head, tail int) {
	left := budget / 2
	head, tail = left, len(text)-(budget-left)
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return head, tail
}

func marker(n int64, unit string) string {
	return markerEdge + strconv.FormatInt(n, 10) + unit + markerEdge
}
