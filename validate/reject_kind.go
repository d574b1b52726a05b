package validate

import (
	"strings"
	"unicode/utf8"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// Codes that more than one file names.
const (
	codeCutOff      = "J006"
	codeJoined      = "J007"
	codeHistoryMode = "S002"
	codeRetried     = "L012"
)

// Starts of the loader's messages.
const (
	nullType       = "invalid type: null"
	missingField   = "missing field `"
	unknownVariant = "unknown variant `"
	badFileURI     = "not a file URI"
)

// classify finds the code for a line that Codex rejects. Every message has one; what
// no rule names is a value that is not accepted.
func classify(v *lineView) rejection {
	res := v.Result
	out := rejection{message: res.Message, pointer: res.Pointer, offset: res.Offset}
	if v.Record == nil {
		return textDefect(v.Line, res)
	}
	if v.Bare {
		// The item was judged inside an envelope that it does not have.
		out.pointer = strings.TrimPrefix(res.Pointer, "/payload")
		out.offset, _, _ = jsonraw.Locate(v.Bytes, out.pointer)
		out.code = payloadDefect(res)
		return out
	}
	if out.code = decoderDefect(v); out.code == "" {
		out.code = envelopeDefect(res)
	}
	if out.code == "" {
		out.code = oldShape(v.Record, res)
	}
	if out.code == "" {
		out.code = payloadDefect(res)
	}
	out.message = explained(v, out)
	return out
}

// explained says in the message what the loader's own words leave out.
func explained(v *lineView, why rejection) string {
	switch why.code {
	case "L004":
		return "unknown record type `" + clip(v.Record.Type) + "`"
	case "R004":
		return "unknown event type `" + clip(v.Record.Kind()) + "`"
	case "R006":
		return "event type `" + clip(v.Record.Kind()) + "` is no longer known"
	case "R007":
		return why.message + ": the policy has `mode`"
	case "R008":
		return why.message + ": the event has `prompt`"
	case "R010", "R012", "R014", "R015", "R016":
		// A key of a map has no pointer of its own: its place is not that of the value.
		if at, value, ok := jsonraw.Locate(v.Bytes, why.pointer); ok && at == why.offset {
			return why.message + ": " + clip(string(value))
		}
	case "R017":
		if _, value, ok := jsonraw.Locate(v.Bytes, why.pointer); ok && why.message == floatAsMap {
			return "number out of range: " + clip(string(value))
		}
	case "J013":
		if _, value, ok := jsonraw.Locate(v.Bytes, why.pointer); ok {
			return why.message + ": " + clip(string(value)) + " is not the shortest form"
		}
	}
	return why.message
}

// clip shortens a value for a message.
func clip(s string) string {
	const most = 80 // bytes
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && !utf8.RuneStart(s[n]) { // not inside a character
		n--
	}
	return s[:n] + "..."
}

// envelopeDefect is the code of a defect in the envelope (format.md 2.1), "" for none.
func envelopeDefect(res accept.Result) string {
	switch res.Pointer {
	case "":
		switch {
		case strings.HasPrefix(res.Message, "rollout line must be"):
			return "L001"
		case strings.HasPrefix(res.Message, missingField+"timestamp`"):
			return "L002"
		case strings.HasPrefix(res.Message, missingField+"type`"):
			return "L005"
		case strings.HasPrefix(res.Message, missingField+"payload`"):
			return "L006"
		}
	case "/timestamp":
		return "L002"
	case "/ordinal":
		return "L003"
	case "/type":
		if strings.HasPrefix(res.Message, unknownVariant) {
			return "L004"
		}
		return "L005"
	}
	return ""
}

// oldShape is the code of a shape that earlier builds wrote and Codex's own migration
// knows (format.md 8), "" for none.
func oldShape(rec *parse.Record, res accept.Result) string {
	switch rec.Type {
	case parse.RecordTurnContext:
		switch {
		case res.Pointer == "/payload/sandbox_policy" && res.Message == missingField+"type`" && has(rec, "sandbox_policy", "mode"):
			return "R007"
		case res.Pointer == "/payload/collaboration_mode" && res.Message == missingField+"settings`" && hasFlatSettings(rec):
			return "R011"
		}
	case parse.RecordEvent:
		return oldEvent(rec, res)
	}
	return ""
}

func oldEvent(rec *parse.Record, res accept.Result) string {
	kind := rec.Kind()
	switch {
	case res.Pointer == "/payload/type" && strings.HasPrefix(res.Message, unknownVariant):
		if RetiredEvent(kind) {
			return "R006"
		}
		return "R004"
	case kind == "entered_review_mode" && res.Message == missingField+"target`" &&
		rec.Fields().Get("prompt").Kind() == jsonraw.KindString:
		return "R008"
	case kind == "token_count" && strings.HasSuffix(res.Pointer, "/resets_at") && strings.HasPrefix(res.Message, "invalid type: string"):
		return "R009"
	case (kind == "exec_command_begin" || kind == "exec_command_end") && res.Pointer == "/payload/cwd" && res.Message == badFileURI:
		return "R010"
	}
	return ""
}

// hasFlatSettings reports whether a collaboration_mode has its settings beside mode.
func hasFlatSettings(rec *parse.Record) bool {
	return has(rec, "collaboration_mode", "model") || has(rec, "collaboration_mode", "reasoning_effort") ||
		has(rec, "collaboration_mode", "developer_instructions")
}

// has reports whether an object in the payload has a member.
func has(rec *parse.Record, object, member string) bool {
	o, ok := jsonraw.SplitObject(rec.Fields().Get(object))
	return ok && o.Get(member) != nil
}

// RetiredEvent reports whether earlier builds stored an event that is gone from the
// reader (format.md 3.9).
func RetiredEvent(kind string) bool {
	switch kind {
	case "undo_started", "undo_completed", "thread_name_updated", "background_event", "get_history_entry_response",
		"mcp_list_tools_response", "list_custom_prompts_response":
		return true
	}
	return strings.HasSuffix(kind, "_delta")
}

// payloadDefects are the starts of messages about values, and their codes.
var payloadDefects = [...]struct{ start, code string }{
	{missingField, "R001"},
	{nullType, "R002"},
	{"invalid type: floating point", "R017"},
	{"invalid value: integer", "R017"},
	{"invalid type: unit variant", "R020"},
	{"invalid type: ", "R003"},
	{unknownVariant, "R005"},
	{"unknown or unit variant `", "R005"},
	{"AbsolutePathBuf ", "R012"},
	{"path is not absolute", "R012"},
	{"unknown field `", "R013"},
	{"unexpected field `", "R013"},
	{"UUID parsing failed", "R014"},
	{"invalid agent path", "R015"},
	{badFileURI, "R016"},
	{"duplicate field `", "R018"},
	{"data did not match any variant of struct input_image", "R019"},
}

func payloadDefect(res accept.Result) string {
	for _, d := range payloadDefects {
		if strings.HasPrefix(res.Message, d.start) {
			return d.code
		}
	}
	return "R020"
}
