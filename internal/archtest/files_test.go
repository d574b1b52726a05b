package archtest

import (
	"bytes"
	"path"
	"strings"
	"testing"
)

// maxLines is the hard limit for a file that is not a test; the aim is 400.
const maxLines = 500

func TestPackagesHaveDoc(t *testing.T) {
	packages := map[string]bool{}
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		documented := packages[f.dir]
		if path.Base(f.path) == "doc.go" {
			documented = true
			if !strings.HasPrefix(f.doc, "Package ") && !strings.HasPrefix(f.doc, "Command ") {
				t.Errorf("%s has no package comment", f.path)
			}
		}
		packages[f.dir] = documented
	}
	for dir, documented := range packages {
		if !documented {
			t.Errorf("%s has no doc.go", dir)
		}
	}
	if len(packages) < 2 {
		t.Errorf("found %d packages: is the walk still right", len(packages))
	}
}

func TestFilesAreShort(t *testing.T) {
	for _, f := range goFiles(t) {
		if !f.test && f.lines > maxLines {
			t.Errorf("%s has %d lines, the limit is %d", f.path, f.lines, maxLines)
		}
	}
}

// TestNoOutsidePaths: nothing in the project names a folder of the machine it is
// built on; only .ci/run may say where the reference data lies. The patterns are
// put together here so that this file does not match itself.
func TestNoOutsidePaths(t *testing.T) {
	patterns := []struct {
		text   string
		except string
	}{
		{"/wo" + "rk/", ""},
		{"../sha" + "red", ".ci/run"},
	}
	walk(t, func(name string, data []byte) {
		for _, p := range patterns {
			if name == p.except {
				continue
			}
			if i := bytes.Index(data, []byte(p.text)); i >= 0 {
				t.Errorf("%s:%d names %s", name, 1+bytes.Count(data[:i], []byte("\n")), p.text)
			}
		}
	})
}
