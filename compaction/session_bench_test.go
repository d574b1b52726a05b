package compaction_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
)

// checkpoints is how many compactions the sessions of the benchmark hold.
const checkpoints = 200

// BenchmarkSession replays a session with 200 checkpoints to before each of them and
// plans the compaction, at one, two, four and eight times the records. It is linear
// when a doubling doubles the time.
func BenchmarkSession(b *testing.B) {
	for _, times := range []int{1, 2, 4, 8} {
		b.Run(fmt.Sprintf("records=%dx", times), func(b *testing.B) {
			path := writeSession(b, 20*times)
			src, err := parse.Open(path, nil)
			if err != nil {
				b.Fatal(err)
			}
			defer src.Close()
			for b.Loop() {
				r, err := history.Load(src, history.Options{Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				if r.Compactions() != checkpoints {
					b.Fatalf("%d checkpoints", r.Compactions())
				}
				for k := 1; k <= checkpoints; k++ {
					st, err := r.At(history.Point{Kind: history.BeforeCompaction, N: k})
					if err != nil {
						b.Fatal(err)
					}
					compaction.Compact(st.Rows, compaction.Defaults())
				}
			}
		})
	}
}

// writeSession writes a session with a compaction behind every perCheckpoint pairs of
// messages.
func writeSession(b *testing.B, perCheckpoint int) string {
	path := filepath.Join(b.TempDir(), "session.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	line := func(typ, payload string) {
		fmt.Fprintf(f, `{"timestamp":"2026-11-02T09:00:00.000Z","type":%q,"payload":%s}`+"\n", typ, payload)
	}
	line("session_meta", `{"id":"0199aaaa-0000-7000-8000-000000000001","timestamp":"2026-11-02T09:00:00.000Z","cwd":"/srv","originator":"x","cli_version":"0.0.1"}`)
	for k := 1; k <= checkpoints; k++ {
		for i := range perCheckpoint {
			line("response_item", fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":"question %d of window %d: does the build pass on all platforms"}]}`, i, k))
			line("response_item", fmt.Sprintf(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"answer %d of window %d: it does on two of three"}]}`, i, k))
		}
		line("compacted", fmt.Sprintf(`{"message":"","replacement_history":[{"type":"compaction","encrypted_content":"c"}],"window_number":%d,"resume_metadata":{}}`, k))
	}
	return path
}
