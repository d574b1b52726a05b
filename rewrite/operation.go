package rewrite

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// Operation changes rollouts. Implement it, or make one with Each. It is used for many
// files, from several goroutines: what it learns about a file belongs into the Editor.
type Operation interface {
	// Name is the operation's name on the command line and in reports.
	Name() string
	// Plan looks at one file and returns what makes an Editor for each pass over it: a
	// file is passed over more than once (a dry run, a check, the write), and each time
	// the edits must be the same. The error refuses the file (see Refuse) or is that of
	// reading it.
	Plan(in *Input) (func() Editor, error)
}

// Editor edits the records of one file, in file order, in one pass.
type Editor interface {
	// Edit says what becomes of a record. The record is valid during the call only.
	Edit(r *Record) Edit
}

// Finisher is an Editor that adds records at the end of the file.
type Finisher interface {
	Editor
	// Finish returns the lines to add, without newlines; reason is for the report.
	Finish() (lines [][]byte, reason string)
}

// Committer is an Editor that does something besides editing, such as writing images to
// files. Commit is called before the first record of the pass whose result is kept; in
// all other passes (dry runs, checks) it is not, and the Editor must leave no trace.
type Committer interface {
	Editor
	Commit()
	// Close ends the pass; its error fails the file.
	Close() error
}

// Filter is an Operation that only ever edits records whose text holds one of some byte
// strings. The engine spares it the others: it then goes through files at the speed of a
// copy. Lines with a \u escape are shown in any case, because a key may be written so.
type Filter interface {
	Operation
	// Needles returns the byte strings.
	Needles() []string
}

// Sifter is a Filter that looks once more at a line which holds a needle: Sift reports
// whether it may want to edit it. It is for what can be told without parsing, such as a
// length.
type Sifter interface {
	Filter
	Sift(line []byte) bool
}

// Repairer is an Operation that may edit lines which are no JSON objects (Record.Broken).
// Other operations never see those; they are kept as they are.
type Repairer interface {
	Operation
	// Repairs reports whether it does.
	Repairs() bool
}

// Each makes an operation of a function that looks at one record at a time.
func Each(name string, edit func(*Record) Edit) Operation { return each{name, edit} }

type each struct {
	name string
	edit func(*Record) Edit
}

func (e each) Name() string                       { return e.name }
func (e each) Plan(*Input) (func() Editor, error) { return func() Editor { return e }, nil }
func (e each) Edit(r *Record) Edit                { return e.edit(r) }

// Input is one file as an operation sees it: the records that the operations before it
// have left.
type Input struct {
	// Header is what the file says about itself.
	Header Header
	// Path is the file as the user named it.
	Path string
	// Marks are byte offsets of the file at which the histories of other files go on
	// (history_base): what their requests need must stay. Compare with Record.Offset.
	Marks []int64
	// FindBase opens the rollout that a history_base names; nil means: not found.
	FindBase func(rollout uuid.UUID) (*parse.Source, error)
	// Now and NewID are the clock and the source of UUIDv7 for records that operations
	// make. Call them in Plan, so that every pass makes the same record.
	Now   func() time.Time
	NewID func() (uuid.UUID, error)

	ctx    context.Context
	chain  *chain
	opened *[]*parse.Source // closed with the Rewrite
}

// Checker returns a checker of its own for the operation, of the reader that counts.
func (in *Input) Checker() *accept.Checker { return in.chain.checker.Clone() }

// Context ends when the user interrupts; long loops of an operation should look at it.
func (in *Input) Context() context.Context { return in.ctx }

// Records passes over the records. Lines that are no JSON objects are left out unless
// broken is set. An error of see ends the pass and is returned, io.EOF as nil.
func (in *Input) Records(broken bool, see func(*Record) error) error {
	return in.chain.records(in.ctx, broken, see)
}

// Source is the file's text as the operations before have left it, for packages that
// read whole files. It is closed with the Rewrite.
func (in *Input) Source() *parse.Source {
	src := in.chain.source(in.ctx)
	*in.opened = append(*in.opened, src)
	return src
}

// History loads the history of what the operations before have left. Close it when it is
// not needed any more; it must not be used after the Rewrite is closed.
func (in *Input) History(opt history.Options) (*history.Rollout, error) {
	if opt.Accept == nil && opt.Checkers == nil {
		opt.Checkers = []*accept.Checker{in.Checker()}
	}
	if opt.FindBase == nil {
		opt.FindBase = in.FindBase
	}
	return history.Load(in.Source(), opt)
}

// Refusal is the error of a file that may not be rewritten as asked: nothing is wrong
// with the input or the disk, but the result would not be safe.
type Refusal struct {
	Reason string // why, lower case
	Advice string // what to do, "" when there is nothing
}

func (r *Refusal) Error() string {
	if r.Advice == "" {
		return r.Reason
	}
	return r.Reason + "; " + r.Advice
}

// Refuse makes a Refusal.
func Refuse(reason, advice string) error { return &Refusal{reason, advice} }
