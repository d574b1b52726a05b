package history

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

const (
	// legacyBudget is what a local compaction keeps of the user's messages, in
	// tokens (rule 23).
	legacyBudget = 20_000
	// noSummary stands for an empty message of a local compaction (rule 23).
	noSummary = "(no summary available)"
	// summaryKind is the kind of its text part (rule 23; U2 of the reference).
	summaryKind = "compaction.summary"
	// legacyTextKind replaces the kinds of a message that was flattened (rule 23).
	legacyTextKind = "user.text"
)

// LegacyRebuild is the history after a compaction without replacement history
// (rule 23): the newest real user messages within 20,000 tokens and the summary.
// line is that of the compacted record, message its text.
func LegacyRebuild(rows []Row, message string, line int) []Row {
	var kept []Row
	left := int64(legacyBudget)
	for i := len(rows) - 1; i >= 0 && left > 0; i-- {
		row := rows[i]
		if ClassifyUser(row.Item) != RealUser {
			continue
		}
		text, plain := UserText(row.Item)
		if IsSummary(text) {
			continue
		}
		row.Line = line
		if cost := tokens.Text(text); cost <= left {
			left -= cost
			row.Item = legacyMessage(row.Item, text, plain)
		} else {
			row.Item = legacyMessage(row.Item, tokens.TruncateTokens(text, uint64(left)), false)
			row.Meta = MarkIncomplete(row.Meta)
			left = 0
		}
		kept = append(kept, row)
	}
	out := make([]Row, 0, len(kept)+1)
	for i := len(kept) - 1; i >= 0; i-- {
		out = append(out, kept[i])
	}
	return append(out, Row{Line: line, Item: summaryMessage(message)})
}

// legacyMessage rebuilds a user message: type, id, role, content, passthrough; the
// phase is not kept. Its parts stay only when keepParts holds.
func legacyMessage(it parse.Item, text string, keepParts bool) parse.Item {
	content, pass := it.Fields.Get("content"), it.Fields.Get(parse.PassthroughKey)
	if !keepParts {
		content = jsonraw.Array([]jsonraw.Value{TextPart(text).Raw})
		if p := it.Passthrough(); p.Raw != nil {
			if _, ok := p.ContentItemKinds(); ok {
				pass = p.Fields.Set("content_item_kinds", jsonraw.Array([]jsonraw.Value{jsonraw.Quote(legacyTextKind)}))
			}
		}
	}
	return mustView(jsonraw.Build(
		jsonraw.Pair{Name: "type", Value: it.Fields.Get("type")},
		jsonraw.Pair{Name: "id", Value: it.Fields.Get("id")},
		jsonraw.Pair{Name: "role", Value: it.Fields.Get("role")},
		jsonraw.Pair{Name: "content", Value: content},
		jsonraw.Pair{Name: parse.PassthroughKey, Value: pass},
	))
}

func summaryMessage(message string) parse.Item {
	if message == "" {
		message = noSummary
	}
	return mustView(jsonraw.Build(
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.ItemMessage)},
		jsonraw.Pair{Name: "role", Value: jsonraw.Quote("user")},
		jsonraw.Pair{Name: "content", Value: jsonraw.Array([]jsonraw.Value{TextPart(message).Raw})},
		jsonraw.Pair{Name: parse.PassthroughKey, Value: jsonraw.Build(jsonraw.Pair{
			Name: "content_item_kinds", Value: jsonraw.Array([]jsonraw.Value{jsonraw.Quote(summaryKind)})})},
	))
}

// mustView views an item that this package has built itself.
func mustView(raw jsonraw.Value) parse.Item {
	it, _ := parse.ViewItem(raw)
	return it
}

// UserText joins the input_text parts of a user message, labels around media left
// out (compaction.md 4.3 rule 3); allText says that it has no other parts.
func UserText(it parse.Item) (text string, allText bool) {
	parts := it.Content()
	allText = true
	var b strings.Builder
	for i, p := range parts {
		if p.Type != parse.PartInputText {
			allText = false
			continue
		}
		t := p.Text()
		if isMediaLabel(parts, i, t) {
			continue
		}
		b.WriteString(t)
	}
	return b.String(), allText
}

// isMediaLabel reports whether part i is the open or close tag of an image or
// audio part beside it.
func isMediaLabel(parts []parse.Part, i int, text string) bool {
	is := func(j int, typ string) bool { return j >= 0 && j < len(parts) && parts[j].Type == typ }
	return is(i+1, parse.PartInputImage) && IsImageOpenTag(text) ||
		is(i-1, parse.PartInputImage) && text == "</image>" ||
		is(i+1, parse.PartInputAudio) && isOpenTag(text, "audio") ||
		is(i-1, parse.PartInputAudio) && text == "</audio>"
}

// IsImageOpenTag matches <image> and <image name=...>.
func IsImageOpenTag(text string) bool { return isOpenTag(text, "image") }

func isOpenTag(text, name string) bool {
	return text == "<"+name+">" || strings.HasPrefix(text, "<"+name+" name=") && strings.HasSuffix(text, ">")
}

// MarkIncomplete sets `complete` to false in a sidecar's retained_source and in
// each of its guardian_sources (rules 23, 42). A missing sidecar stays missing.
func MarkIncomplete(s parse.Sidecar) parse.Sidecar {
	if src := s.Fields.Get("retained_source"); src.Kind() == jsonraw.KindObject {
		s = parse.ViewSidecar(s.Fields.Set("retained_source", incomplete(src)))
	}
	if list := s.Fields.Get("guardian_sources"); list.Kind() == jsonraw.KindArray {
		elems, err := jsonraw.Elements(list)
		if err == nil && len(elems) > 0 {
			for i, e := range elems {
				elems[i] = incomplete(e)
			}
			s = parse.ViewSidecar(s.Fields.Set("guardian_sources", jsonraw.Array(elems)))
		}
	}
	return s
}

func incomplete(source jsonraw.Value) jsonraw.Value {
	o, err := jsonraw.ParseObject(source)
	if err != nil {
		return source
	}
	return o.Set("complete", jsonraw.Bool(false))
}
