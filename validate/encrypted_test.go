package validate

import "testing"

// settingsLine applies settings with a provider.
func settingsLine(provider string) string {
	return eventRecord(`{"type":"thread_settings_applied","thread_settings":{"model":"m","model_provider_id":"` + provider + `","approval_policy":"never",` +
		`"approvals_reviewer":"user","permission_profile":{"type":"disabled"},"cwd":"/srv/demo","collaboration_mode":{"mode":"default",` +
		`"settings":{"model":"m","reasoning_effort":null,"developer_instructions":null}}}}`)
}

// otherMeta is the session_meta of another thread.
func otherMeta(provider string) string {
	return recordLine("session_meta", `{"id":"0199aaaa-0000-7000-8000-000000000002","timestamp":"2026-11-02T09:00:00.000Z","cwd":"/srv/demo",`+
		`"originator":"demo","cli_version":"0.0.1","model_provider":`+provider+`}`)
}

func TestProviders(t *testing.T) {
	const settings = "/payload/thread_settings/model_provider_id"
	openai := metaLine(`,"model_provider":"openai"`)
	bound := itemLine(reasoningItem)
	tests := []struct {
		name  string
		lines []string
		want  []string
	}{
		{"nothing changes", []string{openai, settingsLine("openai"), bound, settingsLine("openai"), openai}, nil},
		{"by settings", []string{openai, bound, settingsLine("azure"), settingsLine("azure")}, []string{"E001 3 " + settings}},
		{"by a session_meta", []string{openai, bound, metaLine(`,"model_provider":"azure"`)}, []string{"E001 3 /payload/model_provider"}},
		{"and back", []string{openai, bound, settingsLine("azure"), settingsLine("openai"), bound}, []string{"E001 3 " + settings}},
		{"and back, with items of both", []string{openai, bound, settingsLine("azure"), bound, settingsLine("openai")},
			[]string{"E001 3 " + settings, "E001 5 " + settings}},
		{"nothing is bound", []string{openai, itemLine(userItem("q")), itemLine(`{"type":"reasoning","summary":[],"encrypted_content":null}`),
			settingsLine("azure")}, nil},
		{"not known before", []string{metaLine(`,"model_provider":null`), bound, settingsLine("azure")}, nil},
		{"not known after", []string{openai, bound, metaLine("")}, nil},
		{"a checkpoint without bound items", []string{openai, bound, checkpointLine(userItem("q")), settingsLine("azure")}, nil},
		{"a checkpoint with one", []string{openai, bound, checkpointLine(userItem("q"), summaryItem), settingsLine("azure")}, []string{"E001 4 " + settings}},
		{"before the first item", []string{openai, settingsLine("azure"), bound}, nil},
		{"a copied history", []string{openai, otherMeta(`"azure"`), itemLine(userItem("q")), bound, bound}, []string{"E002 2 /payload/model_provider"}},
		{"a copied history of the same provider", []string{openai, otherMeta(`"openai"`), bound}, nil},
		{"a copied history, nothing bound", []string{openai, otherMeta(`"azure"`), itemLine(userItem("q"))}, nil},
		{"own items behind a copied history", []string{openai, otherMeta(`"azure"`), settingsLine("openai"), bound}, nil},
		{"said once", []string{openai, otherMeta(`"azure"`), bound, settingsLine("openai")}, []string{"E002 2 /payload/model_provider"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkFamilies(t, "ER", tt.lines, tt.want...) })
	}
}

func TestBoundItems(t *testing.T) {
	const part = `{"type":"encrypted_content","encrypted_content":"gAAA"}`
	tests := []struct {
		record string
		bound  bool
	}{
		{itemLine(reasoningItem), true},
		{itemLine(summaryItem), true},
		{itemLine(`{"type":"context_compaction","encrypted_content":"gAAA"}`), true},
		{itemLine(`{"type":"context_compaction"}`), false},
		{itemLine(`{"type":"agent_message","author":"/root","recipient":"/root/w","content":[{"type":"input_text","text":"h"},` + part + `]}`), true},
		{itemLine(agentItem), false},
		{itemLine(`{"type":"function_call_output","call_id":"c","output":[` + part + `]}`), true},
		{itemLine(`{"type":"custom_tool_call_output","call_id":"c","output":[` + part + `]}`), true},
		{itemLine(`{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"encrypted_content"}]}`), false},
		{itemLine(`{"type":"function_call_output","call_id":"c","output":"encrypted_content"}`), false},
		{itemLine(`{"type":"function_call","call_id":"c","name":"n","arguments":"{}","encrypted_function_args":["gAAA"]}`), true},
		{itemLine(`{"type":"function_call","call_id":"c","name":"n","arguments":"{}","encrypted_function_args":[]}`), false},
		{itemLine(`{"type":"function_call","call_id":"c","name":"n","arguments":"{}","encrypted_content":"gAAA"}`), true},
		{recordLine("inter_agent_communication", `{"author":"/root","recipient":"/root/w","content":"","encrypted_content":"gAAA","trigger_turn":true}`), true},
		{recordLine("inter_agent_communication", `{"author":"/root","recipient":"/root/w","content":"go","trigger_turn":true}`), false},
	}
	for _, tt := range tests {
		want := []string{}
		if tt.bound {
			want = append(want, "E001 3 /payload/thread_settings/model_provider_id")
		}
		checkFamilies(t, "ER", []string{metaLine(`,"model_provider":"openai"`), tt.record, settingsLine("azure")}, want...)
	}
}

func TestEmptyCompactionItem(t *testing.T) {
	empty := `{"type":"compaction","encrypted_content":""}`
	checkFamilies(t, "E", []string{metaLine(""), itemLine(empty), checkpointLine(userItem("q"), empty), checkpointLine(userItem("q"), summaryItem)},
		"E003 2 /payload/encrypted_content", "E003 3 /payload/replacement_history/1/encrypted_content")
}
