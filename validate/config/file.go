package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rollout-tool/rollout-tool/validate"
)

// FileName is the name of the configuration file that Find looks for.
const FileName = ".rollout-tool.yaml"

// Config is what a configuration file says. The zero value says nothing.
type Config struct {
	Path      string // of the file, "" when there is none
	Rules     int    // the pinned version of the registry, 0 for the newest
	Select    []string
	Ignore    []string
	FailLevel string // "" when it is not set
	Severity  map[string]validate.Severity
	Baseline  string // a path, relative ones joined to the folder of the file
	Overrides []Override
}

// Override is what holds for some paths. Of several that fit a path the later ones
// win over the earlier ones.
type Override struct {
	Line     int // of the configuration file, 1-based
	Paths    []string
	Ignore   []string
	Severity map[string]validate.Severity
	Expect   []string // codes that each of these files must have
}

// Error is a mistake in a configuration.
type Error struct {
	File string
	Line int // 1-based, 0 for the file as a whole
	Text string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Text)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text)
}

// Find looks for the configuration file in a folder and all above it. It returns ""
// when there is none.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		name := filepath.Join(dir, FileName)
		info, err := os.Stat(name)
		switch {
		case err == nil && info.Mode().IsRegular():
			return name, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

// Load reads a configuration file. Names of codes are checked against the registry.
// The error is an *Error.
func Load(file string, codes []validate.Code) (*Config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, &Error{File: file, Text: err.Error()}
	}
	return Parse(file, text, codes)
}
