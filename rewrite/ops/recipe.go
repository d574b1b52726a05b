package ops

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rollout-tool/rollout-tool/rewrite"
)

// Step is an operation with its options.
type Step struct {
	Info  Info
	Given map[string][]string // options that are set, by name
}

// New makes the operation.
func (s Step) New() (rewrite.Operation, error) {
	op, err := s.Info.New(Given(s.Info.Options, s.Given))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Info.Name, err)
	}
	return op, nil
}

// String is the step as it would stand on a command line: equal for equal steps.
func (s Step) String() string {
	var b strings.Builder
	b.WriteString(s.Info.Name)
	for _, o := range s.Info.Options {
		for _, v := range s.Given[o.Name] {
			fmt.Fprintf(&b, " --%s=%s", o.Name, v)
		}
	}
	return b.String()
}

// RecipeError is a mistake in a recipe.
type RecipeError struct {
	File string
	Line int // 1-based, 0 for the file as a whole
	Text string
}

func (e *RecipeError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Text)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text)
}

// ParseRecipe reads a recipe: a YAML document with a list of operations, each a name, or
// a mapping with "op" and its options.
//
//	operations:
//	  - repair
//	  - op: images
//	    mode: strip
//
// file is its path, for errors, which are *RecipeError.
func ParseRecipe(file string, text []byte) ([]Step, error) {
	var doc yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc); errors.Is(err, io.EOF) {
		return nil, &RecipeError{file, 0, "the recipe is empty; want a list called operations"}
	} else if err != nil {
		return nil, &RecipeError{file, 0, strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	r := recipe{file: file}
	err := r.document(doc.Content[0])
	return r.steps, err
}

type recipe struct {
	file  string
	steps []Step
}

func (r *recipe) fail(n *yaml.Node, format string, args ...any) error {
	return &RecipeError{r.file, n.Line, fmt.Sprintf(format, args...)}
}

func (r *recipe) document(root *yaml.Node) error {
	if root.Kind != yaml.MappingNode || len(root.Content) == 0 {
		return r.fail(root, "want a mapping with a list called operations")
	}
	for i := 0; i < len(root.Content); i += 2 {
		key, list := root.Content[i], root.Content[i+1]
		if key.Value != "operations" {
			return r.fail(key, "unknown key %q; a recipe has operations only", key.Value)
		}
		if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
			return r.fail(list, "operations: want a list of at least one operation")
		}
		for _, n := range list.Content {
			if err := r.step(n); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *recipe) step(n *yaml.Node) error {
	s := Step{Given: map[string][]string{}}
	name, options := n, []*yaml.Node(nil)
	if n.Kind == yaml.MappingNode {
		name = nil
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Value == "op" {
				name = n.Content[i+1]
				continue
			}
			options = append(options, n.Content[i], n.Content[i+1])
		}
		if name == nil {
			return r.fail(n, "an operation needs its name under \"op\"")
		}
	}
	var ok bool
	if s.Info, ok = Find(name.Value); !ok || name.Kind != yaml.ScalarNode {
		return r.fail(name, "unknown operation %q; there are %s", name.Value, strings.Join(Names(), ", "))
	}
	for i := 0; i < len(options); i += 2 {
		if err := r.option(&s, options[i], options[i+1]); err != nil {
			return err
		}
	}
	r.steps = append(r.steps, s)
	return nil
}

func (r *recipe) option(s *Step, key, val *yaml.Node) error {
	i := slices.IndexFunc(s.Info.Options, func(o Option) bool { return o.Name == key.Value })
	if i < 0 {
		return r.fail(key, "%s has no option %q", s.Info.Name, key.Value)
	}
	o := s.Info.Options[i]
	if s.Given[o.Name] != nil {
		return r.fail(key, "%s: the option %q stands here twice", s.Info.Name, key.Value)
	}
	vals := []*yaml.Node{val}
	if val.Kind == yaml.SequenceNode && o.Kind == List {
		vals = val.Content
	}
	for _, v := range vals {
		if v.Kind != yaml.ScalarNode || v.Tag == "!!null" {
			return r.fail(v, "%s: %s: want %s", s.Info.Name, o.Name, o.Kind)
		}
		if err := o.Check(v.Value); err != nil {
			return r.fail(v, "%s: %s: %v", s.Info.Name, o.Name, err)
		}
		s.Given[o.Name] = append(s.Given[o.Name], v.Value)
	}
	return nil
}
