package rewrite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// Options says how a file is rewritten.
type Options struct {
	// PreserveOffsets keeps the byte offset of every line: what gets shorter is filled up
	// with white space, what goes leaves a filler, what would get longer is refused.
	PreserveOffsets bool
	// Checker says what Codex accepts; copies of it are used. Nil for the newest reader.
	Checker *accept.Checker
	// FindBase opens the rollout that a history_base names, for operations that replay.
	FindBase func(rollout uuid.UUID) (*parse.Source, error)
	// Marks are byte offsets of the file that other files point to; Result.Marks says
	// where they went.
	Marks []int64
	// Base says how the file's own history_base has moved; nil for not at all.
	Base *BaseMove
	// Salvage takes a stream that breaks off (a damaged zstd file) for ended there.
	Salvage bool
	// Lost is told about records whose content goes away, in Commit only; nil for nobody.
	Lost func(Lost) error
	// Now and NewID are the clock and the source of UUIDv7 for new records; nil for those
	// of the system.
	Now   func() time.Time
	NewID func() (uuid.UUID, error)
	// Progress is told how many bytes of the file each step of a pass has read.
	Progress func(bytes int64)
}

// Result says what a pass has done.
type Result struct {
	// Operations are the counts, in the order of the operations.
	Operations []Done
	// BytesIn and BytesOut are the sizes of the plain text before and after.
	BytesIn, BytesOut int64
	// Marks are those of the options, rising.
	Marks []Mark
	// BrokenOff is why a compressed stream could not be read to its end, when that was
	// taken for the end (Options.Salvage); nil otherwise.
	BrokenOff error
}

// Edits is the number of edits of all operations.
func (r *Result) Edits() int {
	n := 0
	for i := range r.Operations {
		n += r.Operations[i].Edits()
	}
	return n
}

// Rewrite is a file with its operations planned. It is for one goroutine at a time.
type Rewrite struct {
	Header Header // of the file as it is
	chain  *chain
	opt    Options
	opened []*parse.Source
}

// Prepare plans the operations on a file, in order, each on what the ones before leave.
// The caller keeps src open while it uses the Rewrite. The error is a *Refusal, or that
// of reading the file.
func Prepare(ctx context.Context, src *parse.Source, ops []Operation, opt Options) (*Rewrite, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.NewID == nil {
		opt.NewID = uuid.NewV7
	}
	if opt.Checker == nil {
		opt.Checker = accept.NewChecker()
	}
	h, err := ReadHeader(src, opt.Checker.Clone())
	if err != nil {
		return nil, err
	}
	c := &chain{src: src, path: src.Path, checker: opt.Checker, salvage: opt.Salvage, progress: opt.Progress, head: h}
	if opt.Base != nil {
		ops = append(ops[:len(ops):len(ops)], moveBase{move: *opt.Base})
	}
	rw := &Rewrite{Header: h, chain: c, opt: opt}
	for _, op := range ops {
		for i, step := range steps(op) {
			if err := rw.plan(ctx, step); err != nil {
				rw.Close()
				return nil, fmt.Errorf("%s: %w", op.Name(), err)
			}
			last := &c.stages[len(c.stages)-1]
			last.name, last.goesOn = op.Name(), i > 0
		}
	}
	return rw, nil
}

// plan adds one operation to the chain.
func (rw *Rewrite) plan(ctx context.Context, op Operation) error {
	c := rw.chain
	before := *c // what op sees; later operations are not part of it
	before.stages = c.stages[:len(c.stages):len(c.stages)]
	in := &Input{
		Header: c.head, Path: c.path, Marks: rw.opt.Marks, FindBase: rw.opt.FindBase, Now: rw.opt.Now, NewID: rw.opt.NewID,
		ctx: ctx, chain: &before, opened: &rw.opened,
	}
	begin, err := op.Plan(in)
	if err != nil {
		return err
	}
	s := newStage(op, begin)
	c.stages = append(c.stages, s)
	if s.repairs || c.head.Found { // else there is none that could have changed
		c.head, err = c.header(ctx)
	}
	return err
}

// Close releases what the operations and passes have left open; src stays open.
func (rw *Rewrite) Close() error {
	var err error
	for _, s := range rw.opened {
		err = errors.Join(err, s.Close())
	}
	rw.opened = nil
	return err
}

func newStage(op Operation, begin func() Editor) stage {
	s := stage{op: op, begin: begin}
	if f, ok := op.(Filter); ok {
		s.needles = [][]byte{}
		for _, n := range f.Needles() {
			s.needles = append(s.needles, []byte(n))
		}
	}
	if f, ok := op.(Sifter); ok {
		s.sift = f.Sift
	}
	if r, ok := op.(Repairer); ok {
		s.repairs = r.Repairs()
	}
	return s
}

// WriteTo passes over the file and writes the result. It may be called again.
func (rw *Rewrite) WriteTo(ctx context.Context, w io.Writer) (Result, error) {
	return rw.pass(ctx, w, false)
}

// Count is WriteTo without a result: what a dry run does.
func (rw *Rewrite) Count(ctx context.Context) (Result, error) { return rw.pass(ctx, io.Discard, false) }

// Commit is WriteTo for the pass whose result is kept: operations that do something
// besides editing do it now, and Options.Lost is told.
func (rw *Rewrite) Commit(ctx context.Context, w io.Writer) (Result, error) {
	return rw.pass(ctx, w, true)
}

func (rw *Rewrite) pass(ctx context.Context, w io.Writer, commit bool) (Result, error) {
	t := newTally(rw.chain.stages, nil)
	if commit {
		t.lost = rw.opt.Lost
	}
	l := newLayout(w, rw.chain.head, rw.opt)
	p := rw.chain.newPass(l, t)
	var open []Committer
	for _, e := range p.editors {
		if _, ok := e.(Finisher); ok {
			l.keepTail = l.paginated // a record added at the end needs the last ordinal
		}
		if c, ok := e.(Committer); ok && commit {
			c.Commit()
			open = append(open, c)
		}
	}
	err := p.run(ctx)
	for _, c := range open {
		if closed := c.Close(); err == nil {
			err = closed
		}
	}
	if flushed := l.flush(); err == nil {
		err = flushed
	}
	return Result{Operations: t.result(), BytesIn: l.in, BytesOut: l.out, Marks: l.marks, BrokenOff: p.brokenOff}, err
}

// Source is the result as a source: passes over it run the operations. It is closed with
// the Rewrite.
func (rw *Rewrite) Source(ctx context.Context, path string) *parse.Source {
	src := virtual(path, func(w io.Writer) error {
		_, err := rw.WriteTo(ctx, w)
		return err
	})
	rw.opened = append(rw.opened, src)
	return src
}

// source is the text as the planned operations leave it.
func (c *chain) source(ctx context.Context) *parse.Source {
	if len(c.stages) == 0 {
		shared := parse.NewSource(c.path, plainText{c.src})
		shared.Compressed, shared.StoredSize = c.src.Compressed, c.src.StoredSize
		return shared
	}
	return virtual(c.path, func(w io.Writer) error {
		_, err := (&Rewrite{Header: c.head, chain: c}).WriteTo(ctx, w)
		return err
	})
}

// plainText is a source that somebody else closes.
type plainText struct{ *parse.Source }

func (plainText) Close() error { return nil }

// AsRefusal returns the refusal in an error, nil when there is none.
func AsRefusal(err error) *Refusal {
	var r *Refusal
	if errors.As(err, &r) {
		return r
	}
	return nil
}
