package history

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"

	"github.com/rollout-tool/rollout-tool/parse"
)

// pair is a fragment's opening and closing text.
type pair struct{ open, close string }

// userFragments are compared ASCII-case-insensitively (rule 18, compaction.md 4.2).
var userFragments = []pair{
	{"# AGENTS.md instructions", "</INSTRUCTIONS>"},
	{"<environment_context>", "</environment_context>"},
	{"<agent_message_board_notification>", "</agent_message_board_notification>"},
	{"<skill>", "</skill>"},
	{"<user_shell_command>", "</user_shell_command>"},
	{"<turn_aborted>", "</turn_aborted>"},
	{"<subagent_notification>", "</subagent_notification>"},
	{"<recommended_plugins>", "</recommended_plugins>"},
}

// legacyWarnings are compared case-sensitively (rule 18, compaction.md 4.2).
var legacyWarnings = []pair{
	{"Warning: The maximum number of unified exec processes you can keep open is", ""},
	{"Warning: apply_patch was requested via ", "Use the apply_patch tool instead of exec_command."},
	{"Warning: Your account was flagged for potentially high-risk cyber activity", ""},
}

// developerPrefixes mark contextual developer text (rule 19, compaction.md 4.3).
var developerPrefixes = []string{
	"<permissions instructions>", "Approved command prefix saved:", modelSwitch.open,
	"<managed_developer_instructions>", persistentMode.open, "<apps_instructions>",
	"<collaboration_mode>", "<multi_agent_role>", "<multi_agent_mode>", "<environments_instructions>",
	"<git_attribution>", "<plugins_instructions>", "<realtime_conversation>", "<skills_instructions>",
	"<tools>", "<personality_spec>", "<token_budget>", "<context_window>",
	"<context_window_guidance>", "<rollout_budget>",
}

var (
	modelSwitch    = pair{"<model_switch>", "</model_switch>"}
	persistentMode = pair{"<persistent_mode>", "</persistent_mode>"}
	resizeNotice   = pair{"<image_resize_notice>", "</image_resize_notice>"}
)

// matches is the default marker rule (compaction.md 4.1): trimmed of Unicode white
// space, ASCII case ignored.
func (p pair) matches(text string) bool {
	return hasPrefixFold(trimLeft(text), p.open) && hasSuffixFold(trimRight(text), p.close)
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && asciiEqualFold(s[:len(prefix)], prefix)
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && asciiEqualFold(s[len(s)-len(suffix):], suffix)
}

// asciiEqualFold folds A-Z only; strings.EqualFold folds all of Unicode.
func asciiEqualFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func isWhite(r rune) bool       { return unicode.Is(unicode.White_Space, r) }
func trimLeft(s string) string  { return strings.TrimLeftFunc(s, isWhite) }
func trimRight(s string) string { return strings.TrimRightFunc(s, isWhite) }
func trim(s string) string      { return strings.TrimFunc(s, isWhite) }

// IsContextualUserText reports whether a user text was put there by the harness:
// a hook prompt or one of the fragments of rule 18.
func IsContextualUserText(text string) bool {
	return IsHookPrompt(text) || isUserFragment(text)
}

func isUserFragment(text string) bool {
	for _, f := range userFragments {
		if f.matches(text) {
			return true
		}
	}
	t := trim(text)
	for _, w := range legacyWarnings {
		if strings.HasPrefix(t, w.open) && strings.HasSuffix(t, w.close) {
			return true
		}
	}
	return isExternal(t) || isInternalContext(t)
}

// isExternal matches <external_KEY>..</external_KEY>, KEY being literally equal.
func isExternal(t string) bool {
	rest, ok := strings.CutPrefix(t, "<external_")
	if !ok {
		return false
	}
	key, body, ok := strings.Cut(rest, ">")
	return ok && strings.HasSuffix(body, "</external_"+key+">")
}

// isInternalContext matches <codex_internal_context source="SRC">.. and the older
// <goal_context>.., case-sensitively.
func isInternalContext(t string) bool {
	if body, ok := strings.CutPrefix(t, "<goal_context>"); ok {
		return strings.HasSuffix(body, "</goal_context>")
	}
	rest, ok := strings.CutPrefix(t, `<codex_internal_context source="`)
	if !ok {
		return false
	}
	source, body, ok := strings.Cut(rest, `">`)
	return ok && isSourceName(source) && strings.HasSuffix(body, "</codex_internal_context>")
}

// isSourceName matches [a-z][a-z0-9_]*.
func isSourceName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || i > 0 && ('0' <= c && c <= '9' || c == '_')) {
			return false
		}
	}
	return s != ""
}

// IsContextualDeveloperText reports whether a developer text starts with one of the
// prefixes of rule 19.
func IsContextualDeveloperText(text string) bool {
	t := trimLeft(text)
	for _, p := range developerPrefixes {
		if hasPrefixFold(t, p) {
			return true
		}
	}
	return false
}

// summaryPrefixLen and summaryPrefixHash identify the sentence that starts a local
// summary (compaction.md 3.8); the sentence itself is not needed.
const (
	summaryPrefixLen  = 399
	summaryPrefixHash = "e9b088e794a6bb9082ac053fcc760bd818d7e720ee4bcdc72c6e480de7b7cb0e"
	summaryPrefixHead = "Another language model started"
)

// IsSummary reports whether text is a local compaction's summary: the prefix and a
// newline (rule 17).
func IsSummary(text string) bool {
	if len(text) <= summaryPrefixLen || text[summaryPrefixLen] != '\n' || !strings.HasPrefix(text, summaryPrefixHead) {
		return false
	}
	sum := sha256.Sum256([]byte(text[:summaryPrefixLen]))
	return hex.EncodeToString(sum[:]) == summaryPrefixHash
}

// IsResizeNotice reports whether the item is an image resize notice: a developer
// message with exactly one part, an input_text in its tags (rule 28). Who wrote it
// does not matter.
func IsResizeNotice(it parse.Item) bool {
	if !it.IsMessage("developer") {
		return false
	}
	parts := it.Content()
	return len(parts) == 1 && parts[0].Type == parse.PartInputText && resizeNotice.matches(parts[0].Text())
}
