package config

import (
	"fmt"

	"github.com/rollout-tool/rollout-tool/validate"
)

// Level is the lowest severity that fails a run.
type Level uint8

// Never is the level of runs that no finding fails; the other levels are those of
// the severities.
const Never = Level(validate.Error) + 1

// Levels are the names of the levels.
func Levels() []string { return []string{"error", "warning", "info", "never"} }

// ParseLevel reads a level.
func ParseLevel(s string) (Level, error) {
	if s == "never" {
		return Never, nil
	}
	if v, ok := validate.ParseSeverity(s); ok {
		return Level(v), nil
	}
	return 0, fmt.Errorf("%q: want error, warning, info or never", s)
}

// Fails reports whether a finding of the severity fails the run.
func (l Level) Fails(s validate.Severity) bool { return Level(s) >= l }
