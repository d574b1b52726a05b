package validate

import (
	"fmt"
	"sort"
	"strings"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// mark is what checkpointLook notes of a line.
type mark uint8

const (
	beginsElsewhere mark = iota + 1 // a session_meta whose history starts in another thread or file
	resumes                         // a checkpoint with resume_metadata
	byAssistant                     // an assistant message
)

// checkpointLook looks at the items of a checkpoint.
type checkpointLook struct{}

func (checkpointLook) Look(v *lineView) any {
	if !v.OK() {
		return nil
	}
	switch v.Record.Type {
	case parse.RecordCompacted:
		s, ok := v.stored()
		if !ok {
			return nil
		}
		s.check(func(code string, index int, message string) {
			pointer := historyPointer
			if index >= 0 {
				pointer = fmt.Sprintf("%s/%d", pointer, s.items[index].index)
			}
			v.Add(code, pointer, message)
		})
		if !s.fields.Get("resume_metadata").Missing() {
			return resumes
		}
	case parse.RecordSessionMeta:
		meta := v.Record.Fields()
		if !meta.Get("history_base").Missing() || !meta.Get("forked_from_id").Missing() {
			return beginsElsewhere
		}
	case parse.RecordResponseItem:
		switch v.looked.Kind {
		case parse.ItemCompactionTrigger:
			v.Add("C004", "/payload/type", "compaction_trigger stored as a record")
		case parse.ItemMessage:
			if v.Record.Fields().Word("role") == "assistant" {
				return byAssistant
			}
		}
	}
	return nil
}

// transcript watches what stands before the first checkpoint and behind each.
type transcript struct {
	begun bool
	bare  *Looked // a checkpoint with no turn_context behind it yet
}

func (t *transcript) Take(l *Looked, note any, out *sink) {
	if l.Verdict != accept.OK {
		return
	}
	switch {
	case l.Type == parse.RecordSessionMeta:
		t.begun = t.begun || note == any(beginsElsewhere)
		return
	case l.Type == parse.RecordCompacted:
		if !t.begun {
			out.At(l, "C030", "", "the first record behind the session_meta is a compaction: what it replaced is not in the file")
		}
		if t.bare = nil; note == any(resumes) {
			t.bare = &Looked{Number: l.Number, Offset: l.Offset, Ordinal: l.Ordinal, HasOrd: l.HasOrd, Key: l.Key}
		}
	case l.Type == parse.RecordTurnContext:
		t.bare = nil
	case t.bare != nil && l.Type == parse.RecordResponseItem && (note == any(byAssistant) || isModelItem(l.Kind)):
		out.At(t.bare, "C034", "", fmt.Sprintf("the model goes on in line %d without a turn_context since this checkpoint", l.Number))
		t.bare = nil
	}
	t.begun = true
}

func (*transcript) End(*fileView, *sink) {}

// reporter takes a finding about item index of a checkpoint, -1 for the whole list.
type reporter func(code string, index int, message string)

// check looks at what a checkpoint holds, without the history that it replaced.
func (s *stored) check(report reporter) {
	if len(s.items) == 0 {
		report("C010", -1, "replacement_history is empty: the session goes on from nothing")
		return
	}
	s.checkKinds(report)
	s.checkIDs(report)
	s.checkNotices(report)
	s.checkContext(report)
	s.checkSummary(report)
}

// checkKinds looks for items that no compaction leaves (compaction.md 3.1, 3.6).
func (s *stored) checkKinds(report reporter) {
	v1 := s.mayBeV1()
	var left, said counted
	last, several := -1, 0
	for i, it := range s.items {
		switch {
		case it.typ == parse.ItemCompactionTrigger:
			report("C003", i, "compaction_trigger inside a checkpoint")
		case it.isCompaction():
			if several++; several == 2 && !v1 {
				report("C001", i, fmt.Sprintf("%d compaction items, expected exactly one", s.compactions()))
			}
			last = i
		case v1:
		case it.isLeftover():
			left.add(i, it.typ)
		case it.isMessage("assistant"), it.isMessage("system"):
			said.add(i, it.role+" message")
		}
	}
	if left.total > 0 {
		report("C007", left.first, "left over in a checkpoint: "+left.String())
	}
	if said.total > 0 {
		report("C008", said.first, "not retained by a compaction: "+said.String())
	}
	if last < 0 || v1 {
		return
	}
	for i := last + 1; i < len(s.items); i++ {
		if it := s.items[i]; !it.isMessage("user") && it.typ != parse.ItemCompactionTrigger {
			report("C002", i, parse.ItemLabel(it.view())+" behind the compaction item")
			return
		}
	}
}

func (s *stored) compactions() int {
	n := 0
	for _, it := range s.items {
		if it.isCompaction() {
			n++
		}
	}
	return n
}

// isLeftover reports whether an item belongs to a turn that the checkpoint replaced:
// reasoning, a call, or an output that no client asked to retain.
func (f *itemFacts) isLeftover() bool {
	switch f.typ {
	case parse.ItemReasoning, parse.ItemFunctionCall, parse.ItemCustomToolCall, parse.ItemLocalShellCall,
		parse.ItemToolSearchCall, parse.ItemWebSearchCall, parse.ItemImageGenerationCall,
		parse.ItemCustomToolOutput, parse.ItemToolSearchOutput:
		return true
	case parse.ItemFunctionOutput:
		return !f.is(traitClientOutput)
	}
	return false
}

// checkIDs looks at the ids of the items (compaction.md 3.6 rule 1).
func (s *stored) checkIDs(report reporter) {
	seen := make(map[string]int, len(s.items))
	var none counted
	able := 0
	for i, it := range s.items {
		if !hasID(it.typ) {
			continue
		}
		able++
		id := it.id
		if id == "" {
			none.add(i, it.typ)
			continue
		}
		if first, twice := seen[id]; twice {
			report("C005", i, fmt.Sprintf("id %q is that of item %d too", id, s.items[first].index))
			continue
		}
		seen[id] = i
	}
	if none.total > 0 && s.givesIDs() {
		report("C006", none.first, fmt.Sprintf("%d of %d items have no id", none.total, able))
	}
}

// givesIDs reports whether the writer was of a generation that gave ids: its window
// ids are strings (generation C2c).
func (s *stored) givesIDs() bool {
	_, own := s.fields.Get("window_id").Text()
	_, first := s.fields.Get("first_window_id").Text()
	return own || first
}

// checkNotices looks for resize notices away from what was resized (rule 28).
func (s *stored) checkNotices(report reporter) {
	for i, it := range s.items {
		if !it.is(traitNotice) || it.is(traitClients) {
			continue
		}
		if i == 0 {
			report("C009", i, "image resize notice with nothing in front of it")
			continue
		}
		prev := s.items[i-1]
		switch {
		case prev.brief.Words, prev.typ == parse.ItemAgentMessage, prev.is(traitToolOutput), prev.isMessage("developer") && prev.is(traitClients):
		default:
			report("C009", i, "image resize notice behind "+labelOf(prev.view())+", which is not what was resized")
		}
	}
}

// labelOf names an item for a message.
func labelOf(it parse.Item) string {
	switch {
	case history.IsResizeNotice(it):
		return "another notice"
	case compaction.IsInjected(it):
		return "context"
	}
	return parse.ItemLabel(it)
}

// checkContext looks for the same context twice.
func (s *stored) checkContext(report reporter) {
	seen := map[uint64]int{}
	var again counted
	firstOf := 0
	for i, it := range s.items {
		if it.injected == 0 {
			continue
		}
		if first, twice := seen[it.injected]; twice {
			if again.total == 0 {
				firstOf = s.items[first].index
			}
			again.add(i, it.role+" message")
			continue
		}
		seen[it.injected] = i
	}
	if again.total > 0 {
		report("C013", again.first, fmt.Sprintf("context repeated: %s, the first equal to item %d", again.String(), firstOf))
	}
}

// checkSummary looks at whether anything of the conversation is left.
func (s *stored) checkSummary(report reporter) {
	if s.hasSummary() {
		return
	}
	for _, it := range s.items {
		if it.brief.Words || it.typ == parse.ItemAgentMessage || it.isMessage("assistant") || it.is(traitClientOutput) {
			if !s.mayBeV1() {
				report("C012", -1, "no compaction item and no summary: what the model and its tools said is gone")
			}
			return
		}
	}
	report("C011", -1, fmt.Sprintf("only instructions and context (%d items): no summary, no message of a user or agent", len(s.items)))
}

// counted counts things by name and keeps the place of the first.
type counted struct {
	first, total int
	names        map[string]int
}

func (c *counted) add(index int, name string) {
	if c.total == 0 {
		c.first, c.names = index, map[string]int{}
	}
	c.total++
	c.names[name]++
}

// String lists the names with their counts, in order of the names.
func (c *counted) String() string {
	var parts []string
	for name, n := range c.names {
		parts = append(parts, fmt.Sprintf("%d %s", n, name))
	}
	sort.Slice(parts, func(i, j int) bool { return nameOf(parts[i]) < nameOf(parts[j]) })
	return strings.Join(parts, ", ")
}

func nameOf(part string) string {
	_, name, _ := strings.Cut(part, " ")
	return name
}
