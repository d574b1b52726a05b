package compaction

import (
	"hash/maphash"
	"time"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// Brief is what a row means to a compaction of the newest generation, without the
// row's bytes. Rows of equal item bytes and equal client_authored have equal briefs.
type Brief struct {
	// Tokens is the newest estimate of the item (rule 25).
	Tokens int64
	// Words: a user's message or a hook's, no context and no local summary (rule 36).
	Words bool

	traits traits
	sum    uint64 // what rows are compared by, with compares
	cost   int64  // in tokens, by rule 37, images not charged
}

// Agent reports whether the row is an agent message.
func (b Brief) Agent() bool { return b.traits&traitAgent != 0 }

type traits uint8

const (
	traitCompares traits = 1 << iota // is compared when a checkpoint is held against the rules
	traitUnlike                      // never retained; its sum is not known
	traitRetained                    // rule 36 with the default switches
	traitMayStay                     // rule 36 with any switches
	traitNotice                      // an image resize notice (rule 28)
	traitDetached                    // a client's developer message: as a notice a group of its own (rule 35)
	traitSummary                     // a compaction item
	traitAgent                       // an agent message
)

// Briefer makes briefs that can be compared with each other.
type Briefer struct{ seed maphash.Seed }

// NewBriefer returns a briefer.
func NewBriefer() Briefer { return Briefer{maphash.MakeSeed()} }

// Brief looks at a row.
func (b Briefer) Brief(row history.Row) Brief {
	it := row.Item
	out := Brief{Tokens: tokens.Content.Item(it)}
	switch {
	case isCompactionItem(it):
		out.traits = traitSummary
		return out
	case !parse.KnownItem(it.Type):
		return out
	case it.Type == parse.ItemAgentMessage:
		out.traits = traitAgent
	case it.Type != parse.ItemMessage && !isClientOutput(row), it.IsMessage("assistant"):
		out.traits = traitUnlike
		return out
	}
	return b.conversation(row, out)
}

// conversation looks at what may be retained: messages and the outputs of clients.
func (b Briefer) conversation(row history.Row, out Brief) Brief {
	it := row.Item
	opt := Defaults()
	c := compactor{ledger: &ledger{est: opt.Estimator}, opt: opt}
	e := entry{row: row, changed: true} // changed: the ledger has no estimate
	if c.retains(e).keep {
		out.traits |= traitRetained
	}
	c.opt.RetainClientDeveloper, c.opt.RetainClientToolOutputs, c.opt.NoImageBudget = true, true, true
	if c.retains(e).keep {
		out.traits |= traitMayStay
	}
	if history.IsResizeNotice(it) {
		out.traits |= traitNotice
	}
	if isClientDeveloper(row) {
		out.traits |= traitDetached
	}
	s := spender{compactor: &c}
	out.cost = s.cost([]entry{e}, group{notice: noNotice}).source
	summed := IsLocalSummary(it)
	if !summed && !IsInjected(it) {
		out.traits |= traitCompares
		out.sum = essences(b.seed, []history.Row{row})[0].sum
	}
	switch history.ClassifyUser(it) {
	case history.RealUser, history.HookPrompt:
		out.Words = !summed
	}
	return out
}

// Total adds up the briefs of a history that is compacted. The zero Total is that of an
// empty history.
type Total struct {
	Tokens int64
	// Words counts user's messages and hook prompts.
	Words int

	kept   bundle
	source Brief // the row before, when a notice behind it belongs to it
	open   bool
}

// bundle is a list of rows that stay.
type bundle struct {
	sum, n uint64 // of what is compared, in its order
	cost   int64
}

// orderBase is the base of the polynomial that a bundle's sum is: the sums of the rows
// are its coefficients, so that their order counts. Any large odd number will do.
const orderBase = 0x9e3779b97f4a7c15

func (b *bundle) add(row Brief) {
	b.cost += row.cost
	if row.traits&traitCompares != 0 {
		b.sum = b.sum*orderBase + row.sum
		b.n++
	}
}

// Add takes the next row.
func (t *Total) Add(b Brief) {
	t.Tokens += b.Tokens
	if b.Words {
		t.Words++
	}
	t.add(b, traitRetained)
}

// add adds what is retained by rule 36, in the groups of rule 35.
func (t *Total) add(b Brief, test traits) {
	if t.open && b.traits&traitNotice != 0 {
		t.open = false
		owner := t.source
		if b.traits&traitDetached != 0 {
			owner = b
		}
		if owner.traits&test != 0 {
			t.kept.add(b)
		}
		return
	}
	t.source, t.open = b, true
	if b.traits&test != 0 {
		t.kept.add(b)
	}
}

// StoredTotal adds up the briefs of a stored checkpoint.
type StoredTotal struct {
	Tokens int64
	// Words counts user's messages and hook prompts.
	Words int

	rows, upTo   bundle // all rows; those up to the last compaction item
	costs        Total  // of what any switch could have retained
	costUpTo     int64
	summed, odd  bool // there is a compaction item; a row that no rule retains
	oddSinceUpTo bool
}

// Add takes the next row.
func (t *StoredTotal) Add(b Brief) {
	t.Tokens += b.Tokens
	if b.Words {
		t.Words++
	}
	t.rows.add(b)
	t.costs.add(b, traitMayStay)
	t.oddSinceUpTo = t.oddSinceUpTo || b.traits&traitUnlike != 0
	if b.traits&traitSummary != 0 {
		t.summed, t.upTo, t.costUpTo, t.odd = true, t.rows, t.costs.kept.cost, t.oddSinceUpTo
	}
}

// front is what stands up to the last compaction item: what was appended behind it came
// too late for the request (compaction.md 3.6 step 3d).
func (t *StoredTotal) front() (rows bundle, cost int64, odd bool) {
	if t.summed {
		return t.upTo, t.costUpTo, t.odd
	}
	return t.rows, t.costs.kept.cost, t.oddSinceUpTo
}

// RetainedCost is what RetainedCost is of the rows.
func (t *StoredTotal) RetainedCost() int64 {
	_, cost, _ := t.front()
	return cost
}

// KeepsAll reports that Recorded.KeepsAll holds of the rows, for a record of that date.
// When it is false, that is not known.
func KeepsAll(before Total, after StoredTotal, date time.Time) bool {
	rows, _, odd := after.front()
	newest := ProfileFor(date).since(retainsClientOutputs())
	return newest && !odd && rows.sum == before.kept.sum && rows.n == before.kept.n && before.kept.cost <= DefaultBudget
}
