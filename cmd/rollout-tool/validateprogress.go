package main

import (
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
)

// meter shows on a terminal how much of a large file was read. The zero meter shows
// nothing.
type meter struct {
	bar  *progressbar.ProgressBar
	read *atomic.Int64 // bytes of the file so far
	most int64         // its size, -1 when that is not known

	mu     sync.Mutex
	hidden bool
	done   chan struct{}
	ended  sync.WaitGroup
}

// meterEvery is how often the meter is drawn; files that are read sooner have none.
const meterEvery = 300 * time.Millisecond

// meter starts one for an input that takes long to read.
func (v *validateRun) meter(in input) *meter {
	if !v.errTTY || v.c.Bool("no-progress") || v.c.Bool("quiet") || in.err != nil || in.small() {
		return &meter{}
	}
	most := int64(-1)
	info, err := os.Stat(in.path)
	switch {
	case err == nil && info.IsDir():
		return &meter{}
	case err == nil && info.Mode().IsRegular() && !strings.HasSuffix(in.path, ".zst"):
		most = info.Size()
	}
	v.read.Store(0)
	m := &meter{read: &v.read, most: most, done: make(chan struct{})}
	m.bar = progressbar.NewOptions64(most,
		progressbar.OptionSetWriter(v.stderr), progressbar.OptionShowBytes(true), progressbar.OptionShowCount(),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetElapsedTime(false), progressbar.OptionSetSpinnerChangeInterval(0),
		progressbar.OptionSetDescription("reading"), progressbar.OptionSetWidth(20)) // all in 80 columns
	m.ended.Go(func() {
		tick := time.NewTicker(meterEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				m.draw()
			case <-m.done:
				return
			}
		}
	})
	return m
}

// draw shows how far the file was read.
func (m *meter) draw() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.hidden {
		return
	}
	n := m.read.Load()
	if m.most >= 0 {
		n = min(n, m.most-1) // a full bar would be the end
	}
	m.bar.Set64(n)
}

// hide takes the meter off the terminal until show, so that a report can go there.
func (m *meter) hide() {
	if m == nil || m.bar == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.hidden {
		m.hidden = true
		m.bar.Clear()
	}
}

func (m *meter) show() {
	if m == nil || m.bar == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hidden = false
}

// stop takes the meter off the terminal.
func (m *meter) stop() {
	if m.bar == nil {
		return
	}
	close(m.done)
	m.ended.Wait()
	m.hide()
}
