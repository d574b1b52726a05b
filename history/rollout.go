package history

import (
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// Options says how a rollout is loaded and replayed.
type Options struct {
	// Workers is how many goroutines judge lines; below 1 means one.
	Workers int
	// Accept are the options of the acceptance checker (the reader's profile).
	Accept []accept.Option
	// FindBase opens the rollout with the given rollout id that a history_base
	// names (rule 15). The Rollout closes what it returns. Nil means: not found.
	FindBase func(rollout uuid.UUID) (*parse.Source, error)
	// Checkers, if set, are used instead of new ones, one for each goroutine: making
	// them costs more than judging a small file. They bring their own options.
	Checkers []*accept.Checker
	// Watch, if set, sees every physical line of the rollout itself, not of its ancestors.
	Watch Watcher
	// ToolOutputLimit is the model's output limit in tokens (rule 22), nil for none.
	ToolOutputLimit *uint64
}

// Watcher sees the lines of a rollout while Load reads them.
type Watcher interface {
	// Look is called on one of Workers goroutines, with the index of that goroutine.
	// What it sees is valid during the call only.
	Look(worker int, v View) any
	// Take is called on the caller's goroutine, in file order, with what Look has
	// returned. An error ends the reading; Load returns it.
	Take(looked any) error
}

// View is one line as Load sees it.
type View struct {
	parse.Line
	// Record is the line's envelope; nil when the line is blank, dropped or no JSON object.
	Record *parse.Record
	Result accept.Result
	// Bare holds in a file of generation 0.
	Bare bool
}

// position is a physical line in a chain of files, oldest first.
type position struct{ file, line int }

func (p position) before(q position) bool {
	return p.file < q.file || p.file == q.file && p.line < q.line
}

// Rollout is a rollout read through once and ready to be replayed to any point. It
// keeps what grows with turns, not with lines. It is for one goroutine at a time.
type Rollout struct {
	files     []*fileIndex // ancestors by history_base first, the rollout itself last
	opt       Options
	paginated bool  // by the rollout's first session_meta
	baseErr   error // why a history_base could not be followed
	opened    []*parse.Source
}

// Load reads the rollout through. Lines that Codex would reject are counted, not
// fatal. The caller keeps src open while it uses the Rollout, and closes the Rollout.
func Load(src *parse.Source, opt Options) (*Rollout, error) {
	for len(opt.Checkers) < max(opt.Workers, 1) { // for the ancestors and the replays too
		opt.Checkers = append(opt.Checkers, accept.NewChecker(opt.Accept...))
	}
	x, err := indexFile(src, -1, opt)
	if err != nil {
		return nil, err
	}
	opt.Watch = nil
	r := &Rollout{files: []*fileIndex{x}, opt: opt}
	meta, err := r.firstMeta(x)
	if err != nil {
		return nil, err
	}
	r.paginated = meta.Text("history_mode") == "paginated"
	if err := r.followBase(meta); err != nil {
		r.baseErr = err
		r.files = []*fileIndex{x} // a broken chain says nothing: the rollout alone (rule 15)
	}
	for f, x := range r.files {
		for i := range x.checkpoints {
			x.checkpoints[i].file = f
		}
	}
	return r, nil
}

// named reports whether a point lies behind the rollout's first session_meta. Before
// it neither the history mode nor the ancestors are known.
func (r *Rollout) named(limit position) bool {
	metas := r.own().metas
	return len(metas) > 0 && metas[0].line <= limit.line
}

// oldest is the file that the history of a point starts with.
func (r *Rollout) oldest(limit position) int {
	if r.named(limit) {
		return 0
	}
	return r.self()
}

// Close closes the ancestors that Load opened.
func (r *Rollout) Close() error {
	var err error
	for _, s := range r.opened {
		err = errors.Join(err, s.Close())
	}
	return err
}

func (r *Rollout) self() int       { return len(r.files) - 1 }
func (r *Rollout) own() *fileIndex { return r.files[r.self()] }

// Source is where the rollout itself is read from.
func (r *Rollout) Source() *parse.Source { return r.own().src }

// Lines is the number of physical lines of the rollout itself.
func (r *Rollout) Lines() int { return r.own().lines }

// Compactions is the number of readable compacted records of the rollout itself.
func (r *Rollout) Compactions() int { return len(r.own().checkpoints) }

// CompactionLine is the physical line of compaction k (from 1), 0 when there is none.
func (r *Rollout) CompactionLine(k int) int {
	if k < 1 || k > r.Compactions() {
		return 0
	}
	return r.own().checkpoints[k-1].line
}

// CompactionRecord reads the compacted record of compaction k (from 1) again.
func (r *Rollout) CompactionRecord(k int) (parse.Record, error) {
	if k < 1 || k > r.Compactions() {
		return parse.Record{}, fmt.Errorf("no compaction %d", k)
	}
	cp := r.own().checkpoints[k-1]
	return r.own().read(ref{cp.line, cp.offset, true})
}

// HasAncestors reports whether the history starts in another file, which history_base
// names and which was read (rule 15).
func (r *Rollout) HasAncestors() bool { return r.self() > 0 }

// ReplayBytes is the number of bytes that a replay to the end goes through: from the
// checkpoint that seeds it on. What the history holds is no more than that.
func (r *Rollout) ReplayBytes() int64 {
	if k := r.BaseOf(r.Lines()); k > 0 {
		return r.own().size - r.own().checkpoints[k-1].offset
	}
	n := int64(0)
	for _, x := range r.files {
		n += x.size
	}
	return n
}

// Ancestors are the files that the history starts in, oldest first; none without a
// history_base, or when one of them was not read (BaseError).
func (r *Rollout) Ancestors() []*parse.Source {
	var out []*parse.Source
	for _, x := range r.files[:r.self()] {
		out = append(out, x.src)
	}
	return out
}

// BaseError says why the file that history_base names was not read, nil when it was
// or none is named (rule 15).
func (r *Rollout) BaseError() error { return r.baseErr }

// ReadError is the failure that ended the reading early, nil at a regular end.
func (r *Rollout) ReadError() error { return r.own().readErr }

// Warnings are what a user should know about the file before trusting the result.
func (r *Rollout) Warnings() []string {
	x := r.own()
	var out []string
	if x.bare {
		out = append(out, "generation 0 file (before the envelope): replayed as bare items; Codex itself refuses it")
	}
	if line, msg, ok := x.judged.Aborted(); ok && !x.bare {
		where := ""
		if line > 0 {
			where = fmt.Sprintf("line %d: ", line)
		}
		out = append(out, where+"Codex would refuse to load this file: "+msg)
	}
	if x.rejected > 0 {
		out = append(out, fmt.Sprintf("%d of %d lines are not accepted by Codex and count as absent (first: line %d, byte offset %d)",
			x.rejected, x.lines, x.firstReject.line, x.firstReject.offset))
	}
	if r.baseErr != nil {
		out = append(out, r.baseErr.Error())
	}
	return out
}

// Rejected is the number of lines that Codex would not accept.
func (r *Rollout) Rejected() int { return r.own().rejected }

// Resolve finds the line that a point names: records up to and including it count.
func (r *Rollout) Resolve(p Point) (line int, err error) {
	x := r.own()
	fail := &PointError{Point: p, Compactions: len(x.checkpoints), Turns: x.turnOrder, Lines: x.lines}
	switch p.Kind {
	case AtLine:
		return min(p.N, x.lines), nil
	case AtTurn:
		if line, ok := x.turns[p.Turn]; ok {
			return line, nil
		}
		return 0, fail
	case BeforeCompaction, AfterCompaction:
		k := p.N
		if k < 0 {
			k += len(x.checkpoints) + 1
		}
		if k < 1 || k > len(x.checkpoints) {
			return 0, fail
		}
		line := x.checkpoints[k-1].line
		if p.Kind == BeforeCompaction {
			line--
		}
		return line, nil
	}
	return x.lines, nil
}

// firstMeta is the payload of the first accepted session_meta, the zero Object when
// there is none.
func (r *Rollout) firstMeta(x *fileIndex) (jsonraw.Object, error) {
	if len(x.metas) == 0 {
		return jsonraw.Object{}, nil
	}
	rec, err := x.read(x.metas[0])
	if err != nil {
		return jsonraw.Object{}, err
	}
	return rec.Fields(), nil
}

// read reads one record again; its bytes are the caller's.
func (x *fileIndex) read(at ref) (parse.Record, error) {
	in, err := x.open(at.offset)
	if err != nil {
		return parse.Record{}, err
	}
	defer in.Close()
	l, err := parse.NewLineReader(in, at.line, at.offset).Next()
	if err != nil {
		return parse.Record{}, fmt.Errorf("%s:%d: %w", x.src.Path, at.line, err)
	}
	rec, err := parse.ViewRecord(l)
	if err == nil && x.bare {
		rec = parse.AsBare(rec)
	}
	return rec, err
}
