package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/rewrite/batch"
	"github.com/rollout-tool/rollout-tool/rewrite/ops"
)

// outputFlags say where results go, on every operation.
func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the result to `FILE`, - for standard output"},
		&cli.StringFlag{Name: "out-dir", Usage: "write results into `DIR`, the tree of the input kept"},
		&cli.BoolFlag{Name: "in-place", Usage: "replace the files; needs --backup or --no-backup"},
		&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "with one of these: show what would be done, and what would be refused"},
		&cli.StringFlag{Name: "backup", Usage: "keep the old file under its name with .bak, or --backup=`SUFFIX`"},
		&cli.BoolFlag{Name: "no-backup", Usage: "keep no old file"},
		&cli.StringFlag{Name: "journal", Usage: "note each step in `FILE`: an interrupted run goes on from there"},
		&cli.StringFlag{Name: "report", Usage: "append a JSON line for each file to `FILE`: checksums, operations, counts"},
		&cli.StringFlag{Name: "quarantine", Usage: "append records whose content goes away to `FILE`, JSON Lines"},
		&cli.BoolFlag{Name: "preserve-offsets", Usage: "every line keeps its byte offset (white space, fillers)"},
		&cli.DurationFlag{Name: "quiet-for", Usage: "in a sessions tree, replace only files unchanged for `D`", Value: batch.DefaultQuiet},
		&cli.BoolFlag{Name: "allow-live", Usage: "do not look whether a session may be running"},
		&cli.BoolFlag{Name: "zstd", Usage: "store results compressed"},
		&cli.BoolFlag{Name: "no-zstd", Usage: "store results plain"},
		&cli.BoolFlag{Name: "continue-on-error", Usage: "go on with the other files after one that fails"},
	}
}

// rewriteFlags are the flags of every operation that are not its own.
func rewriteFlags() []cli.Flag {
	return slices.Concat(commonFlags("text", "json"), readingFlags(), jobsFlags(), outputFlags())
}

// operationFlags are the flags of operations, those that are taken already left out.
func operationFlags(infos []ops.Info, taken []cli.Flag) []cli.Flag {
	seen := map[string]bool{}
	for _, f := range taken {
		for _, n := range f.Names() {
			seen[n] = true
		}
	}
	var out []cli.Flag
	for _, info := range infos {
		for _, o := range info.Options {
			o.Name = flagName(infos, info, o)
			if !seen[o.Name] {
				seen[o.Name] = true
				out = append(out, optionFlag(o))
			}
		}
	}
	return out
}

// flagName is the flag of an operation's option: its name, with that of the operation
// before it where another one of the same command means something else by it.
func flagName(infos []ops.Info, info ops.Info, o ops.Option) string {
	for _, other := range infos {
		for _, x := range other.Options {
			if x.Name == o.Name && x != o {
				return info.Name + "-" + o.Name
			}
		}
	}
	return o.Name
}

func optionFlag(o ops.Option) cli.Flag {
	switch o.Kind {
	case ops.Bool:
		return &cli.BoolFlag{Name: o.Name, Usage: o.Usage, Value: o.Default == "true"}
	case ops.Int:
		f := &cli.Int64Flag{Name: o.Name, Usage: o.Usage, DefaultText: "none"}
		if _, err := fmt.Sscan(o.Default, &f.Value); err == nil {
			f.DefaultText = o.Default
		}
		return f
	case ops.List:
		f := &cli.StringSliceFlag{Name: o.Name, Usage: o.Usage + " (repeatable)"}
		if o.Default != "" {
			f.Value = cli.NewStringSlice(o.Default)
		}
		return f
	}
	return &cli.StringFlag{Name: o.Name, Usage: o.Usage, Value: o.Default}
}

// given collects what the user has set of the options of one of several operations.
func given(c *cli.Context, infos []ops.Info, info ops.Info) map[string][]string {
	out := map[string][]string{}
	for _, o := range info.Options {
		flag := flagName(infos, info, o)
		switch {
		case !c.IsSet(flag):
		case o.Kind == ops.List:
			out[o.Name] = c.StringSlice(flag)
		default:
			out[o.Name] = []string{fmt.Sprint(c.Value(flag))}
		}
	}
	return out
}

// operationCommand is the command of one operation, or of several joined by commas.
func (a *app) operationCommand(name string, infos []ops.Info) *cli.Command {
	shared := rewriteFlags()
	cmd := &cli.Command{
		Name: name, ArgsUsage: "PATH...", Flags: append(operationFlags(infos, shared), shared...),
		Action: func(c *cli.Context) error { return a.rewriteWith(c, steps(c, infos)) },
	}
	if len(infos) == 1 {
		cmd.Usage = infos[0].Summary
	} else {
		cmd.Usage = "several operations in one pass, each on what the one before leaves"
	}
	var text []string
	for _, i := range infos {
		if i.About != "" {
			text = append(text, i.About)
		}
		var lines []string
		for _, e := range i.Examples {
			lines = append(lines, "  rollout-tool "+e)
		}
		if len(lines) > 0 {
			text = append(text, "Examples:\n"+strings.Join(lines, "\n"))
		}
	}
	cmd.Description = strings.Join(text, "\n\n") + "\n\nWithout -o, --out-dir or --in-place nothing is written: the plan is shown."
	return cmd
}

func steps(c *cli.Context, infos []ops.Info) []ops.Step {
	var out []ops.Step
	for _, i := range infos {
		out = append(out, ops.Step{Info: i, Given: given(c, infos, i)})
	}
	return out
}

// planCommands have a command of their own, which shows their plan in full.
var planCommands = []string{"trim", "compact"}

// alsoWrites lets the command of a plan write: with a flag that says where to, the
// operation of that name is run instead of showing the plan.
func (a *app) alsoWrites(cmd *cli.Command) *cli.Command {
	info, ok := ops.Find(cmd.Name)
	if !ok {
		return cmd
	}
	shared := slices.Concat(jobsFlags(), outputFlags())
	cmd.Flags = slices.Concat(cmd.Flags, operationFlags([]ops.Info{info}, slices.Concat(cmd.Flags, shared)), shared)
	plan := cmd.Action
	cmd.Action = func(c *cli.Context) error {
		if writes(c) || manyFiles(c) {
			if c.IsSet("explain") {
				return usageError("--explain is about the plan: it does not go with -o, --out-dir and --in-place")
			}
			return a.rewriteWith(c, steps(c, []ops.Info{info}))
		}
		return plan(c)
	}
	return cmd
}

// manyFiles reports whether the paths are more than the one file that a plan is shown of.
func manyFiles(c *cli.Context) bool {
	if c.NArg() != 1 {
		return c.NArg() > 1
	}
	info, err := os.Stat(c.Args().First())
	return err == nil && info.IsDir()
}

// operationCommands are the commands of all operations, and the one of a list of them
// when the command line names one.
func (a *app) operationCommands(args []string) []*cli.Command {
	var out []*cli.Command
	for _, i := range ops.Registry() {
		if !slices.Contains(planCommands, i.Name) {
			out = append(out, a.operationCommand(i.Name, []ops.Info{i}))
		}
	}
	if list := operationList(args); list != "" {
		if infos, err := findOperations(list); err == nil {
			cmd := a.operationCommand(list, infos)
			cmd.Hidden = true
			out = append(out, cmd)
		}
	}
	return out
}

// operationList is the first word of rewrite that is no flag and no value of one, when it
// has a comma.
func operationList(args []string) string {
	if len(args) < 2 || args[0] != "rewrite" {
		return ""
	}
	word, _ := firstWord(args[1:], rewriteFlags())
	if !strings.Contains(word, ",") {
		return ""
	}
	return word
}

func findOperations(list string) ([]ops.Info, error) {
	var out []ops.Info
	for _, name := range strings.Split(list, ",") {
		i, ok := ops.Find(name)
		if !ok {
			return nil, usageError("unknown operation %q; there are %s", name, strings.Join(ops.Names(), ", "))
		}
		out = append(out, i)
	}
	return out, nil
}

// recipe runs the operations of a file.
func (a *app) recipe(c *cli.Context) error {
	name := c.String("recipe")
	text, err := os.ReadFile(name)
	if err != nil {
		return usageError("--recipe: %w", err)
	}
	list, err := ops.ParseRecipe(name, text)
	if err != nil {
		return usageError("--recipe: %w", err)
	}
	return a.rewriteWith(c, list)
}
