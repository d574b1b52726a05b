package batch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rollout-tool/rollout-tool/internal/atomicfile"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// crashDir tells the test binary that it is the child of a crash test.
const crashDir = "ROLLOUT_TOOL_CRASH_DIR"

// stepping is an operation of which each run takes one more step: done twice, it shows.
type stepping struct{}

func (stepping) Name() string { return "stepping" }

func (stepping) Plan(*rewrite.Input) (func() rewrite.Editor, error) {
	return func() rewrite.Editor { return step{} }, nil
}

type step struct{}

func (step) Edit(r *rewrite.Record) rewrite.Edit { return cutting().(rewrite.Editor).Edit(r) }

func (step) Finish() ([][]byte, string) {
	return [][]byte{[]byte("{" + stamp + `,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"one more"}]}}`)}, "one more"
}

// crashOptions are those of parent and child.
func crashOptions(dir string) Options {
	return Options{
		Operations: []rewrite.Operation{stepping{}}, Fingerprint: "stepping", InPlace: true, BackupSuffix: ".bak", Jobs: 2,
		Journal: filepath.Join(dir, "journal"), FindBase: findBase, QuietFor: DefaultQuiet,
	}
}

// crashInputs lists what is to be rewritten, as a user's folder would be walked.
func crashInputs(t testing.TB, dir string) []Input {
	files, _, err := parse.Find([]string{filepath.Join(dir, "sessions")})
	if err != nil {
		t.Fatal(err)
	}
	var inputs []Input
	for _, f := range files {
		inputs = append(inputs, Input{Path: f})
	}
	return inputs
}

// TestCrashChild is the process that gets killed.
func TestCrashChild(t *testing.T) {
	dir := os.Getenv(crashDir)
	if dir == "" {
		t.Skip("only as the child of TestCrash")
	}
	err := Run(context.Background(), crashInputs(t, dir), crashOptions(dir), func(o *Outcome) error { return o.Err })
	if err != nil {
		t.Fatal(err)
	}
}

// fill makes a home of plain, compressed and paginated files, lineages among them.
func fill(t testing.TB, dir string, files int) {
	at := filepath.Join(dir, "sessions", "2026", "09")
	for n := 10; n < 10+files; {
		day := filepath.Join(at, fmt.Sprintf("%02d", n%28+1))
		switch n % 5 {
		case 0: // four files that point into each other
			one := session(threadID(n), true, 6, "")
			two := forkOf(t, one, n, 5, n+1, 4)
			write(t, filepath.Join(day, fileName(n)), one)
			write(t, filepath.Join(day, fileName(n+1)), two)
			write(t, filepath.Join(day, fileName(n+2)), forkOf(t, two, n+1, 4, n+2, 3))
			write(t, filepath.Join(day, fileName(n+3)), forkOf(t, one, n, 2, n+3, 2))
			n += 4
		default:
			text := session(threadID(n), false, 4, "")
			if n%2 == 0 {
				write(t, filepath.Join(day, fileName(n)), text)
			} else {
				write(t, filepath.Join(day, fileName(n)+".zst"), compressed(t, text))
			}
			n++
		}
	}
}

func compressed(t testing.TB, text string) string {
	var b bytes.Buffer
	z, err := parse.Compress(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sums are checksums of the files of a tree; temporary ones are left out.
func sums(t testing.TB, dir string) map[string]string {
	out := map[string]string{}
	for name, text := range tree(t, dir) {
		if !atomicfile.IsTemp(name) {
			out[name] = fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
		}
	}
	return out
}

// A batch that is killed at any instant leaves every file old or new, whole; the run that
// goes on with the journal ends where an undisturbed one does.
func TestCrash(t *testing.T) {
	files, kills := 500, 25
	if testing.Short() {
		files, kills = 60, 12
	}
	if n, err := strconv.Atoi(os.Getenv("ROLLOUT_TOOL_CRASHES")); err == nil {
		kills = n
	}
	master := t.TempDir()
	fill(t, master, files)
	old := sums(t, filepath.Join(master, "sessions"))

	calm := t.TempDir()
	copyTree(t, filepath.Join(master, "sessions"), filepath.Join(calm, "sessions"))
	began := time.Now()
	if err := crashChild(calm).Run(); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(began)
	want := sums(t, filepath.Join(calm, "sessions"))
	if len(want) != 2*len(old) {
		t.Fatalf("%d files and backups from %d files", len(want), len(old))
	}

	r := rand.New(rand.NewPCG(1, 2))
	killed := 0
	for killed < kills {
		dir := t.TempDir()
		copyTree(t, filepath.Join(master, "sessions"), filepath.Join(dir, "sessions"))
		for ended := false; !ended; {
			c := crashChild(dir)
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			kill := time.AfterFunc(time.Duration(r.Int64N(int64(whole)/4+1)), func() { c.Process.Kill() })
			err := c.Wait()
			kill.Stop()
			if ended = err == nil; !ended {
				if c.ProcessState.Exited() {
					t.Fatalf("the child failed by itself: %v\n%s", err, c.Stdout)
				}
				killed++
			}
			for name, sum := range sums(t, filepath.Join(dir, "sessions")) {
				if sum != old[name] && sum != want[name] {
					t.Fatalf("after kill %d %s is neither old nor new", killed, name)
				}
			}
			if killed >= kills && !ended {
				if err := crashChild(dir).Run(); err != nil {
					t.Fatal(err)
				}
				ended = true
			}
		}
		got := sums(t, filepath.Join(dir, "sessions"))
		if !maps.Equal(got, want) {
			t.Fatalf("after %d kills the tree differs in %q", killed, different(got, want))
		}
		for name := range tree(t, filepath.Join(dir, "sessions")) {
			if atomicfile.IsTemp(name) {
				t.Errorf("%s was left behind", name)
			}
		}
	}
	t.Logf("%d kills over %d files; an undisturbed run takes %v", killed, len(old), whole)
}

func crashChild(dir string) *exec.Cmd {
	c := exec.Command(os.Args[0], "-test.run", "^TestCrashChild$")
	c.Env = append(os.Environ(), crashDir+"="+dir)
	c.Stdout = &bytes.Buffer{}
	return c
}

func different(a, b map[string]string) (out []string) {
	for name := range merge(a, b) {
		if a[name] != b[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func merge(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

func copyTree(t testing.TB, from, to string) {
	for name, text := range tree(t, from) {
		write(t, filepath.Join(to, name), text)
	}
}

// A journal of another batch is not taken for ours, nor is another file.
func TestJournalOfAnotherBatch(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 5)
	opt := crashOptions(dir)
	ignore := func(*Outcome) error { return nil }
	if err := Run(context.Background(), crashInputs(t, dir), opt, ignore); err != nil {
		t.Fatal(err)
	}
	opt.Fingerprint = "other"
	if err := Run(context.Background(), crashInputs(t, dir), opt, ignore); err == nil || !strings.Contains(err.Error(), "another batch") {
		t.Errorf("%v", err)
	}
	write(t, opt.Journal, "{}\n")
	if err := Run(context.Background(), crashInputs(t, dir), opt, ignore); err == nil || !strings.Contains(err.Error(), "no journal") {
		t.Errorf("%v", err)
	}
}
