package ops

import "strconv"

// Defaults are the values of a user who sets nothing.
func Defaults(options []Option) Values { return Given(options, nil) }

// Given are values by name, as texts (a list has several); what is not there has its
// default. It is what recipes and tests use. Unknown names and kinds are the caller's to check.
func Given(options []Option, given map[string][]string) Values {
	v := givenValues{map[string][]string{}, given}
	for _, o := range options {
		if o.Default != "" {
			v.defaults[o.Name] = []string{o.Default}
		}
	}
	return v
}

type givenValues struct{ defaults, set map[string][]string }

func (g givenValues) Set(name string) bool { return len(g.set[name]) > 0 }

func (g givenValues) List(name string) []string {
	if g.Set(name) {
		return g.set[name]
	}
	return g.defaults[name]
}

func (g givenValues) Text(name string) string {
	if l := g.List(name); len(l) > 0 {
		return l[len(l)-1]
	}
	return ""
}

func (g givenValues) Bool(name string) bool {
	b, _ := strconv.ParseBool(g.Text(name))
	return b
}

func (g givenValues) Int(name string) int64 {
	n, _ := strconv.ParseInt(g.Text(name), 10, 64)
	return n
}
