package diff

import (
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// Side is one of the two payloads.
type Side struct {
	// Point says where the payload comes from: "compaction:1:before", "end", ...
	Point string
	// File is the name of its file, for the report's heading; it may be empty.
	File string
	// Instructions are the base instructions. They count as tokens of the payload
	// and stand before its first item.
	Instructions string
	// NoInstructions says that they are not known: they are not compared.
	NoInstructions bool
	// Rows are the input, normalised (rules 31 to 34).
	Rows []history.Row
	// Sent says that the rows are those of a captured request: they come from no line.
	Sent bool
	// Request is what the request carries besides; it is compared when both sides have
	// it. FromExchange and FromBody fill it.
	Request *Request
}

// Options of Compare. The zero value uses the newest estimator and compares all.
type Options struct {
	Estimator tokens.Estimator
	// IgnoreBookkeeping compares items without their id and passthrough, as Codex
	// itself does before it reuses a connection's prompt (compaction.md 6.5), and
	// requests without the members and headers that name session, turn and window.
	IgnoreBookkeeping bool
	// Explain, if set, is asked about every change and may replace its evident rule
	// and reason. It answers false to leave them.
	Explain func(Change) (rule int, reason string, ok bool)
}

// Op says what became of an item.
type Op string

// The operations.
const (
	Keep    Op = "keep"   // the same item, in the same order among the items kept
	Cut     Op = "cut"    // the same item with text or media taken out
	Drop    Op = "drop"   // only before
	Add     Op = "add"    // only after
	Altered Op = "change" // the same item with other content
	Move    Op = "move"   // the same item at another place among the items kept
)

// Result is the comparison of two payloads.
type Result struct {
	Before, After Summary
	// Changes are in the order of the after side; an item that is only before stands
	// where it was among its neighbours. Every item of either side is in exactly one.
	Changes []Change
	// Prefix is what both payloads start with: what a prompt cache can reuse. It is
	// empty when model, instructions or tools differ, which stand before the input.
	Prefix Prefix
	// InputPrefix is what both inputs start with, whatever stands before them.
	InputPrefix Prefix
	// SameInstructions is false when the instructions differ.
	SameInstructions bool
	// Instructions is how they differ, nil when they do not.
	Instructions *TextChange
	// Breaks are what keeps a prompt cache from reusing all of before (or, when it is
	// shorter, of after), in the order in which it stands in the way.
	Breaks []Break
	// Tools are nil when they were not compared.
	Tools *ToolsDiff
	// Members are what differs in the rest of the body, in the headers and in the path of
	// the address; pointers start with /body/ and /headers/, or are /path. A pointer goes
	// into objects that travel as text.
	Members []TextChange
	// NotCompared are pointers to what is known of one side only.
	NotCompared []string
	// Recorded says how a stored compaction fits the rules; nil for other comparisons.
	// The caller sets it.
	Recorded *Explanation
	// ByKind are the totals of each kind of item, in a fixed order.
	ByKind []KindTotal
}

// Equal reports whether nothing of what was compared differs: every item is kept, and
// instructions, tools, other members and headers are the same.
func (r Result) Equal() bool {
	if len(r.Members) > 0 || r.Tools != nil && len(r.Tools.Changes) > 0 {
		return false
	}
	for _, c := range r.Changes {
		if c.Op != Keep {
			return false
		}
	}
	return r.SameInstructions
}

// Summary are the totals of one side.
type Summary struct {
	Point, File string
	Items       int
	Tokens      int64 // instructions included
	Bytes       int64 // of the items as compact JSON
}

// Prefix is the longest common prefix of both inputs: what a prompt cache can reuse.
type Prefix struct {
	Items  int
	Bytes  int64 // of the items as compact JSON
	Tokens int64 // of the items, instructions not included
}

// KindTotal are the totals of one kind of item. See Kind for the names.
type KindTotal struct {
	Kind                      string
	ItemsBefore, ItemsAfter   int
	TokensBefore, TokensAfter int64
	BytesBefore, BytesAfter   int64
}

// Change says what became of one item.
type Change struct {
	Op            Op
	Before, After *Ref // nil when the item is not on that side
	// Rule is the number of the rule that decided, 0 when none is evident.
	Rule int
	// Reason is never empty.
	Reason                    string
	TokensBefore, TokensAfter int64
	// Kind is the item's kind: of the after side when it is there, see Kind.
	Kind string
}

// Ref is an item of one side.
type Ref struct {
	Index int // in the input, from 0
	Line  int // 1-based physical line; 0 for an item that normalisation inserted
	Item  parse.Item
}
