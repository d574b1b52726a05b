package main

import (
	"sync"
	"sync/atomic"

	"github.com/rollout-tool/rollout-tool/validate"
)

// pending is a file that some goroutine looks at.
type pending struct {
	in    input
	found chan found // closed after looked is set
	looked
}

// waiting is how many findings a file may have ready before its turn: then whoever
// looks at it waits, so that memory does not grow with findings.
const waiting = 256

// several looks at some files at once, one core each, and reports them in order. The
// first file that is not yet reported is always under way, so nothing waits for ever.
func (v *validateRun) several(inputs []input, jobs int, bar *progress) error {
	order := make(chan *pending, 2*jobs)
	work := make(chan *pending)
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(order)
		defer close(work)
		for _, in := range inputs {
			if stop.Load() {
				return
			}
			p := &pending{in: in, found: make(chan found, waiting)}
			order <- p
			work <- p
		}
	})
	for range min(jobs, len(inputs)) {
		wg.Go(func() {
			checker := v.checker(1, nil)
			for p := range work {
				v.lookFor(checker, p, &stop)
			}
		})
	}
	var err error
	for p := range order {
		if err == nil {
			err = v.reportPending(p)
			bar.done()
		}
		if err != nil {
			stop.Store(true)
		}
		for range p.found { // what is left after an error: nobody may wait for it
		}
	}
	wg.Wait()
	return err
}

func (v *validateRun) lookFor(checker *validate.Validator, p *pending, stop *atomic.Bool) {
	defer close(p.found)
	if stop.Load() {
		return
	}
	p.looked = v.look(checker, p.in, func(f found) {
		if !stop.Load() {
			p.found <- f
		}
	})
}

// reportPending reports a file as its findings come.
func (v *validateRun) reportPending(p *pending) error {
	name := v.display(p.in.path)
	if err := v.run.Begin(name); err != nil {
		return err
	}
	known := v.policy.Name(name)
	for f := range p.found {
		if err := v.report(f, known); err != nil {
			return err
		}
	}
	return v.end(p.file)
}
