package validate

import "testing"

func usageLine(response string) string {
	const none = `{"input_tokens":0,"cached_input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0,"total_tokens":0}`
	const id = `"0199aaaa-0000-7000-8000-000000000001"`
	return recordLine("token_usage_record", `{"thread_id":`+id+`,"turn_id":"t","session_id":`+id+`,"root_turn_id":"t","response_id":"`+response+
		`","usage":`+none+`,"turn_token_usage":`+none+`,"thread_token_usage":`+none+`}`)
}

func TestResponseThatLeftNothing(t *testing.T) {
	question, answer, spent := itemLine(userItem("q")), itemLine(assistantItem("a")), usageLine("r")
	failed := []string{"C032 4 /payload/response_id"}
	tests := []struct {
		name  string
		lines []string // from line 2 on
		want  []string
	}{
		{"nothing", []string{startLine("t"), question, spent, completeLine("t")}, failed},
		{"a message of the user is no answer", []string{startLine("t"), itemLine(developerItem("d")), spent, question, completeLine("t")}, failed},
		{"items before", []string{startLine("t"), answer, spent, completeLine("t")}, nil},
		{"items behind", []string{startLine("t"), question, spent, answer, completeLine("t")}, nil},
		{"reasoning", []string{startLine("t"), itemLine(reasoningItem), spent, completeLine("t")}, nil},
		{"items of an earlier response do not count", []string{answer, usageLine("r0"), spent, completeLine("t")}, failed},
		{"items of an earlier turn do not count", []string{answer, completeLine("t0"), spent, completeLine("t")}, failed},
		{"checkpoint", []string{startLine("t"), question, spent, checkpointLine(userItem("q"), summaryItem), completeLine("t")}, nil},
		{"next response", []string{startLine("t"), question, spent, usageLine("r2"), answer, completeLine("t")}, failed},
		{"turn cut off", []string{startLine("t"), question, spent, eventRecord(`{"type":"turn_aborted","turn_id":"t","reason":"interrupted"}`)}, nil},
		{"file ends", []string{startLine("t"), question, spent}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkFamilies(t, "C", append([]string{metaLine("")}, tt.lines...), tt.want...)
		})
	}
}

func TestPromptStoredTwice(t *testing.T) {
	question, answer := itemLine(userItem("q")), itemLine(assistantItem("a"))
	again := recordOn("2026-11-03", "response_item", userItem("q"))
	tests := []struct {
		name  string
		lines []string // from line 2 on
		want  []string
	}{
		{"twice", []string{question, again}, []string{"C033 3"}},
		{"three times", []string{question, again, question}, []string{"C033 3", "C033 4"}},
		{"a copy of the line is L011", []string{question, question}, nil},
		{"context between", []string{question, itemLine(userItem(environmentText)), itemLine(developerItem("d")), question}, []string{"C033 5"}},
		{"context twice", []string{itemLine(userItem(environmentText)), itemLine(userItem(environmentText))}, nil},
		{"another", []string{question, itemLine(userItem("r")), question}, nil},
		{"answered", []string{question, answer, question}, nil},
		{"next turn", []string{startLine("t1"), question, completeLine("t1"), startLine("t2"), question}, nil},
		{"compacted", []string{question, checkpointLine(userItem("q"), summaryItem), question}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkFamilies(t, "C", append([]string{metaLine("")}, tt.lines...), tt.want...)
		})
	}
}
