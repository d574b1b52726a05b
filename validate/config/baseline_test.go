package config

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/validate"
)

func TestBaselineFile(t *testing.T) {
	b := NewBaseline()
	name := "a/x.jsonl"
	found := []validate.Finding{
		{Code: "M001", Key: 0xabc, Pointer: "/payload/x", Line: 7, Message: "one"},
		{Code: "M001", Key: 0xabc, Pointer: "/payload/x", Line: 90, Message: "the same record again"},
		{Code: "J001", Key: 0xffffffffffffffff},
		{Code: "F001"},
		{Code: "I001", Key: 1, Pointer: "/a\tb\nc"},
		{Code: "I001", Key: 1, Pointer: `/"quoted"`},
	}
	for _, f := range found {
		b.Add(f, name)
	}
	var first bytes.Buffer
	if _, err := b.WriteTo(&first); err != nil {
		t.Fatal(err)
	}
	want := baselineHead + strings.Join([]string{
		"F001\tfile:a/x.jsonl",
		"I001\t0000000000000001\t\"/a\\tb\\nc\"",
		"I001\t0000000000000001\t/\"quoted\"",
		"J001\tffffffffffffffff",
		"M001\t0000000000000abc\t/payload/x",
	}, "\n") + "\n"
	if first.String() != want {
		t.Errorf("got\n%s\nwant\n%s", first.String(), want)
	}
	file := filepath.Join(t.TempDir(), "known.txt")
	if err := b.Save(file); err != nil {
		t.Fatal(err)
	}
	back, err := LoadBaseline(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if !back.Has(f, name) {
			t.Errorf("%+v was lost", f)
		}
	}
	var second bytes.Buffer
	back.WriteTo(&second)
	if second.String() != want {
		t.Errorf("read and written again:\n%s", second.String())
	}
	if entries, err := os.ReadDir(filepath.Dir(file)); err != nil || len(entries) != 1 {
		t.Errorf("left beside the file: %v, %v", entries, err)
	}
}

func TestBaselineTellsApart(t *testing.T) {
	b := NewBaseline()
	b.Add(validate.Finding{Code: "M001", Key: 5, Pointer: "/a", Line: 3}, "x")
	b.Add(validate.Finding{Code: "F001"}, "x")
	for _, tt := range []struct {
		f    validate.Finding
		name string
		want bool
	}{
		{validate.Finding{Code: "M001", Key: 5, Pointer: "/a", Line: 9, Message: "moved"}, "y", true},
		{validate.Finding{Code: "M001", Key: 6, Pointer: "/a"}, "x", false},
		{validate.Finding{Code: "M001", Key: 5, Pointer: "/b"}, "x", false},
		{validate.Finding{Code: "M002", Key: 5, Pointer: "/a"}, "x", false},
		{validate.Finding{Code: "F001"}, "x", true},
		{validate.Finding{Code: "F001"}, "y", false}, // about another file
	} {
		if got := b.Has(tt.f, tt.name); got != tt.want {
			t.Errorf("%+v in %s: %v", tt.f, tt.name, got)
		}
	}
	var none *Baseline
	if none.Has(validate.Finding{Code: "M001"}, "x") {
		t.Error("no baseline has a finding")
	}
}

func TestBaselineMistakes(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"# x\nM001\n":                       ":2: want code, key and pointer",
		"\n\nM001\tzz\t/a\n":                ":3: ",
		"M001\t0000000000000001\t\"/a\n":    ":1: ",
		"M001\t0000000000000001\t/a\tmore":  ":1: want code",
		"M001\t00000000000000010000\t/long": ":1: ",
	} {
		file := filepath.Join(dir, "b")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var e *Error
		if _, err := LoadBaseline(file); !errors.As(err, &e) || !strings.HasPrefix(err.Error(), file+want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := LoadBaseline(filepath.Join(dir, "none")); err == nil {
		t.Error("a missing file was read")
	}
}

func TestBaselineInPolicy(t *testing.T) {
	known := NewBaseline()
	known.Add(validate.Finding{Code: "J001", Key: 5}, "")
	known.Add(validate.Finding{Code: "F001"}, "a/x.jsonl")
	known.Add(validate.Finding{Code: "M001", Key: 5}, "")
	p := newPolicy(t, "overrides:\n- {paths: [a/], expect: [M001]}", Options{Baseline: known})
	f := p.For(pathIn(p, "a/x.jsonl"))
	for _, tt := range []struct {
		f     validate.Finding
		shown bool
	}{
		{validate.Finding{Code: "J001", Key: 5}, false},
		{validate.Finding{Code: "J001", Key: 6}, true},
		{validate.Finding{Code: "F001"}, false},
		{validate.Finding{Code: "M001", Key: 5}, true}, // expected: that is said
	} {
		if _, shown := f.Judge(tt.f); shown != tt.shown {
			t.Errorf("%+v: shown %v", tt.f, shown)
		}
	}
	if f.Hidden() != 2 {
		t.Errorf("hidden: %d, want 2", f.Hidden())
	}
	if f.Missing() != nil {
		t.Errorf("missing: %v", f.Missing())
	}
}

// A device is written to, not replaced by a file; a link stays a link.
func TestBaselineKeepsWhatIsNoFile(t *testing.T) {
	var b Baseline
	before, err := os.Stat(os.DevNull)
	if err != nil {
		t.Skip(err)
	}
	if err := b.Save(os.DevNull); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(os.DevNull); err != nil || after.Mode() != before.Mode() {
		t.Fatalf("%s was %v and is %v (%v)", os.DevNull, before.Mode(), after.Mode(), err)
	}
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := b.Save(link); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v (%v)", info.Mode(), err)
	}
}
