package history_test

import (
	"strings"
	"testing"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// summaryPrefix is the sentence that Codex puts before a local summary: 399 bytes
// (compaction.md 3.8).
const summaryPrefix = "Another language model started to solve this problem and produced a summary of its thinking process. " +
	"You also have access to the state of the tools that were used by that language model. " +
	"Use this to build on the work that has already been done and avoid duplicating work. " +
	"Here is the summary produced by the other language model, " +
	"use the information in this summary to assist with your own analysis:"

const (
	env  = "<environment_context>\n<cwd>/srv</cwd>\n</environment_context>"
	hook = `<hook_prompt hook_run_id="run-1">Fix the lint errors.</hook_prompt>`
)

const image = `{"type":"input_image","image_url":"https://example.invalid/a.png"}`

func viewed(t testing.TB, item string) parse.Item {
	t.Helper()
	it, err := parse.ViewItem(jsonraw.Value(item))
	if err != nil {
		t.Fatalf("%v in %s", err, item)
	}
	return it
}

func TestRule17Boundary(t *testing.T) {
	agent := agentPayload("do it", "")
	tests := []struct {
		name string
		item string
		want bool
	}{
		{"agent message", `{"type":"agent_message","author":"/root","recipient":"/root/a","content":[]}`, true},
		{"user text", message("user", "hi"), true},
		{"user without parts", message("user"), true},
		{"user with an image only", messageOf("", "user", image), true},
		{"contextual", message("user", env), false},
		{"hook prompt", message("user", hook), false},
		{"one contextual part of two", message("user", "hi", env), false},
		{"contextual text that is output_text", messageOf("", "user", `{"type":"output_text","text":`+quote(env)+`}`), true},
		{"summary", message("user", summaryPrefix+"\nfoo"), false},
		{"empty summary", message("user", summaryPrefix+"\n"), false},
		{"summary in a later part", message("user", "hi", summaryPrefix+"\nfoo"), false},
		{"summary prefix without newline", message("user", summaryPrefix+" foo"), true},
		{"summary prefix alone", message("user", summaryPrefix), true},
		{"summary not at the start", message("user", " "+summaryPrefix+"\nfoo"), true},
		{"another sentence of that length", message("user", strings.Replace(summaryPrefix, "solve", "Solve", 1)+"\nfoo"), true},
		{"summary in output_text", messageOf("", "user", `{"type":"output_text","text":`+quote(summaryPrefix+"\nfoo")+`}`), true},
		{"developer", message("developer", "hi"), false},
		{"assistant", message("assistant", "hi"), false},
		{"assistant with a communication", message("assistant", agent), true},
		{"the same as input_text", messageOf("", "assistant", inputText(agent)), true},
		{"white space around it", message("assistant", "\n "+agent+" "), true},
		{"unknown members in it", message("assistant", agentPayload("x", `,"new":1`)), true},
		{"two communications", message("assistant", agent, agent), false},
		{"a communication and an image", messageOf("", "assistant", inputText(agent), image), false},
		{"text behind it", message("assistant", agent+"."), false},
		{"a second object behind it", message("assistant", agent+","+agent), false},
		{"members smuggled in", message("assistant", agent+`,"metadata":{}`), false},
		{"a bad path in it", message("assistant", strings.Replace(agent, "/root/w1", "/tmp", 1)), false},
		{"no trigger_turn in it", message("assistant", `{"author":"/root","recipient":"/root/a","content":"x"}`), false},
		{"another object", message("assistant", `{}`), false},
		{"developer with a communication", message("developer", agent), false},
		{"function call", `{"type":"function_call","name":"f","arguments":"{}","call_id":"c"}`, false},
	}
	agents := accept.NewChecker()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := history.IsBoundary(viewed(t, tt.item), agents); got != tt.want {
				t.Errorf("boundary: %v, want %v", got, tt.want)
			}
		})
	}
}

func TestRule18UserFragments(t *testing.T) {
	ignoreCase := [][2]string{
		{"# AGENTS.md instructions", "</INSTRUCTIONS>"},
		{"<environment_context>", "</environment_context>"},
		{"<agent_message_board_notification>", "</agent_message_board_notification>"},
		{"<skill>", "</skill>"},
		{"<user_shell_command>", "</user_shell_command>"},
		{"<turn_aborted>", "</turn_aborted>"},
		{"<subagent_notification>", "</subagent_notification>"},
		{"<recommended_plugins>", "</recommended_plugins>"},
	}
	exactCase := [][2]string{
		{"<external_browser>", "</external_browser>"},
		{`<codex_internal_context source="goal_2">`, "</codex_internal_context>"},
		{"<goal_context>", "</goal_context>"},
		{"Warning: apply_patch was requested via ", "Use the apply_patch tool instead of exec_command."},
	}
	check := func(text string, want bool) {
		t.Helper()
		if got := history.IsContextualUserText(text); got != want {
			t.Errorf("contextual: %v, want %v for %q", got, want, text)
		}
	}
	for _, f := range append(ignoreCase, exactCase...) {
		check(f[0]+"x"+f[1], true)
		check(f[0]+f[1], true)
		check(" \t\u00a0\u3000\u0085"+f[0]+"é\n"+f[1]+"\u2028\n", true)
		check(f[0]+"x", false)
		check("x"+f[1], false)
		check("x"+f[0]+f[1], false)
		check(f[0]+f[1]+".", false)
		check("\u200b"+f[0]+f[1], false) // no white space
		check("\ufeff"+f[0]+f[1], false)
	}
	for _, f := range ignoreCase {
		check(strings.ToUpper(f[0])+"x"+strings.ToLower(f[1]), true)
		check(strings.ToLower(f[0])+"x"+strings.ToUpper(f[1]), true)
	}
	for _, f := range exactCase {
		check(strings.ToUpper(f[0])+"x"+f[1], false)
		check(f[0]+"x"+strings.ToUpper(f[1]), false)
	}
	// ASCII only: the Kelvin sign and the long s fold to k and s elsewhere.
	check("<s\u212aill>x</skill>", false)
	check("<\u017fkill>x</skill>", false)

	check("<external_a>x</external_b>", false)
	check("<external_a>x</external_a >", false)
	check("<external_a b>x</external_a b>", true) // KEY is anything up to the first >
	check("<external_a", false)

	check(`<codex_internal_context source="a">x</codex_internal_context>`, true)
	check(`<codex_internal_context source="a_1">x</codex_internal_context>`, true)
	for _, source := range []string{"", "A", "1a", "_a", "a-b", "a b", "é"} {
		check(`<codex_internal_context source="`+source+`">x</codex_internal_context>`, false)
	}
	check(`<codex_internal_context  source="a">x</codex_internal_context>`, false)
	check(`<codex_internal_context source='a'>x</codex_internal_context>`, false)
	check(`<codex_internal_context source="a" >x</codex_internal_context>`, false)
	check(`<codex_internal_context>x</codex_internal_context>`, false)

	for _, prefix := range []string{
		"Warning: The maximum number of unified exec processes you can keep open is",
		"Warning: Your account was flagged for potentially high-risk cyber activity",
	} {
		check(prefix, true)
		check("\u3000"+prefix+" anything", true)
		check(strings.ToLower(prefix), false)
		check("x "+prefix, false)
	}

	for _, text := range []string{
		"", "hi", "<", "<user_instructions>x</user_instructions>",
		"<image_resize_notice>x</image_resize_notice>", "Warning: ", "Warning: something else",
	} {
		check(text, false)
	}
}

func TestRule18HookPrompt(t *testing.T) {
	tests := []struct {
		text string
		want bool
	}{
		{hook, true},
		{"\n " + hook + "\u3000", true},
		{`<hook_prompt hook_run_id="a &amp; b">1 &lt; 2 &amp;&amp; &quot;x&quot;</hook_prompt>`, true},
		{`<hook_prompt hook_run_id='a'>x</hook_prompt>`, true},
		{`<hook_prompt other="1" hook_run_id="a">x</hook_prompt>`, true},
		{`<note hook_run_id="a">x</note>`, true}, // the name does not matter (U4)
		{`<hook_prompt hook_run_id="">x</hook_prompt>`, false},
		{"<hook_prompt hook_run_id=\"\u00a0 \">x</hook_prompt>", false},
		{`<hook_prompt HOOK_RUN_ID="a">x</hook_prompt>`, false},
		{`<hook_prompt>x</hook_prompt>`, false},
		{`<hook_prompt id="hook_run_id">x</hook_prompt>`, false},
		{`<hook_prompt hook_run_id="a"></hook_prompt>`, false},
		{"<hook_prompt hook_run_id=\"a\"> \n\u3000</hook_prompt>", false},
		{`<hook_prompt hook_run_id="a"/>`, false},
		{`<hook_prompt hook_run_id="a">x`, false},
		{`<hook_prompt hook_run_id="a">x</other>`, false},
		{`<hook_prompt hook_run_id="a">x</hook_prompt> and more`, false},
		{`before <hook_prompt hook_run_id="a">x</hook_prompt>`, false},
		{hook + hook, false},
		{`<hook_prompt hook_run_id="a">1 < 2</hook_prompt>`, false},
		{`<hook_prompt hook_run_id="a">a & b</hook_prompt>`, false},
		{"", false},
		{"hook_run_id", false},
	}
	for _, tt := range tests {
		if got := history.IsHookPrompt(tt.text); got != tt.want {
			t.Errorf("hook prompt: %v, want %v for %q", got, tt.want, tt.text)
		}
		if tt.want && !history.IsContextualUserText(tt.text) {
			t.Errorf("a hook prompt is contextual: %q", tt.text)
		}
	}
}

// compaction.md 4.3, decisions 1 and 2.
func TestRule18Classify(t *testing.T) {
	tests := []struct {
		name string
		item string
		want history.UserKind
	}{
		{"text", message("user", "hi"), history.RealUser},
		{"no parts", message("user"), history.RealUser},
		{"image", messageOf("", "user", image), history.RealUser},
		{"summary", message("user", summaryPrefix+"\nx"), history.RealUser},
		{"fragment", message("user", env), history.Contextual},
		{"fragment and text", message("user", env, "hi"), history.Contextual},
		{"fragment and image", messageOf("", "user", inputText(env), image), history.Contextual},
		{"hook", message("user", hook), history.HookPrompt},
		{"two hooks", message("user", hook, hook), history.HookPrompt},
		{"hook and fragment", message("user", env, hook), history.HookPrompt},
		{"hook and text", message("user", hook, "hi"), history.Contextual},
		{"hook and image", messageOf("", "user", inputText(hook), image), history.Contextual},
		{"hook as output_text", messageOf("", "user", `{"type":"output_text","text":`+quote(hook)+`}`), history.RealUser},
		{"developer", message("developer", "hi"), history.NotUser},
		{"agent message", `{"type":"agent_message","author":"/root","recipient":"/root/a","content":[]}`, history.NotUser},
	}
	for _, tt := range tests {
		if got := history.ClassifyUser(viewed(t, tt.item)); got != tt.want {
			t.Errorf("%s: kind %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestRule19DeveloperFragments(t *testing.T) {
	prefixes := []string{
		"<permissions instructions>", "Approved command prefix saved:", "<model_switch>",
		"<managed_developer_instructions>", "<persistent_mode>", "<apps_instructions>", "<collaboration_mode>",
		"<multi_agent_role>", "<multi_agent_mode>", "<environments_instructions>", "<git_attribution>",
		"<plugins_instructions>", "<realtime_conversation>", "<skills_instructions>", "<tools>",
		"<personality_spec>", "<token_budget>", "<context_window>", "<context_window_guidance>", "<rollout_budget>",
	}
	if len(prefixes) != 20 {
		t.Fatalf("%d prefixes", len(prefixes))
	}
	check := func(text string, want bool) {
		t.Helper()
		if got := history.IsContextualDeveloperText(text); got != want {
			t.Errorf("contextual: %v, want %v for %q", got, want, text)
		}
	}
	for _, p := range prefixes {
		check(p, true)
		check("\u3000\n"+strings.ToUpper(p)+" anything", true)
		check("x"+p, false)
		check(p[:len(p)-1], false)
	}
	for _, text := range []string{"", "hi", "<image_resize_notice>x</image_resize_notice>", env, "<toolset>"} {
		check(text, false)
	}
}
