package main

import (
	"bufio"
	"fmt"
	"slices"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/internal/textfmt"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// typeSum counts the records of one type.
type typeSum struct {
	typ     string
	records int
	bytes   int64
}

// summary is one file summed up.
type summary struct {
	path       string
	bytes      int64
	lines      int
	verdicts   [4]int
	firstBad   int
	longest    int64
	generation parse.Generation
	judged     accept.File
	types      []typeSum
	compacted  []int // lines of readable checkpoints and local summaries
	turns      map[string]bool
	// userMessages stand for turns in files from before turns had ids.
	userMessages int
	first        string // timestamps
	last         string

	session, cwd, cliVersion, mode, model string
	bare                                  bool
}

// summarize prints a summary of each file: a block for one, a row for several.
func (p *parseRun) summarize(files []string) error {
	several := len(files) > 1
	var write func(*summary)
	var finish func()
	switch p.c.String("format") {
	case "jsonl":
		write = func(s *summary) { s.writeJSON(p.stdout); p.stdout.WriteByte('\n') }
		finish = func() {}
	case "json":
		d := newDoc(p.stdout)
		d.name("files")
		p.stdout.WriteByte('[')
		n := 0
		write = func(s *summary) {
			if n++; n > 1 {
				p.stdout.WriteByte(',')
			}
			s.writeJSON(p.stdout)
		}
		finish = func() {
			p.stdout.WriteByte(']')
			d.int("count", int64(n))
			d.end()
		}
	default:
		write, finish = p.summaryText(several)
	}
	bar := p.progress(files)
	err := p.eachFile(files, func(path string) error {
		s := summary{path: path, generation: parse.GenerationAny, turns: map[string]bool{}}
		err := p.scanFile(path, func(l *seen) error {
			ok, err := p.sel.takes(l)
			if err == nil && ok {
				s.add(l)
			}
			return err
		})
		if err == nil || s.lines > 0 {
			write(&s)
		}
		bar.done()
		return err
	})
	finish()
	return err
}

func (s *summary) add(l *seen) {
	s.lines++
	s.bytes += l.Size()
	s.longest = max(s.longest, l.Size())
	s.verdicts[l.res.Verdict]++
	s.judged.Add(l.res)
	if l.res.Verdict == accept.Err && s.firstBad == 0 {
		s.firstBad = l.Number
	}
	if !l.readable {
		return
	}
	r := &l.rec
	s.bare = s.bare || r.Bare
	s.count(r)
	s.generation = max(s.generation, parse.GenerationOf(r))
	if stamp := r.Timestamp(); stamp != "" {
		if s.first == "" {
			s.first = stamp
		}
		s.last = stamp
	}
	if r.Type == parse.RecordTurnContext { // even a rejected one says what the model was
		s.model = r.Fields().Text("model")
	}
	if l.res.Verdict != accept.OK && !r.Bare {
		return
	}
	if l.turn != "" {
		s.turns[l.turn] = true
	}
	s.note(r)
}

// count adds the record to its type's sum.
func (s *summary) count(r *parse.Record) {
	typ := r.Type
	if typ == "" {
		typ = "(no type)"
	}
	i := slices.IndexFunc(s.types, func(t typeSum) bool { return t.typ == typ })
	if i < 0 && len(s.types) < maxTypes {
		i = len(s.types)
		s.types = append(s.types, typeSum{typ: typ})
	} else if i < 0 {
		i = maxTypes - 1 // a file of nonsense types must not grow without bound
	}
	s.types[i].records++
	s.types[i].bytes += r.Size()
}

const maxTypes = 64

// note keeps what identifies the session.
func (s *summary) note(r *parse.Record) {
	f := r.Fields()
	switch r.Type {
	case parse.RecordSessionMeta:
		if s.session == "" {
			s.session, s.cwd, s.cliVersion = f.Text("id"), f.Text("cwd"), f.Text("cli_version")
			if s.mode = f.Text("history_mode"); s.mode == "" {
				s.mode = "legacy"
			}
		}
	case parse.RecordEvent:
		if f.Text("type") == "user_message" {
			s.userMessages++
		}
	case parse.RecordCompacted:
		s.compacted = append(s.compacted, r.Number)
	}
}

func (s *summary) turnCount() int {
	if len(s.turns) > 0 {
		return len(s.turns)
	}
	return s.userMessages
}

func (s *summary) load() string {
	if _, _, aborted := s.judged.Aborted(); aborted || s.judged.ThreadID == "" {
		return "no"
	}
	if s.verdicts[accept.Err] > 0 {
		return "with_loss"
	}
	return "yes"
}

func (s *summary) writeJSON(w *bufio.Writer) {
	d := openObject(w)
	d.text("path", s.path)
	d.int("bytes", s.bytes)
	d.int("lines", int64(s.lines))
	d.int("longest_line", s.longest)
	d.text("generation", s.generation.String())
	d.text("history_mode", s.mode)
	d.text("loadable", s.load())
	for v, name := range []string{"ok", "rejected", "blank", "dropped"} {
		d.int(name, int64(s.verdicts[v]))
	}
	d.list("types", len(s.types), func(i int) {
		t := openObject(d.w)
		t.text("type", s.types[i].typ)
		t.int("records", int64(s.types[i].records))
		t.int("bytes", s.types[i].bytes)
		t.close()
	})
	d.list("checkpoints", len(s.compacted), func(i int) { d.w.Write(jsonraw.Int(int64(s.compacted[i]))) })
	d.int("turns", int64(s.turnCount()))
	d.maybeText("session", s.session)
	d.maybeText("cwd", s.cwd)
	d.maybeText("cli_version", s.cliVersion)
	d.maybeText("model", s.model)
	d.maybeText("first_timestamp", s.first)
	d.maybeText("last_timestamp", s.last)
	d.close()
}

// summaryText returns the writer of one summary as text, and what ends the list.
func (p *parseRun) summaryText(several bool) (write func(*summary), finish func()) {
	if !several {
		return func(s *summary) { s.writeText(p) }, func() {}
	}
	g := &grid{w: p.stdout, width: p.columns(), color: p.color(p.c), cols: []column{
		{title: "bytes", width: 13, right: true, drop: 1}, {title: "lines", width: 8, right: true, drop: 2},
		{title: "bad", width: 5, right: true}, {title: "turns", width: 5, right: true, drop: 3},
		{title: "compactions", width: 11, right: true, drop: 4}, {title: "gen", width: 3, right: true, drop: 5},
		{title: "loads", width: 9}, {title: "file", front: true},
	}}
	var total summary
	files := 0
	write = func(s *summary) {
		if files == 0 {
			g.header()
		}
		files++
		total.bytes += s.bytes
		total.lines += s.lines
		total.verdicts[accept.Err] += s.verdicts[accept.Err]
		paint := paintNone
		if s.load() != "yes" {
			paint = paintBad
		}
		g.row(paint, number(s.bytes), number(int64(s.lines)), number(int64(s.verdicts[accept.Err])),
			number(int64(s.turnCount())), number(int64(len(s.compacted))), s.generation.String(), s.load(), s.path)
	}
	finish = func() {
		if files > 0 {
			g.row(paintDim, number(total.bytes), number(int64(total.lines)),
				number(int64(total.verdicts[accept.Err])), "", "", "", "", plural(files, "file"))
		}
	}
	return write, finish
}

func (s *summary) writeText(p *parseRun) {
	line := func(label, format string, args ...any) {
		text := fmt.Sprintf("%-13s ", label) + clean(fmt.Sprintf(format, args...))
		fmt.Fprintln(p.stdout, textfmt.Cut(text, max(p.columns(), 20)))
	}
	line("file", "%s", s.path)
	line("size", "%s bytes, %s lines, longest %s bytes", number(s.bytes), number(int64(s.lines)), number(s.longest))
	line("generation", "%s, history mode %s", s.generation, s.mode)
	if s.session != "" {
		line("session", "%s", s.session)
		line("cwd", "%s", s.cwd)
	}
	if s.cliVersion != "" || s.model != "" {
		line("written by", "codex %s, last model %s", s.cliVersion, s.model)
	}
	if s.first != "" {
		line("time", "%s to %s", s.first, s.last)
	}
	line("turns", "%d", s.turnCount())
	line("compactions", "%d%s", len(s.compacted), atLines(s.compacted))
	line("loads", "%s", s.loadWords())
	fmt.Fprintln(p.stdout)
	for _, t := range s.types {
		text := fmt.Sprintf("  %-34s %17s %15s bytes", textfmt.Line(t.typ, 34), textfmt.Count(int64(t.records), "record"), number(t.bytes))
		fmt.Fprintln(p.stdout, textfmt.Cut(text, max(p.columns(), 20)))
	}
}

func atLines(lines []int) string {
	if len(lines) == 0 {
		return ""
	}
	out := " (line"
	for i, l := range lines {
		if i == 8 {
			return out + fmt.Sprintf(" and %d more)", len(lines)-i)
		}
		out += fmt.Sprintf(" %d", l)
	}
	return out + ")"
}

// loadWords says what Codex would do with the file.
func (s *summary) loadWords() string {
	line, msg, aborted := s.judged.Aborted()
	switch {
	case s.bare:
		return "no: generation 0 file (before the envelope), Codex refuses it; read here as bare items"
	case aborted:
		return fmt.Sprintf("no: line %d: %s", line, msg)
	case s.judged.ThreadID == "":
		return "no: no session_meta is accepted"
	case s.verdicts[accept.Err] > 0:
		return fmt.Sprintf("with loss: %d rejected, first at line %d", s.verdicts[accept.Err], s.firstBad)
	}
	return "yes"
}
