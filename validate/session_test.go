package validate

import (
	"slices"
	"strings"
	"testing"
)

func TestSessions(t *testing.T) {
	const other = "0199b001-0000-7000-8000-00000000000f"
	badMode := strings.Replace(testMeta, `"cwd"`, `"history_mode":null,"cwd"`, 1)
	rejected := strings.Replace(testMeta, `"cwd":"/srv/tide",`, "", 1)
	stranger := strings.Replace(testMeta, "0199b001-0000-7000-8000-000000000001", other, 1)
	tokens := eventLine(`"type":"token_count"`)
	answer := strings.Replace(testUser, `"role":"user","content":[{"type":"input_text"`, `"role":"assistant","content":[{"type":"output_text"`, 1)
	reasoning := `{"timestamp":"2026-11-02T09:00:01.000Z","type":"response_item","payload":{"type":"reasoning","summary":[]}}`
	environment := strings.Replace(testUser, "hi", "<environment_context>\\n</environment_context>", 1)
	agent := `{"timestamp":"2026-11-02T09:00:01.000Z","type":"response_item","payload":{"type":"agent_message","author":"/root","recipient":"/root/a","content":[]}}`
	compacted := `{"timestamp":"2026-11-02T09:00:01.000Z","type":"compacted","payload":{"message":"summary"}}`
	tests := []struct {
		name  string
		lines []string
		want  []place
	}{
		{"a session", []string{testMeta, testUser}, nil},
		{"session_meta rejected", []string{rejected, testUser}, []place{{"S001", 0, ""}}},
		{"null is an unknown mode", []string{badMode, testUser}, []place{{"S002", 1, "/payload/history_mode"}}},
		{"unknown mode before a good one", []string{badMode, testMeta, testUser},
			[]place{{"S002", 1, "/payload/history_mode"}, {"S004", 1, ""}}},
		{"unknown mode after a good one", []string{testMeta, badMode, testUser}, nil},
		{"rejected, then a good one", []string{rejected, testMeta, testUser}, []place{{"S004", 1, ""}}},
		{"blank lines first", []string{"", testMeta, testUser}, nil},
		{"event, then item, then session_meta", []string{tokens, testUser, testMeta}, []place{{"S003", 2, ""}}},
		{"the same thread again", []string{testMeta, testUser, testMeta}, nil},
		{"another thread", []string{testMeta, testUser, stranger}, []place{{"S005", 3, "/payload/id"}}},
		{"answers without questions", []string{testMeta, tokens, reasoning, answer}, []place{{"S007", 3, ""}}},
		{"only context", []string{testMeta, environment, answer}, []place{{"S007", 3, ""}}},
		{"a turn by event", []string{testMeta, eventLine(`"type":"user_message","message":"hi"`), answer}, nil},
		{"a turn of an agent", []string{testMeta, agent, answer}, nil},
		{"questions in a checkpoint", []string{testMeta, compacted, answer}, nil},
		{"nothing", []string{testMeta}, []place{{"S008", 1, ""}}},
		{"nothing that is readable", []string{testMeta, "{"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, found := validateLines(t, 1, tt.lines...)
			if got := ofFamily(found, "S"); !slices.Equal(got, sorted(tt.want)) {
				t.Errorf("got %v, want %v\n%s", got, tt.want, messages(found))
			}
		})
	}
}
