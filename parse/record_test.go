package parse

import (
	"testing"
)

// view is ViewRecord of a line that must be an object.
func view(t *testing.T, line string) Record {
	t.Helper()
	r, err := ViewRecord(Line{Number: 1, Bytes: []byte(line), Terminated: true})
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return r
}

func TestRule01RecordsNeedAnObject(t *testing.T) {
	for line, ok := range map[string]bool{
		`{}`:                       true,
		" \t{} \r":                 true, // format.md 2.3: trailing spaces and \r are accepted
		"{\"a\":1}\r":              true,
		`{"a":{"b":[1,{}]}}`:       true,
		`[]`:                       false,
		`"x"`:                      false,
		`7`:                        false,
		`null`:                     false,
		`{} {}`:                    false,
		`{}x`:                      false,
		`{"a":1`:                   false,
		`{"a":1,}`:                 false,
		`{'a':1}`:                  false,
		"\u00a0{}":                 false, // not JSON white space
		"\ufeff{}":                 false,
		"\x00":                     false,
		"":                         false,
		"{\"a\":\"\x01\"}":         false,
		"{\"a\":\"\xe9\"}":         false,
		`{"a":"\ud800"}`:           false,
		`{"a":"\ud83d\ude00"}`:     true,
		`{"a":"\u0000"}`:           true,
		`{"timestamp":01}`:         false,
		`{"timestamp":1.50e+3}`:    true,
		`{"timestamp":tru}`:        false,
		`{"a":1}` + "\n" + `{"b"}`: false,
	} {
		_, err := ViewRecord(Line{Bytes: []byte(line)})
		if (err == nil) != ok {
			t.Errorf("%q: error %v, want well-formed %v", line, err, ok)
		}
	}
}

func TestRule02EnvelopeKeepsBytes(t *testing.T) {
	const payload = `{ "type" : "message" , "x" : 1.50 }`
	r := view(t, `{"timestamp":"T","ordinal":18446744073709551615,"type":"response_item","payload":`+payload+`,"metadata":{"z":null},"more":1}`)
	if r.Type != RecordResponseItem || string(r.Payload) != payload || string(r.Metadata) != `{"z":null}` {
		t.Errorf("type %q, payload %s, metadata %s", r.Type, r.Payload, r.Metadata)
	}
	if n, ok := r.Ordinal(); !ok || n != 18446744073709551615 {
		t.Errorf("ordinal %d, %v", n, ok)
	}
	if r.Timestamp() != "T" || r.Kind() != "message" {
		t.Errorf("timestamp %q, kind %q", r.Timestamp(), r.Kind())
	}
}

// Absent and null are different answers, and keys are exact.
func TestRule02AbsentAndNull(t *testing.T) {
	r := view(t, `{"timestamp":null,"ordinal":null,"type":"response_item","payload":null,"metadata":null}`)
	if r.Payload == nil || !r.Payload.IsNull() || r.Metadata == nil || !r.Metadata.IsNull() {
		t.Errorf("payload %q, metadata %q: want null, not absent", r.Payload, r.Metadata)
	}
	if _, ok := r.Ordinal(); ok || r.Timestamp() != "" || r.Kind() != "" {
		t.Error("null taken for a value")
	}
	r = view(t, `{"Type":"response_item","PAYLOAD":{}}`)
	if r.Type != "" || r.Payload != nil || r.Metadata != nil {
		t.Errorf("keys matched in another case: %q %s", r.Type, r.Payload)
	}
	for _, ordinal := range []string{"3.0", "-1", `"3"`, "18446744073709551616", "1e2", "true"} {
		r := view(t, `{"ordinal":`+ordinal+`}`)
		if n, ok := r.Ordinal(); ok {
			t.Errorf("ordinal %s taken for %d", ordinal, n)
		}
	}
}

// format.md 2.3: of duplicate keys the last one counts, at any depth.
func TestRule01DuplicateKeys(t *testing.T) {
	r := view(t, `{"type":"compacted","payload":{"type":"x"},"type":"event_msg","payload":{"type":"a","type":"turn_aborted","turn_id":"t1","turn_id":"t2"}}`)
	if r.Type != RecordEvent || r.Kind() != "turn_aborted" || r.OwnTurn() != "t2" {
		t.Errorf("type %q, kind %q, turn %q", r.Type, r.Kind(), r.OwnTurn())
	}
	r = view(t, `{"type":"response_item","p\u0061yload":{"type":"reasoning"}}`)
	if r.Kind() != ItemReasoning {
		t.Errorf("an escaped key is the same key: kind %q", r.Kind())
	}
}

func TestKindsAndTurnsOfRecords(t *testing.T) {
	for _, tt := range []struct{ line, kind, turn string }{
		{`{"type":"event_msg","payload":{"type":"task_started","turn_id":"t1"}}`, "task_started", "t1"},
		{`{"type":"turn_context","payload":{"turn_id":"t1","type":"x"}}`, "", "t1"},
		{`{"type":"token_usage_record","payload":{"turn_id":"t1"}}`, "", "t1"},
		{`{"type":"retained_context","payload":{"type":"verified_answer","turn_id":"t1"}}`, "verified_answer", "t1"},
		{`{"type":"realtime_item","payload":{"type":"transcript_segment","turn_id":"t1"}}`, "transcript_segment", ""},
		{`{"type":"response_item","payload":{"type":"message","internal_chat_message_metadata_passthrough":{"turn_id":"t1"}}}`, "message", "t1"},
		{`{"type":"response_item","payload":{"type":"message","turn_id":"t1"}}`, "message", ""},
		{`{"type":"response_item","payload":{"type":"compaction_summary"}}`, "compaction_summary", ""},
		{`{"type":"compacted","payload":{"turn_id":"t1"}}`, "", ""},
		{`{"type":"event_msg","payload":{"type":"turn_aborted","turn_id":null}}`, "turn_aborted", ""},
		{`{"type":"event_msg","payload":[{"type":"x"}]}`, "", ""},
		{`{"type":"event_msg"}`, "", ""},
	} {
		r := view(t, tt.line)
		if r.Kind() != tt.kind || r.OwnTurn() != tt.turn {
			t.Errorf("%s: kind %q, turn %q", tt.line, r.Kind(), r.OwnTurn())
		}
	}
}

// The records of format.md 2.8.
func TestRule01BareRecords(t *testing.T) {
	const meta = `{"id":"` + idA + `","timestamp":"2025-06-01T10:00:00.000Z","instructions":null}`
	for line, want := range map[string]bool{
		meta:                                  true,
		`{"id":"x","timestamp":"y","git":{}}`: true,
		`{"id":"x","timestamp":"y","type":"session_meta"}`: false,
		`{"id":"x","timestamp":"y","payload":{}}`:          false,
		`{"id":"x"}`:        false,
		`{"timestamp":"y"}`: false,
		`{"type":"message","role":"user","content":[]}`:                    false,
		`{"record_type":"state"}`:                                          false,
		`{"id":"x","thread_name":"n","updated_at":"2026-01-01T00:00:00Z"}`: false, // session_index.jsonl
		`{"session_id":"x","ts":1,"text":"t"}`:                             false, // history.jsonl
		`{"timestamp":"y","type":"session_meta","payload":{"id":"x"}}`:     false,
	} {
		if got := IsBareMeta(view(t, line)); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	for line, want := range map[string]string{
		meta: RecordSessionMeta,
		`{"type":"message","role":"user","content":[]}`:                 RecordResponseItem,
		`{"type":"reasoning","id":"rs_1","timestamp":"x","summary":[]}`: RecordResponseItem,
		`{"record_type":"state"}`:                                       "",
	} {
		r := AsBare(view(t, line))
		if !r.Bare || r.Type != want || string(r.Payload) != line || r.Metadata != nil {
			t.Errorf("%s: type %q, payload %s, metadata %s", line, r.Type, r.Payload, r.Metadata)
		}
	}
	// The view before must not show through: fields are those of the whole line.
	r := view(t, `{"type":"message","role":"user","metadata":{"a":1}}`)
	r.Fields()
	r = AsBare(r)
	if it := r.Item(); it.Type != ItemMessage || it.Role() != "user" {
		t.Errorf("item %q of role %q", it.Type, it.Role())
	}
}

func TestRecordTypesAreTwelve(t *testing.T) {
	seen := map[string]bool{}
	for _, typ := range RecordTypes() {
		seen[typ] = true
	}
	if len(seen) != 12 || seen["session_state"] || !seen["realtime_item"] {
		t.Errorf("format.md 2.2 lists 12 types: %v", RecordTypes())
	}
}

func TestTurnTracker(t *testing.T) {
	var tracker TurnTracker
	for i, step := range []struct{ line, want string }{
		{`{"type":"session_meta","payload":{}}`, ""},
		{`{"type":"response_item","payload":{"type":"message"}}`, ""},
		{`{"type":"event_msg","payload":{"type":"task_started","turn_id":"a"}}`, "a"},
		{`{"type":"response_item","payload":{"type":"reasoning"}}`, "a"},
		{`{"type":"token_usage_record","payload":{"turn_id":"sub"}}`, "sub"}, // its own, and a stays open
		{`{"type":"compacted","payload":{"message":""}}`, "a"},
		{`{"type":"event_msg","payload":{"type":"task_complete","turn_id":"other"}}`, "other"},
		{`{"type":"event_msg","payload":{"type":"token_count"}}`, "a"},
		{`{"type":"event_msg","payload":{"type":"task_complete","turn_id":"a"}}`, "a"},
		{`{"type":"world_state","payload":{}}`, ""},
		{`{"type":"event_msg","payload":{"type":"turn_started","turn_id":"b"}}`, "b"},
		{`{"type":"turn_context","payload":{"turn_id":"c"}}`, "c"},
		{`{"type":"response_item","payload":{"type":"message"}}`, "c"},
		{`{"type":"event_msg","payload":{"type":"turn_aborted","turn_id":null}}`, "c"},
		{`{"type":"response_item","payload":{"type":"message"}}`, ""},
		{`{"type":"turn_context","payload":{}}`, ""}, // old files have no turn ids
		{`{"type":"event_msg","payload":{"type":"user_message","message":"m"}}`, ""},
	} {
		r := view(t, step.line)
		if got := tracker.Turn(&r); got != step.want {
			t.Errorf("step %d, %s: turn %q, want %q", i, step.line, got, step.want)
		}
	}
}
