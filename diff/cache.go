package diff

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/internal/textfmt"
	"github.com/rollout-tool/rollout-tool/parse"
)

// Break is something that keeps a prompt cache from reusing what stands behind it.
type Break struct {
	// Part is model, prompt_cache_key, instructions, tools or input.
	Part string
	// Pointer is the JSON pointer to it in the request after, where it is there, else in
	// the one before: /body/model, /body/tools/3, /body/input/12.
	Pointer string
	// Detail says in words what differs, and where.
	Detail string
}

// compareRequests compares what stands around the two inputs.
func (r *Result) compareRequests(before, after Side, opt Options) {
	known := !before.NoInstructions && !after.NoInstructions
	r.SameInstructions = !known || before.Instructions == after.Instructions
	if !r.SameInstructions {
		t := textChange("/body/instructions", jsonraw.Quote(before.Instructions), jsonraw.Quote(after.Instructions))
		r.Instructions = &t
	}
	b, a := before.Request, after.Request
	if b == nil || a == nil {
		return
	}
	d := requestDiff{before: b, after: a, ignore: opt.IgnoreBookkeeping}
	if before.NoInstructions != after.NoInstructions {
		d.skip("/body/instructions")
	}
	switch {
	case b.Tools == nil && a.Tools == nil:
	case b.Rebuilt != a.Rebuilt, b.Tools == nil && b.lacks(true) && !b.Rebuilt, a.Tools == nil && a.lacks(true) && !a.Rebuilt:
		d.skip("/body/tools")
	default:
		r.Tools = compareTools(b.Tools, a.Tools)
	}
	d.members()
	r.Members = d.changes
	if !b.Rebuilt || !a.Rebuilt { // of two rollouts the same things are unknown
		r.NotCompared = d.skipped
	}
}

// breaks lists what breaks the prompt cache, and with it what is left of the prefix. The
// parts are those that Codex keeps the same from request to request (compaction.md 6.5).
func (r *Result) breaks(c *comparison) {
	whole := true // nothing before the input differs
	for _, name := range [...]string{"model", cacheKey} {
		for _, m := range r.Members {
			if m.Pointer == "/body/"+name {
				r.Breaks = append(r.Breaks, Break{name, m.Pointer, spell(m.Before) + " -> " + spell(m.After)})
				whole = whole && name != "model"
			}
		}
	}
	if r.Instructions != nil {
		whole = false
		r.Breaks = append(r.Breaks, Break{"instructions", r.Instructions.Pointer, instructionsDetail(r.Instructions)})
	}
	if r.Tools != nil && r.Tools.First != "" {
		whole = false
		r.Breaks = append(r.Breaks, Break{"tools", r.Tools.First, r.Tools.Words() + "; from " + pointerName(r.Tools.First) + " (" + r.Tools.FirstName + ") on"})
	}
	if k := r.InputPrefix.Items; k < len(c.before) && k < len(c.after) {
		r.Breaks = append(r.Breaks, Break{"input", "/body/input/" + strconv.Itoa(k), r.inputDetail(c, k)})
	}
	if whole {
		r.Prefix = r.InputPrefix
	}
}

func pointerName(pointer string) string { return strings.TrimPrefix(pointer, "/body/") }

// spell is a value in a few words.
func spell(v jsonraw.Value) string {
	if v == nil {
		return "none"
	}
	const limit = 60
	return textfmt.Line(string(v), limit)
}

func instructionsDetail(t *TextChange) string {
	b, a := string(t.Before.Unquoted()), string(t.After.Unquoted())
	return textfmt.Count(int64(len(b)), "byte") + " -> " + textfmt.Count(int64(len(a)), "byte") +
		"; the same up to byte " + textfmt.Thousands(int64(commonPrefix(b, a)))
}

// inputDetail says what stands at the first place where the inputs differ.
func (r *Result) inputDetail(c *comparison, k int) string {
	for _, ch := range r.Changes {
		if ch.Before != nil && ch.After != nil && ch.Before.Index == k && ch.After.Index == k {
			return fmt.Sprintf("item #%d, %s: %s", k, describe(c.before[k]), ch.Reason)
		}
	}
	return fmt.Sprintf("item #%d is %s before, %s after", k, describe(c.before[k]), describe(c.after[k]))
}

// describe is an item in a few words: message/user "go on" (line 12).
func describe(e entry) string {
	const limit = 32
	s := e.kind
	if p := textfmt.Line(parse.Preview(e.row.Item, 4*limit), limit); p != "" {
		s += ` "` + p + `"`
	}
	if e.row.Line > 0 {
		s += fmt.Sprintf(" (line %d)", e.row.Line)
	}
	return s
}

// Words counts the changes: "1 added, 2 moved".
func (d *ToolsDiff) Words() string {
	var out []string
	for _, w := range toolWords {
		n := 0
		for _, ch := range d.Changes {
			if ch.Op == w.op {
				n++
			}
		}
		if n > 0 {
			out = append(out, textfmt.Thousands(int64(n))+" "+w.word)
		}
	}
	if out == nil {
		return "the same"
	}
	return strings.Join(out, ", ")
}

// toolWords are the operations on tools in the order of reports.
var toolWords = [...]struct {
	op   Op
	word string
}{{Add, "added"}, {Drop, "removed"}, {Altered, "changed"}, {Move, "moved"}}
