package diff

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
)

// largePayloads are two payloads of about n items of 0.3 to 2.3 KB, a fifth of which
// differ: of every 20, one is dropped, one replaced, one output (paired by call id)
// and one message (paired by its words) changed.
func largePayloads(t testing.TB, n int) (before, after []history.Row) {
	var b, a []string
	for i := range n {
		var words strings.Builder
		for k := range 30 + i*7%200 {
			fmt.Fprintf(&words, "word%d", (i*31+k*k)%4096)
			words.WriteByte(" \n"[(k%9)/8]) // lines of nine words
		}
		text := words.String()
		item := func(text string) string {
			switch i % 4 {
			case 0:
				return user(text)
			case 1:
				return call(fmt.Sprint("c", i), text)
			case 2:
				return output(fmt.Sprint("c", i-1), text)
			}
			return reasoning(text)
		}
		b = append(b, item(text))
		switch i % 20 {
		case 3: // dropped
		case 7:
			a = append(a, reasoning(fmt.Sprint("new ", i)))
		case 10, 16:
			a = append(a, item(strings.Replace(text, "word", "changed", 2)))
		default:
			a = append(a, item(text))
		}
	}
	return rows(t, b...), rows(t, a...)
}

func BenchmarkCompare(b *testing.B) {
	before, after := largePayloads(b, 5000)
	size := 0
	for _, r := range append(append([]history.Row(nil), before...), after...) {
		size += len(r.Item.Raw)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		Compare(Side{Rows: before}, Side{Rows: after}, Options{})
	}
}

func BenchmarkWriteJSON(b *testing.B) {
	before, after := largePayloads(b, 5000)
	r := Compare(Side{Rows: before}, Side{Rows: after}, Options{})
	for b.Loop() {
		if err := WriteJSON(io.Discard, r, "v"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteText(b *testing.B) {
	before, after := largePayloads(b, 5000)
	r := Compare(Side{Rows: before}, Side{Rows: after}, Options{})
	for b.Loop() {
		if err := WriteText(io.Discard, r, TextOptions{Full: true}); err != nil {
			b.Fatal(err)
		}
	}
}
