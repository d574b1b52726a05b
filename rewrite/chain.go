package rewrite

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// ErrBlank is why a line of white space is no record.
var ErrBlank = errors.New("blank line")

// stage is one planned operation of a chain.
type stage struct {
	op      Operation
	name    string // under which it is counted
	goesOn  bool   // with the stage before it: another step of one operation
	begin   func() Editor
	needles [][]byte               // nil: every record is shown
	sift    func(line []byte) bool // of those with a needle; nil shows all of them
	repairs bool
}

// chain is a file and the operations planned for it so far.
type chain struct {
	src      *parse.Source
	path     string
	checker  *accept.Checker // copied for each pass
	stages   []stage
	head     Header // of what the stages leave
	salvage  bool   // a stream that breaks off counts as ended
	progress func(int64)
}

// sink takes what comes out of a chain, in file order.
type sink interface {
	// span is a run of whole lines that no operation has touched.
	span(b parse.Block) error
	// entry is one line that an operation has looked at.
	entry(e entry) error
}

// entry is a line and what has become of it.
type entry struct {
	rec   *Record
	state action     // kept, changed or dropped
	src   parse.Line // the line of the file that it came from; its bytes are the old ones
	last  bool       // the last entry that came of this line; false for those of the end
	gone  bool       // a dropped record that leaves no filler
}

// pass is one run over a file.
type pass struct {
	*chain
	editors []Editor
	checker *accept.Checker
	tally   *tally // nil when nobody counts
	sink    sink

	brokenOff error   // a compressed stream that was taken for ended
	look      *search // nil: every line is shown
	now, next []entry // of the line at hand
	free      []*Record
	used      int
}

func (c *chain) newPass(s sink, t *tally) *pass {
	p := &pass{chain: c, sink: s, tally: t, checker: c.checker.Clone()}
	for _, st := range c.stages {
		p.editors = append(p.editors, st.begin())
	}
	p.look = newSearch(c.stages)
	return p
}

// run passes over the whole file. The next block is read and searched while the lines of
// one are edited.
func (p *pass) run(ctx context.Context) error {
	in, err := p.src.ReadFrom(0)
	if err != nil {
		return err
	}
	defer in.Close()
	a := readAhead(in, p.look, p.stages)
	defer a.stop()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		found := <-a.blocks
		if err := found.err; err != nil {
			var cut *parse.StreamError
			if err != io.EOF && !(p.salvage && errors.As(err, &cut)) {
				return err
			}
			if err != io.EOF {
				p.brokenOff = err
			}
			return p.finish()
		}
		if err := p.block(found); err != nil {
			return err
		}
		if p.progress != nil {
			p.progress(int64(len(found.Data)))
		}
		a.free <- found
	}
}

// block shows the lines of a block that somebody wants to see, and passes the runs of
// others on as they are.
func (p *pass) block(found *searched) error {
	if p.look == nil {
		var err error
		found.Lines(func(l parse.Line) bool {
			err = p.line(l)
			return err == nil
		})
		return err
	}
	run := found.Block // what was not passed on yet
	for _, start := range found.wanted {
		before := parse.Block{Line: run.Line, Offset: run.Offset, Data: run.Data[:int64(start)-(run.Offset-found.Offset)]}
		at := parse.Block{Line: run.Line + bytes.Count(before.Data, newline), Offset: found.Offset + int64(start), Data: found.Data[start:]}
		if len(before.Data) > 0 {
			if err := p.sink.span(before); err != nil {
				return err
			}
		}
		l := at.First()
		if err := p.line(l); err != nil {
			return err
		}
		run = parse.Block{Line: l.Number + 1, Offset: l.Offset + l.Size(), Data: at.Data[l.Size():]}
	}
	if len(run.Data) == 0 {
		return nil
	}
	return p.sink.span(run)
}

// escape may hide a needle in a key.
var escape = []byte(`\u`)

func (s *stage) wants(text []byte) bool {
	if s.needles == nil {
		return true
	}
	for _, n := range s.needles {
		if bytes.Contains(text, n) {
			return s.sift == nil || s.sift(text)
		}
	}
	return len(s.needles) > 0 && bytes.Contains(text, escape)
}

// line runs one line of the file through the operations.
func (p *pass) line(l parse.Line) error {
	p.used = 0
	p.now = append(p.now[:0], entry{rec: p.record(l, false), src: l})
	if err := p.through(0); err != nil {
		return err
	}
	return p.out(true)
}

// through runs the entries at hand through the operations from one on.
func (p *pass) through(from int) error {
	for i := from; i < len(p.stages); i++ {
		p.next = p.next[:0]
		for _, e := range p.now {
			if err := p.edit(i, e); err != nil {
				return err
			}
		}
		p.now, p.next = p.next, p.now
	}
	return nil
}

// edit shows an entry to operation i and puts what comes of it into next.
func (p *pass) edit(i int, e entry) error {
	st := &p.stages[i]
	if e.state == dropped || e.rec.Broken != nil && !st.repairs || !st.wants(e.rec.Bytes) {
		p.next = append(p.next, e)
		return nil
	}
	ed := p.editors[i].Edit(e.rec)
	if ed.Kept() {
		p.next = append(p.next, e)
		return nil
	}
	if ed.action == invalid {
		return &LineError{Line: e.rec.Number, Offset: e.rec.Offset, Err: errors.New("operation " + st.op.Name() + ": " + ed.reason)}
	}
	if p.tally != nil {
		if err := p.tally.add(i, e.rec, ed); err != nil {
			return err
		}
	}
	p.added(e, ed.before)
	switch ed.action {
	case changed:
		l := e.rec.Line
		l.Bytes, l.Terminated = ed.line, l.Terminated || ed.ended
		e.rec = p.record(l, e.rec.Added)
		e.state = changed
	case dropped:
		e.state, e.gone = dropped, ed.gone
	}
	p.next = append(p.next, e)
	p.added(e, ed.after)
	return nil
}

// added makes entries of lines that an operation adds to a record.
func (p *pass) added(to entry, lines [][]byte) {
	for _, b := range lines {
		l := to.rec.Line
		l.Bytes, l.Terminated = b, true
		p.next = append(p.next, entry{rec: p.record(l, true), state: changed, src: to.src})
	}
}

// out passes the entries at hand on. ofLine says that they came from a line of the file.
func (p *pass) out(ofLine bool) error {
	for i, e := range p.now {
		e.last = ofLine && i == len(p.now)-1
		if err := p.sink.entry(e); err != nil {
			return err
		}
	}
	return nil
}

// finish asks for the records that go to the end of the file.
func (p *pass) finish() error {
	for i := range p.stages {
		f, ok := p.editors[i].(Finisher)
		if !ok {
			continue
		}
		lines, reason := f.Finish()
		if len(lines) == 0 {
			continue
		}
		p.used, p.now, p.next = 0, p.now[:0], p.next[:0]
		end := entry{rec: &Record{}}
		if p.tally != nil {
			if err := p.tally.add(i, end.rec, Keep().After(reason, lines...)); err != nil {
				return err
			}
		}
		p.added(end, lines)
		p.now, p.next = p.next, p.now
		if err := p.through(i + 1); err != nil {
			return err
		}
		if err := p.out(false); err != nil {
			return err
		}
	}
	return nil
}

// record views a line, in memory that the pass uses again for the next line.
func (p *pass) record(l parse.Line, added bool) *Record {
	if p.used == len(p.free) {
		p.free = append(p.free, &Record{})
	}
	r := p.free[p.used]
	p.used++
	view(r, l, p.checker)
	r.Added = added
	return r
}

func view(r *Record, l parse.Line, checker *accept.Checker) {
	*r = Record{checker: checker}
	if parse.IsBlank(l.Bytes) {
		r.Line, r.Broken = l, ErrBlank
		return
	}
	r.Record, r.Broken = parse.ViewRecord(l)
}

// records passes over the records as the planned operations leave them.
func (c *chain) records(ctx context.Context, broken bool, see func(*Record) error) error {
	s := &seeing{see: see, broken: broken, checker: c.checker.Clone()}
	err := c.newPass(s, nil).run(ctx)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// seeing is the sink of a pass that only looks.
type seeing struct {
	see     func(*Record) error
	broken  bool
	checker *accept.Checker
	rec     Record
}

func (s *seeing) span(b parse.Block) error {
	var err error
	b.Lines(func(l parse.Line) bool {
		view(&s.rec, l, s.checker)
		err = s.show(&s.rec)
		return err == nil
	})
	return err
}

func (s *seeing) entry(e entry) error {
	if e.state == dropped {
		return nil
	}
	return s.show(e.rec)
}

func (s *seeing) show(r *Record) error {
	if r.Broken != nil && !s.broken {
		return nil
	}
	return s.see(r)
}
