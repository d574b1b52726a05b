package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rollout-tool/rollout-tool/validate"
)

// junit writes a test suite for each file and in it a test case for each code that
// was found. A case fails when the run fails for one of its findings. The counts stand
// before the cases, so a file's cases are held back; each keeps the first findings
// only and counts the rest.
type junit struct {
	out
	codes validate.Registry
	path  string
	cases map[string]*junitCase
}

// junitPlaces is how many findings a test case lists.
const junitPlaces = 100

type junitCase struct {
	severity validate.Severity
	fails    bool
	expected bool
	first    string // message
	found    int
	places   strings.Builder
}

func newJUnit(w io.Writer, opt Options) Reporter {
	r := &junit{out: out{w: w}, codes: registry(opt.Codes)}
	r.text(xml.Header + "<testsuites name=\"rollout-tool validate\">\n")
	return r
}

func (r *junit) Begin(path string) error {
	r.path, r.cases = path, map[string]*junitCase{}
	return nil
}

func (r *junit) Finding(f Finding) error {
	c := r.cases[f.Code]
	if c == nil {
		c = &junitCase{severity: f.Severity, first: f.Message, expected: f.Expected}
		r.cases[f.Code] = c
	}
	c.fails = c.fails || f.Fails
	if c.found++; c.found <= junitPlaces {
		fmt.Fprintf(&c.places, "%s: %s\n", placeOf(f), f.Message)
	}
	return nil
}

func (r *junit) End(f File) error {
	failures, errors := 0, 0
	for _, c := range r.cases {
		if c.fails {
			failures++
		}
	}
	if f.Err != nil {
		errors = 1
	}
	r.text(fmt.Sprintf("<testsuite name=%s tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"0\" time=\"0\">\n",
		quoteXML(r.path), len(r.cases)+1, failures, errors))
	r.open("read")
	if f.Err != nil {
		r.text(fmt.Sprintf("><error message=%s type=\"unreadable\"/></testcase>\n", quoteXML(f.Err.Error())))
	} else {
		r.text("/>\n")
	}
	for _, id := range slices.Sorted(maps.Keys(r.cases)) {
		r.testCase(id, r.cases[id])
	}
	r.text("</testsuite>\n")
	return r.err
}

// open starts the element of a test case, without its closing bracket.
func (r *junit) open(name string) {
	r.text(fmt.Sprintf("<testcase name=%s classname=%s time=\"0\"", quoteXML(name), quoteXML(r.path)))
}

func (r *junit) testCase(id string, c *junitCase) {
	name := strings.TrimSpace(id + " " + r.codes[id].Title)
	if c.expected {
		name += " (expected)"
	}
	r.open(name)
	body := c.places.String()
	if n := c.found - junitPlaces; n > 0 {
		body += fmt.Sprintf("and %d more\n", n)
	}
	if c.fails {
		r.text(fmt.Sprintf("><failure message=%s type=%s>%s</failure></testcase>\n",
			quoteXML(c.first), quoteXML(c.severity.String()), escapeXML(body)))
		return
	}
	r.text(fmt.Sprintf("><system-out>%s</system-out></testcase>\n", escapeXML(c.severity.String()+"\n"+body)))
}

func (r *junit) Close(Totals) error {
	r.text("</testsuites>\n")
	return r.err
}

// escapeXML makes text of a file fit into XML; what XML cannot hold becomes U+FFFD.
func escapeXML(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s)) // a bytes.Buffer does not fail
	return b.String()
}

func quoteXML(s string) string { return `"` + escapeXML(s) + `"` }
