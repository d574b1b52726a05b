package config

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rollout-tool/rollout-tool/validate"
)

// entry is a finding as a baseline knows it: by the bytes of its record, wherever
// they stand, or by the file's name when the finding is about the file as a whole.
type entry struct {
	code    string
	key     uint64
	file    string // slash-separated, when key is 0
	pointer string
}

// entryOf is the entry of a finding in a file; name is slash-separated.
func entryOf(f validate.Finding, name string) entry {
	e := entry{code: f.Code, key: f.Key, pointer: f.Pointer}
	if f.Key == 0 {
		e.file = name
	}
	return e
}

// line is the entry's line in the file: code, key and pointer with tabs between.
func (e entry) line() string {
	key := fmt.Sprintf("%016x", e.key)
	if e.key == 0 {
		key = "file:" + guard(e.file)
	}
	return strings.TrimRight(e.code+"\t"+key+"\t"+guard(e.pointer), "\t")
}

// guard quotes text that would break a line.
func guard(s string) string {
	if q := strconv.Quote(s); strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) || strings.HasPrefix(s, `"`) {
		return q
	}
	return s
}

func unguard(s string) (string, error) {
	if strings.HasPrefix(s, `"`) {
		return strconv.Unquote(s)
	}
	return s, nil
}

func parseEntry(line string) (entry, error) {
	fields := strings.Split(line, "\t")
	if len(fields) < 2 || len(fields) > 3 || fields[0] == "" {
		return entry{}, errors.New("want code, key and pointer with tabs between")
	}
	e := entry{code: fields[0]}
	var err error
	if file, ok := strings.CutPrefix(fields[1], "file:"); ok {
		e.file, err = unguard(file)
	} else if len(fields[1]) != 16 {
		err = errors.New("no key")
	} else {
		e.key, err = strconv.ParseUint(fields[1], 16, 64)
	}
	if err == nil && len(fields) == 3 {
		e.pointer, err = unguard(fields[2])
	}
	if err != nil {
		return entry{}, fmt.Errorf("%q is no entry", line)
	}
	return e, nil
}

// Baseline is a set of findings that are known. A nil Baseline has none. Memory
// grows with the number of different entries.
type Baseline struct{ entries map[entry]struct{} }

// NewBaseline returns an empty baseline.
func NewBaseline() *Baseline { return &Baseline{map[entry]struct{}{}} }

// LoadBaseline reads a baseline. The error is an *Error.
func LoadBaseline(file string) (*Baseline, error) {
	f, err := os.Open(file)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, &Error{File: file, Text: err.Error()}
	}
	defer f.Close()
	b := NewBaseline()
	lines := bufio.NewReader(f)
	for n := 1; ; n++ {
		line, err := lines.ReadString('\n')
		if text := strings.TrimRight(line, "\r\n"); text != "" && text[0] != '#' {
			e, err := parseEntry(text)
			if err != nil {
				return nil, &Error{file, n, err.Error()}
			}
			b.entries[e] = struct{}{}
		}
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return nil, &Error{file, n, err.Error()}
		}
	}
}

// Has reports whether a finding in a file is known; name is as in Add.
func (b *Baseline) Has(f validate.Finding, name string) bool {
	if b == nil {
		return false
	}
	_, ok := b.entries[entryOf(f, name)]
	return ok
}

// Add makes a finding known. name is the file's path as patterns see it.
func (b *Baseline) Add(f validate.Finding, name string) { b.entries[entryOf(f, name)] = struct{}{} }

// AddAll makes known what another baseline knows; nil adds nothing.
func (b *Baseline) AddAll(other *Baseline) {
	if other != nil {
		maps.Copy(b.entries, other.entries)
	}
}

// Len is the number of entries.
func (b *Baseline) Len() int { return len(b.entries) }

const baselineHead = "# rollout-tool baseline 1: code, key of the record, JSON pointer\n"

// WriteTo writes the entries, sorted, one a line: equal baselines are equal bytes.
func (b *Baseline) WriteTo(w io.Writer) (int64, error) {
	lines := make([]string, 0, len(b.entries))
	for e := range b.entries {
		lines = append(lines, e.line())
	}
	slices.Sort(lines)
	out := bufio.NewWriter(w)
	n, _ := out.WriteString(baselineHead)
	total := int64(n)
	for _, l := range lines {
		n, _ = out.WriteString(l + "\n")
		total += int64(n)
	}
	return total, out.Flush()
}

// Save writes the baseline to a file, whole or not at all. What is no regular file, a
// device or a pipe, is written to and never replaced; a link's target is.
func (b *Baseline) Save(file string) error {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = b.WriteTo(f)
		return errors.Join(err, f.Close())
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = b.WriteTo(tmp)
	if err == nil {
		err = tmp.Chmod(0o644)
	}
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
