package history_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
)

// Whatever the bytes are, a rollout loads, replays and normalises without a panic,
// and rows come from lines that exist.
func FuzzLoad(f *testing.F) {
	agent := assistant(agentPayload("x", ""))
	seeds := []string{
		"", "\n", "{}", "\x00\n\xff\xfe\n", "\x28\xb5\x2f\xfd",
		file(paginatedMeta(), started("t1"), turnContext("t1", ""), userEvent(), user("u"), assistant("a"), completed("t1")),
		file(legacyMeta(), developer("<tools>"), user(env), user(hook), user("u"), rolledBack(1), rejected(), itemLine(ghost)),
		file(checkpoint("c", numbered+resume), user("u"), rolledBack(3), compacted(""), interAgent("x"), agent),
		file(compacted(`,"replacement_history":[` + ghost + `],"replacement_history_metadata":[{}],"window_id":3`)),
		file(itemLine(functionCall("fc_1", "c")), itemLine(customCall("", "c")), itemLine(searchCall("x", `"c"`)), itemLine(shellCall("", `"d"`))),
		file(itemWith(outputItem("function_call_output", "["+wav(3)+","+image+","+inputText("0123456789")+"]"), `{"fallback_token_limit_override":1}`)),
		file(itemWith(messageOf(passthrough(`"turn_id":"t1","content_item_kinds":["a"]`), "user", inputText("<image>"), image), `{"user_input_order":1}`), compacted("")),
		file(basedOn(parentID, 7), user("u")),
		file(`{"id":"5973b6c0-94b8-487b-a530-2aeb6098ae0e","timestamp":"t"}`, message("user", "x"), `{"record_type":"state"}`),
	}
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		f.Fatal(err)
	}
	defer enc.Close()
	packed := enc.EncodeAll([]byte(seeds[5]), nil)
	seeds = append(seeds, string(packed), string(packed[:len(packed)/2]))
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	limit := uint64(2)
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.HasPrefix(data, []byte("\x28\xb5\x2f\xfd")) && len(data) > 1<<12 {
			t.Skip("large compressed streams are a matter of the parse package")
		}
		src, err := parse.Open(parse.Stdin, bytes.NewReader(data))
		if err != nil {
			return
		}
		defer src.Close()
		r, err := history.Load(src, history.Options{ToolOutputLimit: &limit})
		if err != nil {
			return
		}
		defer r.Close()
		s, err := r.At(history.Point{})
		if err != nil {
			t.Fatalf("what was loaded does not replay: %v", err)
		}
		if _, err := r.Facts(s.Line); err != nil {
			t.Fatalf("no facts: %v", err)
		}
		for _, row := range s.Rows {
			if row.Line < 1 || row.Line > r.Lines() {
				t.Errorf("row of line %d of %d", row.Line, r.Lines())
			}
		}
		for _, can := range []history.Modalities{history.AllModalities, {}} {
			p := history.Normalize(s.Rows, can)
			if len(p.Rows) != len(p.Source) {
				t.Errorf("%d rows, %d sources", len(p.Rows), len(p.Source))
			}
		}
		if w := strings.Join(r.Warnings(), "\n"); r.Rejected() > 0 && w == "" {
			t.Error("lines are rejected without a warning")
		}
	})
}
