package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// sortFlags moves flags before arguments, so that `diff FILE --full` means what it
// says: the flag library would take such a flag for an argument. "--" ends flags.
func sortFlags(c *cli.App, args []string) []string {
	var words []string // the command's names come first
	cmds, flags := c.Commands, c.Flags
	for len(args) > 0 {
		cmd := findCommand(cmds, args[0])
		if cmd == nil {
			break
		}
		words, args = append(words, args[0]), args[1:]
		cmds, flags = cmd.Subcommands, cmd.Flags
		// Flags may stand before the name of a subcommand, too.
		if word, at := firstWord(args, flags); at > 0 && findCommand(cmds, word) != nil {
			args = slices.Concat([]string{word}, args[:at], args[at+1:])
		}
	}
	takesValue := valueFlags(flags)
	var opts, rest []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			rest = append(rest, args[i+1:]...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			rest = append(rest, arg)
			continue
		}
		opts = append(opts, arg)
		switch name := strings.TrimLeft(arg, "-"); {
		case name == "help" || name == "h":
			return append(words, arg) // help wants no arguments
		case takesValue[name] && i+1 == len(args):
			return append(words, opts...) // the library says what is missing
		case takesValue[name]:
			i++
			opts = append(opts, args[i])
		}
	}
	out := slices.Concat(words, opts)
	if len(rest) > 0 {
		out = append(append(out, "--"), rest...)
	}
	return out
}

// firstWord is the first argument that is neither a flag nor the value of one, and its
// place; -1 when there is none.
func firstWord(args []string, flags []cli.Flag) (string, int) {
	takesValue := valueFlags(flags)
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return "", -1
		case len(arg) < 2 || arg[0] != '-':
			return arg, i
		case takesValue[strings.TrimLeft(arg, "-")]:
			i++
		}
	}
	return "", -1
}

// withBackupSuffix gives a bare --backup its default: the flag library knows no flag whose
// value may be left out.
func withBackupSuffix(args []string) []string {
	out := slices.Clone(args)
	for i, arg := range out {
		if arg == "--" {
			break
		}
		if arg == "--backup" || arg == "-backup" {
			out[i] = "--backup=" + defaultBackup
		}
	}
	return out
}

const defaultBackup = ".bak"

func findCommand(cmds []*cli.Command, name string) *cli.Command {
	for _, c := range cmds {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}

// valueFlags are the names of flags that take a value, each name as a key.
func valueFlags(flags []cli.Flag) map[string]bool {
	out := map[string]bool{}
	for _, f := range flags {
		doc, ok := f.(cli.DocGenerationFlag)
		if !ok || !doc.TakesValue() {
			continue
		}
		for _, n := range f.Names() {
			out[n] = true
		}
	}
	return out
}
