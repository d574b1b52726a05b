package ops

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// Parts of hand-made sessions.
const (
	testThread = "0199c0de-0000-7000-8000-000000000001"
	window0    = "0199c0de-0000-7000-8000-0000000000a0"
	window1    = "0199c0de-0000-7000-8000-0000000000a1"
	window2    = "0199c0de-0000-7000-8000-0000000000a2"
)

// recLine is a record without its newline.
func recLine(typ, payload string, more ...string) string {
	return `{"timestamp":"2026-09-01T10:00:00.000Z","type":"` + typ + `","payload":` + payload + strings.Join(more, "") + `}`
}

func metaLine(more string) string {
	return recLine("session_meta", `{"id":"`+testThread+`","timestamp":"2026-09-01T10:00:00.000Z","cwd":"/srv/a","originator":"o","cli_version":"0.150.0","source":"cli"`+more+`}`)
}

func userItem(text string) string {
	return `{"type":"message","role":"user","content":[{"type":"input_text","text":"` + text + `"}]}`
}

func assistantItem(text string) string {
	return `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + text + `"}]}`
}

func callItem(id string) string {
	return `{"type":"function_call","name":"sh","arguments":"{}","call_id":"` + id + `"}`
}

func outputItem(id, output string) string {
	return `{"type":"function_call_output","call_id":"` + id + `","output":` + output + `}`
}

func noticeItem() string {
	return `{"type":"message","role":"developer","content":[{"type":"input_text","text":"<image_resize_notice>smaller</image_resize_notice>"}]}`
}

func itemLine(item string, more ...string) string { return recLine("response_item", item, more...) }

func eventLine(payload string) string { return recLine("event_msg", payload) }

// checkpointLine is a compacted record with a replacement history.
func checkpointLine(more string, items ...string) string {
	return recLine("compacted", `{"message":"","replacement_history":[`+strings.Join(items, ",")+`]`+more+`}`)
}

// fileOf is a file of lines; withOrdinals numbers them for a paginated one.
func fileOf(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

func withOrdinals(lines ...string) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.Replace(l, `"type":`, `"ordinal":`+strconv.Itoa(i)+`,"type":`, 1)
	}
	return fileOf(out...)
}

// rowsAt is the history at a point, by row: the item, and its sidecar behind a bar.
func rowsAt(t testing.TB, text string, p history.Point) []string {
	t.Helper()
	h, err := history.Load(open(t, text), history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	st, err := h.At(p)
	if err != nil {
		t.Fatal(err)
	}
	return rowTexts(st.Rows)
}

func rowTexts(rows []history.Row) []string {
	out := []string{}
	for _, r := range rows {
		text := string(r.Item.Raw)
		if r.Meta.Present() {
			text += " | " + string(r.Meta.Raw)
		}
		out = append(out, text)
	}
	return out
}

func rowsAtEnd(t testing.TB, text string) []string {
	t.Helper()
	return rowsAt(t, text, history.Point{})
}

// fixed are options with a clock and ids that are the same every time: the ids end in
// 01, 02 and so on.
func fixed() rewrite.Options {
	n := byte(0)
	return rewrite.Options{
		Now: func() time.Time { return time.Date(2026, 9, 2, 12, 0, 0, 7e6, time.FixedZone("", 2*3600)) },
		NewID: func() (uuid.UUID, error) {
			n++
			id := uuid.MustParse("0199c0de-0000-7000-8000-00000000f000")
			id[15] = n
			return id, nil
		},
	}
}

func cureFixture(t *testing.T, op, name string) string {
	t.Helper()
	return readText(t, filepath.Join("..", "..", "fixtures", "cures", op, name+".jsonl"))
}

// vectorRollouts are the rollouts of ROLLOUT_VECTORS, by folder.
func vectorRollouts(t *testing.T) map[string]string {
	t.Helper()
	dir := os.Getenv("ROLLOUT_VECTORS")
	if dir == "" {
		t.Skip("ROLLOUT_VECTORS is not set")
	}
	found, err := filepath.Glob(filepath.Join(dir, "*", "rollout.jsonl"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no rollout in ROLLOUT_VECTORS (%v)", err)
	}
	out := map[string]string{}
	for _, name := range found {
		out[filepath.Base(filepath.Dir(name))] = readText(t, name)
	}
	return out
}

// lastRecord is the record of the last line of a text.
func lastRecord(t testing.TB, text string) *parse.Record {
	t.Helper()
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	rec, err := parse.ViewRecord(parse.Line{Bytes: []byte(lines[len(lines)-1])})
	if err != nil {
		t.Fatal(err)
	}
	return &rec
}

// checkpointOf takes the checkpoint on a line apart; metas is nil without a sidecar.
func checkpointOf(text string) (items, metas []jsonraw.Value, fields jsonraw.Object, ok bool) {
	rec, err := parse.ViewRecord(parse.Line{Bytes: []byte(text)})
	if err != nil || rec.Type != parse.RecordCompacted {
		return nil, nil, jsonraw.Object{}, false
	}
	fields = rec.Fields()
	items, ok = jsonraw.SplitArray(fields.Get(historyKey))
	metas, _ = jsonraw.SplitArray(fields.Get(sidecarKey))
	return items, metas, fields, ok
}

// withBase are options under which every history_base is the text.
func withBase(t *testing.T, old string) rewrite.Options {
	return rewrite.Options{FindBase: func(uuid.UUID) (*parse.Source, error) { return open(t, old), nil }}
}
