package validate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFileNames(t *testing.T) {
	const (
		thread = "0199b001-0000-7000-8000-000000000001" // as in testMeta
		other  = "0199b001-0000-7000-8000-00000000000f"
	)
	based := strings.Replace(metaWith("7", "paginated"), `"cwd"`,
		`"history_base":{"thread_id":"`+other+`","end_ordinal_exclusive":7,"end_byte_offset":900},"cwd"`, 1)
	tests := []struct {
		name, meta string
		want       []place
	}{
		{"rollout-2026-11-02T09-00-00-" + thread + ".jsonl", testMeta, nil},
		{"rollout-2026-11-02T09-00-00-" + strings.ToUpper(thread) + ".jsonl", testMeta, nil},
		{"rollout-2026-11-02T09-00-00-" + thread + "_" + other + ".jsonl", testMeta, nil},
		{"rollout-2026-12-24T09-00-00-" + thread + "_" + other + ".jsonl", testMeta, nil},
		{"rollout-2026-11-01T07-00-00-" + thread + ".jsonl", testMeta, nil},
		{"rollout-2026-11-01T06-59-59-" + thread + ".jsonl", testMeta, []place{{"F006", 1, "/payload/timestamp"}}},
		{"rollout-2026-11-02T09-00-00-" + other + ".jsonl", testMeta, []place{{"F002", 1, "/payload/id"}}},
		{"rollout-2026-11-02T09-00-00-" + thread + "_" + other + ".jsonl", based, []place{{"F002", 1, "/payload/history_base/thread_id"}}},
		{"rollout-2026-11-02-" + thread + ".jsonl", testMeta, []place{{"F001", 0, ""}}},
		{"rollout-2026-11-02T25-00-00-" + thread + ".jsonl", testMeta, []place{{"F001", 0, ""}}},
		{"rollout-.jsonl", testMeta, nil},
		{"rollout-short.jsonl", testMeta, nil},
		{"sessions/2026/11/02/rollout-short.jsonl", testMeta, []place{{"F001", 0, ""}}},
		{"session.jsonl", testMeta, nil},
		{"session.log", testMeta, nil},
		{"session.jsonl.zst", testMeta, []place{{"F005", 0, ""}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), tt.name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(tt.meta+"\n"+testUser+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			_, found := validateFile(t, newTestValidator(1), path)
			if got := ofFamily(found, "F"); !slices.Equal(got, sorted(tt.want)) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
