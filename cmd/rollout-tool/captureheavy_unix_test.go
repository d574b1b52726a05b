//go:build unix

package main

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestCaptureMemory: a HAR of many bodies takes the memory of its longest one.
func TestCaptureMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("a file of 500 MB")
	}
	const body = 4 << 20
	text := strings.Repeat("The tide table of every harbour is read line by line. ", body/55)
	har := writeLines(t, func(w io.Writer) {
		io.WriteString(w, `{"log":{"version":"1.2","entries":[`)
		for i := range 500 << 20 / body {
			if i > 0 {
				io.WriteString(w, ",")
			}
			fmt.Fprintf(w, `{"startedDateTime":"2026-11-20T08:30:00Z","request":{"method":"POST","url":"https://api.example/v1/responses","headers":[],"postData":{"text":"{\"model\":\"m\",\"input\":[{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"%d %s\"}]}]}"}},`, i, text)
			io.WriteString(w, `"response":{"status":200,"headers":[],"content":{"text":"{\"id\":\"r\",\"output\":[]}"}}}`)
		}
		io.WriteString(w, `]}}`)
	})
	peak := peakOf(t, "validate", "--no-config", har)
	if limit := int64(64<<20 + 4*body); peak > limit {
		t.Errorf("%d MB, the limit is %d MB", peak>>20, limit>>20)
	}
}
