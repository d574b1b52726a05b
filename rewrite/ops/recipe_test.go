package ops

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestShippedRecipe(t *testing.T) {
	path := filepath.Join("..", "..", "fixtures", "recipe.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := ParseRecipe(path, text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range steps {
		if _, err := s.New(); err != nil {
			t.Error(err)
		}
		got = append(got, s.String())
	}
	if want := "repair, images --mode=dedupe, slim"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %s", got, want)
	}
}

func TestRecipeMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		line int
		says string
	}{
		"empty":             {"", 0, "empty"},
		"no YAML":           {"operations: [", 0, "line 1"},
		"a list":            {"- repair\n", 1, "want a mapping"},
		"another key":       {"operations:\n- repair\nfiles: x\n", 3, `unknown key "files"`},
		"no list":           {"operations: repair\n", 1, "want a list"},
		"an empty list":     {"operations: []\n", 1, "at least one"},
		"unknown":           {"operations:\n- mend\n", 2, `unknown operation "mend"; there are `},
		"without a name":    {"operations:\n- keep: 1\n", 2, `under "op"`},
		"unknown option":    {"operations:\n- op: slim\n  kept: 1\n", 3, `slim has no option "kept"`},
		"option twice":      {"operations:\n- op: slim\n  keep: 1\n  keep: 2\n", 0, "keep"},
		"no number":         {"operations:\n- op: slim\n  keep: many\n", 3, "want a number"},
		"neither":           {"operations:\n- op: slim\n  ghosts: 1\n", 3, "want true or false"},
		"null":              {"operations:\n- op: slim\n  keep:\n", 3, "want a number"},
		"a list for a text": {"operations:\n- op: images\n  mode: [strip]\n", 3, "want a text"},
	} {
		_, err := ParseRecipe("r.yaml", []byte(c.text))
		var mistake *RecipeError
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), c.says) || c.line > 0 && mistake.Line != c.line {
			t.Errorf("%s: %v, want line %d and %q", name, err, c.line, c.says)
		}
	}
}
