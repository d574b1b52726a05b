package ops

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/rewrite"
)

// dropAll is what cures lines that nothing mends.
var dropAll = []string{"drop-unreadable", "true"}

func TestRepairCuresItsCodes(t *testing.T) {
	checkCodes(t, "repair", map[string][]string{
		"J001": dropAll, "J006": dropAll, "L001": dropAll, "L005": dropAll, "L006": dropAll,
		"P007": {"open-calls", "true"},
	}, nil)
}

func TestRepairOptions(t *testing.T) {
	info, _ := Find("repair")
	for _, tt := range []struct{ option, value, want string }{
		{"only", "bon", "--only"}, {"skip", "nul,pair", "--skip"},
	} {
		_, err := info.New(Given(info.Options, map[string][]string{tt.option: {tt.value}}))
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "surrogate") {
			t.Errorf("%s %s: %v", tt.option, tt.value, err)
		}
	}
	broken := "\ufeff" + repairMeta + "\n" + repairUser + "\x00\n"
	for _, tt := range []struct{ name, option, value, want string }{
		{"all", "skip", "order", repairMeta + "\n" + repairUser + "\n"},
		{"only one", "only", "bom", repairMeta + "\n" + repairUser + "\x00\n"},
		{"all but one", "skip", "bom,pairs", "\ufeff" + repairMeta + "\n" + repairUser + "\n"},
	} {
		if got, _, err := run(t, broken, rewrite.Options{}, operation(t, "repair", tt.option, tt.value)); err != nil || got != tt.want {
			t.Errorf("%s: %v\n%q", tt.name, err, got)
		}
	}
}

const (
	repairMeta = `{"timestamp":"2026-11-02T09:00:00.000Z","type":"session_meta","payload":{"id":"0199b001-0000-7000-8000-000000000001","timestamp":"2026-11-02T09:00:00.000Z","cwd":"/srv","originator":"o","cli_version":"0.160.0"}}`
	repairUser = `{"timestamp":"2026-11-02T09:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}}`
)
