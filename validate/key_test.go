package validate

import (
	"bytes"
	"fmt"
	"testing"
)

// Each bit of a line and its length count, wherever they are; a carriage return at the
// end does not.
func TestRecordKey(t *testing.T) {
	seen := map[uint64]string{}
	add := func(b []byte, what string) {
		key := recordKey(b)
		if other, twice := seen[key]; twice {
			t.Fatalf("%s and %s have one key", what, other)
		}
		seen[key] = what
	}
	for n := range 100 {
		line := bytes.Repeat([]byte{'a'}, n)
		add(line, fmt.Sprintf("%d letters", n))
		if recordKey(append(bytes.Clone(line), '\r')) != recordKey(line) {
			t.Errorf("%d letters: the carriage return counts", n)
		}
		for i := range line {
			for bit := range 8 {
				line[i] ^= 1 << bit
				if string(line[n-1:]) != "\r" {
					add(line, fmt.Sprintf("%d letters, bit %d of %d", n, bit, i))
				}
				line[i] ^= 1 << bit
			}
		}
	}
	zeros := make([]byte, 100)
	for n := range zeros {
		add(zeros[:n+1], fmt.Sprintf("%d zeros", n+1))
	}
}

// Baselines keep keys: they must not change.
func TestRecordKeyStays(t *testing.T) {
	line := []byte(`{"timestamp":"2026-11-02T09:00:00.000Z","type":"event_msg","payload":{}}`)
	if got, want := recordKey(line), uint64(0x25f527fde5f9618c); got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}
