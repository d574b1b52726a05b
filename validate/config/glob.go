package config

import (
	"path"
	"strings"
)

// Match reports whether a slash-separated path fits a pattern. In a pattern * and ?
// stay inside one folder, [a-z] is one of a set, ** is any number of folders. A
// pattern without a slash fits the base name in any folder; one that ends in a slash
// fits all below that folder.
func Match(pattern, name string) bool {
	pattern = strings.TrimPrefix(pattern, "./")
	name = strings.TrimPrefix(name, "./")
	if !strings.Contains(pattern, "/") && pattern != "**" {
		ok, _ := path.Match(pattern, path.Base(name))
		return ok
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	return matchSteps(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

// matchSteps tries a run of folders for ** only at the last one met, as an earlier
// one that took more could not lead further: time is the product of the lengths.
func matchSteps(pattern, name []string) bool {
	p, n := 0, 0
	starP, starN := -1, 0
	for n < len(name) {
		if p < len(pattern) && pattern[p] == "**" {
			starP, starN = p, n
			p++
			continue
		}
		if p < len(pattern) {
			if ok, _ := path.Match(pattern[p], name[n]); ok {
				p, n = p+1, n+1
				continue
			}
		}
		if starP < 0 {
			return false
		}
		starN++
		p, n = starP+1, starN
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}

// badPattern says what is wrong with a pattern, "" when nothing is.
func badPattern(pattern string) string {
	for _, step := range strings.Split(pattern, "/") {
		if step == "**" {
			continue
		}
		if strings.Contains(step, "**") {
			return "** must stand between slashes"
		}
		if _, err := path.Match(step, "x"); err != nil {
			return "a [ that is not closed, or a \\ at the end"
		}
	}
	return ""
}
