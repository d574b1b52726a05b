package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rollout-tool/rollout-tool/validate"
)

// Finding is a finding as it is reported.
type Finding struct {
	validate.Finding
	Severity validate.Severity // after the configuration
	Preview  bool              // of a code that never fails a run
	Expected bool              // the configuration expects it
	Fails    bool              // the run fails for it
	// Excerpt is the start of the offending value as it stands in the file, "" when it
	// is not known or the finding is about the file.
	Excerpt string
	// Length is the length of the offending value in bytes, 0 when it is not known.
	Length int
}

// File is what is known of a file after its last finding.
type File struct {
	validate.File
	// Err says why the file could not be read (to its end), nil when it was.
	Err error
	// Hidden is how many findings the baseline has hidden.
	Hidden int
}

// Reporter writes one report. The calls are: for each file Begin, Finding for each of
// its findings, End; after the last file Close.
type Reporter interface {
	// Begin starts a file; path is as the user knows it.
	Begin(path string) error
	Finding(f Finding) error
	End(f File) error
	// Close ends the report. It does not close the writer.
	Close(t Totals) error
}

// Options is what reporters need to know.
type Options struct {
	Codes   []validate.Code // the registry
	Version string          // of the tool
	Width   int             // of text, in cells; below 20 counts as 20
	Color   bool
	Quiet   bool // text: findings only
	Summary bool // counts instead of findings, where Format.Summary is set
}

// Format is a form of report.
type Format struct {
	Name string
	// Summary says that the format has a form with counts only.
	Summary bool
	// Excerpts says that findings need Excerpt and Length.
	Excerpts bool
	// Digests says that files need SHA256.
	Digests bool
	// New makes a reporter. w must hold back small writes; the caller flushes it.
	New func(w io.Writer, opt Options) Reporter
}

// Formats lists the formats; the first is the default.
func Formats() []Format {
	return []Format{
		{Name: "text", Summary: true, Excerpts: true, New: newText},
		{Name: "concise", New: newConcise},
		{Name: "json", Summary: true, Digests: true, New: newJSON},
		{Name: "jsonl", Summary: true, Digests: true, New: newJSONL},
		{Name: "sarif", Excerpts: true, Digests: true, New: newSARIF},
		{Name: "junit", New: newJUnit},
		{Name: "github", New: newGitHub},
	}
}

// FormatNames are the names of the formats.
func FormatNames() []string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// FormatOf finds a format by its name.
func FormatOf(name string) (Format, error) {
	all := Formats()
	if i := slices.IndexFunc(all, func(f Format) bool { return f.Name == name }); i >= 0 {
		return all[i], nil
	}
	return Format{}, fmt.Errorf("format %q: want %s", name, strings.Join(FormatNames(), ", "))
}

// fixOf is the fix of a finding: its own, else that of its code with the operation
// that does it.
func fixOf(f Finding, codes validate.Registry) string {
	if f.Fix != "" {
		return f.Fix
	}
	c := codes[f.Code]
	switch {
	case c.Op == "":
		return c.Fix
	case c.Fix == "":
		return "rewrite " + c.Op
	}
	return c.Fix + " (rewrite " + c.Op + ")"
}

// registry indexes the codes.
func registry(codes []validate.Code) validate.Registry {
	r := validate.Registry{}
	for _, c := range codes {
		r[c.ID] = c
	}
	return r
}
