package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollout-tool/rollout-tool/validate"
)

// Expected is the code of the finding that an expected finding is missing. It is not
// in the registry, as it says something about the configuration and not about a rollout.
const Expected = "EXPECT"

// ExpectedCode describes Expected.
func ExpectedCode() validate.Code {
	return validate.Code{
		ID: Expected, Severity: validate.Error, Title: "an expected finding is missing",
		Meaning: "The configuration expects a code in this file, and the file does not have it.",
		Codex:   "Nothing: this is about the configuration, not about the rollout.",
		Fix:     "Take the code out of expect, or restore what broke the file.",
		Since:   1, Source: "expect in " + FileName,
	}
}

// names knows which codes and families there are.
type names struct {
	codes    map[string]validate.Code
	families map[string]bool
}

func newNames(codes []validate.Code) names {
	n := names{map[string]validate.Code{}, map[string]bool{}}
	for _, c := range codes {
		n.codes[c.ID] = c
	}
	for _, f := range validate.Families() {
		n.families[f[0]] = true
	}
	return n
}

// unknown says that a code or family does not exist, "" when it does.
func (n names) unknown(name string) string {
	if _, ok := n.codes[name]; ok || n.families[name] {
		return ""
	}
	all := make([]string, 0, len(n.codes))
	for id := range n.codes {
		all = append(all, id)
	}
	slices.Sort(all)
	msg := fmt.Sprintf("no code and no family is called %q", name)
	if near := Near(name, all); len(near) > 0 {
		msg += "; near: " + strings.Join(near, ", ")
	}
	return msg
}

// family is the letter of a code.
func family(code string) string { return strings.TrimRight(code, "0123456789") }

// Near lists names that a mistyped one may stand for, the nearest first, at most
// five: those that differ in at most a third of its characters, case left out, or
// share its family.
func Near(name string, all []string) []string {
	type candidate struct {
		name string
		away int
	}
	var out []candidate
	want := strings.ToUpper(name)
	for _, s := range all {
		away := distance(want, strings.ToUpper(s))
		if away <= max(1, len(want)/3) || family(want) == family(s) && want != family(want) {
			out = append(out, candidate{s, away})
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int { return a.away - b.away })
	var found []string
	for _, c := range out[:min(len(out), 5)] {
		found = append(found, c.name)
	}
	return found
}

// distance is the number of edits between two short strings (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}
