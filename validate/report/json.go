package report

import (
	"io"
	"strconv"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/validate"
)

// formatVersion is that of the JSON document: a minor step adds members at the top
// and in objects beside lists of rows, a major step breaks.
const formatVersion = "1.0"

// jsonReport writes one document. A file's findings come before what is known of the
// file at its end only, all files before the totals.
type jsonReport struct {
	out
	opt   Options
	codes validate.Registry
	top   *object
	files comma
	file  *object
	rows  comma
	tally tally
}

func newJSON(w io.Writer, opt Options) Reporter {
	r := &jsonReport{out: out{w: w}, opt: opt, codes: registry(opt.Codes)}
	r.top = r.object()
	r.top.string("format_version", formatVersion)
	r.top.string("tool_version", opt.Version)
	r.top.name("files")
	r.text("[")
	return r
}

func (r *jsonReport) Begin(path string) error {
	r.files.next(&r.out)
	r.file = r.object()
	r.file.string("path", path)
	r.rows, r.tally = comma{}, tally{}
	if !r.opt.Summary {
		r.file.name("findings")
		r.text("[")
	}
	return r.err
}

func (r *jsonReport) Finding(f Finding) error {
	if r.opt.Summary {
		r.tally.add(f)
		return nil
	}
	r.rows.next(&r.out)
	j := r.object()
	writeFinding(j, f, r.codes)
	j.end()
	return r.err
}

func (r *jsonReport) End(f File) error {
	if r.opt.Summary {
		writeCounts(r.file, r.tally.list())
	} else {
		r.text("]")
	}
	writeFile(r.file, f)
	r.file.end()
	return r.err
}

func (r *jsonReport) Close(t Totals) error {
	r.text("]")
	j := r.top
	j.int("error_count", int64(t.Errors))
	j.int("warning_count", int64(t.Warnings))
	j.int("info_count", int64(t.Infos))
	j.int("preview_count", int64(t.Preview))
	j.int("expected_count", int64(t.Expected))
	j.int("hidden_count", int64(t.Hidden))
	j.int("unreadable_count", int64(t.Unreadable))
	if r.opt.Summary {
		writeCounts(j, t.Codes)
	}
	j.bool("valid", t.Valid())
	j.end()
	r.text("\n")
	return r.err
}

// writeFinding writes the members of a finding.
func writeFinding(j *object, f Finding, codes validate.Registry) {
	j.string("code", f.Code)
	j.string("severity", f.Severity.String())
	j.string("message", f.Message)
	if f.Line > 0 {
		j.int("line", int64(f.Line))
		j.int("byte_offset", f.Offset)
	} else {
		j.raw("line", jsonraw.Value("null"))
		if f.HasRequest || f.Offset > 0 {
			j.int("byte_offset", f.Offset)
		} else {
			j.raw("byte_offset", jsonraw.Value("null"))
		}
	}
	j.string("pointer", f.Pointer)
	if f.HasRequest {
		j.int("request", int64(f.Request))
	}
	if f.File != "" {
		j.string("file", f.File)
	}
	if f.HasOrdinal {
		j.raw("ordinal", strconv.AppendUint(nil, f.Ordinal, 10))
	}
	if fix := fixOf(f, codes); fix != "" {
		j.string("fix", fix)
	}
	if f.Preview {
		j.bool("preview", true)
	}
	if f.Expected {
		j.bool("expected", true)
	}
}

// writeFile writes what is known of a file, its path left out.
func writeFile(j *object, f File) {
	if f.Err != nil {
		j.string("error", f.Err.Error())
	}
	j.stringOrNull("sha256", f.SHA256)
	j.int("bytes", f.Bytes)
	j.int("lines", int64(f.Lines))
	j.stringOrNull("generation", f.Generation)
	j.stringOrNull("history_mode", f.HistoryMode)
	j.stringOrNull("loadable", string(f.Loadable))
	if f.Why != "" {
		j.string("why", f.Why)
	}
	j.ints("rejected_lines", f.Rejected)
	j.ints("checkpoints", f.Checkpoints)
	if f.Requests > 0 {
		j.int("requests", int64(f.Requests))
	}
	if f.Hidden > 0 {
		j.int("hidden", int64(f.Hidden))
	}
}

func writeCounts(j *object, counts []CodeCount) {
	sub := j.sub("counts")
	for _, c := range counts {
		sub.int(c.Code, int64(c.Count))
	}
	sub.end()
}

// jsonLines writes an object for each finding, and one for each file behind its
// findings.
type jsonLines struct {
	out
	opt   Options
	codes validate.Registry
	path  string
	tally tally
}

func newJSONL(w io.Writer, opt Options) Reporter {
	return &jsonLines{out: out{w: w}, opt: opt, codes: registry(opt.Codes)}
}

func (r *jsonLines) Begin(path string) error {
	r.path, r.tally = path, tally{}
	return nil
}

func (r *jsonLines) Finding(f Finding) error {
	if r.opt.Summary {
		r.tally.add(f)
		return nil
	}
	j := r.object()
	j.string("kind", "finding")
	j.string("path", r.path)
	writeFinding(j, f, r.codes)
	j.end()
	r.text("\n")
	return r.err
}

func (r *jsonLines) End(f File) error {
	j := r.object()
	j.string("kind", "file")
	j.string("path", r.path)
	if r.opt.Summary {
		writeCounts(j, r.tally.list())
	}
	writeFile(j, f)
	j.end()
	r.text("\n")
	return r.err
}

func (r *jsonLines) Close(Totals) error { return r.err }
