package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// diffSource is what a path of diff names: a rollout or a capture. One of both is nil.
type diffSource struct {
	*session
	capture *captured
	close   func()
}

// place is a point of a source.
type place struct {
	s  *diffSource
	at diffPoint
}

// openSource opens a path; standard input may be a rollout, a body or a HAR file.
func (d diffRun) openSource(path string) (*diffSource, error) {
	if path == parse.Stdin {
		return d.openStdin()
	}
	form, err := capture.Sniff(path)
	if err != nil {
		return nil, unreadable(err)
	}
	if form == capture.FormNone {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return nil, unreadable(fmt.Errorf("%s: %w", path, capture.ErrNoCapture))
		}
		return d.openRollout(path)
	}
	return d.openCapture(path, path, func() {})
}

func (d diffRun) openRollout(path string) (*diffSource, error) {
	s, err := d.open(d.c, path)
	if err != nil {
		return nil, err
	}
	return &diffSource{session: s, close: s.close}, nil
}

func (d diffRun) openCapture(path, file string, done func()) (*diffSource, error) {
	k, err := openCaptured(path, file)
	if err == nil && len(k.problems) > 0 && d.c.Bool("strict") {
		err = unreadable(fmt.Errorf("%s: %s cannot be read, the first: %s (--strict)", path, plural(len(k.problems), "part"), k.say(k.problems[0])))
	}
	if err != nil {
		done()
		return nil, err
	}
	for _, p := range k.problems {
		if p.Exchange < 0 {
			d.warn(d.c, "%s", k.say(p))
		}
	}
	return &diffSource{capture: k, close: done}, nil
}

// openStdin tells what standard input is by the object that it starts with. What is no
// rollout is spooled: captures are read from files.
func (d diffRun) openStdin() (*diffSource, error) {
	in := bufio.NewReader(d.stdin)
	head, err := firstObject(in)
	if err != nil {
		return nil, unreadable(err)
	}
	rest := io.MultiReader(bytes.NewReader(head.text), in)
	d.app.stdin = rest // as if nothing had been read
	if head.object.Raw == nil || head.is("payload") {
		return d.openRollout(parse.Stdin)
	}
	spool, err := os.CreateTemp("", "rollout-tool-*.json")
	if err != nil {
		return nil, err
	}
	done := func() { spool.Close(); os.Remove(spool.Name()) }
	if _, err := io.Copy(spool, rest); err != nil {
		done()
		return nil, unreadable(err)
	}
	if form, err := capture.Sniff(spool.Name()); err == nil && form != capture.FormNone {
		return d.openCapture(parse.Stdin, spool.Name(), done)
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		done()
		return nil, err
	}
	d.app.stdin = spool
	s, err := d.openRollout(parse.Stdin)
	done() // the rollout has a spool of its own
	return s, err
}

// compactions is the number of compactions.
func (s *diffSource) compactions() int {
	if s.capture != nil {
		return len(s.capture.compactions)
	}
	return s.Compactions()
}

// complete reports whether there is something after compaction k.
func (s *diffSource) complete(k int) bool {
	return s.capture == nil || s.capture.compactions[k-1].after >= 0
}

// newest is the newest complete compaction, 0 for none.
func (s *diffSource) newest() int {
	k := s.compactions()
	for k > 0 && !s.complete(k) {
		k--
	}
	return k
}

// fromStart counts compaction k from the start where it exists.
func (s *diffSource) fromStart(k int) int {
	if n := s.compactions(); k < 0 && -k <= n {
		return k + n + 1
	}
	return k
}

// readFailure is the error of a rollout that broke off.
func (s *diffSource) readFailure() error {
	if s.capture != nil {
		return nil
	}
	return s.session.readFailure()
}
