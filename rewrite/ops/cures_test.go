package ops

import "testing"

// These files of fixtures/cures are modelled on public reports: each has its findings
// before the operation, and not after it.
func TestCuresOfReports(t *testing.T) {
	for _, tt := range []struct {
		op, file string
		codes    []string
		options  []string
	}{
		{"repair", "interrupted-write", []string{"L012"}, nil},
		{"repair", "byte-order-mark", []string{"J002", "S001"}, nil},
		{"repair", "unclean-shutdown", []string{"J003", "J005"}, nil},
		{"repair", "tail-without-ordinals", []string{"O006"}, nil},
		{"repair", "ordinal-reused-at-resume", []string{"O002"}, nil},
		{"repair", "two-writers", []string{"O003"}, nil},
		{"repair", "appended-session-meta", []string{"O003"}, nil},
		{"repair", "patches-without-output", []string{"P001"}, nil},
		{"repair", "output-without-call-id", []string{"P006"}, nil},
		{"repair", "orphan-output", []string{"P002"}, nil},
		{"repair", "checkpoint-keeps-the-call", []string{"P001"}, nil},
		{"align", "item-added", []string{"M001"}, nil},
		{"align", "item-added", []string{"M001"}, []string{"drop", "true"}},
		{"align", "history-away", []string{"M002"}, nil},
		{"align", "ghosts-left", []string{"M004"}, nil},
		{"encrypted", "provider-migrated", []string{"E001"}, nil},
		{"encrypted", "forked-elsewhere", []string{"E002"}, nil},
		{"encrypted", "reasoning-by-id", []string{"I012"}, []string{"reasoning", "true"}},
	} {
		t.Run(tt.op+" "+tt.file, func(t *testing.T) {
			checkCured(t, readText(t, "../../fixtures/cures/"+tt.op+"/"+tt.file+".jsonl"), operation(t, tt.op, tt.options...), tt.codes...)
		})
	}
}
