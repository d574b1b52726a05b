package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/internal/atomicfile"
	"github.com/rollout-tool/rollout-tool/internal/textfmt"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite/batch"
)

// rewriteReport shows outcomes as they come, and adds them up.
type rewriteReport struct {
	*app
	opt    batch.Options
	asJSON bool
	begun  bool
	json   *jsonDoc // nil for text
	quiet  bool     // standard output is taken by the result
	files  int

	counts        [batch.NotTried + 1]int // by state
	saved, before int64
	seen          int
	bar           *rewriteBar
	refused       bool
	last          error // of the last file that failed or was refused
}

func (a *app) newRewriteReport(c *cli.Context, opt batch.Options, files int) *rewriteReport {
	return &rewriteReport{app: a, opt: opt, files: files, quiet: opt.Output == parse.Stdin && !opt.Dry, asJSON: c.String("format") == "json"}
}

// begin opens the document before the first file.
func (r *rewriteReport) begin() {
	if r.begun || !r.asJSON {
		r.begun = true
		return
	}
	r.begun = true
	r.json = newDoc(r.stdout)
	r.json.bool("dry_run", r.opt.DryRun())
	r.json.name("files")
	r.stdout.WriteByte('[')
}

func (r *rewriteReport) add(o *batch.Outcome) error {
	r.begin()
	r.counts[o.State]++
	if o.State == batch.NotTried {
		return nil
	}
	r.bar.hide()
	defer r.bar.show()
	if o.State == batch.Planned || o.State == batch.Written {
		r.saved += o.Result.BytesIn - o.Result.BytesOut
		r.before += o.Result.BytesIn
	}
	if o.Err != nil {
		r.last = o.Err
		r.refused = r.refused || o.State == batch.Refused || errors.Is(o.Err, batch.ErrWrite)
	}
	switch {
	case r.json != nil:
		line, err := o.Line()
		if err != nil {
			return err
		}
		if r.seen++; r.seen > 1 {
			r.stdout.WriteByte(',')
		}
		r.stdout.Write(line)
	case !r.quiet:
		r.text(o)
	}
	if r.outTTY {
		return r.stdout.Flush()
	}
	return nil
}

// text shows one file.
func (r *rewriteReport) text(o *batch.Outcome) {
	w := r.stdout
	switch o.State {
	case batch.Unchanged:
		if r.files == 1 {
			fmt.Fprintf(w, "%s: nothing to do\n", clean(o.Path))
		}
		return
	case batch.Copied:
		if r.files == 1 {
			fmt.Fprintf(w, "%s: nothing to do; copied to %s\n", clean(o.Path), clean(o.Target))
		}
		return
	case batch.Done:
		fmt.Fprintf(w, "%s: done by an earlier run (journal)\n", clean(o.Path))
		return
	case batch.Refused, batch.Failed:
		if r.files > 1 { // of a single file standard error says it
			fmt.Fprintf(w, "%s: %s\n", o.State, clean(o.Err.Error()))
		}
		return
	case batch.Planned:
		fmt.Fprintf(w, "%s: would be rewritten\n", clean(o.Path))
	default:
		fmt.Fprintf(w, "%s: written to %s\n", clean(o.Path), clean(o.Target))
		if o.Backup != "" {
			fmt.Fprintf(w, "  old file kept as %s\n", clean(o.Backup))
		}
	}
	for _, d := range o.Result.Operations {
		if d.Edits() == 0 {
			fmt.Fprintf(w, "  %s: nothing to do\n", d.Name)
			continue
		}
		fmt.Fprintf(w, "  %s: %s\n", d.Name, edits(d.Changed, d.Dropped, d.Added))
		for _, e := range d.Reasons {
			fmt.Fprintf(w, "    %s: %s%s\n", clean(e.Text), plural(e.Records, "record"), onLines(e.Lines, r.columns()))
		}
	}
	if o.Result.BrokenOff != nil {
		fmt.Fprintf(w, "  the compressed stream cannot be read to its end: %v; what is behind is lost\n", o.Result.BrokenOff)
	}
	fmt.Fprintf(w, "  bytes %s to %s (%s)", number(o.Result.BytesIn), number(o.Result.BytesOut), textfmt.Change(o.Result.BytesIn, o.Result.BytesOut))
	if o.HasTokens {
		fmt.Fprintf(w, ", tokens of the history %s to %s", number(o.TokensBefore), number(o.TokensAfter))
	}
	fmt.Fprintln(w)
	for _, c := range []struct {
		word  string
		codes map[string]int
	}{{"gone", o.Removed}, {"new", o.Added}} {
		if len(c.codes) > 0 {
			fmt.Fprintf(w, "  findings %s: %s\n", c.word, codeCounts(c.codes))
		}
	}
}

// edits counts records in words.
func edits(changed, dropped, added int) string {
	var out []string
	for _, p := range []struct {
		n    int
		word string
	}{{changed, "changed"}, {dropped, "dropped"}, {added, "added"}} {
		if p.n > 0 {
			out = append(out, plural(p.n, "record")+" "+p.word)
		}
	}
	return strings.Join(out, ", ")
}

// onLines names lines as far as they fit into a row.
func onLines(lines string, columns int) string {
	if lines == "" {
		return ""
	}
	word := "lines"
	if !strings.ContainsAny(lines, ",-") {
		word = "line"
	}
	if room := max(columns-50, 20); len(lines) > room {
		lines = lines[:strings.LastIndexByte(lines[:room], ',')+1] + "..."
	}
	return " (" + word + " " + lines + ")"
}

func codeCounts(codes map[string]int) string {
	var out []string
	for _, c := range slices.Sorted(maps.Keys(codes)) {
		out = append(out, fmt.Sprintf("%s %d", c, codes[c]))
	}
	return strings.Join(out, ", ")
}

// end shows the sum.
func (r *rewriteReport) end() {
	r.begin()
	free, known := atomicfile.Free(r.place())
	switch {
	case r.json != nil:
		r.stdout.WriteByte(']')
		r.json.name("totals")
		t := openObject(r.stdout)
		for s := batch.Planned; s <= batch.NotTried; s++ {
			t.int(s.String(), int64(r.counts[s]))
		}
		t.int("bytes_before", r.before)
		t.int("bytes_saved", r.saved)
		if known {
			t.int("bytes_free", free)
		}
		t.close()
		r.json.end()
	case r.quiet:
	default:
		r.sum(free, known)
	}
}

func (r *rewriteReport) sum(free int64, known bool) {
	if r.files > 1 {
		var parts []string
		for s := batch.Planned; s <= batch.NotTried; s++ {
			if r.counts[s] > 0 {
				parts = append(parts, fmt.Sprintf("%s %s", number(int64(r.counts[s])), strings.ReplaceAll(s.String(), "_", " ")))
			}
		}
		fmt.Fprintf(r.stdout, "%s: %s", plural(r.files, "file"), strings.Join(parts, ", "))
		switch {
		case r.saved >= 0 && r.before > 0:
			fmt.Fprintf(r.stdout, "; %s bytes saved of %s", number(r.saved), number(r.before))
		case r.before > 0:
			fmt.Fprintf(r.stdout, "; %s bytes more than %s", number(-r.saved), number(r.before))
		}
		fmt.Fprintln(r.stdout)
	}
	if r.opt.DryRun() && r.counts[batch.Planned] > 0 {
		fmt.Fprint(r.stdout, "nothing was written: this is a dry run")
		if !r.opt.Dry {
			fmt.Fprint(r.stdout, "; give -o FILE, --out-dir DIR or --in-place")
		}
		if known {
			fmt.Fprintf(r.stdout, " (%s bytes are free here)", number(free))
		}
		fmt.Fprintln(r.stdout)
	}
}

// place is the folder whose free space counts.
func (r *rewriteReport) place() string {
	if r.opt.Output != "" && !r.quiet {
		return filepath.Dir(r.opt.Output)
	}
	return "."
}

// verdict is the error that the run as a whole ends with.
func (r *rewriteReport) verdict() error {
	bad := r.counts[batch.Refused] + r.counts[batch.Failed]
	if bad == 0 {
		return nil
	}
	code := exitCode(r.last)
	if r.refused {
		code = exitRefused
	}
	err := r.last
	if r.files > 1 {
		left := ""
		if n := r.counts[batch.NotTried]; n > 0 {
			left = fmt.Sprintf(", %s not tried (--continue-on-error goes on)", number(int64(n)))
		}
		err = fmt.Errorf("%s of %s refused or failed%s; the last one: %w", number(int64(bad)), plural(r.files, "file"), left, r.last)
	}
	return &codedError{code: code, err: err}
}
