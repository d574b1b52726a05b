package compaction

import (
	"fmt"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// Action is what happened to an item in the end.
type Action string

// The actions.
const (
	Kept      Action = "kept"      // whole
	Cut       Action = "cut"       // shortened to fit the budget
	Dropped   Action = "dropped"   // not in the result
	Added     Action = "added"     // not in the input
	Rewritten Action = "rewritten" // kept with another content
)

// Decision says what became of one item and which rule decided it.
type Decision struct {
	// Index is the item's place in the input rows, -1 for one that was added.
	Index int
	// Line is the 1-based physical line of the item, 0 for none.
	Line int
	// OutputIndex is the item's place in the resulting rows, -1 when it is not there.
	OutputIndex int
	// Kind names the item for a reader: a message by who wrote it ("user message",
	// "resize notice"), any other item by its type.
	Kind   string
	Action Action
	// Rule is the number in rules.md of the rule that decided.
	Rule   int
	Reason string
	// TokensBefore and TokensAfter are the item's estimate in the input and in the
	// result, 0 where it is absent.
	TokensBefore, TokensAfter int64
}

// entry is an item on its way through the rules.
type entry struct {
	row     history.Row
	track   int    // its place in the ledger
	changed bool   // its item is no longer that of the input
	anew    string // what rule 34 changed
}

func rowsOf(entries []entry) []history.Row {
	rows := make([]history.Row, len(entries))
	for i, e := range entries {
		rows[i] = e.row
	}
	return rows
}

// track is what is known about one item.
type track struct {
	Decision
	after int    // for an added item: the input index that it follows
	prior string // what an earlier rule had done to the item, to go behind the reason
}

// ledger records what happens to every item. The first tracks are those of the
// input rows, in order.
type ledger struct {
	est    tokens.Estimator
	tracks []track
	inputs int
	steps  []step
}

// usualSteps is how many rules most items meet.
const usualSteps = 3

// open starts a ledger with the input rows.
func open(rows []history.Row, est tokens.Estimator) (*ledger, []entry) {
	l := &ledger{est: est, tracks: make([]track, len(rows)), inputs: len(rows)}
	l.steps = make([]step, 0, usualSteps*len(rows))
	entries := make([]entry, len(rows))
	for i, r := range rows {
		l.tracks[i].Decision = Decision{
			Index: i, Line: r.Line, OutputIndex: -1, Kind: kindOf(r), Action: Kept, TokensBefore: est.Item(r.Item),
		}
		entries[i] = entry{row: r, track: i}
	}
	return l, entries
}

// add records an item that is not in the input; it is listed behind the input row
// after, the ones behind the same row in the order of the calls.
func (l *ledger) add(r history.Row, after, rule int, reason string) entry {
	l.tracks = append(l.tracks, track{after: after, Decision: Decision{
		Index: -1, Line: r.Line, OutputIndex: -1, Kind: kindOf(r), Action: Added, Rule: rule, Reason: reason,
	}})
	return entry{row: r, track: len(l.tracks) - 1, changed: true}
}

// decide sets the outcome of an item; the last call counts. What was added or
// trimmed before is told with it.
func (l *ledger) decide(e entry, a Action, rule int, reason string) {
	t := &l.tracks[e.track]
	if t.Action == Added || t.Action == Rewritten && t.Rule == 29 {
		t.prior = fmt.Sprintf("; before: %s (rule %d)", t.Reason, t.Rule)
	}
	t.Action, t.Rule, t.Reason = a, rule, reason
}

// before is the estimate of the item when it came in, in tokens.
func (l *ledger) before(e entry) int64 { return l.tracks[e.track].TokensBefore }

// tokens is the estimate of the item as it is now.
func (l *ledger) tokens(e entry) int64 {
	if e.changed {
		return l.est.Item(e.row.Item)
	}
	return l.before(e)
}

// close fills in where the items of the result stand and lists the decisions: the
// input in order, each added item behind the one it follows.
func (l *ledger) close(result []entry) ([]history.Row, []Decision) {
	for i, e := range result {
		t := &l.tracks[e.track]
		t.OutputIndex, t.TokensAfter = i, l.tokens(e)
	}
	for i := range l.tracks {
		l.tracks[i].Reason += l.tracks[i].prior
	}
	out := make([]Decision, 0, len(l.tracks))
	added := l.tracks[l.inputs:]
	for i := range l.tracks[:l.inputs] {
		out = append(out, l.tracks[i].Decision)
		for len(added) > 0 && added[0].after <= i {
			out, added = append(out, added[0].Decision), added[1:]
		}
	}
	for _, t := range added {
		out = append(out, t.Decision)
	}
	return rowsOf(result), out
}

// kindOf names an item for a reader.
func kindOf(r history.Row) string {
	if r.Item.Type != parse.ItemMessage {
		return r.Item.Type
	}
	switch role := r.Item.Role(); {
	case role == "user":
		switch history.ClassifyUser(r.Item) {
		case history.HookPrompt:
			return "hook prompt"
		case history.Contextual:
			return "context message"
		}
		return "user message"
	case isClientDeveloper(r):
		return "client developer message"
	case history.IsResizeNotice(r.Item):
		return "resize notice"
	default:
		return role + " message"
	}
}
