package history

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// UserKind says what a message of role user is (compaction.md 4.3).
type UserKind uint8

// The kinds of user messages.
const (
	NotUser    UserKind = iota // not a message of role user
	RealUser                   // written by a person (or empty, or only images)
	HookPrompt                 // nothing but hook prompts and fragments, at least one hook prompt
	Contextual                 // put there by the harness: at least one contextual part
)

// ClassifyUser tells real user messages from what the harness wrote (rules 18, 36).
func ClassifyUser(it parse.Item) UserKind {
	if !it.IsMessage("user") {
		return NotUser
	}
	parts := it.Content()
	var texts []string
	contextual := false
	for _, p := range parts {
		if p.Type != parse.PartInputText {
			continue
		}
		t := p.Text()
		texts = append(texts, t)
		contextual = contextual || IsContextualUserText(t)
	}
	switch {
	case !contextual:
		return RealUser
	case isHookPromptParts(texts, len(texts) == len(parts)):
		return HookPrompt
	}
	return Contextual
}

// hasContextualPart reports whether a developer message has a contextual part
// (rule 19) or a user message one of rule 18: what a rollback takes along.
func hasContextualPart(it parse.Item) bool {
	var is func(string) bool
	switch it.Role() {
	case "developer":
		is = IsContextualDeveloperText
	case "user":
		is = IsContextualUserText
	default:
		return false
	}
	for _, p := range it.Content() {
		if p.Type == parse.PartInputText && is(p.Text()) {
			return true
		}
	}
	return false
}

// IsBoundary reports whether the item starts a turn for rollbacks (rule 17): any
// agent message, a real user message without a summary, or an assistant message
// that is an old inter-agent communication.
func IsBoundary(it parse.Item, agents *accept.Checker) bool {
	switch {
	case it.Type == parse.ItemAgentMessage:
		return true
	case it.IsMessage("user"):
		for _, p := range it.Content() {
			if p.Type != parse.PartInputText {
				continue
			}
			if t := p.Text(); IsSummary(t) || IsContextualUserText(t) {
				return false
			}
		}
		return true
	case it.IsMessage("assistant"):
		parts := it.Content()
		return len(parts) == 1 && parts[0].IsText() && isInterAgentJSON(parts[0].Text(), agents)
	}
	return false
}

// isInterAgentJSON reports whether text decodes as an inter-agent communication
// (format.md 3.6): the oldest writers stored it as an assistant message.
func isInterAgentJSON(text string, c *accept.Checker) bool {
	t := strings.Trim(text, " \t\r\n")
	if !strings.HasPrefix(t, "{") || !strings.HasSuffix(t, "}") || !jsonraw.Valid(jsonraw.Value(t)) {
		return false // a text that closes the payload early would smuggle members in
	}
	line := jsonraw.Build(
		jsonraw.Pair{Name: "timestamp", Value: jsonraw.Quote("")},
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.RecordInterAgent)},
		jsonraw.Pair{Name: "payload", Value: jsonraw.Value(t)},
	)
	return c.Line(line).Verdict == accept.OK
}
