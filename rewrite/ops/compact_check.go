package ops

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/tokens"
	"github.com/rollout-tool/rollout-tool/validate"
)

// checkEnd refuses files that a record cannot be added to as they end.
func checkEnd(rows []history.Row, end ending) error {
	switch {
	case end.window.number == math.MaxUint64:
		return rewrite.Refuse("the window numbers are used up", "")
	case end.torn:
		return rewrite.Refuse("the file ends inside a record", "repair it first: rollout-tool rewrite repair")
	case end.openTurn && hasOpenCall(rows):
		return rewrite.Refuse("a call of the turn under way has no output", "let the turn end, or add one: rollout-tool rewrite repair")
	}
	return nil
}

// hasOpenCall reports whether a call has no output (rule 31).
func hasOpenCall(rows []history.Row) bool {
	answered := map[history.CallKey]bool{}
	for _, r := range rows {
		if key, ok := history.OutputOf(r.Item); ok {
			answered[key] = true
		}
	}
	for _, r := range rows {
		if key, ok := history.CallOf(r.Item); ok && !answered[key] {
			return true
		}
	}
	return false
}

// smallHistory is the estimate, in tokens, below which a compaction need not save anything.
const smallHistory = 1_000

// checkGain refuses a checkpoint that is larger than the history it stands for.
func checkGain(before, after []history.Row, est tokens.Estimator) error {
	was, is := total(before, est), total(after, est)
	if was < smallHistory || is <= was {
		return nil
	}
	return rewrite.Refuse(fmt.Sprintf("the checkpoint would have %d tokens, the history has %d", is, was), "give a smaller --budget or a shorter summary")
}

func total(rows []history.Row, est tokens.Estimator) int64 {
	var n int64
	for _, r := range rows {
		n += est.Item(r.Item)
	}
	return n
}

// checkRecord refuses a checkpoint with a defect: what is retained is taken as it is, and
// a defect would stand in every request from now on.
func checkRecord(line []byte) error {
	text := []byte(`{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"00000000-0000-7000-8000-000000000000","timestamp":"2026-01-01T00:00:00.000Z","cwd":".","originator":"","cli_version":""}}` + "\n")
	text = append(append(text, line...), '\n')
	codes := validate.NewRegistry()
	var first error
	_, err := validate.New(validate.Options{Workers: 1}).File(parse.NewSource("checkpoint", onlyText(text)), func(f validate.Finding) {
		// C03x is about what lies around a checkpoint, which is not there.
		if f.Line != 2 || first != nil || codes[f.Code].Severity < validate.Warning || strings.HasPrefix(f.Code, "C03") {
			return
		}
		advice := "see rollout-tool explain " + f.Code
		if op := codes[f.Code].Op; op != "" {
			advice = "cure it first: rollout-tool rewrite " + op + "; " + advice
		}
		first = rewrite.Refuse("the checkpoint would have a defect: "+f.Message, advice)
	})
	if err != nil {
		return err
	}
	return first
}

// onlyText is a source in memory.
type onlyText []byte

// ReadFrom is for parse.Text.
func (o onlyText) ReadFrom(offset int64) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(o[min(offset, int64(len(o))):])), nil
}

// Close is for parse.Text.
func (onlyText) Close() error { return nil }
