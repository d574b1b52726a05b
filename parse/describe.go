package parse

import (
	"fmt"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// KindLabel names what a record is in a few words: "message/user",
// "function_call", "event/task_started", "compacted".
func (r *Record) KindLabel() string {
	switch r.Type {
	case RecordResponseItem:
		return ItemLabel(r.Item())
	case RecordEvent:
		return "event/" + r.Fields().Text("type")
	case RecordRetainedContext, RecordRealtimeItem:
		return r.Type + "/" + r.Fields().Text("type")
	}
	return r.Type
}

// ItemLabel names an item: its type, and the role of a message.
func ItemLabel(it Item) string {
	if it.Type == ItemMessage {
		return "message/" + it.Role()
	}
	if it.Type == "" {
		return "(no type)"
	}
	return it.Type
}

// eventTexts are the members of an event that say the most about it, best first.
var eventTexts = []string{"message", "text", "last_agent_message", "reason", "query", "turn_id"}

// Describe is what a record holds, as one text; each text in it is cut to about limit
// bytes, 0 for whole texts. White space is as stored.
func (r *Record) Describe(limit int) string {
	f, p := r.Fields(), previewer(limit)
	switch r.Type {
	case RecordResponseItem:
		return p.item(r.Item())
	case RecordEvent:
		return r.describeEvent(f, p)
	case RecordSessionMeta:
		return joinWords(f.Text("id"), f.Text("cwd"), labelled("codex", f.Text("cli_version")), f.Text("history_mode"))
	case RecordTurnContext:
		return joinWords(f.Text("model"), f.Text("effort"), f.Text("cwd"))
	case RecordCompacted:
		return describeCompacted(f, p)
	case RecordInterAgent:
		return joinWords(f.Text("author"), "->", f.Text("recipient"), p.text(f.Get("content")))
	case RecordTokenUsage:
		usage, _ := jsonraw.ParseObject(f.Get("usage"))
		return joinWords("total", string(usage.Get("total_tokens")), "tokens")
	case RecordRealtimeItem:
		return p.text(f.Get("text"))
	}
	return ""
}

func (r *Record) describeEvent(f jsonraw.Object, p previewer) string {
	switch f.Text("type") {
	case "token_count":
		info, _ := jsonraw.ParseObject(f.Get("info"))
		last, _ := jsonraw.ParseObject(info.Get("last_token_usage"))
		if n := last.Get("total_tokens"); n != nil {
			return "last request " + string(n) + " tokens"
		}
		return ""
	case "thread_rolled_back":
		return "turns undone: " + string(f.Get("num_turns"))
	case "item_completed":
		item, _ := jsonraw.ParseObject(f.Get("item"))
		return item.Text("type")
	}
	for _, name := range eventTexts {
		if s := p.text(f.Get(name)); s != "" {
			return s
		}
	}
	return ""
}

func describeCompacted(f jsonraw.Object, p previewer) string {
	history := f.Get("replacement_history")
	if history.Missing() {
		return joinWords("local summary:", p.text(f.Get("message")))
	}
	items, _ := jsonraw.SplitArray(history)
	what := fmt.Sprintf("%d items", len(items))
	if f.Get("replacement_history_metadata").Missing() {
		what += ", no sidecar"
	}
	if n := f.Get("window_number"); n.Kind() == jsonraw.KindNumber {
		what += ", window " + string(n)
	}
	return what
}

func labelled(label, s string) string {
	if s == "" {
		return ""
	}
	return label + " " + s
}

func joinWords(words ...string) string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}
