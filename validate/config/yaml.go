package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rollout-tool/rollout-tool/validate"
)

// reader walks the nodes of a configuration file, so that each mistake has its line.
// It goes on after a mistake; the first one counts.
type reader struct {
	file  string
	names names
	err   *Error
}

func (r *reader) fail(n *yaml.Node, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{r.file, n.Line, fmt.Sprintf(format, args...)}
	}
}

// Parse reads the text of a configuration file. file is its path, for errors and
// for what is relative to it. The error is an *Error.
func Parse(file string, text []byte, codes []validate.Code) (*Config, error) {
	c := &Config{Path: file}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, more yaml.Node
	if err := dec.Decode(&doc); err == io.EOF {
		return c, nil
	} else if err != nil {
		return nil, syntaxError(file, err)
	}
	if err := dec.Decode(&more); err == nil {
		return nil, &Error{file, more.Line, "one document is wanted, here a second one begins"}
	} else if err != io.EOF {
		return nil, syntaxError(file, err)
	}
	r := &reader{file: file, names: newNames(codes)}
	r.config(doc.Content[0], c)
	if r.err != nil {
		return nil, r.err
	}
	return c, nil
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?line (\d+): `)

// syntaxError takes the line out of an error of the YAML library.
func syntaxError(file string, err error) *Error {
	var typ *yaml.TypeError
	text := err.Error()
	if errors.As(err, &typ) && len(typ.Errors) > 0 {
		text = typ.Errors[0]
	}
	line := 0
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	return &Error{file, line, strings.TrimPrefix(text, "yaml: ")}
}

func (r *reader) config(n *yaml.Node, c *Config) {
	if n.Tag == "!!null" {
		return
	}
	r.members(n, map[string]func(*yaml.Node){
		"rules":  func(v *yaml.Node) { c.Rules = r.rules(v) },
		"select": func(v *yaml.Node) { c.Select = r.codes(v, true) },
		"ignore": func(v *yaml.Node) { c.Ignore = r.codes(v, true) },
		"fail-level": func(v *yaml.Node) {
			c.FailLevel = r.text(v)
			if _, err := ParseLevel(c.FailLevel); err != nil {
				r.fail(v, "%v", err)
			}
		},
		"severity": func(v *yaml.Node) { c.Severity = r.severities(v) },
		"baseline": func(v *yaml.Node) {
			if c.Baseline = r.text(v); !filepath.IsAbs(c.Baseline) {
				c.Baseline = filepath.Join(filepath.Dir(r.file), filepath.FromSlash(c.Baseline))
			}
		},
		"overrides": func(v *yaml.Node) {
			for _, e := range r.list(v) {
				c.Overrides = append(c.Overrides, r.override(e))
			}
		},
	})
}

func (r *reader) override(n *yaml.Node) Override {
	o := Override{Line: n.Line}
	r.members(n, map[string]func(*yaml.Node){
		"paths": func(v *yaml.Node) {
			for _, e := range r.list(v) {
				p := r.text(e)
				if bad := badPattern(p); bad != "" {
					r.fail(e, "pattern %q: %s", p, bad)
				}
				o.Paths = append(o.Paths, p)
			}
		},
		"ignore":   func(v *yaml.Node) { o.Ignore = r.codes(v, true) },
		"severity": func(v *yaml.Node) { o.Severity = r.severities(v) },
		"expect":   func(v *yaml.Node) { o.Expect = r.codes(v, false) },
	})
	if len(o.Paths) == 0 {
		r.fail(n, "an override needs paths")
	}
	return o
}

func (r *reader) rules(n *yaml.Node) int {
	v, err := strconv.Atoi(n.Value)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || err != nil || v < 1 {
		r.fail(n, "rules: a version is wanted, from 1")
	}
	if v > validate.RulesVersion {
		r.fail(n, "rules: %d: this tool knows versions up to %d", v, validate.RulesVersion)
	}
	return v
}

// codes reads a list of codes, and of families where they are allowed.
func (r *reader) codes(n *yaml.Node, families bool) []string {
	var out []string
	for _, e := range r.list(n) {
		name := r.text(e)
		r.known(e, name)
		if !families && r.names.families[name] {
			r.fail(e, "%q is a family, a code is wanted", name)
		}
		out = append(out, name)
	}
	return out
}

func (r *reader) known(n *yaml.Node, name string) {
	if msg := r.names.unknown(name); msg != "" {
		r.fail(n, "%s", msg)
	}
}

func (r *reader) severities(n *yaml.Node) map[string]validate.Severity {
	out := map[string]validate.Severity{}
	r.each(n, func(name, v *yaml.Node) {
		r.known(name, name.Value)
		s, ok := validate.ParseSeverity(r.text(v))
		if !ok {
			r.fail(v, "%q: want error, warning or info", v.Value)
		}
		out[name.Value] = s
	})
	return out
}

// members calls the function of each key.
func (r *reader) members(n *yaml.Node, known map[string]func(*yaml.Node)) {
	r.each(n, func(name, v *yaml.Node) {
		do := known[name.Value]
		if do == nil {
			keys := make([]string, 0, len(known))
			for k := range known {
				keys = append(keys, k)
			}
			slices.Sort(keys)
			r.fail(name, "unknown key %q; want one of %s", name.Value, strings.Join(keys, ", "))
			return
		}
		do(v)
	})
}

// each calls visit for the pairs of a mapping.
func (r *reader) each(n *yaml.Node, visit func(name, v *yaml.Node)) {
	n = follow(n)
	if n.Kind != yaml.MappingNode {
		r.fail(n, "a mapping (key: value) is wanted")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i]
		if name.Kind != yaml.ScalarNode {
			r.fail(name, "a name is wanted as the key")
		}
		if seen[name.Value] {
			r.fail(name, "key %q stands twice", name.Value)
		}
		seen[name.Value] = true
		visit(name, follow(n.Content[i+1]))
	}
}

func (r *reader) list(n *yaml.Node) []*yaml.Node {
	n = follow(n)
	if n.Kind != yaml.SequenceNode {
		r.fail(n, "a list is wanted")
		return nil
	}
	out := make([]*yaml.Node, len(n.Content))
	for i, e := range n.Content {
		out[i] = follow(e)
	}
	return out
}

func (r *reader) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || n.Value == "" {
		r.fail(n, "a text is wanted")
	}
	return n.Value
}

// follow goes from an alias to what it stands for.
func follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
