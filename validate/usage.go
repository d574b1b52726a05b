package validate

import (
	"fmt"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// said is what the usage rule notes of a message.
type said uint8

const (
	byModel said = iota + 1 // an assistant message
	bySome                  // any other message that is not a user's own
)

// prompt is a user's message: the key of its content.
type prompt uint64

// usageLook notes who wrote a message and which response a usage record is of.
type usageLook struct{}

func (usageLook) Look(v *lineView) any {
	if !v.OK() {
		return nil
	}
	switch {
	case v.Record.Type == parse.RecordTokenUsage:
		return v.Record.Fields().Text("response_id")
	case v.Record.Type == parse.RecordResponseItem && v.looked.Kind == parse.ItemMessage:
		it := v.Record.Item()
		switch {
		case it.IsMessage("assistant"):
			return byModel
		case history.ClassifyUser(it) == history.RealUser:
			return prompt(recordKey(it.Fields.Get("content")))
		}
		return bySome
	}
	return nil
}

// usage follows the turns: a response whose usage is recorded leaves items or a
// checkpoint, and a prompt is stored once.
type usage struct {
	open     *Looked // a usage record whose response has left nothing yet
	response string  // of the last usage record
	items    bool    // the model's items since that record
	prompt   prompt
	line     int    // of the prompt; 0 when something else came since
	key      uint64 // of that line
}

func (u *usage) Take(l *Looked, note any, out *sink) {
	switch l.Verdict {
	case accept.OK:
	case accept.Err:
		u.open, u.items = nil, true // what the response left may be in this line
		return
	default:
		return
	}
	switch l.Type {
	case parse.RecordTokenUsage:
		response, _ := note.(string)
		if response == u.response && response != "" {
			return // the same response again
		}
		u.settle(out)
		u.response = response
		if !u.items {
			u.open = &Looked{Number: l.Number, Offset: l.Offset, Ordinal: l.Ordinal, HasOrd: l.HasOrd, Key: l.Key}
		}
		u.items = false
	case parse.RecordCompacted:
		// Its usage stands before it, or may come yet.
		u.open, u.items, u.line = nil, u.open == nil, 0
	case parse.RecordEvent:
		u.event(l.Kind, out)
	case parse.RecordResponseItem:
		u.item(l, note, out)
	}
}

// event settles what a turn leaves when it ends. A turn that is cut off has no
// response to wait for.
func (u *usage) event(kind string, out *sink) {
	switch kind {
	case "task_complete", "turn_complete":
		u.settle(out)
		u.items, u.line = false, 0
	case "task_started", "turn_started", "turn_aborted", "thread_rolled_back":
		u.open, u.items, u.line = nil, false, 0
	}
}

func (u *usage) item(l *Looked, note any, out *sink) {
	p, isPrompt := note.(prompt)
	switch {
	case isPrompt:
		copied := u.key == l.Key && u.line == l.Number-1 // L011
		if u.line > 0 && p == u.prompt && !copied {
			out.At(l, "C033", "", fmt.Sprintf("the user message of line %d again, in the same turn", u.line))
			return
		}
		u.prompt, u.line, u.key = p, l.Number, l.Key
	case note == any(byModel), isModelItem(l.Kind):
		u.open, u.items, u.line = nil, true, 0
	}
}

// settle reports a usage record whose response has left nothing.
func (u *usage) settle(out *sink) {
	if u.open != nil {
		out.At(u.open, "C032", "/payload/response_id", fmt.Sprintf("response %q is accounted for, but neither an item of it nor a checkpoint is in the file", u.response))
	}
	u.open = nil
}

func (*usage) End(*fileView, *sink) {}

// isModelItem reports whether only a model's response holds items of this type
// (compaction.md 1.9 rule 2; messages are told by their role).
func isModelItem(typ string) bool {
	switch typ {
	case parse.ItemReasoning, parse.ItemFunctionCall, parse.ItemCustomToolCall, parse.ItemLocalShellCall, parse.ItemToolSearchCall,
		parse.ItemWebSearchCall, parse.ItemImageGenerationCall, parse.ItemCompaction, parse.ItemContextCompaction:
		return true
	}
	return false
}
