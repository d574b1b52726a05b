package main

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/rollout-tool/rollout-tool/history"
)

// Exit codes. Formats never change them.
const (
	exitOK          = 0
	exitDifferent   = 1 // findings, or a difference with --exit-code
	exitUsage       = 2
	exitUnreadable  = 3
	exitRefused     = 4
	exitInterrupted = 130
)

// codedError carries its exit code; quiet ones have said all there is to say.
type codedError struct {
	code  int
	err   error
	quiet bool
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

func usageError(format string, args ...any) error {
	return &codedError{code: exitUsage, err: fmt.Errorf(format, args...)}
}

func unreadable(err error) error {
	if err == nil {
		return nil
	}
	return &codedError{code: exitUnreadable, err: err}
}

// exitCode maps an error to the code of the design; anything unforeseen is input
// that could not be handled.
func exitCode(err error) int {
	var coded *codedError
	var point *history.PointError
	switch {
	case err == nil, isBrokenPipe(err):
		return exitOK
	case errors.As(err, &coded):
		return coded.code
	case errors.As(err, &point):
		return exitUsage
	}
	return exitUnreadable
}

func isQuiet(err error) bool {
	var coded *codedError
	return err == nil || isBrokenPipe(err) || errors.As(err, &coded) && coded.quiet
}

// isBrokenPipe reports whether the reader of standard output has gone: no failure of ours.
func isBrokenPipe(err error) bool {
	var path *fs.PathError
	return errors.Is(err, syscall.EPIPE) && (!errors.As(err, &path) || path.Op == "write")
}
