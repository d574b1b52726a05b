package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "github.com/rollout-tool/rollout-tool"

// skipped are folders that hold no source of the project.
var skipped = map[string]bool{".git": true, "bin": true, "dist": true}

// goFile is a parsed source file.
type goFile struct {
	path    string // slash-separated, from the module root
	dir     string // its package: the folder, "." for the root
	test    bool
	lines   int
	doc     string // package comment
	imports []string
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test's folder")
		}
		dir = parent
	}
}

// walk calls visit for every regular file of the project.
func walk(t *testing.T, visit func(name string, data []byte)) {
	t.Helper()
	root := moduleRoot(t)
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if skipped[d.Name()] {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(rel), data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// goFiles parses every Go file of the project, testdata left out.
func goFiles(t *testing.T) []goFile {
	t.Helper()
	var out []goFile
	walk(t, func(name string, data []byte) {
		if !strings.HasSuffix(name, ".go") || strings.Contains("/"+name, "/testdata/") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			t.Errorf("%v", err)
			return
		}
		g := goFile{
			path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"),
			lines: strings.Count(string(data), "\n"), doc: docText(f.Doc),
		}
		for _, spec := range f.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			g.imports = append(g.imports, p)
		}
		out = append(out, g)
	})
	return out
}

func docText(c *ast.CommentGroup) string {
	if c == nil {
		return ""
	}
	return c.Text()
}
