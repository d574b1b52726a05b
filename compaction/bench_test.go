package compaction

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
)

// benchRows is a history of n turns, eight items each.
func benchRows(turns int) []history.Row {
	body := strings.Repeat("some output of a tool\n", 40)
	var items []string
	for i := range turns {
		a, b := fmt.Sprintf("a%d", i), fmt.Sprintf("b%d", i)
		items = append(items, user("a question of usual length, to which the model will find an answer"),
			message("user", text("<image>"), smallImage, text("</image>")), notice("resized"),
			call(a), call(b), output(a, body), output(b, body), assistant("an answer"))
	}
	return rows(items...)
}

// The time for an item stays the same from 1x to 8x.
func BenchmarkCompact(b *testing.B) {
	for _, scale := range []int{1, 2, 4, 8} {
		in := benchRows(500 * scale)
		b.Run(fmt.Sprintf("%dx", scale), func(b *testing.B) {
			w := int64(0)
			opt := budget(1 << 40) // the walk goes all the way
			opt.Window = &w
			b.ReportAllocs()
			for b.Loop() {
				Compact(in, opt)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(in)), "ns/item")
		})
	}
}

// A history that is one run of outputs: each is trimmed.
func BenchmarkTrim(b *testing.B) {
	body := strings.Repeat("x", 4000)
	for _, scale := range []int{1, 2, 4, 8} {
		var items []string
		for i := range 2000 * scale {
			items = append(items, output(fmt.Sprint(i), body))
		}
		in := rows(items...)
		b.Run(fmt.Sprintf("%dx", scale), func(b *testing.B) {
			opt := window(0)
			for b.Loop() {
				Trim(in, opt)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(in)), "ns/item")
		})
	}
}
