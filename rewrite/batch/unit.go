package batch

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/internal/atomicfile"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// job is one file of a unit on its way.
type job struct {
	*member
	out  *Outcome
	src  *parse.Source
	info fs.FileInfo // of the file when it was opened; nil for standard input
	rw   *rewrite.Rewrite
	// moves: an operation has something to do, or the file's base has moved.
	moves  bool
	staged *staged
	kept   *quarantine
}

func (j *job) close() {
	if j.rw != nil {
		j.rw.Close()
	}
	if j.src != nil {
		j.src.Close()
	}
	if j.staged != nil {
		j.staged.discard()
	}
}

// unit rewrites the files of a unit: all, or none.
func (b *batch) unit(ctx context.Context, look *looker, u unit) []*Outcome {
	jobs := make([]*job, len(u))
	outs := make([]*Outcome, len(u))
	for i, m := range u {
		outs[i] = &Outcome{Path: m.Path}
		jobs[i] = &job{member: m, out: outs[i]}
		defer jobs[i].close()
	}
	if done, err := b.finished(jobs); err != nil {
		fail(jobs, jobs[0], err)
		return outs
	} else if done {
		return outs
	}
	look.bases = map[uuid.UUID]func() (*parse.Source, error){}
	for i, j := range jobs {
		if err := b.one(ctx, look, u, jobs[:i], j); err != nil {
			fail(jobs, j, err)
			return outs
		}
	}
	if b.opt.DryRun() {
		return outs
	}
	if j, err := b.publish(jobs); err != nil {
		fail(jobs, j, err)
	}
	return outs
}

// fail notes why a file stops its unit; the others of the unit are not tried.
func fail(jobs []*job, bad *job, err error) {
	for _, j := range jobs {
		if s := j.out.State; s == Written || s == Copied || s == Done {
			continue
		}
		j.out.State, j.out.Err = NotTried, nil
		if j == bad {
			j.out.Err = fmt.Errorf("%s: %w", j.Path, err)
			if j.out.State = Failed; rewrite.AsRefusal(err) != nil {
				j.out.State = Refused
			}
		}
	}
}

// one plans one file and, unless it is a dry run, writes its result beside the target.
// before are the files of the unit that come first.
func (b *batch) one(ctx context.Context, look *looker, u unit, before []*job, j *job) error {
	if err := b.prepare(ctx, look, before, j); err != nil {
		return err
	}
	if b.opt.Strict {
		if err := look.allAccepted(j.src); err != nil {
			return err
		}
	}
	if !b.opt.DryRun() && !b.opt.InPlace && len(u) == 1 {
		return b.stage(ctx, look, j) // nobody needs to know what it will be
	}
	res, err := j.rw.Count(ctx)
	j.out.Result = res
	if err != nil {
		return err
	}
	j.moves = changes(res)
	if j.rw.Header.Paginated {
		id := rolloutID(j.Path, j.rw.Header)
		if err := b.checkMarks(j, res); err != nil {
			return err
		}
		look.bases[id] = func() (*parse.Source, error) { return b.after(ctx, j) }
	}
	if b.opt.InPlace && !j.moves {
		j.out.State = Unchanged
		return nil
	}
	if b.opt.InPlace {
		if err := b.mayReplace(u, j); err != nil {
			return err
		}
	}
	if b.opt.DryRun() {
		if j.out.State = Planned; !j.moves {
			j.out.State = Unchanged
			j.out.StoredAfter = j.out.StoredBefore
			return nil
		}
		result, err := b.result(ctx, j)
		if err != nil {
			return err
		}
		defer result.Close()
		return b.verify(look, j, result)
	}
	return b.stage(ctx, look, j)
}

// prepare opens a file and plans the operations on it.
func (b *batch) prepare(ctx context.Context, look *looker, before []*job, j *job) error {
	var err error
	if j.src, err = parse.Open(j.Path, b.opt.Stdin); err != nil {
		return err
	}
	j.out.StoredBefore = j.src.StoredSize
	if j.Path != parse.Stdin {
		if j.info, err = os.Stat(j.Path); err != nil {
			return err
		}
	}
	opt := rewrite.Options{
		PreserveOffsets: b.opt.PreserveOffsets, Checker: b.opt.Checker, Salvage: b.opt.Salvage, Now: b.opt.Now, NewID: b.opt.NewID,
		FindBase: func(id uuid.UUID) (*parse.Source, error) { return look.base(j.Path, id) },
		Progress: b.opt.Progress.bytes,
	}
	if b.quarantine != nil {
		opt.Lost = b.lost(j)
	}
	for _, c := range j.children {
		opt.Marks = append(opt.Marks, c.head.Base.EndOffset)
	}
	if opt.Base, err = baseMove(before, j); err != nil {
		return err
	}
	j.rw, err = rewrite.Prepare(ctx, j.src, b.opt.Operations, opt)
	return err
}

// baseMove says how the end of what a file inherits has moved; nil when it has not.
func baseMove(before []*job, j *job) (*rewrite.BaseMove, error) {
	if j.parent == nil {
		return nil, nil
	}
	for _, base := range before {
		if base.member != j.parent {
			continue
		}
		for _, m := range base.out.Result.Marks {
			if m.Old == j.head.Base.EndOffset && m.Found && (m.New != m.Old || m.Shift > 0) {
				return &rewrite.BaseMove{EndOffset: m.New, Shift: m.Shift}, nil
			}
		}
		return nil, nil
	}
	return nil, rewrite.Refuse("history_base goes in a circle", "see rollout-tool validate")
}

// checkMarks refuses to move bytes that another file points into when it is not known
// where it points to.
func (b *batch) checkMarks(j *job, res rewrite.Result) error {
	if !j.moves {
		return nil
	}
	for _, m := range res.Marks {
		if !m.Found {
			return rewrite.Refuse(fmt.Sprintf("a history_base ends at byte %d of this file, which is no line boundary", m.Old),
				"see rollout-tool validate; --preserve-offsets leaves every line where it is")
		}
	}
	return nil
}

// mayReplace asks the safety rules for files that are replaced.
func (b *batch) mayReplace(u unit, j *job) error {
	if j.info == nil {
		return rewrite.Refuse("standard input cannot be replaced", "write to a file (-o)")
	}
	target, err := filepath.EvalSymlinks(j.Path) // the rules are about the file, not about a link to it
	if err != nil {
		return err
	}
	if err := b.live(target, j.info); err != nil {
		return err
	}
	if err := b.mayKeep(target); err != nil {
		return err
	}
	if n := atomicfile.Links(j.info); n > 1 && !(n == 2 && b.opt.BackupSuffix != "" && sameFile(target, target+b.opt.BackupSuffix)) {
		return rewrite.Refuse(fmt.Sprintf("the file has %d names (hard links), and would keep its old content under the others", n), "write to a new file (-o, --out-dir)")
	}
	return b.pinned(u, target, j.rw.Header)
}

// after opens the file as it will be.
func (b *batch) after(ctx context.Context, j *job) (*parse.Source, error) {
	if j.staged != nil {
		return j.staged.open()
	}
	return b.planned(ctx, j), nil
}

// largeResult is the size in bytes from which on a result is looked at from a copy on the disk,
// where there is room for it: looks go back and forth, and what is made while it is read
// has to be made again from its start each time.
const largeResult = 1 << 20

// result is what a dry run looks at.
func (b *batch) result(ctx context.Context, j *job) (*parse.Source, error) {
	src := b.planned(ctx, j)
	free, ok := atomicfile.Free(os.TempDir())
	if n := j.out.Result.BytesOut; n < largeResult || !ok || n > free/4 {
		return src, nil
	}
	in, err := src.ReadFrom(0)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	copied, err := parse.Open(parse.Stdin, in) // the way in which streams are kept
	if err != nil {
		return nil, err
	}
	copied.Path, copied.Compressed, copied.StoredSize = src.Path, false, src.StoredSize
	return copied, nil
}

// planned is the result of a file that is not written: as if it were stored in the
// encoding of the input.
func (b *batch) planned(ctx context.Context, j *job) *parse.Source {
	src := j.rw.Source(ctx, j.Path)
	src.Compressed, src.StoredSize = j.src.Compressed, j.src.StoredSize
	return src
}

// storedAs is the path by which the result is judged: the input's, with the ending of the
// encoding.
func (b *batch) storedAs(j *job) string {
	if b.zstd(j) == j.src.Compressed {
		return j.Path
	}
	name := strings.TrimSuffix(filepath.Base(j.Path), zstdExt)
	if b.zstd(j) {
		name += zstdExt
	}
	return filepath.Join(filepath.Dir(j.Path), name)
}

// verify compares the file with its result, which may not be worse.
func (b *batch) verify(look *looker, j *job, after *parse.Source) error {
	before, err := look.findings(j.src, b.opt.Salvage)
	if err != nil {
		return err
	}
	found, err := look.findings(after, false)
	if err != nil {
		return fmt.Errorf("reading the result: %w", err)
	}
	var ok1, ok2 bool
	j.out.TokensBefore, ok1 = look.tokens(j.src)
	j.out.TokensAfter, ok2 = look.tokens(after)
	j.out.HasTokens = ok1 && ok2
	return look.compare(j.out, before, found)
}

// target is where the result of a file goes.
func (b *batch) target(j *job) (string, error) {
	switch {
	case b.opt.InPlace:
		return filepath.EvalSymlinks(j.Path)
	case b.opt.OutDir != "":
		rel := j.Rel
		if rel == "" {
			rel = filepath.Base(j.Path)
		}
		return b.encodedName(filepath.Join(b.opt.OutDir, rel)), nil
	}
	return b.opt.Output, nil
}

// enoughRoom refuses a write for which the file system has no room.
func enoughRoom(dir string, need int64) error {
	if free, ok := atomicfile.Free(dir); ok && free < need {
		return rewrite.Refuse(fmt.Sprintf("%d bytes are needed in %s, %d are free", need, dir, free), "make room, or write to another disk (-o, --out-dir)")
	}
	return nil
}
