package parse

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

const (
	idA = "0199aaaa-0000-7000-8000-000000000001"
	idB = "0199bbbb-0000-7000-8000-000000000002"
)

// The clauses of format.md 1.2, and the spellings of UUIDs in 6.4.
func TestFileNames(t *testing.T) {
	stamp := time.Date(2026, 11, 2, 9, 8, 7, 0, time.UTC)
	const ts = "2026-11-02T09-08-07"
	for _, tt := range []struct {
		name            string
		is              bool
		time            time.Time
		thread, rollout string // "" for no ids
	}{
		// 1: .zst once, then rollout- and .jsonl.
		{"rollout-" + ts + "-" + idA + ".jsonl", true, stamp, idA, idA},
		{"rollout-" + ts + "-" + idA + ".jsonl.zst", true, stamp, idA, idA},
		{"/a/rollout-b/rollout-" + ts + "-" + idA + ".jsonl", true, stamp, idA, idA},
		{"rollout-" + ts + "-" + idA + ".jsonl.zst.zst", false, time.Time{}, "", ""},
		{"rollout-" + ts + "-" + idA + ".json", false, time.Time{}, "", ""},
		{"rollout-" + ts + "-" + idA + ".zst", false, time.Time{}, "", ""},
		{"Rollout-" + ts + "-" + idA + ".jsonl", false, time.Time{}, "", ""},
		{"x-rollout-" + ts + "-" + idA + ".jsonl", false, time.Time{}, "", ""},
		{"." + "rollout-" + ts + "-" + idA + ".jsonl.paginated.tmp", false, time.Time{}, "", ""},
		{"rollout.jsonl", false, time.Time{}, "", ""},
		{"history.jsonl", false, time.Time{}, "", ""},
		{"", false, time.Time{}, "", ""},
		// 1 holds, 2 does not: a rollout without ids.
		{"rollout-.jsonl", true, time.Time{}, "", ""},
		{"rollout-2025-05-08-" + idA + ".jsonl", true, time.Time{}, "", ""}, // 1.1: May 2025
		{"rollout-" + ts + ".jsonl", true, time.Time{}, "", ""},
		{"rollout-" + ts + "_" + idA + ".jsonl", true, time.Time{}, "", ""},
		{"rollout-2026-13-02T09-08-07-" + idA + ".jsonl", true, time.Time{}, "", ""},
		{"rollout-2026-11-02 09-08-07-" + idA + ".jsonl", true, time.Time{}, "", ""},
		// 3: two ids, at the first underscore; both must parse.
		{"rollout-" + ts + "-" + idA + "_" + idB + ".jsonl", true, stamp, idA, idB},
		{"rollout-" + ts + "-" + idA + "_" + idB + ".jsonl.zst", true, stamp, idA, idB},
		{"rollout-" + ts + "-" + idA + "_" + idB + "_" + idB + ".jsonl", true, stamp, "", ""},
		{"rollout-" + ts + "-" + idA + "_.jsonl", true, stamp, "", ""},
		{"rollout-" + ts + "-_" + idA + ".jsonl", true, stamp, "", ""},
		{"rollout-" + ts + "-copy.jsonl", true, stamp, "", ""},
		{"rollout-" + ts + "-" + idA + "-copy.jsonl", true, stamp, "", ""},
		// 6.4: other spellings of a UUID.
		{"rollout-" + ts + "-0199AAAA-0000-7000-8000-000000000001.jsonl", true, stamp, idA, idA},
		{"rollout-" + ts + "-0199aaaa000070008000000000000001.jsonl", true, stamp, idA, idA},
		{"rollout-" + ts + "-{" + idA + "}.jsonl", true, stamp, idA, idA},
		{"rollout-" + ts + "-urn:uuid:" + idA + ".jsonl", true, stamp, idA, idA},
		{"rollout-" + ts + "-x" + idA + "y.jsonl", true, stamp, "", ""},
	} {
		got, is := ParseFileName(tt.name)
		want := FileName{Time: tt.time}
		if tt.thread != "" {
			want.Thread, want.Rollout, want.HasIDs = uuid.MustParse(tt.thread), uuid.MustParse(tt.rollout), true
		}
		if is != tt.is || got != want {
			t.Errorf("%s: %+v, %v; want %+v, %v", tt.name, got, is, want, tt.is)
		}
	}
}

func TestSiblings(t *testing.T) {
	for path, want := range map[string]string{
		"a/x.jsonl":     "a/x.jsonl.zst",
		"a/x.jsonl.zst": "a/x.jsonl",
		"a/x.json":      "",
		"a/x.zst":       "",
		"-":             "",
	} {
		got := ""
		if s := siblings(path); len(s) == 1 {
			got = s[0]
		} else if len(s) > 1 {
			t.Errorf("%s: %v", path, s)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
