package validate

import (
	"fmt"
	"io"
	"slices"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/internal/pipeline"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

const (
	// smallHistory is the estimate, in tokens, below which nobody expects a compaction
	// to save anything.
	smallHistory = 1_000
	// hardly is the part of a history, in percent, that a compaction has to take off.
	hardly = 5
	// largeRecord is the length in bytes of a record from which on no second history is
	// replayed while one is compared: each holds a checkpoint or two.
	largeRecord = 1 << 20
	// markerSlack is what the markers of a cut can put on top of the budget, in tokens
	// (rule 27: at most 28 bytes a marker, one text cut).
	markerSlack = 16
)

// retention replays to each compaction once and compares, but for those that are sound by
// what live has summed up. It reads forward only: a replay starts at the checkpoint
// before. The next replay goes on while one comparison is at work.
type retention struct{ live *live }

func (t retention) Check(f *fileView, out *sink) error {
	r := f.Rollout
	if r == nil || r.Compactions() == 0 {
		return nil
	}
	walk, memo, known := r.Walk(), newFactMemo(), prices{}
	bases := basesOf(r)
	room := make(chan struct{}, 2) // histories in memory
	if r.Longest() > largeRecord {
		room = make(chan struct{}, 1)
	}
	var loop loop
	// lost is the last compaction from which on the history is not what it was: records in
	// front of it were taken out.
	k, lost := 0, 0
	err := pipeline.Ordered(1,
		func() (*compacted, error) {
			if k == r.Compactions() {
				return nil, io.EOF
			}
			k++
			emptied, gap := t.live.lost(r, k)
			if emptied || gap {
				lost = k
			}
			if emptied {
				return &compacted{}, nil // what it held is gone
			}
			if sound, ok := t.live.sound(r, k, bases); ok {
				return &compacted{step: sound}, nil
			}
			if lost > bases[k-1] {
				walk = nil
			} else if walk == nil {
				walk = r.Walk()
			}
			room <- struct{}{}
			return replayTo(r, walk, memo, k, bases[k])
		},
		func(_ int, c *compacted) *compacted {
			if c.rec == nil {
				return c // known to be sound
			}
			defer func() { <-room }()
			c.rejected, c.prices = f.File.Rejected, known
			c.check()
			return &compacted{findings: c.findings, step: c.step} // without the items
		},
		func(c *compacted) error {
			for _, found := range c.findings {
				out.emit(found)
			}
			loop.take(c.step, out)
			return nil
		})
	if err != io.EOF {
		return err
	}
	loop.end(out)
	return nil
}

// basesOf lists the compactions, from 1, that replays start from: to just before the
// first compaction, to just before each next one, and to the end; 0 for none of the file.
func basesOf(r *history.Rollout) []int {
	bases := make([]int, r.Compactions()+1)
	for k := range bases {
		until := r.Lines()
		if k < r.Compactions() {
			until = r.CompactionLine(k+1) - 1
		}
		bases[k] = r.BaseOf(until)
	}
	return bases
}

// lost reports whether a rewrite has taken the history of compaction k out, or records
// that it replaced.
func (h *live) lost(r *history.Rollout, k int) (emptied, gap bool) {
	if len(h.found) != r.Compactions() {
		return false, false
	}
	return h.found[k-1].emptied, h.found[k-1].gap
}

// sound is what is known of compaction k without a replay; false when a replay is needed.
func (h *live) sound(r *history.Rollout, k int, bases []int) (step, bool) {
	if len(h.found) != r.Compactions() || !h.found[k-1].sound {
		return step{}, false
	}
	whole := k > 1 || !r.HasAncestors() && r.BaseError() == nil
	return h.found[k-1].step, whole && bases[k-1] == k-1 && bases[k] == k
}

// compacted is one compaction with the history that it replaced.
type compacted struct {
	before   history.State
	baseless bool // the file that history_base names could not be read
	last     int  // line of the compaction before, 0 for none
	rec      *parse.Record
	stored   *stored
	remote   bool // there is a replacement history
	ignored  bool // a resume does not start from it, although no newer one took its place
	after    []history.Row

	rejected []int
	prices   prices
	findings []Finding
	step     step
}

// replayTo replays to compaction k; without a walk the history that it replaced is not
// known. Whether it is ignored is told by what a replay to the next one, or to the end,
// starts from (rules 11 to 14).
func replayTo(r *history.Rollout, walk *history.Walk, memo *factMemo, k, next int) (*compacted, error) {
	var before history.State
	if walk != nil { // else what is there is not what it replaced
		var err error
		if before, err = walk.Before(k); err != nil {
			return nil, err
		}
	}
	rec, err := r.CompactionRecord(k)
	if err != nil {
		return nil, err
	}
	c := &compacted{before: before, baseless: r.BaseError() != nil, last: r.CompactionLine(k - 1), rec: &rec}
	c.stored, c.remote = viewStored(&rec, memo)
	c.ignored = c.remote && next != k
	return c, nil
}

const historyPointer = "/payload/replacement_history"

func (c *compacted) finding(code, pointer, message string) Finding {
	f := Finding{
		Code: code, Message: message, Pointer: pointer, Line: c.rec.Number, Offset: c.rec.Offset, Key: recordKey(c.rec.Bytes),
	}
	if pointer != "" {
		off, _, _ := jsonraw.Locate(c.rec.Bytes, pointer)
		f.Offset += int64(off)
	}
	f.Ordinal, f.HasOrdinal = c.rec.Ordinal()
	return f
}

func (c *compacted) report(code, pointer, message string) {
	c.findings = append(c.findings, c.finding(code, pointer, message))
}

func (c *compacted) check() {
	if !c.remote {
		c.after = history.LegacyRebuild(c.before.Rows, c.stored.fields.Text("message"), c.rec.Number)
		c.checkSize()
		return
	}
	c.after = rowsOf(c.stored.items, c.rec.Number)
	if c.ignored {
		c.report("C031", "", "the turn of this compaction was rolled back: on resume the checkpoint is ignored")
	}
	if odd := c.checkBudget(); !odd {
		c.checkRetention()
	}
	c.checkSize()
}

// checkBudget compares the cost of what was retained with the budget (rule 37). It
// reports whether the checkpoint is not to be compared with the rules any more.
func (c *compacted) checkBudget() bool {
	if c.stored.free() {
		return false
	}
	cost := compaction.RetainedCost(c.after)
	if cost > compaction.DefaultBudget+markerSlack {
		for _, r := range c.after {
			cost -= history.RemovedImageTokens(r.Item) // images were not charged
		}
	}
	if cost <= compaction.DefaultBudget+markerSlack {
		return false
	}
	c.report("C024", historyPointer, fmt.Sprintf("the retained items cost %d tokens, images not counted; the budget is %d", cost, compaction.DefaultBudget))
	return true
}

// losesWords reports whether users' messages were there, none is kept, and the rules
// would have kept one.
func (c *compacted) losesWords() bool {
	if countWords(c.before.Rows) == 0 || countWords(c.after) > 0 {
		return false
	}
	plan := compaction.Compact(c.before.Rows, compaction.Defaults())
	return countWords(plan.Items) > 0
}

func countWords(rows []history.Row) int {
	n := 0
	for _, r := range rows {
		if isWords(r.Item) {
			n++
		}
	}
	return n
}

// checkSize compares the estimates of the history before and after.
func (c *compacted) checkSize() {
	before, after := c.prices.estimate(c.before.Rows), c.prices.estimate(c.after)
	c.step = newStep(c.rec.Number, before, after, c.wordsSince(), func(code, message string) Finding {
		return c.finding(code, "", message)
	})
	if !c.knowsBefore() {
		c.step.finding = nil // what cannot be read would count as nothing
	}
	if (c.step.finding != nil || c.step.savedLittle()) && c.isThinned() {
		c.step.finding, c.step.before = nil, 0 // it was larger
	}
}

// isThinned reports whether a rewrite has taken images or middles of outputs out of the
// history before.
func (c *compacted) isThinned() bool {
	return slices.ContainsFunc(c.before.Rows, func(r history.Row) bool { return history.IsThinned(r.Item) })
}

// wordsSince reports whether a user or an agent said something since the compaction
// before.
func (c *compacted) wordsSince() bool {
	for i := len(c.before.Rows) - 1; i >= 0; i-- {
		r := c.before.Rows[i]
		if r.Line <= c.last {
			return false
		}
		if isWords(r.Item) || r.Item.Type == parse.ItemAgentMessage {
			return true
		}
	}
	return false
}

// prices are the estimates of large items: an image that each checkpoint holds again is
// looked into once.
type prices map[uint64]int64

// large is the size, in bytes, from which an item's estimate is remembered.
const large = 64 << 10

// estimate is the estimate of the items in tokens, by the newest generation: it does
// not depend on ids and escapes.
func (p prices) estimate(rows []history.Row) int64 {
	var n int64
	for _, r := range rows {
		if len(r.Item.Raw) < large {
			n += tokens.Content.Item(r.Item)
			continue
		}
		key := recordKey(r.Item.Raw)
		if _, known := p[key]; !known {
			p[key] = tokens.Content.Item(r.Item)
		}
		n += p[key]
	}
	return n
}
