package pipeline

import (
	"errors"
	"io"
	"testing"
)

func counter(n int) func() (int, error) {
	i := 0
	return func() (int, error) {
		if i == n {
			return 0, io.EOF
		}
		i++
		return i, nil
	}
}

func TestOrderedKeepsTheOrder(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 7} {
		var got []int
		err := Ordered(workers, counter(1000),
			func(_ int, n int) int { return n * n },
			func(n int) error { got = append(got, n); return nil })
		if err != io.EOF || len(got) != 1000 {
			t.Fatalf("%d workers: %d results, error %v", workers, len(got), err)
		}
		for i, n := range got {
			if n != (i+1)*(i+1) {
				t.Fatalf("%d workers: result %d is %d", workers, i, n)
			}
		}
	}
}

func TestOrderedStopsAtTheConsumersError(t *testing.T) {
	enough := errors.New("enough")
	seen := 0
	err := Ordered(3, counter(1_000_000),
		func(_ int, n int) int { return n },
		func(int) error {
			if seen++; seen == 5 {
				return enough
			}
			return nil
		})
	if err != enough || seen != 5 {
		t.Errorf("error %v after %d results", err, seen)
	}
}
