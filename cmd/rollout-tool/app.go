package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"
)

// version is set by the linker; without it the module's version counts.
var version = ""

// app is what the commands share: streams and facts about the surroundings.
type app struct {
	stdin  io.Reader
	stdout *bufio.Writer
	stderr io.Writer
	getenv func(string) string

	// orderly: a command ends itself when it is interrupted (see interruptible).
	orderly atomic.Bool

	outTTY bool // standard output is a terminal
	errTTY bool
	width  int // columns of the terminal, 0 when there is none
}

func newApp() *app {
	a := &app{
		stdin: os.Stdin, stdout: bufio.NewWriterSize(os.Stdout, 64<<10), stderr: os.Stderr, getenv: os.Getenv,
		outTTY: term.IsTerminal(int(os.Stdout.Fd())), errTTY: term.IsTerminal(int(os.Stderr.Fd())),
	}
	if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && a.outTTY {
		a.width = w
	}
	return a
}

// interruptible returns a context that ends with an interrupt, for a command that has
// something to put in order first. All others end at once.
func (a *app) interruptible() (context.Context, func()) {
	a.orderly.Store(true)
	return signal.NotifyContext(context.Background(), os.Interrupt)
}

// defaultWidth is used where there is no terminal and COLUMNS says nothing.
const defaultWidth = 120

func (a *app) columns() int {
	if a.width > 0 {
		return a.width
	}
	if n, err := strconv.Atoi(a.getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return defaultWidth
}

// run executes the command line without the program's name and returns the exit code.
func (a *app) run(args []string) int {
	args = withBackupSuffix(args)
	c := a.cli(args)
	err := c.Run(append([]string{c.Name}, sortFlags(c, args)...))
	if flushErr := a.stdout.Flush(); err == nil {
		err = flushErr
	}
	if !isQuiet(err) {
		fmt.Fprintf(a.stderr, "rollout-tool: %v\n", err)
	}
	return exitCode(err)
}

// warn writes a line about the input to standard error.
func (a *app) warn(c *cli.Context, format string, args ...any) {
	if !c.Bool("quiet") {
		fmt.Fprintf(a.stderr, "rollout-tool: "+format+"\n", args...)
	}
}

func toolVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "(devel)"
}

const description = `Offline toolkit for Codex CLI rollout JSONL files (rollout-*.jsonl, .jsonl.zst):
see what is in a session, what the model saw at any point, what a compaction kept,
cut or dropped, whether Codex would load it; and change stored sessions without breaking
one. Only rewrite writes session files, and only when told to.

A PATH is a file, a folder, or - for standard input; zstd is told by its magic bytes.
A point is end, line:N, turn:ID, compaction:K:before or compaction:K:after (K counts
from 1, negative from the end).

Exit codes: 0 ok, 1 findings of validate or a difference (diff --exit-code), 2 usage,
3 input that cannot be read, 4 refused for safety, 130 interrupted.`

func (a *app) cli(args []string) *cli.App {
	c := &cli.App{
		Name:                      "rollout-tool",
		Usage:                     "inspect, check and compare Codex CLI rollout JSONL files, offline",
		Description:               description,
		Version:                   toolVersion(),
		Writer:                    a.stdout,
		ErrWriter:                 a.stderr,
		HideHelpCommand:           true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              onUsageError,
		Commands: []*cli.Command{
			a.parseCommand(), a.historyCommand(), a.payloadCommand(), a.tokensCommand(), a.diffCommand(), a.rewriteCommand(args),
			a.validateCommand(), a.explainCommand(), a.versionCommand(),
		},
	}
	c.Action = func(ctx *cli.Context) error {
		if name := ctx.Args().First(); name != "" {
			return usageError("unknown command %q; see rollout-tool --help", name)
		}
		ctx.App.Writer = a.stderr
		cli.ShowAppHelp(ctx)
		return &codedError{code: exitUsage, err: fmt.Errorf("no command"), quiet: true}
	}
	for _, cmd := range c.Commands {
		cmd.OnUsageError = onUsageError
		cmd.HideHelpCommand = true
	}
	return c
}

func onUsageError(ctx *cli.Context, err error, _ bool) error {
	where := "rollout-tool"
	if ctx.Command != nil && ctx.Command.HelpName != "" {
		where = ctx.Command.HelpName
	}
	return usageError("%w; see %s --help", err, where)
}

func (a *app) versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version",
		Action: func(*cli.Context) error {
			_, err := fmt.Fprintf(a.stdout, "rollout-tool %s\n", toolVersion())
			return err
		},
	}
}
