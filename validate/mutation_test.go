package validate

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// The mutation tests break valid files one thing at a time. What must be found is worked
// out by hand from the reference and the registry: for each mutation the codes and lines
// that come on top of those of the file as it was. Nothing else may be found, and the
// answer whether the file loads follows from the codes.

// The valid files.
const (
	demoFile   = "../fixtures/demo/rollout.jsonl"
	parentFile = "../fixtures/demo/fork/rollout-2026-10-15T08-30-00-01a13eae-b740-781d-80e0-3755365113c7.jsonl"
	forkFile   = "../fixtures/demo/fork/rollout-2026-10-15T09-05-30-01a13ecf-3790-75b8-b0a9-8efcf470177b.jsonl"
)

// hit is a finding that is expected. Line 0 is the file as a whole.
type hit struct {
	Code string
	Line int
}

// hits reads "O004@5 O003@6".
func hits(t *testing.T, text string) []hit {
	t.Helper()
	var out []hit
	for _, f := range strings.Fields(text) {
		code, line, _ := strings.Cut(f, "@")
		n, err := strconv.Atoi(line)
		if err != nil || len(code) != 4 {
			t.Fatalf("%q is no list of CODE@LINE", text)
		}
		out = append(out, hit{code, n})
	}
	return out
}

func sortHits(h []hit) []hit {
	h = slices.Clone(h)
	slices.SortFunc(h, func(a, b hit) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Code, b.Code)) })
	return h
}

// lines is a file to be broken: its lines, each with its newline.
type lines [][]byte

func readLines(t *testing.T, path string) lines {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return splitLines(data)
}

func splitLines(data []byte) lines {
	out := lines(bytes.SplitAfter(data, []byte("\n")))
	if len(out[len(out)-1]) == 0 {
		out = out[:len(out)-1]
	}
	return out
}

func (l lines) clone() lines { return slices.Clone(l) }

func (l lines) bytes() []byte { return bytes.Join(l, nil) }

// with puts other lines in place of n lines from line (1-based) on.
func (l lines) with(line, n int, other ...[]byte) lines {
	return slices.Concat(l[:line-1], lines(other), l[line-1+n:])
}

// edit puts the value of a line through change.
func (l lines) edit(line int, change func(jsonraw.Value) jsonraw.Value) lines {
	text := bytes.TrimSuffix(l[line-1], []byte("\n"))
	return l.with(line, 1, append(bytes.Clone(change(text)), '\n'))
}

// put sets the value at a JSON pointer, whose last member may be new.
func put(v jsonraw.Value, pointer, text string) jsonraw.Value {
	return change(v, pointer, func(jsonraw.Value) jsonraw.Value { return jsonraw.Value(text) })
}

// drop takes the member or element at a JSON pointer out.
func drop(v jsonraw.Value, pointer string) jsonraw.Value {
	return change(v, pointer, func(jsonraw.Value) jsonraw.Value { return nil })
}

// change puts the value at a JSON pointer through f, which returns nil to take it out. Of
// an array the index may be one past the end. Text around stays as it is where that is
// simple: the tests compare findings, not bytes.
func change(v jsonraw.Value, pointer string, f func(jsonraw.Value) jsonraw.Value) jsonraw.Value {
	if pointer == "" {
		return f(v)
	}
	name, rest, _ := strings.Cut(pointer[1:], "/")
	if rest != "" {
		rest = "/" + rest
	}
	name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	if v.Kind() == jsonraw.KindArray {
		elements, err := jsonraw.Elements(v)
		at, err2 := strconv.Atoi(name)
		if err != nil || err2 != nil || at > len(elements) {
			panic("no element " + pointer + " in " + string(v))
		}
		if at == len(elements) {
			elements = append(elements, nil)
		}
		elements[at] = change(elements[at], rest, f)
		return jsonraw.Array(slices.DeleteFunc(elements, func(e jsonraw.Value) bool { return e == nil }))
	}
	object, err := jsonraw.ParseObject(v)
	if err != nil {
		panic("no object at " + pointer + " in " + string(v))
	}
	changed := change(object.Get(name), rest, f)
	if changed != nil {
		return object.Set(name, changed)
	}
	var left []jsonraw.Pair
	for _, m := range object.Members {
		if m.Name != name {
			left = append(left, jsonraw.Pair{Name: m.Name, Value: m.Value})
		}
	}
	return jsonraw.Build(left...)
}

// valueAt is the value at a JSON pointer, nil when there is none.
func valueAt(line []byte, pointer string) jsonraw.Value {
	_, v, ok := jsonraw.Locate(bytes.TrimSuffix(line, []byte("\n")), pointer)
	if !ok {
		return nil
	}
	return v
}

// bench validates mutants.
type bench struct {
	path   string // where the mutants are written
	base   []Finding
	serial *Validator
	wide   *Validator // with several workers
	n      int
}

func newBench(t *testing.T, path string) (*bench, lines) {
	t.Helper()
	l := readLines(t, path)
	return newBenchOf(t, path, l), l
}

func newBenchOf(t *testing.T, path string, l lines) *bench {
	t.Helper()
	b := &bench{path: filepath.Join(t.TempDir(), filepath.Base(path)), serial: newTestValidator(1), wide: newTestValidator(3)}
	_, b.base = b.run(t, b.serial, l)
	return b
}

func (b *bench) run(t *testing.T, v *Validator, l lines) (File, []Finding) {
	t.Helper()
	if err := os.WriteFile(b.path, l.bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := parse.Open(b.path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var found []Finding
	file, err := v.File(src, func(f Finding) { found = append(found, f) })
	if err != nil {
		t.Fatalf("%s: %v", b.path, err)
	}
	return file, found
}

// check validates a mutant: want has to come on top of the findings of the file as it was,
// and nothing else. It returns all that was found, nil when the mutant is left out of a
// short run.
func (b *bench) check(t *testing.T, name string, mutant lines, want []hit) []Finding {
	t.Helper()
	round := b.n
	b.n++
	if testing.Short() { // some of each table, the first among them
		if round%12 != 0 {
			return nil
		}
		round /= 12
	}
	file, found := b.run(t, b.serial, mutant)
	all := slices.Clone(want)
	for _, f := range b.base {
		all = append(all, hit{f.Code, f.Line})
	}
	var got []hit
	for _, f := range found {
		got = append(got, hit{f.Code, f.Line})
	}
	if diff := gocmp.Diff(sortHits(all), sortHits(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s%s", name, diff, messages(found))
	} else if loads := loadableBy(all); file.Loadable != loads {
		t.Errorf("%s: loadable %q (%s), want %q", name, file.Loadable, file.Why, loads)
	}
	if round%5 == 0 {
		if _, wide := b.run(t, b.wide, mutant); !slices.Equal(wide, found) {
			t.Errorf("%s: several workers find something else:\n%s%s", name, messages(found), messages(wide))
		}
	}
	return found
}

// loadableBy follows from the codes alone whether a file loads (the JSON contract of
// validate): an aborted load or no session_meta, a rejected line, or neither.
func loadableBy(found []hit) Loadable {
	loads := Loads
	for _, h := range found {
		switch c := h.Code; {
		case c == "J004", c == "S001", c == "S002", c == "S006", c == "L014":
			return DoesNotLoad
		case c[0] == 'J' && c != "J014", c[0] == 'R', c >= "L001" && c <= "L006", c == "L012", c >= "M001" && c <= "M004":
			loads = LoadsWithLoss
		}
	}
	return loads
}

// demoPairs are the lines of calls and outputs of the demo session.
func demoPairs() [][2]int {
	return [][2]int{{12, 16}, {13, 18}, {35, 38}, {44, 47}, {48, 49}, {50, 51}, {60, 63}, {85, 88}}
}

const (
	demoLines      = 94
	demoCheckpoint = 74
)

// demoUnread is what follows when Codex does not take line n of the demo session: the
// output without its call (rule 33), the call without its output (rule 31), the session
// without its session_meta. What a checkpoint or a usage record says cannot be held
// against lines that nobody reads.
func demoUnread(n int) []hit {
	if n == 1 {
		return []hit{{"S001", 0}}
	}
	for _, p := range demoPairs() {
		switch n {
		case p[0]:
			return []hit{{"P002", p[1]}}
		case p[1]:
			return []hit{{"P001", p[0]}}
		}
	}
	return nil
}

// demoWithout is what follows when line n of the demo session is not there, with the line
// numbers of the whole file. Items that the checkpoint keeps are not in the history that
// it replaced (rules 35 to 43); the usage of a last answer, or of the compaction, is
// that of a response that left nothing.
func demoWithout(n int) []hit {
	switch n {
	case 7, 9, 30, 39, 65:
		return []hit{{"C025", demoCheckpoint}}
	case 67:
		return []hit{{"C032", 69}}
	case 74:
		return []hit{{"C032", 73}}
	case 90:
		return []hit{{"C032", 92}}
	}
	return demoUnread(n)
}

// movedUp numbers findings anew for a file without line n.
func movedUp(found []hit, n int) []hit {
	found = slices.Clone(found)
	for i, h := range found {
		if h.Line > n {
			found[i].Line--
		}
	}
	return found
}

// TestMutationsStartFromCleanFiles: the files that are broken have no finding of their own.
func TestMutationsStartFromCleanFiles(t *testing.T) {
	for _, path := range []string{demoFile, parentFile, forkFile} {
		if _, found := validateFile(t, newTestValidator(1), path); len(found) > 0 {
			t.Errorf("%s:\n%s", path, messages(found))
		}
	}
	if l := readLines(t, demoFile); len(l) != demoLines {
		t.Fatalf("the demo session has %d lines, the tables were made for %d", len(l), demoLines)
	}
}
