package config

import (
	"strings"
	"testing"
	"time"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		pattern, name string
		want          bool
	}{
		{"a.jsonl", "a.jsonl", true},
		{"a.jsonl", "x/y/a.jsonl", true}, // no slash: the base name
		{"*.jsonl", "x/y/a.jsonl", true},
		{"*.jsonl", "x/y/a.jsonl.zst", false},
		{"x/*.jsonl", "x/a.jsonl", true},
		{"x/*.jsonl", "x/y/a.jsonl", false}, // * stays in a folder
		{"x/?.jsonl", "x/a.jsonl", true},
		{"x/[ab].jsonl", "x/c.jsonl", false},
		{"**", "x/y/a.jsonl", true},
		{"**/a.jsonl", "a.jsonl", true}, // ** may be no folder
		{"**/a.jsonl", "x/y/a.jsonl", true},
		{"x/**", "x/y/a.jsonl", true},
		{"x/**", "xx/a.jsonl", false},
		{"x/**/z/*.jsonl", "x/z/a.jsonl", true},
		{"x/**/z/*.jsonl", "x/1/z/2/z/a.jsonl", true},
		{"x/**/z/*.jsonl", "x/1/2/a.jsonl", false},
		{"x/**/y/**/z", "x/y/z", true},
		{"x/", "x/y/a.jsonl", true},
		{"x/", "y/x/a.jsonl", false},
		{"./x/a.jsonl", "x/a.jsonl", true},
		{"x/a.jsonl", "y/x/a.jsonl", false}, // with a slash: from the folder of the file
		{"../x/*", "../x/a.jsonl", true},
	}
	for _, tt := range tests {
		if got := Match(tt.pattern, tt.name); got != tt.want {
			t.Errorf("Match(%q, %q) = %v", tt.pattern, tt.name, got)
		}
	}
}

// A pattern with many ** takes no exponential time.
func TestMatchIsFast(t *testing.T) {
	start := time.Now()
	Match(strings.Repeat("**/a/", 40)+"b", strings.Repeat("a/", 400)+"c")
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}
