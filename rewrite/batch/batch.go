package batch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rollout-tool/rollout-tool/internal/atomicfile"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// batch is a run under way.
type batch struct {
	opt        Options
	sums       bool // somebody wants to know checksums
	journal    *journal
	report     *appender
	quarantine *appender
	writers    writers

	mu       sync.Mutex // guards pointers
	pointers pointers
}

// Progress counts what a batch has done; it may be read at any time.
type Progress struct {
	// Longer is called, if set, each time a longer piece is read than any before: whole
	// lines, so it is at least as long as the longest line, in bytes. Calls may come from
	// several goroutines.
	Longer func(bytes int64)

	read, files, longest atomic.Int64
}

func (p *Progress) bytes(n int64) {
	if p == nil {
		return
	}
	p.read.Add(n)
	for old := p.longest.Load(); n > old; old = p.longest.Load() {
		if p.longest.CompareAndSwap(old, n) {
			if p.Longer != nil {
				p.Longer(n)
			}
			return
		}
	}
}

// Read is the number of bytes (decompressed) that passes have read, each pass counted.
func (p *Progress) Read() int64 { return p.read.Load() }

// Files is the number of files that are finished.
func (p *Progress) Files() int64 { return p.files.Load() }

// Run rewrites files. each gets the outcome of every input, in the order of the inputs, as
// soon as it is known; an error of it ends the run. The first file that fails ends a
// writing run unless it is to continue; a dry run always goes on. Run's own error is that
// of its journal, report or quarantine, of each, or of ctx.
func Run(ctx context.Context, inputs []Input, opt Options, each func(*Outcome) error) error {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Checker == nil {
		opt.Checker = accept.NewChecker(opt.Accept...)
	}
	b := &batch{opt: opt, pointers: pointers{checker: opt.Checker.Clone()}, sums: opt.Journal != "" || opt.Report != ""}
	if err := checkSideFiles(inputs, &opt); err != nil {
		return err
	}
	if err := b.openSideFiles(); err != nil {
		return err
	}
	defer b.closeSideFiles()
	if err := differentTargets(b, inputs); err != nil {
		return err
	}
	return b.run(ctx, inputs, each)
}

func (b *batch) openSideFiles() error {
	var err error
	if b.opt.Journal != "" && !b.opt.DryRun() {
		if b.journal, err = openJournal(b.opt.Journal, b.opt.Fingerprint, b.opt.mode()); err != nil {
			return err
		}
	}
	if b.report, err = openAppender(b.opt.Report, "--report", `"state":`); err == nil && !b.opt.DryRun() {
		b.quarantine, err = openAppender(b.opt.Quarantine, "--quarantine", `"operation":`)
	}
	if err != nil {
		b.closeSideFiles()
	}
	return err
}

func (b *batch) closeSideFiles() error {
	return errors.Join(b.journal.close(), b.report.close(), b.quarantine.close())
}

// mode says in a journal where results go.
func (o *Options) mode() string {
	switch {
	case o.InPlace:
		return "in place, backup " + o.BackupSuffix
	case o.OutDir != "":
		return "to folder " + o.OutDir
	}
	return "to file " + o.Output
}

// differentTargets refuses a batch in which two files have one target.
func differentTargets(b *batch, inputs []Input) error {
	if b.opt.OutDir == "" {
		return nil
	}
	seen := map[string]string{}
	for _, in := range inputs {
		target, err := b.target(&job{member: &member{Input: in}})
		if err != nil {
			return err
		}
		if other, ok := seen[target]; ok {
			return rewrite.Refuse(fmt.Sprintf("%s and %s would both be written to %s", other, in.Path, target), "rewrite them in two runs")
		}
		seen[target] = in.Path
	}
	return nil
}

// run works on units with several goroutines and gives outcomes out in order.
func (b *batch) run(ctx context.Context, inputs []Input, each func(*Outcome) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	list := units(inputs, b.opt.Checker.Clone())
	outs := make([]*Outcome, len(inputs))
	ready := make([]chan struct{}, len(inputs))
	for i := range ready {
		ready[i] = make(chan struct{})
	}
	jobs := min(max(b.opt.Jobs, 1), len(list))
	work := make(chan unit)
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(work)
		for _, u := range list {
			work <- u
		}
	})
	for range jobs {
		wg.Go(func() {
			look := newLooker(&b.opt, max(runtime.GOMAXPROCS(0)/max(jobs, 1), 1))
			for u := range work {
				for i, o := range b.try(ctx, look, u, &stop) {
					outs[u[i].index] = o
					close(ready[u[i].index])
				}
			}
		})
	}
	var err error
	for i := range inputs {
		<-ready[i]
		o := outs[i]
		outs[i] = nil
		if b.opt.Progress != nil {
			b.opt.Progress.files.Add(1)
		}
		if err == nil && ctx.Err() == nil || o.State != NotTried && err == nil {
			if o.State != NotTried {
				err = b.report.add(o.line())
			}
			if err == nil {
				err = each(o)
			}
			if err != nil {
				stop.Store(true)
				cancel()
			}
		}
	}
	wg.Wait()
	if err == nil {
		err = context.Cause(ctx)
	}
	return err
}

// try rewrites a unit unless the run has ended.
func (b *batch) try(ctx context.Context, look *looker, u unit, stop *atomic.Bool) []*Outcome {
	var outs []*Outcome
	if stop.Load() || ctx.Err() != nil {
		for _, m := range u {
			outs = append(outs, &Outcome{Path: m.Path, State: NotTried})
		}
		return outs
	}
	outs = b.unit(ctx, look, u)
	for _, o := range outs {
		if o.Err != nil && errors.Is(o.Err, context.Canceled) {
			o.State, o.Err = NotTried, nil
		}
		if o.Err != nil && !b.opt.DryRun() && !b.opt.ContinueOnError {
			stop.Store(true)
		}
	}
	return outs
}

func (b *batch) hook(step, path string) {
	if b.opt.testHook != nil {
		b.opt.testHook(step, path)
	}
}

// lost is where the records that go from a file are kept until its result is in place.
func (b *batch) lost(j *job) func(rewrite.Lost) error {
	return func(l rewrite.Lost) error { return j.kept.take(l) }
}

// quarantineOf starts the quarantine of a file, nil when there is none.
func (b *batch) quarantineOf(j *job) *quarantine {
	if b.quarantine == nil {
		return nil
	}
	j.kept = &quarantine{to: b.quarantine, path: j.Path}
	return j.kept
}

// finished settles the files of a unit that an earlier run with the same journal has put,
// or was about to put, in place. It reports whether nothing is left to do. The error is
// that of a unit of which only a part can be settled.
func (b *batch) finished(jobs []*job) (bool, error) {
	settled := 0
	for _, j := range jobs {
		p, ok := b.journal.about(j.Path)
		if !ok {
			continue
		}
		done, err := b.stillThere(j, p)
		if !p.done {
			done, err = b.settle(p)
		}
		if err != nil {
			return false, writeError(err)
		}
		if !done {
			continue
		}
		j.out.State, j.out.Target, j.out.OutputSHA = Done, string(p.Target), p.OutputSHA
		settled++
	}
	switch settled {
	case len(jobs):
		return true, nil
	case 0:
		return false, nil
	}
	for _, j := range jobs {
		if j.out.State != Done {
			return false, fmt.Errorf("%s: an earlier run has put other files of this lineage in place, and the result for this one is gone; restore the lineage from its backups", j.Path)
		}
	}
	return false, nil
}

// stillThere looks whether a result that an earlier run has put in place is there. When it
// has gone, or the file has been put back as it was, the work is done again. The error is
// that of a target that somebody has changed since.
func (b *batch) stillThere(j *job, p placed) (bool, error) {
	if p.Target == "" || p.OutputSHA == "" {
		return true, nil
	}
	sum, err := sumOf(string(p.Target))
	switch {
	case err == nil && sum == p.OutputSHA:
		return true, nil
	case errors.Is(err, fs.ErrNotExist) && !b.opt.InPlace:
		return false, nil
	case err != nil:
		return false, err
	}
	if b.opt.InPlace && sum == p.InputSHA {
		return false, nil
	}
	return false, rewrite.Refuse(string(p.Target)+" is not what the journal says was written there", "take a new journal, or put the file back")
}

// settle finishes what was announced: the result is in place, or lies beside its target.
// It reports false when neither holds; then nothing of it has happened.
func (b *batch) settle(p placed) (bool, error) {
	done := note{Done: &placed{Path: p.Path, Target: p.Target, InputSHA: p.InputSHA, OutputSHA: p.OutputSHA}}
	target := string(p.Target)
	sum, err := sumOf(target)
	if err == nil && sum == p.OutputSHA {
		return true, b.journal.write(done)
	}
	temp := atomicfile.TempName(target)
	left, tempErr := sumOf(temp)
	if tempErr != nil || left != p.OutputSHA {
		return false, nil
	}
	if b.opt.InPlace && (err != nil || sum != p.InputSHA) {
		return false, nil // somebody else has changed the file since
	}
	if p.Backup != "" {
		if err := atomicfile.Keep(target, string(p.Backup)); err != nil {
			return false, err
		}
	}
	if err := os.Rename(temp, target); err != nil {
		return false, err
	}
	if err := atomicfile.SyncDir(filepath.Dir(target)); err != nil {
		return false, err
	}
	return true, b.journal.write(done)
}
