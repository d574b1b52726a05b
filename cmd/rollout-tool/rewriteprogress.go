package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/rewrite/batch"
)

// rewriteProgress shows on a terminal how far a run is, with rate and time left. The
// returned function ends it.
func (a *app) rewriteProgress(c *cli.Context, p *batch.Progress, inputs []batch.Input) func() {
	if !a.errTTY || c.Bool("no-progress") || c.Bool("quiet") {
		return func() {}
	}
	var total int64
	for _, in := range inputs {
		if info, err := os.Stat(in.Path); err == nil {
			total += info.Size()
		}
	}
	// A pass that looks and one that writes; compressed files are larger than their size,
	// so the bar stops short of its end until they are done.
	total *= 2
	bar := progressbar.NewOptions64(max(total, 1),
		progressbar.OptionSetWriter(a.stderr), progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetDescription("rewriting"), progressbar.OptionSetPredictTime(true))
	tick, done := time.NewTicker(200*time.Millisecond), make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-tick.C:
				if len(inputs) > 1 {
					bar.Describe("rewriting, " + number(p.Files()) + " of " + plural(len(inputs), "file") + " done")
				}
				bar.Set64(min(p.Read(), total-1))
			case <-done:
				bar.Clear()
				return
			}
		}
	}()
	return func() { tick.Stop(); close(done); <-ended }
}
