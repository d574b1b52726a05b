package accept

import (
	"fmt"
	"strings"
	"testing"
)

// textLines look like a session with long tool outputs, tokenLines like one of
// bookkeeping events.
func textLines() [][]byte {
	code := strings.Repeat("func main() {\\n\\tfmt.Println(\\\"hello, world\\\") // a line of ordinary source text\\n}\\n", 40)
	prose := strings.Repeat("The quick brown fox jumps over the lazy dog while the café stays open. ", 30)
	line := func(typ, payload string) []byte {
		return fmt.Appendf(nil, `{"timestamp":"2026-11-02T09:00:00.000Z","type":%q,"payload":%s}`, typ, payload)
	}
	return [][]byte{
		line("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"`+prose+`"}]}`),
		line("response_item", `{"type":"function_call","id":"fc_1","name":"shell","arguments":"{\"command\":\"cat main.go\"}","call_id":"c1"}`),
		line("response_item", `{"type":"function_call_output","id":"fco_1","call_id":"c1","output":"`+code+`"}`),
		line("event_msg", `{"type":"agent_message","message":"`+prose+`","phase":"final_answer","memory_citation":null}`),
		line("response_item", `{"type":"reasoning","id":"rs_1","summary":[],"content":null,"encrypted_content":"`+strings.Repeat("gAAAAABo", 400)+`"}`),
	}
}

func tokenLines() [][]byte {
	usage := `{"input_tokens":9123,"cached_input_tokens":1024,"cache_write_input_tokens":0,"output_tokens":212,"reasoning_output_tokens":100,"total_tokens":9335}`
	line := func(typ, payload string) []byte {
		return fmt.Appendf(nil, `{"timestamp":"2026-11-02T09:00:00.000Z","ordinal":17,"type":%q,"payload":%s}`, typ, payload)
	}
	return [][]byte{
		line("event_msg", `{"type":"token_count","info":{"total_token_usage":`+usage+`,"last_token_usage":`+usage+`,"model_context_window":258400},"rate_limits":{"limit_id":"codex","limit_name":null,"primary":{"used_percent":12.5,"window_minutes":300,"resets_at":1793610001},"secondary":null,"credits":null,"plan_type":"pro","rate_limit_reached_type":null}}`),
		line("turn_context", `{"turn_id":"t1","cwd":"/srv/demo","approval_policy":"on-request","sandbox_policy":{"type":"workspace-write","network_access":false,"exclude_tmpdir_env_var":false,"exclude_slash_tmp":false},"model":"demo-model","effort":"low","summary":"none"}`),
		line("world_state", `{"full":true,"state":{"shell":{"name":"bash","env":{"a":1,"b":[1,2,3],"c":null}}}}`),
		line("event_msg", `{"type":"task_started","turn_id":"t1","started_at":1793610001,"model_context_window":200000,"collaboration_mode_kind":"default"}`),
	}
}

func BenchmarkLine(b *testing.B) {
	for _, set := range []struct {
		name  string
		lines [][]byte
	}{{"text", textLines()}, {"tokens", tokenLines()}} {
		b.Run(set.name, func(b *testing.B) {
			check := NewChecker()
			total := 0
			for _, l := range set.lines {
				total += len(l)
				if r := check.Line(l); r.Verdict != OK {
					b.Fatalf("%s: %s", l, r.Message)
				}
			}
			b.SetBytes(int64(total))
			b.ReportAllocs()
			for b.Loop() {
				for _, l := range set.lines {
					check.Line(l)
				}
			}
		})
	}
}

func BenchmarkNewChecker(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		NewChecker()
	}
}
