package report

import (
	"bytes"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/validate"
)

func TestTotals(t *testing.T) {
	got := play(t, sample())
	want := Totals{
		Counts: Counts{Errors: 2, Warnings: 1, Preview: 1, Expected: 1, Hidden: 2, Failing: 2},
		Files:  4, Flagged: 1, Unreadable: 1,
		Codes: []CodeCount{{"B001", validate.Info, 1}, {"F001", validate.Warning, 1}, {"J001", validate.Error, 1}, {"M001", validate.Error, 2}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if got.Valid() {
		t.Error("a run with errors is valid")
	}
	if !play(t, sample()[1:2]).Valid() || play(t, sample()[2:3]).Valid() {
		t.Error("valid: a clean file yes, one that cannot be read no")
	}
}

func TestText(t *testing.T) {
	const want = `a dir/x,y.jsonl
  line 7 byte 1234 /payload/replacement_history_metadata
    error M001: 3 entries for 4 history items
    > [{"a":1},\x1b[31m ]
    fix: align it
  line 9 byte 2000
    error J001: 100% wrong: a <b> & "c", d
    fix: drop line 9
  line 9 byte 2000
    preview B001: 12 MB
    fix: rewrite slim
  the file
    warning F001: no rollout name
  loads: with loss, 2 lines rejected
gone.jsonl
  cannot be read: open gone.jsonl: no such file
2 errors, 1 warning, 0 info in 1 of 4 files (1 preview, 1 expected, 2 in the baseline, 1 unreadable)
`
	if got := render(t, "text", Options{Width: 80}, sample()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := render(t, "text", Options{Width: 80}, sample()[1:2]); got != "All checks passed: 1 file\n" {
		t.Errorf("clean: %q", got)
	}
	if got := render(t, "text", Options{Width: 80, Quiet: true}, sample()[1:2]); got != "" {
		t.Errorf("clean and quiet: %q", got)
	}
	if got := render(t, "text", Options{Width: 80}, sample()[2:3]); strings.Contains(got, "All checks passed") {
		t.Errorf("unreadable: %q", got)
	}
}

// The fix of a code is told once in a run, one of the finding always.
func TestTextTellsFixOnce(t *testing.T) {
	f := sample()[0].found[0]
	own := f
	own.Fix = "its own"
	got := render(t, "text", Options{Width: 80}, []step{{path: "a", found: []Finding{f, f, own, own}}, {path: "b", found: []Finding{f}}})
	if strings.Count(got, "fix: align it") != 1 || strings.Count(got, "fix: its own") != 2 {
		t.Error(got)
	}
}

func TestTextFitsTheWidth(t *testing.T) {
	f := sample()[0].found[0]
	f.Message = strings.Repeat("many words ", 30)
	f.Excerpt = strings.Repeat("界", 500)
	f.Pointer = "/p"
	got := render(t, "text", Options{Width: 40}, []step{{path: "a", found: []Finding{f}}})
	for _, line := range strings.Split(got, "\n") {
		if n := len([]rune(line)) + strings.Count(line, "界"); n > 40 && !strings.Contains(line, " files") && !strings.Contains(line, " file") {
			t.Errorf("%d cells: %s", n, line)
		}
	}
}

func TestTextColor(t *testing.T) {
	got := render(t, "text", Options{Width: 80, Color: true}, sample()[:1])
	for _, want := range []string{"\x1b[1ma dir/x,y.jsonl\x1b[0m", "\x1b[31merror\x1b[0m M001:", "\x1b[33mwarning\x1b[0m F001:"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%q", want, got)
		}
	}
}

func TestTextSummary(t *testing.T) {
	const want = ` errors warnings    info loads      file
      2        1       0 with_loss  a dir/x,y.jsonl
      0        0       0 unreadable gone.jsonl

  count code   severity title
      1 B001   info     big
      1 F001   warning  name
      1 J001   error    no JSON
      2 M001   error    entries
2 errors, 1 warning, 0 info in 1 of 4 files (1 preview, 1 expected, 2 in the baseline, 1 unreadable)
`
	if got := render(t, "text", Options{Width: 80, Summary: true}, sample()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestConcise(t *testing.T) {
	const want = `a dir/x,y.jsonl:7: M001 3 entries for 4 history items
a dir/x,y.jsonl:9: J001 100% wrong: a <b> & "c", d
a dir/x,y.jsonl:9: B001 12 MB
a dir/x,y.jsonl: F001 no rollout name
gone.jsonl: cannot be read: open gone.jsonl: no such file
`
	if got := render(t, "concise", Options{}, sample()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// GitHub's runner undoes %25, %0A, %0D, and in properties %3A and %2C.
func TestGitHub(t *testing.T) {
	const want = `::error file=a dir/x%2Cy.jsonl,line=7,title=M001 entries::3 entries for 4 history items at /payload/replacement_history_metadata%0Afix: align it
::error file=a dir/x%2Cy.jsonl,line=9,title=J001 no JSON::100%25 wrong:%0Aa <b> & "c", d%0Afix: drop line 9
::notice file=a dir/x%2Cy.jsonl,line=9,title=B001 big::12 MB%0Afix: rewrite slim
::warning file=a dir/x%2Cy.jsonl,title=F001 name::no rollout name
::error file=gone.jsonl,title=cannot be read::open gone.jsonl: no such file
`
	if got := render(t, "github", Options{}, sample()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFormatOf(t *testing.T) {
	if _, err := FormatOf("yaml"); err == nil || err.Error() != `format "yaml": want text, concise, json, jsonl, sarif, junit, github` {
		t.Errorf("%v", err)
	}
}

// A write error comes back, from every format.
func TestWriteErrors(t *testing.T) {
	for _, f := range Formats() {
		r := NewRun(f.New(failing{}, Options{Codes: testCodes()}))
		r.Begin("x")
		r.Finding(sample()[0].found[0])
		r.End(File{})
		if err := r.Close(); err != io.ErrShortWrite {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// A reporter that fails does not keep the others from their report.
func TestOneReporterFails(t *testing.T) {
	var b bytes.Buffer
	r := NewRun(newConcise(failing{}, Options{}), newConcise(&b, Options{}))
	r.Begin("x")
	if err := r.Finding(sample()[0].found[0]); err != io.ErrShortWrite {
		t.Errorf("%v", err)
	}
	if b.String() != "x:7: M001 3 entries for 4 history items\n" {
		t.Errorf("%q", b.String())
	}
}

// Memory does not grow with the number of findings.
func TestMillionFindings(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	for _, format := range Formats() {
		t.Run(format.Name, func(t *testing.T) {
			r := NewRun(format.New(io.Discard, Options{Codes: testCodes(), Width: 80}))
			r.Begin("x.jsonl")
			f := sample()[0].found[0]
			heap := func() uint64 {
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			var before uint64
			for i := range n {
				if i == 1000 {
					before = heap()
				}
				f.Line, f.Key, f.Offset = i+1, uint64(i), int64(i)*100
				if err := r.Finding(f); err != nil {
					t.Fatal(err)
				}
			}
			if after := heap(); after > before+1<<20 {
				t.Errorf("%d findings keep %d KB", n, (after-before)>>10)
			}
			r.End(File{})
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
