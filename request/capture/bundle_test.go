package capture

import (
	"strings"
	"testing"
)

const manifest = `{"schema_version":1,"trace_id":"a","rollout_id":"b","root_thread_id":"t","started_at_unix_ms":1,"raw_event_log":"trace.jsonl","payloads_dir":"payloads"}`

func event(seq, payload string) string {
	return `{"schema_version":1,"seq":` + seq + `,"wall_time_unix_ms":179361000000` + seq + `,"rollout_id":"b","thread_id":"t","codex_turn_id":"u","payload":` + payload + "}\n"
}

func ref(n string) string {
	return `{"raw_payload_id":"raw_payload:` + n + `","kind":{"type":"inference_request"},"path":"payloads/` + n + `.json"}`
}

func started(id, payload, mode string) string {
	if mode != "" {
		mode = `,"request_input_mode":` + mode
	}
	return `{"type":"inference_started","inference_call_id":"` + id + `","thread_id":"t","codex_turn_id":"u","model":"m","provider_name":"p"` + mode + `,"request_payload":` + ref(payload) + `}`
}

func ended(id, payload string) string {
	return `{"type":"inference_completed","inference_call_id":"` + id + `","response_id":"x","response_payload":` + ref(payload) + `}`
}

func TestBundle(t *testing.T) {
	dir := write(t, map[string]string{
		"manifest.json": manifest,
		"trace.jsonl": event("1", started("a", "1", "")) + event("2", ended("a", "2")) +
			event("3", started("b", "3", `{"type":"incremental","previous_response_id":"r1"}`)) +
			event("4", `{"type":"compaction_request_started","compaction_id":"c","compaction_request_id":"q","thread_id":"t","codex_turn_id":"u","request_payload":`+ref("4")+`}`) +
			event("5", `{"type":"inference_failed","inference_call_id":"b","error":"stream closed","partial_response_payload":null}`) +
			event("6", `{"type":"compaction_request_completed","compaction_id":"c","compaction_request_id":"q","response_payload":`+ref("5")+`}`) +
			event("7", started("d", "6", `{"type":"incremental_with_untraced_prefix","previous_response_id":"z","prefix_payload":`+ref("1")+`}`)),
		"payloads/1.json": `{"type":"response.create","model":"m","input":[` + hello + `]}`,
		"payloads/2.json": `{"response_id":"r1","token_usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":2,"reasoning_output_tokens":0,"total_tokens":3},"output_items":[` + answ + `]}`,
		"payloads/3.json": `{"type":"response.create","previous_response_id":"r1","input":[` + again + `]}`,
		"payloads/4.json": `{"model":"m","instructions":"i","input":[` + hello + `,{"type":"compaction_trigger"}],"parallel_tool_calls":true}`,
		"payloads/5.json": `{"output_items":[{"type":"compaction","encrypted_content":"e"}]}`,
		"payloads/6.json": `{"type":"response.create","previous_response_id":"z","input":[` + again + `]}`,
	})
	got, problems := readAll(t, dir)
	wantProblems(t, problems)
	if len(got) != 4 {
		t.Fatalf("%d exchanges", len(got))
	}
	if e := got[0]; e.Transport != WebSocket || e.Thread != "t" || e.Turn != "u" || !e.Response.OK() || e.Response.Usage.Total != 3 || e.Time.UnixMilli() != 1793610000001 {
		t.Errorf("first: %+v", e)
	}
	if e := got[1]; len(e.Request.Input) != 3 || e.Request.Own != 2 || string(e.Request.Input[1].Raw) != answ || string(e.Request.Input[2].Raw) != again ||
		e.Response.Error != "stream closed" || e.Response.Completed {
		t.Errorf("incremental: %+v", e)
	}
	whole := string(got[1].Request.Whole())
	if want := `{"input":[` + hello + "," + answ + "," + again + `]}`; whole != want {
		t.Errorf("whole body %s, want %s", whole, want)
	}
	if p, ok := got[1].Request.ItemPointer(2); !ok || p != "/input/0" {
		t.Errorf("pointer %q", p)
	}
	if _, ok := got[1].Request.ItemPointer(1); ok {
		t.Error("an item of the frame before has a pointer")
	}
	if e := got[2]; !e.Request.IsCompaction() || !e.Request.Reduced || !e.Response.OK() || e.Response.Items[0].Type != "compaction" {
		t.Errorf("compaction: %+v", e)
	}
	if e := got[3]; len(e.Request.Input) != 2 || e.Request.Own != 1 || e.Request.Partial || e.Response.Known {
		t.Errorf("untraced prefix: %+v", e)
	}
}

func TestBundleWithHoles(t *testing.T) {
	log := event("1", started("a", "1", "")) + event("2", ended("a", "2")) +
		"{\"torn\n" +
		event("3", started("b", "3", "")) + event("4", ended("b", "9")) + event("5", ended("zzz", "2")) +
		event("6", strings.Replace(started("c", "1", ""), "payloads/1.json", "../1.json", 1))
	dir := write(t, map[string]string{
		"manifest.json":   manifest,
		"trace.jsonl":     log,
		"payloads/2.json": `{"response_id":"r1","output_items":[]}`,
		"payloads/3.json": `{"type":"response.create","previous_response_id":"gone","input":[` + again + `]}`,
	})
	got, problems := readAll(t, dir)
	wantProblems(t, problems,
		Problem{Kind: ProblemCut, Exchange: -1, Message: "line 3 is no event", Place: Place{Offset: int64(strings.Index(log, `{"torn`))}},
		Problem{Kind: ProblemPair, Exchange: -1, Message: "was not started"},
		Problem{Kind: ProblemPayload, Exchange: 0, Message: "the payload file of the request is missing: payloads/1.json"},
		Problem{Kind: ProblemPrevious, Exchange: 1, Message: "previous_response_id names no response"},
		Problem{Kind: ProblemPayload, Exchange: 1, Message: "the payload file of the response is missing: payloads/9.json"},
		Problem{Kind: ProblemPayload, Exchange: 2, Message: "leads out of the bundle"},
	)
	if len(got) != 3 || !got[0].Response.OK() || !got[1].Request.Partial {
		t.Errorf("%d exchanges", len(got))
	}
}
