package report

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/validate"
)

// sarif writes a SARIF 2.1.0 log with one run: rules from the registry, results as
// they come, then the files and what could not be read.
type sarif struct {
	out
	top     *object
	run     *object
	index   map[string]int // of a rule
	results comma
	uri     string
	files   []sarifFile
}

// sarifFile is what the log says about a file at its end.
type sarifFile struct {
	uri    string
	bytes  int64
	sha256 string
	failed string
}

const (
	sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"
	sarifRoot   = "%SRCROOT%"
	toolURI     = "https://github.com/rollout-tool/rollout-tool"
)

func newSARIF(w io.Writer, opt Options) Reporter {
	r := &sarif{out: out{w: w}, index: map[string]int{}}
	r.top = r.object()
	r.top.string("$schema", sarifSchema)
	r.top.string("version", "2.1.0")
	r.top.name("runs")
	r.text("[")
	r.run = r.object()
	tool := r.run.sub("tool")
	driver := tool.sub("driver")
	driver.string("name", "rollout-tool")
	driver.string("informationUri", toolURI)
	driver.string("version", opt.Version)
	driver.name("rules")
	r.text("[")
	var sep comma
	for i, c := range opt.Codes {
		sep.next(&r.out)
		r.index[c.ID] = i
		r.rule(c)
	}
	r.text("]")
	driver.end()
	tool.end()
	r.run.name("results")
	r.text("[")
	return r
}

// level is the SARIF word for a severity.
func level(s validate.Severity) string {
	if s == validate.Info {
		return "note"
	}
	return s.String()
}

func (r *sarif) rule(c validate.Code) {
	j := r.object()
	j.string("id", c.ID)
	j.message("shortDescription", c.Title)
	j.message("fullDescription", c.Meaning)
	help := c.Meaning + " " + c.Codex
	if fix := fixOf(Finding{Finding: validate.Finding{Code: c.ID}}, validate.Registry{c.ID: c}); fix != "" {
		help += " Fix: " + fix
	}
	j.message("help", strings.TrimSpace(help))
	def := j.sub("defaultConfiguration")
	def.string("level", level(c.Severity))
	def.end()
	p := j.sub("properties")
	p.raw("tags", jsonraw.Array([]jsonraw.Value{jsonraw.Quote(strings.TrimRight(c.ID, "0123456789"))}))
	p.int("since", int64(c.Since))
	p.bool("preview", c.Preview)
	p.string("source", c.Source)
	p.end()
	j.end()
}

// message writes a message object; SARIF wants some text in it.
func (j *object) message(name, text string) {
	if text == "" {
		text = "-"
	}
	m := j.sub(name)
	m.string("text", text)
	m.end()
}

func (r *sarif) Begin(path string) error {
	r.uri = fileURI(path)
	return nil
}

func (r *sarif) Finding(f Finding) error {
	r.results.next(&r.out)
	j := r.object()
	j.string("ruleId", f.Code)
	if i, ok := r.index[f.Code]; ok {
		j.int("ruleIndex", int64(i))
	}
	j.string("level", level(f.Severity))
	j.message("message", f.Message)
	r.locations(j, f)
	prints := j.sub("partialFingerprints")
	prints.string("rolloutRecord/v1", fingerprint(f, r.uri))
	prints.end()
	if f.Expected {
		j.raw("suppressions", jsonraw.Value(`[{"kind":"external","justification":"expected by the configuration"}]`))
	}
	if f.HasOrdinal || f.Preview || f.Fix != "" {
		p := j.sub("properties")
		if f.HasOrdinal {
			p.raw("ordinal", jsonraw.Value(fmt.Sprint(f.Ordinal)))
		}
		if f.Preview {
			p.bool("preview", true)
		}
		if f.Fix != "" {
			p.string("fix", f.Fix)
		}
		p.end()
	}
	j.end()
	return r.err
}

// fingerprint tells findings apart by the bytes of their record, wherever it stands;
// those about a file by its name.
func fingerprint(f Finding, uri string) string {
	if f.Key == 0 {
		return f.Code + ":" + uri
	}
	return fmt.Sprintf("%s:%016x:%s", f.Code, f.Key, f.Pointer)
}

func (r *sarif) locations(j *object, f Finding) {
	j.name("locations")
	r.text("[")
	loc := r.object()
	place := loc.sub("physicalLocation")
	place.artifact("artifactLocation", r.uri)
	if f.Line > 0 {
		region := place.sub("region")
		region.int("startLine", int64(f.Line))
		region.int("byteOffset", f.Offset)
		if f.Length > 0 {
			region.int("byteLength", int64(f.Length))
		}
		region.end()
	}
	place.end()
	if f.Pointer != "" {
		loc.name("logicalLocations")
		r.text("[")
		logical := r.object()
		name := f.Pointer
		if f.HasRequest {
			name = fmt.Sprintf("/%d%s", f.Request, name)
		}
		logical.string("fullyQualifiedName", name)
		logical.end()
		r.text("]")
	}
	loc.end()
	r.text("]")
}

// artifact writes an artifactLocation; a relative one is below the root of the sources.
func (j *object) artifact(name, uri string) {
	a := j.sub(name)
	a.string("uri", uri)
	if !strings.HasPrefix(uri, "file:") {
		a.string("uriBaseId", sarifRoot)
	}
	a.end()
}

func (r *sarif) End(f File) error {
	s := sarifFile{uri: r.uri, bytes: f.Bytes, sha256: f.SHA256}
	if f.Err != nil {
		s.failed = f.Err.Error()
	}
	r.files = append(r.files, s)
	return r.err
}

func (r *sarif) Close(t Totals) error {
	r.text("]")
	r.run.name("artifacts")
	r.text("[")
	var sep comma
	for _, f := range r.files {
		sep.next(&r.out)
		j := r.object()
		j.artifact("location", f.uri)
		if f.failed == "" {
			j.int("length", f.bytes)
		}
		if f.sha256 != "" {
			h := j.sub("hashes")
			h.string("sha-256", f.sha256)
			h.end()
		}
		j.end()
	}
	r.text("]")
	r.invocation(t)
	r.run.end()
	r.text("]")
	r.top.end()
	r.text("\n")
	return r.err
}

// invocation says what could not be read: a log without results is then no clean one.
func (r *sarif) invocation(t Totals) {
	r.run.name("invocations")
	r.text("[")
	j := r.object()
	j.bool("executionSuccessful", t.Unreadable == 0)
	if t.Unreadable > 0 {
		j.name("toolExecutionNotifications")
		r.text("[")
		var sep comma
		for _, f := range r.files {
			if f.failed == "" {
				continue
			}
			sep.next(&r.out)
			n := r.object()
			n.string("level", "error")
			n.message("message", "cannot be read: "+f.failed)
			n.name("locations")
			r.text("[")
			loc := r.object()
			place := loc.sub("physicalLocation")
			place.artifact("artifactLocation", f.uri)
			place.end()
			loc.end()
			r.text("]")
			n.end()
		}
		r.text("]")
	}
	j.end()
	r.text("]")
}

// fileURI is the path as a URI: relative as it is, absolute with file:.
func fileURI(path string) string {
	slash := filepath.ToSlash(path)
	abs := filepath.IsAbs(path)
	steps := strings.Split(slash, "/")
	for i, s := range steps {
		if abs && i == 0 && strings.HasSuffix(s, ":") {
			steps[i] = "/" + s // a drive
			continue
		}
		steps[i] = url.PathEscape(s)
	}
	uri := strings.Join(steps, "/")
	if abs {
		return "file://" + uri
	}
	// A colon in the first step would read as a scheme.
	if first, _, _ := strings.Cut(uri, "/"); strings.Contains(first, ":") {
		return "./" + uri
	}
	return uri
}
