package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// sniffStdin tells whether standard input is a capture. A capture is spooled, because
// captures are read from files; of anything else it is as if nothing had been read.
func (v *validateRun) sniffStdin() (in input, isCapture bool, err error) {
	if v.stdin == nil {
		return input{}, false, nil
	}
	var head bytes.Buffer
	form := capture.SniffStream(io.TeeReader(v.stdin, &head), v.display(parse.Stdin))
	v.stdin = io.MultiReader(&head, v.stdin)
	if form == capture.FormNone {
		return input{}, false, nil
	}
	name := "rollout-tool-*.json"
	if form == capture.FormHAR { // a name tells where content cannot
		name = "rollout-tool-*.har"
	}
	spool, err := os.CreateTemp("", name)
	if err != nil {
		return input{}, false, fmt.Errorf("spooling %s: %w", parse.Stdin, err)
	}
	v.atEnd(func() { os.Remove(spool.Name()) })
	_, err = io.Copy(spool, v.stdin)
	if err = errors.Join(err, spool.Close()); err != nil {
		return input{}, false, unreadable(fmt.Errorf("spooling %s: %w", parse.Stdin, err))
	}
	return input{path: parse.Stdin, spool: spool.Name(), capture: true}, true, nil
}
