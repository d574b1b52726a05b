package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/rollout-tool/rollout-tool/parse"
)

// input is a file to look at, or why a path leads to none.
type input struct {
	path    string
	err     error
	capture bool   // captured requests, no rollout
	spool   string // the file that has what came from standard input, "" for path itself
}

// find lists the files that paths name. A path that does not exist is an input that
// cannot be read: the others are looked at all the same.
func (v *validateRun) find(paths []string) ([]input, error) {
	if n := len(slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return p != parse.Stdin })); n > 1 || n == 1 && v.c.String("rollout") == parse.Stdin {
		return nil, usageError("standard input can be named once only")
	}
	missing, paths, err := v.splitCaptures(paths)
	if err != nil {
		return nil, err
	}
	captures := len(missing)
	if captures > 0 && len(paths) == 0 {
		if captures > 1 {
			v.warn(v.c, "%s", plural(captures, "file"))
		}
		return missing, nil
	}
	var there []string
	for _, p := range paths {
		if _, err := os.Stat(p); p != parse.Stdin && err != nil {
			_, _, err = parse.Find([]string{p}) // it names the other form of a rollout
			missing = append(missing, input{path: p, err: err})
			continue
		}
		there = append(there, p)
	}
	files, warnings, err := parse.Find(there)
	if err != nil {
		return nil, unreadable(err)
	}
	for _, w := range warnings {
		if err := opens(w.Path); err != nil {
			missing = append(missing, input{path: w.Path, err: err})
			continue
		}
		v.warn(v.c, "%s", w)
	}
	if len(files)+len(missing) == 0 {
		return nil, unreadable(fmt.Errorf("no rollout found in %s", strings.Join(paths, ", ")))
	}
	if n := captures + len(files); n > 1 || len(files) == 1 && files[0] != v.c.Args().First() {
		v.warn(v.c, "%s", plural(n, "file"))
	}
	for _, f := range files {
		missing = append(missing, input{path: f})
	}
	return missing, nil
}

// opens reports why a folder or what is called like a rollout cannot be opened: a walk
// only warns of that, and of much that is no concern of ours.
func opens(path string) error {
	name := strings.TrimSuffix(path, ".zst")
	if info, err := os.Lstat(path); err == nil && !info.IsDir() && !strings.HasSuffix(name, ".jsonl") {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

// smallFile is the size in stored bytes up to which several files are looked at at once.
const smallFile = 4 << 20

// small reports whether the input needs no more than one core.
func (in input) small() bool {
	if in.path == parse.Stdin {
		return false
	}
	info, err := os.Stat(in.path)
	return err != nil || info.Mode().IsRegular() && info.Size() <= smallFile
}

// open opens a file. digest is called after the last byte was read and gives the
// SHA-256 of the stored bytes, "" when no report shows it.
func (v *validateRun) open(path, name string) (src *parse.Source, digest func() string, err error) {
	none := func() string { return "" }
	stream := v.stdin
	if path != parse.Stdin {
		info, err := os.Stat(path)
		if err != nil {
			return nil, none, err
		}
		if info.Mode().IsRegular() || info.IsDir() {
			src, err := parse.Open(path, nil)
			if err != nil || !v.outs.digests {
				return src, none, err
			}
			return src, hashBeside(path), nil
		}
		f, err := os.Open(path) // a pipe gives its bytes once
		if err != nil {
			return nil, none, err
		}
		defer f.Close()
		stream = f
	}
	sum := sha256.New()
	if v.outs.digests && stream != nil {
		stream = io.TeeReader(stream, sum)
	}
	if src, err = parse.Open(parse.Stdin, stream); err != nil {
		return nil, none, err
	}
	src.Path = name
	if !v.outs.digests {
		return src, none, nil
	}
	return src, func() string { return hexSum(sum) }, nil
}

func hexSum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// hashBeside hashes a file on a goroutine of its own. A file that cannot be read has
// no hash: whoever reads it for its content says why.
func hashBeside(path string) func() string {
	done := make(chan string, 1)
	go func() {
		defer close(done)
		f, err := os.Open(path)
		if err != nil {
			return
		}
		defer f.Close()
		h := sha256.New()
		if _, err := io.Copy(h, f); err == nil {
			done <- hexSum(h)
		}
	}()
	return func() string { return <-done }
}
