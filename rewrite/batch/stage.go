package batch

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/atomicfile"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// staged is a result beside its target, not yet in its place.
type staged struct {
	file       *atomicfile.File
	name       string // by which it is judged
	quarantine *quarantine
}

func (s *staged) open() (*parse.Source, error) {
	src, err := parse.Open(s.file.Name(), nil)
	if err == nil {
		src.Path = s.name
	}
	return src, err
}

func (s *staged) discard() {
	s.file.Discard()
	s.quarantine.discard()
}

const zstdExt = ".zst"

// zstd reports whether the result of a file is stored compressed.
func (b *batch) zstd(j *job) bool {
	switch b.opt.Encoding {
	case Zstd:
		return true
	case Plain:
		return false
	}
	return j.src.Compressed
}

// encodedName is the name in an output tree of a file that is stored in another encoding.
func (b *batch) encodedName(path string) string {
	switch b.opt.Encoding {
	case Zstd:
		if !strings.HasSuffix(path, zstdExt) {
			return path + zstdExt
		}
	case Plain:
		return strings.TrimSuffix(path, zstdExt)
	}
	return path
}

// stage writes the result of a file beside its target, and checks it.
func (b *batch) stage(ctx context.Context, look *looker, j *job) error {
	if b.opt.Output == parse.Stdin { // "-": nothing to check afterwards, nothing replaced
		return b.toStdout(ctx, j)
	}
	target, err := b.target(j)
	if err != nil {
		return err
	}
	j.out.Target = target
	if !b.opt.InPlace {
		if exists(target) {
			advice := "remove it, or choose another name"
			if j.info != nil && sameFile(target, j.Path) {
				advice = "it is the input: --in-place replaces it"
			}
			return rewrite.Refuse(target+" exists already", advice)
		}
		if b.opt.OutDir != "" {
			if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
				return writeError(err)
			}
		}
	}
	need := j.out.Result.BytesOut
	if b.zstd(j) || need == 0 {
		need = j.out.StoredBefore // about
	}
	if err := enoughRoom(filepath.Dir(target), need); err != nil {
		return err
	}
	f, err := atomicfile.Create(target)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: there is no folder %s", ErrWrite, filepath.Dir(target))
	}
	if err != nil {
		return writeError(err)
	}
	j.staged = &staged{file: f, name: b.storedAs(j), quarantine: b.quarantineOf(j)}
	b.hook("created", j.Path)
	if err := j.unchanged(); err != nil {
		return err
	}
	sum, err := b.write(ctx, j, f)
	if err != nil {
		return err
	}
	b.hook("written", j.Path)
	result, err := j.staged.open()
	if err != nil {
		return err
	}
	defer result.Close()
	j.out.StoredAfter = result.StoredSize
	if j.moves {
		if err := b.verify(look, j, result); err != nil {
			return err
		}
	}
	if b.sums {
		j.out.OutputSHA = hex.EncodeToString(sum.Sum(nil))
		if j.out.InputSHA, err = fileSum(j); err != nil {
			return err
		}
	}
	return nil
}

// write runs the pass that counts.
func (b *batch) write(ctx context.Context, j *job, f *atomicfile.File) (hash.Hash, error) {
	w, sum := io.Writer(failing{f}), sha256.New()
	if b.sums {
		w = io.MultiWriter(w, sum)
	}
	plain, end := w, func() error { return nil }
	if b.zstd(j) {
		z, err := parse.Compress(w)
		if err != nil {
			return nil, err
		}
		plain, end = z, z.Close
	}
	res, err := j.rw.Commit(ctx, plain)
	if err == nil {
		err = end()
	}
	if err != nil {
		return nil, err
	}
	j.out.Result, j.moves = res, changes(res)
	if j.info != nil {
		err = f.Like(j.info)
	}
	return sum, writeError(err)
}

// changes reports whether the result is another text than the file.
func changes(res rewrite.Result) bool { return res.Edits() > 0 || res.BrokenOff != nil }

func (b *batch) toStdout(ctx context.Context, j *job) error {
	sum := sha256.New()
	out := io.Writer(failing{b.opt.Stdout})
	if b.sums {
		out = io.MultiWriter(out, sum)
	}
	w := bufio.NewWriterSize(out, 64<<10)
	plain, end := io.Writer(w), w.Flush
	if b.zstd(j) {
		z, err := parse.Compress(w)
		if err != nil {
			return err
		}
		plain, end = z, func() error { return errors.Join(z.Close(), w.Flush()) }
	}
	j.staged = nil
	q := b.quarantineOf(j)
	defer q.discard()
	res, err := j.rw.Commit(ctx, plain)
	if err == nil {
		err = end()
	}
	if err != nil {
		return err
	}
	j.moves = changes(res)
	j.out.Result, j.out.State, j.out.Target = res, j.written(), parse.Stdin
	if b.sums {
		j.out.OutputSHA = hex.EncodeToString(sum.Sum(nil))
		if j.out.InputSHA, err = fileSum(j); err != nil {
			return err
		}
	}
	return q.commit()
}

// publish puts the results of a unit in place. The journal knows all of them before the
// first one is renamed.
func (b *batch) publish(jobs []*job) (*job, error) {
	var ready []*job
	var all []placed
	for _, j := range jobs {
		if j.staged == nil {
			all = append(all, placed{Path: pathText(absolute(j.Path))})
			continue
		}
		if err := j.unchanged(); err != nil {
			return j, err
		}
		if err := j.staged.file.Sync(); err != nil {
			return j, writeError(err)
		}
		if b.opt.InPlace && b.opt.BackupSuffix != "" {
			j.out.Backup = absolute(j.out.Target) + b.opt.BackupSuffix
		}
		ready = append(ready, j)
		all = append(all, placed{Path: pathText(absolute(j.Path)), Target: pathText(absolute(j.out.Target)), Backup: pathText(j.out.Backup), InputSHA: j.out.InputSHA, OutputSHA: j.out.OutputSHA})
	}
	for _, j := range ready {
		if err := j.staged.quarantine.commit(); err != nil {
			return j, writeError(err)
		}
	}
	if len(ready) > 0 {
		if err := b.journal.write(note{Commit: all}); err != nil {
			return ready[0], writeError(err)
		}
	}
	for _, j := range ready {
		b.hook("announced", j.Path)
		if err := b.place(j); err != nil {
			return j, err
		}
	}
	return nil, nil
}

// place renames one result to its target.
func (b *batch) place(j *job) error {
	if j.src != nil {
		j.rw.Close()
		j.src.Close() // an open file cannot be replaced everywhere
		j.rw, j.src = nil, nil
	}
	if j.out.Backup != "" {
		if err := atomicfile.Keep(j.out.Target, j.out.Backup); err != nil {
			return writeError(err)
		}
		b.hook("kept", j.Path)
	}
	if err := j.staged.file.Commit(!b.opt.InPlace); err != nil {
		if errors.Is(err, atomicfile.ErrExists) {
			return rewrite.Refuse(j.out.Target+" exists already", "remove it, or choose another name")
		}
		return writeError(err)
	}
	b.hook("placed", j.Path)
	j.out.State = j.written()
	return writeError(b.journal.write(note{Done: &placed{Path: pathText(absolute(j.Path)), Target: pathText(absolute(j.out.Target)), InputSHA: j.out.InputSHA, OutputSHA: j.out.OutputSHA}}))
}

// written is the state of a file whose result is in place.
func (j *job) written() State {
	if j.moves {
		return Written
	}
	return Copied
}

// mayKeep refuses a backup whose name is taken by another file.
func (b *batch) mayKeep(target string) error {
	if backup := target + b.opt.BackupSuffix; b.opt.BackupSuffix != "" && exists(backup) && !sameFile(backup, target) {
		return rewrite.Refuse("the backup "+backup+" exists already", "move it away, or choose another suffix (--backup=SUFFIX)")
	}
	return nil
}

// unchanged refuses to go on when the file is not the one that was read any more.
func (j *job) unchanged() error {
	if j.info == nil {
		return nil
	}
	now, err := os.Stat(j.Path)
	if err != nil {
		return err
	}
	if now.Size() != j.info.Size() || !now.ModTime().Equal(j.info.ModTime()) || !os.SameFile(now, j.info) {
		return rewrite.Refuse("the file changed while it was read", "end the session that writes to it, and run again")
	}
	return nil
}

func fileSum(j *job) (string, error) {
	if j.info == nil {
		return "", nil
	}
	return sumOf(j.Path)
}

func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// failing marks failures of writing, to tell them from those of reading.
type failing struct{ w io.Writer }

func (f failing) Write(b []byte) (int, error) {
	n, err := f.w.Write(b)
	return n, writeError(err)
}

func writeError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrWrite) || rewrite.AsRefusal(err) != nil:
		return err
	case errors.Is(err, atomicfile.ErrBusy):
		return rewrite.Refuse(err.Error(), "wait for it, and run again")
	case atomicfile.DiskFull(err):
		return fmt.Errorf("%w: no room on the disk: %w", ErrWrite, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: %w (choose a folder that you may write to: -o, --out-dir)", ErrWrite, err)
	}
	return fmt.Errorf("%w: %w", ErrWrite, err)
}
