//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignoreBrokenPipe turns the signal of a pipe that closes early into a write error,
// which run treats as a quiet end.
func ignoreBrokenPipe() { signal.Ignore(syscall.SIGPIPE) }
