package main

import (
	"github.com/schollz/progressbar/v3"
)

// progress counts files on standard error: only on a terminal, and only for several.
type progress struct{ bar *progressbar.ProgressBar }

func (p *parseRun) progress(files []string) *progress {
	if len(files) < 2 || !p.errTTY || p.outTTY || p.c.Bool("no-progress") || p.c.Bool("quiet") {
		return &progress{}
	}
	return &progress{progressbar.NewOptions(len(files),
		progressbar.OptionSetWriter(p.stderr), progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetDescription("reading"))}
}

func (p *progress) done() {
	if p.bar != nil {
		p.bar.Add(1)
	}
}
