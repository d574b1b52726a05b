package main

import (
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/rewrite/batch"
)

// rewriteBar shows on a terminal how far a run is. A nil one shows nothing.
type rewriteBar struct {
	mu     sync.Mutex
	bar    *progressbar.ProgressBar
	hidden bool
	quit   chan struct{}
	ended  sync.WaitGroup
}

// hide takes the bar off the terminal until show, so that results do not mix with it.
func (b *rewriteBar) hide() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hidden = true
	b.bar.Clear()
}

func (b *rewriteBar) show() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hidden = false
}

func (b *rewriteBar) draw(read int64, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hidden {
		return
	}
	if text != "" {
		b.bar.Describe(text)
	}
	b.bar.Set64(read)
}

// stop ends the bar.
func (b *rewriteBar) stop() {
	if b == nil {
		return
	}
	close(b.quit)
	b.ended.Wait()
	b.hide()
}

// rewriteProgress shows on a terminal how far a run is, with rate and time left.
func (a *app) rewriteProgress(c *cli.Context, p *batch.Progress, inputs []batch.Input) *rewriteBar {
	if !a.errTTY || c.Bool("no-progress") || c.Bool("quiet") {
		return nil
	}
	var total int64
	for _, in := range inputs {
		if info, err := os.Stat(in.Path); err == nil {
			total += info.Size()
		}
	}
	// A pass that looks and one that writes; compressed files are larger than their size,
	// so the bar stops short of its end until they are done.
	total = max(2*total, 1)
	b := &rewriteBar{quit: make(chan struct{}), bar: progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(a.stderr), progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetDescription("rewriting"), progressbar.OptionSetPredictTime(true))}
	b.ended.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				text := ""
				if len(inputs) > 1 {
					text = "rewriting, " + number(p.Files()) + " of " + plural(len(inputs), "file") + " done"
				}
				b.draw(min(p.Read(), total-1), text)
			case <-b.quit:
				return
			}
		}
	})
	return b
}
