package pipeline

import "sync"

// Ordered calls next until it fails, work on each value on one of workers
// goroutines, and consume on the caller's goroutine in input order. At most twice
// workers values are under way. It returns the first error of consume, else the
// error of next (io.EOF at a regular end, for the caller to judge).
//
// work gets the index of its goroutine, for state that is not shared.
func Ordered[In, Out any](workers int, next func() (In, error), work func(worker int, in In) Out, consume func(Out) error) error {
	type job struct {
		in  In
		out chan Out
	}
	jobs := make(chan job)
	order := make(chan chan Out, 2*max(workers, 1))
	stop := make(chan struct{})
	var readErr error
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(order)
		defer close(jobs)
		for {
			in, err := next()
			if err != nil {
				readErr = err
				return
			}
			j := job{in, make(chan Out, 1)}
			select {
			case order <- j.out:
			case <-stop:
				return
			}
			select {
			case jobs <- j:
			case <-stop:
				return
			}
		}
	})
	for i := range max(workers, 1) {
		wg.Go(func() {
			for j := range jobs {
				j.out <- work(i, j.in)
			}
		})
	}
	var err error
	for out := range order {
		if err == nil {
			if err = consume(<-out); err != nil {
				close(stop)
			}
		}
	}
	wg.Wait()
	if err != nil {
		return err
	}
	return readErr
}
