package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rollout-tool/rollout-tool/validate"
)

// Options are what flags say; they go before the configuration file.
type Options struct {
	Select    []string // instead of those of the file, and of its top Ignore
	Ignore    []string // beside those of the file
	FailLevel string   // instead of that of the file
	Baseline  *Baseline
}

// Policy decides about findings. It does not change and may be shared.
type Policy struct {
	names     names
	pin       int
	selected  []string
	ignored   []string
	level     Level
	severity  map[string]validate.Severity
	overrides []Override
	dir       string // what patterns are relative to
	config    string // path of the configuration file
	baseline  *Baseline
}

// NewPolicy puts flags and a configuration (nil for none) together. dir is the
// working folder. The error is one of usage.
func NewPolicy(codes []validate.Code, c *Config, opt Options, dir string) (*Policy, error) {
	if c == nil {
		c = &Config{}
	}
	p := &Policy{
		names: newNames(codes), pin: c.Rules, selected: c.Select, level: Level(validate.Error),
		ignored: slices.Concat(c.Ignore, opt.Ignore), severity: c.Severity, overrides: c.Overrides,
		dir: dir, config: c.Path, baseline: opt.Baseline,
	}
	if opt.Select != nil {
		p.selected, p.ignored = opt.Select, opt.Ignore
	}
	for flag, list := range map[string][]string{"--select": opt.Select, "--ignore": opt.Ignore} {
		for _, name := range list {
			if msg := p.names.unknown(name); msg != "" {
				return nil, fmt.Errorf("%s: %s", flag, msg)
			}
		}
	}
	level := c.FailLevel
	if opt.FailLevel != "" {
		level = opt.FailLevel
	}
	if level != "" {
		var err error
		if p.level, err = ParseLevel(level); err != nil {
			return nil, fmt.Errorf("--fail-level %w", err)
		}
	}
	if c.Path != "" {
		abs, err := filepath.Abs(c.Path)
		if err != nil {
			return nil, err
		}
		p.dir = filepath.Dir(abs)
	}
	return p, nil
}

// Decision says how a finding is reported.
type Decision struct {
	Severity validate.Severity
	Preview  bool // of a code that never fails a run
	Expected bool // the configuration expects it here
	Fails    bool // the run fails for it
}

// FilePolicy decides about the findings of one file. It is for one goroutine.
type FilePolicy struct {
	p         *Policy
	name      string // slash-separated, as patterns see it
	overrides []Override
	rulings   map[string]ruling
	hidden    int
}

// ruling is what is decided about a code in a file.
type ruling struct {
	Decision
	shown bool
	line  int  // of the override that expects the code, 0 for none
	found bool // the code was found
}

// For returns what holds for a file.
func (p *Policy) For(path string) *FilePolicy {
	f := &FilePolicy{p: p, name: p.Name(path), rulings: map[string]ruling{}}
	for _, o := range p.overrides {
		if slices.ContainsFunc(o.Paths, func(pattern string) bool { return Match(pattern, f.name) }) {
			f.overrides = append(f.overrides, o)
		}
	}
	for _, o := range f.overrides {
		for _, code := range o.Expect {
			r := f.ruling(code)
			r.line = o.Line
			r.Expected, r.Fails = true, false
			f.rulings[code] = r
		}
	}
	return f
}

// Name is a path as patterns and baselines see it: with slashes, from the folder of the
// configuration file, else from the working folder.
func (p *Policy) Name(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		if rel, err := filepath.Rel(p.dir, abs); err == nil {
			path = rel
		}
	}
	return filepath.ToSlash(path)
}

// Judge decides about a finding; false means that it is not shown.
func (f *FilePolicy) Judge(found validate.Finding) (Decision, bool) {
	r := f.ruling(found.Code)
	if !r.found {
		r.found = true
		f.rulings[found.Code] = r
	}
	if r.shown && !r.Expected && f.p.baseline.Has(found, f.name) {
		f.hidden++
		return r.Decision, false
	}
	return r.Decision, r.shown
}

// Hidden is how many findings the baseline has hidden.
func (f *FilePolicy) Hidden() int { return f.hidden }

// Missing lists a finding for each expected one that was not found.
func (f *FilePolicy) Missing() []validate.Finding {
	var out []validate.Finding
	for code, r := range f.rulings {
		if r.line == 0 || r.found || !r.shown {
			continue
		}
		out = append(out, validate.Finding{
			Code:    Expected,
			Message: fmt.Sprintf("%s is expected here (%s:%d) and was not found", code, filepath.Base(f.p.config), r.line),
		})
	}
	slices.SortFunc(out, func(a, b validate.Finding) int { return strings.Compare(a.Message, b.Message) })
	return out
}

// ruling works out what holds for a code, once for each file.
func (f *FilePolicy) ruling(code string) ruling {
	if r, ok := f.rulings[code]; ok {
		return r
	}
	c, known := f.p.names.codes[code]
	r := ruling{shown: f.shown(code)}
	r.Severity, r.Preview = validate.Error, c.Preview
	if known {
		r.Severity = c.Severity
		r.shown = r.shown && (f.p.pin == 0 || c.Since <= f.p.pin)
	}
	for _, table := range f.severities() {
		if s, ok := table[family(code)]; ok {
			r.Severity = s
		}
		if s, ok := table[code]; ok {
			r.Severity = s
		}
	}
	r.Fails = !r.Preview && f.p.level.Fails(r.Severity)
	f.rulings[code] = r
	return r
}

// severities lists the tables that hold here, the one that counts most last.
func (f *FilePolicy) severities() []map[string]validate.Severity {
	out := []map[string]validate.Severity{f.p.severity}
	for _, o := range f.overrides {
		out = append(out, o.Severity)
	}
	return out
}

// shown reports whether a code is selected and not ignored. A code that is selected
// by its own name is not ignored for its family.
func (f *FilePolicy) shown(code string) bool {
	if code == Expected {
		return true
	}
	letter := family(code)
	for _, o := range f.overrides {
		if slices.Contains(o.Ignore, code) || slices.Contains(o.Ignore, letter) {
			return false
		}
	}
	p := f.p
	switch {
	case slices.Contains(p.ignored, code):
		return false
	case slices.Contains(p.selected, code):
		return true
	case slices.Contains(p.ignored, letter):
		return false
	}
	return p.selected == nil || slices.Contains(p.selected, letter)
}
