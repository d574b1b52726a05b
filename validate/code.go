package validate

import "slices"

// Severity says how bad a finding is.
type Severity uint8

// The severities, the worst last.
const (
	Info    Severity = iota + 1 // worth knowing
	Warning                     // works, but not as meant
	Error                       // Codex loses data, refuses, or fails later
)

// String is "info", "warning" or "error".
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "info"
}

// ParseSeverity reads what String writes.
func ParseSeverity(s string) (Severity, bool) {
	for _, v := range []Severity{Info, Warning, Error} {
		if v.String() == s {
			return v, true
		}
	}
	return 0, false
}

// Code is one kind of finding.
type Code struct {
	ID       string // a family letter and three digits
	Severity Severity
	Title    string // a few words
	Meaning  string // what the finding says
	Codex    string // what Codex does with it
	Fix      string // what a user can do
	Op       string // the rewrite operation that cures it, "" for none
	Since    int    // the version of the rules that has it first
	Preview  bool   // shown, but never fails a run
	Source   string // where the rule comes from, e.g. "format.md 4.2"
}

// RulesVersion is the version of the registry: a step adds codes.
const RulesVersion = 1

// Codes lists the registry, in order of their ids.
func Codes() []Code {
	all := slices.Concat(
		jsonCodes(), lineCodes(), sessionCodes(), ordinalCodes(), rejectCodes(), itemCodes(),
		pairingCodes(), metadataCodes(), compactionCodes(), windowCodes(), encryptedCodes(), bloatCodes(), fileCodes(),
		captureReadCodes(), captureCodes(), captureMetaCodes(), captureProviderCodes(), captureRolloutCodes(),
	)
	return all
}

// Registry finds codes by id.
type Registry map[string]Code

// NewRegistry returns the codes by id.
func NewRegistry() Registry {
	r := Registry{}
	for _, c := range Codes() {
		r[c.ID] = c
	}
	return r
}

// Families are the letters of the codes with what they are about.
func Families() [][2]string {
	return [][2]string{
		{"J", "JSON and text"}, {"L", "lines and envelope"}, {"S", "session"}, {"O", "ordinals and lineage"},
		{"R", "records that Codex rejects"}, {"I", "items"}, {"P", "call and output pairing"},
		{"M", "metadata alignment"}, {"C", "compaction and retention"}, {"W", "windows"},
		{"E", "provider-bound content"}, {"B", "bloat and limits"}, {"F", "file names and siblings"},
		{"X", "captured requests"},
	}
}
