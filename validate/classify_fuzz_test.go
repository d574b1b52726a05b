package validate

import (
	"bytes"
	"testing"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// FuzzClassify: whatever a rejected line looks like, it has a code of the registry that
// says so, a message, and a place inside the line.
func FuzzClassify(f *testing.F) {
	for _, s := range []string{
		testMeta, testUser, testUser[:100], testUser + testMeta, "{", "12", "\x00", "\xef\xbb\xbf" + testUser, "{\"x\":\"\xe4",
		`{"x":"\ud83c"}`, `{"x":tru`, `{"x":1.`, `{"timestamp":"","type":"event_msg","payload":{"type":"x_delta"}}`,
		turnContextLine(`"sandbox_policy":{"mode":"read-only"}`), eventLine(`"type":"entered_review_mode","prompt":"x"`),
		`{"timestamp":"","type":"session_meta","payload":{"history_mode":null}}`,
		`{"timestamp":"","type":"security_risk_score","payload":{"scores":{"a":0.50}}}`,
	} {
		f.Add([]byte(s), true)
	}
	known, check := NewRegistry(), accept.NewChecker()
	f.Fuzz(func(t *testing.T, line []byte, terminated bool) {
		if bytes.IndexByte(line, '\n') >= 0 {
			return
		}
		l := parse.Line{Number: 1, Bytes: line, Terminated: terminated}
		res := check.Line(line)
		if res.Verdict != accept.Err || leftToMetadata(res) {
			return
		}
		v := &lineView{looked: &Looked{}}
		v.Line, v.Result = l, res
		if rec, err := parse.ViewRecord(l); err == nil {
			v.Record = &rec
		}
		got := classify(v)
		if _, ok := known[got.code]; !ok || !isRejection(got.code) || got.message == "" {
			t.Errorf("%q: code %q, message %q", line, got.code, got.message)
		}
		if got.offset < 0 || got.offset > len(line) {
			t.Errorf("%q: %s at byte %d of %d", line, got.code, got.offset, len(line))
		}
		(&rejectLook{}).Look(v)
	})
}
