package ops

import (
	"strconv"
	"time"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// stampLayout is the form of a writer's timestamps (format.md 2.1), in UTC.
const stampLayout = "2006-01-02T15:04:05.000Z"

// summaryRow is the row that stands for what was dropped: the summary as a message of the
// user, as a local compaction leaves it (rule 23), or a stored compaction item.
func (c *compact) summaryRow(in *rewrite.Input, r *replay) (history.Row, error) {
	if c.ciphertext != nil {
		st, err := r.At(*c.ciphertext)
		if err != nil {
			return history.Row{}, err
		}
		for i := len(st.Rows) - 1; i >= 0; i-- {
			if it := st.Rows[i].Item; it.Type == parse.ItemCompaction && it.Fields.Get("encrypted_content").HasText() {
				return history.Row{Item: it, Meta: st.Rows[i].Meta}, nil
			}
		}
		return history.Row{}, rewrite.Refuse("the checkpoint of --ciphertext-from holds no compaction item", "give --summary, or another checkpoint")
	}
	id, err := in.NewID()
	if err != nil {
		return history.Row{}, err
	}
	it, err := parse.ViewItem(jsonraw.Build(
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.ItemMessage)},
		jsonraw.Pair{Name: "id", Value: jsonraw.Quote("msg_" + id.String())},
		jsonraw.Pair{Name: "role", Value: jsonraw.Quote("user")},
		jsonraw.Pair{Name: "content", Value: jsonraw.Array([]jsonraw.Value{history.TextPart(c.summary).Raw})},
		jsonraw.Pair{Name: parse.PassthroughKey, Value: jsonraw.Value(`{"content_item_kinds":["compaction.summary"]}`)},
	))
	return history.Row{Item: it}, err
}

// records are the lines to add: the compacted record and, where it would be taken for a
// part of turns that were rolled back (rules 11 to 14), the turn that it makes up. In a
// paginated file it counts in any case (rule 10).
func (c *compact) records(in *rewrite.Input, r *replay, rows []history.Row) ([][]byte, error) {
	last, err := readEnd(in, c.checker(in), r)
	if err == nil {
		err = checkEnd(r.state.Rows, last)
	}
	if err != nil {
		return nil, err
	}
	payload, err := c.payload(in, rows, last.window)
	if err != nil {
		return nil, err
	}
	stamp := jsonraw.Quote(notBefore(in.Now(), last.stamp).UTC().Format(stampLayout))
	var lines [][]byte
	add := func(typ string, payload jsonraw.Value) {
		lines = append(lines, jsonraw.Build(
			jsonraw.Pair{Name: "timestamp", Value: stamp},
			jsonraw.Pair{Name: "type", Value: jsonraw.Quote(typ)},
			jsonraw.Pair{Name: "payload", Value: payload},
		))
	}
	add(parse.RecordCompacted, payload)
	if res := in.Checker().Line(lines[0]); res.Verdict != accept.OK {
		return nil, rewrite.Refuse("the checkpoint would not be accepted: "+res.Message+" at "+res.Pointer, "")
	}
	if err := checkRecord(lines[0]); err != nil {
		return nil, err
	}
	if last.rollback && !r.head.Paginated {
		turn, err := in.NewID()
		if err != nil {
			return nil, err
		}
		id := jsonraw.Pair{Name: "turn_id", Value: jsonraw.Quote(turn.String())}
		lines = nil
		add(parse.RecordEvent, jsonraw.Build(jsonraw.Pair{Name: "type", Value: jsonraw.Quote(taskStarted)}, id,
			jsonraw.Pair{Name: "model_context_window", Value: recordedWindow(r.facts)}))
		add(parse.RecordCompacted, payload)
		add(parse.RecordEvent, jsonraw.Build(jsonraw.Pair{Name: "type", Value: jsonraw.Quote("task_complete")}, id,
			jsonraw.Pair{Name: "last_agent_message", Value: jsonraw.Value("null")}))
	}
	if last.crlf {
		for i := range lines {
			lines[i] = append(lines[i], '\r')
		}
	}
	return lines, nil
}

// payload is the compacted record (format.md 4.1).
func (c *compact) payload(in *rewrite.Input, rows []history.Row, w window) (jsonraw.Value, error) {
	id, err := in.NewID()
	if err != nil {
		return nil, err
	}
	items := make([]jsonraw.Value, len(rows))
	for i, row := range rows {
		items[i] = row.Item.Raw
	}
	var metas jsonraw.Value
	if list := compaction.WireSidecars(rows); list != nil {
		metas = jsonraw.Array(list)
	}
	return jsonraw.Build(
		jsonraw.Pair{Name: "message", Value: jsonraw.Quote(c.summary)},
		jsonraw.Pair{Name: historyKey, Value: jsonraw.Array(items)},
		jsonraw.Pair{Name: sidecarKey, Value: metas},
		jsonraw.Pair{Name: "window_number", Value: strconv.AppendUint(nil, w.number+1, 10)},
		jsonraw.Pair{Name: "first_window_id", Value: quoteSet(w.first)},
		jsonraw.Pair{Name: "previous_window_id", Value: quoteSet(w.id)},
		jsonraw.Pair{Name: "window_id", Value: jsonraw.Quote(id.String())},
		jsonraw.Pair{Name: "compaction_response_id", Value: jsonraw.Value("null")},
		jsonraw.Pair{Name: "latest_token_usage_record", Value: jsonraw.Value("null")},
	), nil
}

// recordedWindow is the newest model_context_window, null for none.
func recordedWindow(f history.Facts) jsonraw.Value {
	if !f.HasWindow {
		return jsonraw.Value("null")
	}
	return jsonraw.Int(f.Window)
}

// quoteSet is nil, for a member that is left out, when s is empty.
func quoteSet(s string) jsonraw.Value {
	if s == "" {
		return nil
	}
	return jsonraw.Quote(s)
}

// notBefore is now, or the time of the last record when that is later: time does not go
// backwards in a file.
func notBefore(now time.Time, last string) time.Time {
	if t, err := time.Parse(time.RFC3339Nano, last); err == nil && t.After(now) {
		return t
	}
	return now
}
