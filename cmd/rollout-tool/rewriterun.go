package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/rewrite/batch"
	"github.com/rollout-tool/rollout-tool/rewrite/ops"
)

// collectAt is how much garbage, in percent of what is in use, a rewrite lets come together.
const collectAt = 25

// limitMemory makes the collector work harder when more is in use than a rewrite needs by
// rule: some tens of megabytes and a few times the longest line.
func limitMemory(longest int64) { debug.SetMemoryLimit(48<<20 + 3*longest) }

// rewriteWith runs operations over the paths of the command.
func (a *app) rewriteWith(c *cli.Context, list []ops.Step) error {
	// Much of the memory is a few long lines: garbage among them must not double it.
	defer debug.SetGCPercent(debug.SetGCPercent(collectAt))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	ctx, end := a.interruptible()
	defer end()
	opt, err := a.batchOptions(c, list)
	if err != nil {
		return err
	}
	inputs, err := a.rewriteInputs(c)
	if err != nil {
		return err
	}
	if opt.Output != "" && len(inputs) > 1 {
		return usageError("-o takes one input, here are %s; use --out-dir", plural(len(inputs), "file"))
	}
	if err := outside(opt.OutDir, c.Args().Slice()); err != nil {
		return err
	}
	shown := a.newRewriteReport(c, opt, len(inputs))
	opt.Progress = &batch.Progress{Longer: limitMemory}
	shown.bar = a.rewriteProgress(c, opt.Progress, inputs)
	err = batch.Run(ctx, inputs, opt, shown.add)
	shown.bar.stop()
	if err == nil || shown.begun {
		shown.end()
	}
	switch {
	case errors.Is(err, context.Canceled):
		return a.interrupted(c, opt)
	case errors.Is(err, batch.ErrJournal), errors.Is(err, batch.ErrSideFile):
		return usageError("%w", err)
	case rewrite.AsRefusal(err) != nil:
		return &codedError{code: exitRefused, err: err}
	case err != nil:
		return err
	}
	if opt.Output == parse.Stdin {
		if err := a.stdout.Flush(); err != nil && !isBrokenPipe(err) {
			return &codedError{code: exitRefused, err: err}
		}
	}
	return shown.verdict()
}

// outside refuses a folder for results that the next run would find among its inputs.
func outside(dir string, paths []string) error {
	for _, p := range paths {
		info, err := os.Stat(p)
		if dir != "" && err == nil && info.IsDir() && batch.Inside(dir, p) {
			return usageError("--out-dir %s lies in %s: the next run would take results for inputs", dir, p)
		}
	}
	return nil
}

// interrupted says how to go on.
func (a *app) interrupted(c *cli.Context, opt batch.Options) error {
	text := "interrupted; nothing was written"
	switch {
	case opt.DryRun():
	case opt.Journal != "":
		text = "interrupted; run the same command again: it goes on where the journal " + opt.Journal + " stands"
	default:
		text = "interrupted; each file is either as it was or rewritten as a whole"
	}
	return &codedError{code: exitInterrupted, err: errors.New(text)}
}

// batchOptions reads the flags.
func (a *app) batchOptions(c *cli.Context, list []ops.Step) (batch.Options, error) {
	date, err := profile(c)
	if err != nil {
		return batch.Options{}, err
	}
	opt := batch.Options{
		Output: c.String("output"), OutDir: c.String("out-dir"), InPlace: c.Bool("in-place"), Dry: c.Bool("dry-run"), Stdin: a.stdin, Stdout: a.stdout,
		BackupSuffix: c.String("backup"), PreserveOffsets: c.Bool("preserve-offsets"), QuietFor: c.Duration("quiet-for"), AllowLive: c.Bool("allow-live"),
		Strict: c.Bool("strict"), Jobs: c.Int("jobs"), ContinueOnError: c.Bool("continue-on-error"),
		Journal: c.String("journal"), Report: c.String("report"), Quarantine: c.String("quarantine"),
		Accept: acceptOptions(date), Now: time.Now, NewID: uuid.NewV7,
		FindBase: func(near string, id uuid.UUID) (*parse.Source, error) {
			return findBase(near, c.StringSlice("base"), id)
		},
	}
	var names []string
	for _, s := range list {
		op, err := s.New()
		var path *fs.PathError
		if errors.As(err, &path) {
			return opt, unreadable(err) // an option names a file
		}
		if err != nil {
			return opt, usageError("%w", err)
		}
		if r, ok := op.(interface{ Salvages() bool }); ok && r.Salvages() {
			opt.Salvage = true
		}
		opt.Operations = append(opt.Operations, op)
		names = append(names, s.String())
	}
	opt.Fingerprint = strings.Join(names, ", ")
	if opt.PreserveOffsets {
		opt.Fingerprint += " --preserve-offsets"
	}
	switch {
	case c.Bool("zstd") && c.Bool("no-zstd"):
		return opt, usageError("--zstd and --no-zstd exclude each other")
	case c.Bool("zstd"):
		opt.Encoding = batch.Zstd
	case c.Bool("no-zstd"):
		opt.Encoding = batch.Plain
	}
	if err := encodingOfName(&opt); err != nil {
		return opt, err
	}
	return opt, checkOutput(c, opt)
}

// encodingOfName stores what goes to a file as the name of the file says.
func encodingOfName(opt *batch.Options) error {
	want := batch.AsInput
	switch {
	case strings.HasSuffix(opt.Output, ".jsonl.zst"):
		want = batch.Zstd
	case strings.HasSuffix(opt.Output, ".jsonl"):
		want = batch.Plain
	default:
		return nil
	}
	if opt.Encoding != batch.AsInput && opt.Encoding != want {
		return usageError("-o %s: the name and --zstd or --no-zstd contradict each other", opt.Output)
	}
	opt.Encoding = want
	return nil
}

// checkOutput finds flags that do not go together.
func checkOutput(c *cli.Context, opt batch.Options) error {
	for _, name := range []string{"output", "out-dir", "backup", "journal", "report", "quarantine"} {
		if c.IsSet(name) && c.String(name) == "" {
			return usageError("--%s is empty", name)
		}
	}
	ways := 0
	for _, set := range []bool{opt.Output != "", opt.OutDir != "", opt.InPlace} {
		if set {
			ways++
		}
	}
	switch {
	case ways > 1:
		return usageError("-o, --out-dir and --in-place exclude each other")
	case opt.Jobs < 1:
		return usageError("--jobs %d: want 1 or more", opt.Jobs)
	case opt.QuietFor < 0:
		return usageError("--quiet-for %s: want a time of 0 or more", opt.QuietFor)
	case opt.InPlace && opt.BackupSuffix == "" && !c.Bool("no-backup"):
		return usageError("--in-place needs --backup (keeps the old file as FILE.bak) or --no-backup")
	case opt.BackupSuffix != "" && c.Bool("no-backup"):
		return usageError("--backup and --no-backup exclude each other")
	case (opt.BackupSuffix != "" || c.Bool("no-backup")) && !opt.InPlace:
		return usageError("--backup and --no-backup go with --in-place")
	case strings.HasSuffix(opt.BackupSuffix, ".jsonl") || strings.HasSuffix(opt.BackupSuffix, ".zst"):
		return usageError("--backup %q: a backup of that name would be taken for a session", opt.BackupSuffix)
	case strings.ContainsAny(opt.BackupSuffix, `/\`):
		return usageError("--backup %q: want a suffix without a path", opt.BackupSuffix)
	case opt.InPlace && opt.Encoding != batch.AsInput:
		return usageError("--zstd and --no-zstd would rename the file: they go with -o and --out-dir")
	case opt.DryRun() && !opt.Dry && opt.Journal != "":
		return usageError("--journal goes with -o, --out-dir or --in-place: a dry run has nothing to go on with")
	case opt.DryRun() && !opt.Dry && opt.Quarantine != "":
		return usageError("--quarantine goes with -o, --out-dir or --in-place")
	case opt.Dry && ways == 0:
		return usageError("--dry-run goes with -o, --out-dir or --in-place: without one of them every run is one")
	case opt.Output == parse.Stdin && c.IsSet("format"):
		return usageError("-o - puts the result on standard output, so --format has no place there")
	}
	return nil
}

// rewriteInputs lists the files, each with its place below the folder that the user named.
func (a *app) rewriteInputs(c *cli.Context) ([]batch.Input, error) {
	if c.NArg() == 0 {
		return nil, usageError("%s needs a PATH; see %s --help", commandName(c), c.Command.HelpName)
	}
	var out []batch.Input
	seen := map[string]bool{}
	for _, arg := range c.Args().Slice() {
		files, warnings, err := parse.Find([]string{arg})
		for _, w := range warnings {
			a.warn(c, "%s", w)
		}
		if err != nil {
			return nil, unreadable(err)
		}
		info, err := os.Stat(arg)
		folder := err == nil && info.IsDir()
		for _, f := range files {
			in := batch.Input{Path: f, Rel: filepath.Base(f)}
			if rel, err := filepath.Rel(arg, f); folder && err == nil {
				in.Rel = rel
			}
			real, err := filepath.EvalSymlinks(f)
			if err != nil {
				real = f
			}
			if seen[real] {
				a.warn(c, "%s: named twice, rewritten once", f)
				continue
			}
			seen[real] = true
			out = append(out, in)
		}
	}
	if len(out) == 0 {
		return nil, unreadable(fmt.Errorf("no rollout found in %s", strings.Join(c.Args().Slice(), ", ")))
	}
	if len(out) > 1 || out[0].Path != c.Args().First() {
		a.warn(c, "%s", plural(len(out), "file"))
	}
	return out, nil
}

// writes reports whether a flag asks for a result to be written.
func writes(c *cli.Context) bool {
	return slices.ContainsFunc([]string{"output", "out-dir", "in-place"}, c.IsSet)
}
