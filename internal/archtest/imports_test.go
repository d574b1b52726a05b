package archtest

import (
	"slices"
	"strings"
	"testing"
)

// order lists the packages so that imports point upwards only: a package may
// import those before it, and internal ones. A folder that is not in the list
// belongs to the nearest one above it that is.
var order = []string{
	"parse",
	"parse/accept",
	"tokens",
	"history",
	"compaction",
	"request",
	"request/capture",
	"validate",
	"diff",
	"rewrite",
	"report",
	"cmd",
	"fixtures",
}

const jsonLibrary = "github.com/go-json-experiment/json"

// place is the index in order that a folder belongs to, or -1.
func place(dir string) int {
	for d := dir; d != ""; {
		if i := slices.Index(order, d); i >= 0 {
			return i
		}
		cut := strings.LastIndexByte(d, '/')
		if cut < 0 {
			break
		}
		d = d[:cut]
	}
	return -1
}

func isInternal(dir string) bool { return dir == "internal" || strings.HasPrefix(dir, "internal/") }

// mayImport reports whether the package in folder from may import the one in to;
// both are folders of this module.
func mayImport(from, to string) bool {
	if isInternal(to) {
		return true
	}
	if isInternal(from) {
		return false // internal packages know no domain words
	}
	return place(to) >= 0 && place(to) <= place(from)
}

func TestMayImport(t *testing.T) {
	tests := []struct {
		from, to string
		want     bool
	}{
		{"tokens", "parse", true},
		{"parse", "tokens", false},
		{"parse", "parse/accept", false},
		{"parse/accept", "parse", true},
		{"request/capture", "request", true},
		{"request", "request/capture", false},
		{"rewrite/images", "rewrite", true},
		{"rewrite", "rewrite/images", true},
		{"parse", "internal/jsonraw", true},
		{"internal/jsonraw", "parse", false},
		{"internal/jsonraw", "internal/atomicfile", true},
		{"cmd/rollout-tool", "report", true},
		{"report", "cmd/rollout-tool", false},
	}
	for _, tt := range tests {
		if got := mayImport(tt.from, tt.to); got != tt.want {
			t.Errorf("mayImport(%s, %s) = %v, want %v", tt.from, tt.to, got, tt.want)
		}
	}
}

func TestImportsPointUpwards(t *testing.T) {
	for _, f := range goFiles(t) {
		if place(f.dir) < 0 && !isInternal(f.dir) {
			t.Errorf("%s: folder %s has no place in the order of packages", f.path, f.dir)
			continue
		}
		if f.test {
			continue
		}
		for _, p := range f.imports {
			dir, ours := strings.CutPrefix(p, modulePath+"/")
			if ours && !mayImport(f.dir, dir) {
				t.Errorf("%s imports %s, which lies below it", f.path, dir)
			}
		}
	}
}

func TestOneImporterOfTheJSONLibrary(t *testing.T) {
	const importer = "internal/jsonraw"
	used := false
	for _, f := range goFiles(t) {
		for _, p := range f.imports {
			if p != jsonLibrary && !strings.HasPrefix(p, jsonLibrary+"/") {
				continue
			}
			used = true
			if f.dir != importer {
				t.Errorf("%s imports %s; only %s may", f.path, p, importer)
			}
		}
	}
	if !used {
		t.Errorf("nothing imports %s: is the name still right", jsonLibrary)
	}
}
