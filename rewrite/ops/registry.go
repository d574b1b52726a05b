package ops

import (
	"fmt"
	"strconv"

	"github.com/rollout-tool/rollout-tool/rewrite"
)

// Info describes an operation.
type Info struct {
	Name    string // on the command line, in recipes and reports
	Summary string // one line, lower case, without a full stop
	// About says in a few lines what the operation does, what it keeps, and what it costs.
	About string
	// Examples are command lines, without the program's name.
	Examples []string
	// Cures are the codes of validate that are gone afterwards.
	Cures []string
	// Options are the operation's own.
	Options []Option
	// Step: each run takes one more step; all others do nothing the second time.
	Step bool
	// New makes the operation. The error is that of an option, and names it as "--name".
	New func(Values) (rewrite.Operation, error)
}

// Option is one option of an operation: a flag, and a key of a recipe.
type Option struct {
	Name    string
	Kind    Kind
	Default string // as the user would write it; "" for none
	Usage   string // one line; the argument in back quotes, as `N`
}

// Kind is the type of an option's value.
type Kind uint8

// The kinds of options.
const (
	Bool Kind = iota
	Text
	Int
	List // may be given several times
)

// String is the kind with its article, for messages.
func (k Kind) String() string {
	return [...]string{"true or false", "a text", "a number", "a list"}[k]
}

// Check says whether a text is a value of the option's kind.
func (o Option) Check(v string) error {
	switch o.Kind {
	case Bool:
		if v != "true" && v != "false" {
			return fmt.Errorf("%q: want true or false", v)
		}
	case Int:
		if _, err := strconv.ParseInt(v, 10, 64); err != nil {
			return fmt.Errorf("%q: want a number", v)
		}
	}
	return nil
}

// Values are the options that a user has set.
type Values interface {
	// Set reports whether the user gave the option.
	Set(name string) bool
	// Bool, Text, Int and List return the value, the default when it was not given.
	Bool(name string) bool
	Text(name string) string
	Int(name string) int64
	List(name string) []string
}

// Registry lists the operations, in the order in which help shows them.
func Registry() []Info {
	return []Info{
		alignInfo(),
		imagesInfo(),
		encryptedInfo(),
		migrateInfo(),
		repairInfo(),
		rescueInfo(),
		rollbackInfo(),
		slimInfo(),
		trimInfo(),
		compactInfo(),
	}
}

// Find looks an operation up by name.
func Find(name string) (Info, bool) {
	for _, i := range Registry() {
		if i.Name == name {
			return i, true
		}
	}
	return Info{}, false
}

// Names lists the operations by name.
func Names() []string {
	var out []string
	for _, i := range Registry() {
		out = append(out, i.Name)
	}
	return out
}

// optionError is the error of an option's value.
func optionError(name, format string, args ...any) error {
	return fmt.Errorf("--"+name+" "+format, args...)
}
