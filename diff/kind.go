package diff

import (
	"strings"

	rules "github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
)

// Kinds that are not the type of an item. A message that is none of these is of
// kind "message/" and its role.
const (
	KindContext    = "context"     // injected by the harness (rules 18, 19)
	KindHookPrompt = "hook_prompt" // user message of hook prompts (compaction.md 4.3)
	KindNotice     = "notice"      // image resize notice (rule 28)
	KindSummary    = "summary"     // of a local compaction (rules 17, 23)
)

// kindOrder is the order of totals; other kinds follow by name.
var kindOrder = []string{
	"message/user", KindHookPrompt, KindSummary, "message/assistant", "message/developer", "message/system",
	KindContext, KindNotice, parse.ItemAgentMessage, parse.ItemReasoning,
	parse.ItemFunctionCall, parse.ItemFunctionOutput, parse.ItemCustomToolCall, parse.ItemCustomToolOutput,
	parse.ItemLocalShellCall, parse.ItemToolSearchCall, parse.ItemToolSearchOutput, parse.ItemWebSearchCall,
	parse.ItemImageGenerationCall, parse.ItemCompaction, parse.ItemContextCompaction,
}

// Kind names what an item is, finer than its type: "message/user", "context",
// "reasoning", "function_call_output", ...
func Kind(it parse.Item) string {
	switch {
	case it.Type == "":
		return "unknown"
	case it.Type != parse.ItemMessage:
		return it.Type
	}
	role := it.Role()
	switch role {
	case "user":
		switch history.ClassifyUser(it) {
		case history.HookPrompt:
			return KindHookPrompt
		case history.Contextual:
			return KindContext
		}
		if rules.IsLocalSummary(it) {
			return KindSummary
		}
	case "developer":
		if history.IsResizeNotice(it) {
			return KindNotice
		}
		if len(fragments(it)) > 0 {
			return KindContext
		}
	case "":
		role = "unknown"
	}
	return "message/" + role
}

// fragments names the contextual parts of a user or developer message, in order.
func fragments(it parse.Item) []string {
	is := history.IsContextualUserText
	if it.IsMessage("developer") {
		is = history.IsContextualDeveloperText
	}
	var out []string
	for _, p := range it.Content() {
		if p.Type != parse.PartInputText {
			continue
		}
		if t := p.Text(); is(t) {
			out = append(out, fragmentName(t))
		}
	}
	return out
}

// fragmentName is what tells one kind of contextual text from another: its opening
// tag, without the id of a hook run, or the start of its heading.
func fragmentName(text string) string {
	t := strings.ToLower(strings.TrimSpace(text))
	if tag, _, ok := strings.Cut(t, ">"); ok && strings.HasPrefix(t, "<") {
		name, attributes, _ := strings.Cut(tag[1:], " ")
		if strings.HasPrefix(attributes, "source=") {
			return name + " " + attributes
		}
		if strings.HasPrefix(attributes, "hook_run_id=") {
			return name
		}
		return tag[1:]
	}
	words := strings.Fields(t[:min(len(t), 60)])
	return strings.Join(words[:min(len(words), 3)], " ")
}
