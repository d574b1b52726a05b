package validate

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// captureBeside holds a capture beside the rollout of its session.
type captureBeside struct {
	*sessionIndex
	rollout *history.Rollout
	matched bool            // an exchange was of the rollout's thread
	other   bool            // one was of another thread
	seen    map[uint64]bool // user messages that were judged
	turns   map[string]bool // turns whose prompts were counted
	line    int             // of state
	state   history.State
}

// newCaptureBeside reads the rollout once; rebuilding inputs reads parts of it again.
func (v *Validator) newCaptureBeside(src *parse.Source) (*captureBeside, error) {
	p := &captureBeside{sessionIndex: newSessionIndex(), seen: map[uint64]bool{}, turns: map[string]bool{}, line: -1}
	r, err := history.Load(src, history.Options{
		Workers: v.opt.Workers, Accept: v.opt.Accept, Checkers: v.checkers, Watch: p.sessionIndex,
		FindBase: func(id uuid.UUID) (*parse.Source, error) {
			if v.opt.FindBase == nil {
				return nil, errNotLookedFor
			}
			return v.opt.FindBase(src.Path, id)
		},
	})
	if err != nil {
		return nil, err
	}
	p.rollout = r
	for k := 1; k <= r.Compactions(); k++ {
		for key, c := range p.checkpoints {
			if c.line == r.CompactionLine(k) {
				p.checkpoints[key] = checkpointAt{k: k, line: c.line}
			}
		}
	}
	return p, nil
}

func (p *captureBeside) close() { p.rollout.Close() }

func (p *captureBeside) take(e *capture.Exchange, out *captureSink) {
	if e.Thread != "" && p.thread != "" && e.Thread != p.thread {
		p.other = true
		return
	}
	p.matched = p.matched || e.Thread != ""
	p.usageOf(e, out)
	p.promptsOf(e, out)
	if !e.Request.Known() || e.Request.Warmup() {
		return
	}
	role := roleOf(e)
	if role == roleOther {
		return
	}
	rows, ok := p.before(e)
	same := !ok || p.compare(e, rows, out)
	if role == roleCompaction {
		p.compacted(e, rows, same, out)
	}
}

func (p *captureBeside) end(out *captureSink) {
	if p.other && !p.matched {
		out.emit(Finding{Code: "X060", Message: "no request is of thread " + clip(p.thread) + ", which --rollout names"})
	}
}

// usageOf: the usage of every whole answer is recorded.
func (p *captureBeside) usageOf(e *capture.Exchange, out *captureSink) {
	r := &e.Response
	if !r.OK() || r.ID == "" || !r.Usage.Known || len(p.usage) == 0 || e.Request.Warmup() {
		return
	}
	recorded, ok := p.usage[r.ID]
	switch {
	case !ok:
		out.at(e, "X063", responsePointer, "the rollout has no token_usage_record of response "+clip(r.ID))
	case recorded.Usage != r.Usage:
		out.at(e, "X063", responsePointer, fmt.Sprintf("line %d of the rollout has %d tokens in and %d out for response %s, the answer %d and %d",
			recorded.line, recorded.Input, recorded.Output, clip(r.ID), r.Usage.Input, r.Usage.Output))
	}
}

// promptsOf: what the user said is stored once, sent or not.
func (p *captureBeside) promptsOf(e *capture.Exchange, out *captureSink) {
	if p.rollout.HasAncestors() {
		return // the prompts of ancestors are in other files
	}
	if e.Turn != "" && !p.turns[e.Turn] {
		p.turns[e.Turn] = true
		counted := map[uint64]bool{}
		for _, key := range p.prompts[e.Turn] {
			if n := p.stored[key]; n > 1 && !counted[key] {
				out.at(e, "X064", "", fmt.Sprintf("a user message of this turn is stored %d times, first on line %d of the rollout", n, p.lines[key][0]))
			}
			counted[key], p.seen[key] = true, true
		}
	}
	for i, it := range e.Request.Input {
		if it.ID() == "" || !it.IsMessage("user") {
			continue
		}
		key := p.idKey(it.ID())
		if p.seen[key] {
			continue
		}
		p.seen[key] = true
		if history.ClassifyUser(it) != history.RealUser {
			continue
		}
		if n := p.stored[key]; n > 1 || n == 0 && len(p.lines[key]) == 0 { // a checkpoint may give an id
			out.at(e, "X064", inputPointer(e, i), fmt.Sprintf("the user message, item %d, is stored %d times in the rollout", i, n))
		}
	}
}

// before rebuilds the history that the request was made from: at the line of its newest
// item, behind the checkpoint that its summary is of and before the one that it is answered
// with.
func (p *captureBeside) before(e *capture.Exchange) ([]history.Row, bool) {
	if e.Request.Partial {
		return nil, false
	}
	from := 0
	if i := lastCompactionItem(e.Request.Input); i >= 0 {
		c, ok := p.checkpoints[p.cipherKey(e.Request.Input[i].Fields.Get("encrypted_content"))]
		if !ok {
			return nil, false
		}
		from = c.line
	}
	until := p.rollout.Lines()
	for _, it := range e.Response.Items {
		if c, ok := p.checkpoints[p.cipherKey(it.Fields.Get("encrypted_content"))]; ok && it.Type == parse.ItemCompaction {
			until = c.line - 1
		}
	}
	for i := len(e.Request.Input) - 1; i >= 0; i-- {
		for _, key := range p.keys(e.Request.Input[i]) {
			lines := p.lines[key]
			if at, _ := slices.BinarySearch(lines, from); at < len(lines) && lines[at] <= until {
				return p.rowsAt(lines[at])
			}
		}
	}
	return nil, false
}

func (p *captureBeside) rowsAt(line int) ([]history.Row, bool) {
	if p.line != line {
		state, err := p.rollout.AtLine(line)
		if err != nil {
			return nil, false
		}
		p.line, p.state = line, state
	}
	return p.state.Rows, true
}

// compare holds the input sent against the one rebuilt, and reports whether they agree.
func (p *captureBeside) compare(e *capture.Exchange, rows []history.Row, out *captureSink) bool {
	want := rows
	if roleOf(e) == roleCompaction {
		want = p.trimmed(e, rows)
	}
	sent := sentRows(e.Request.Input)
	var message string
	var at int
	for _, can := range []history.Modalities{{Image: true, Audio: true}, {Image: true}, {}} {
		rebuilt := history.Normalize(want, can).Rows
		i, same := agree(sent, rebuilt)
		if !same {
			_, same = agree(withoutContext(sent), withoutContext(rebuilt))
		}
		if same {
			return true
		}
		if message == "" {
			at = i
			message = fmt.Sprintf("%d items were sent, the rollout gives %d; the first difference is item %d: sent %s, rebuilt %s",
				len(sent), len(rebuilt), i, labelAt(sent, i), labelAt(rebuilt, i))
		}
	}
	out.at(e, "X061", inputPointer(e, min(at, max(len(sent)-1, 0))), message)
	return false
}

// trimmed is the history as it goes into a compaction (rules 28 to 30).
func (p *captureBeside) trimmed(e *capture.Exchange, rows []history.Row) []history.Row {
	facts, err := p.rollout.Facts(p.line)
	if err != nil || !facts.HasWindow {
		return rows
	}
	return compaction.Trim(rows, compaction.TrimOptions{
		Window: &facts.Window, Instructions: compaction.InstructionTokens(facts, rows),
		Profile: compaction.ProfileFor(e.Time),
	}).Rows
}

// sentRows are the items sent as rows, the trigger left out.
func sentRows(items []parse.Item) []history.Row {
	rows := make([]history.Row, 0, len(items))
	for _, it := range items {
		if it.Type != parse.ItemCompactionTrigger {
			rows = append(rows, history.Row{Item: it})
		}
	}
	return rows
}

func withoutContext(rows []history.Row) []history.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r history.Row) bool { return compaction.IsInjected(r.Item) })
}

func labelAt(rows []history.Row, i int) string {
	if i >= len(rows) {
		return "nothing"
	}
	return labelOf(rows[i].Item)
}

// compacted holds an attempt of a compaction against what is stored of it; same says that
// the rollout gives its input.
func (p *captureBeside) compacted(e *capture.Exchange, rows []history.Row, same bool, out *captureSink) {
	var summaries []parse.Item
	for _, it := range e.Response.Items {
		if it.Type == parse.ItemCompaction {
			summaries = append(summaries, it)
		}
	}
	if !e.Response.OK() || len(summaries) != 1 {
		for i, it := range e.Response.Items {
			for _, key := range p.keys(it) {
				if lines := p.lines[key]; len(lines) > 0 {
					out.at(e, "X065", fmt.Sprintf("%s/items/%d", responsePointer, i),
						fmt.Sprintf("item %d of the failed answer (%s) is on line %d of the rollout", i, labelOf(it), lines[0]))
					break
				}
			}
		}
		return
	}
	stored, ok := p.checkpoints[p.cipherKey(summaries[0].Fields.Get("encrypted_content"))]
	if !ok {
		out.at(e, "X066", responsePointer, "no checkpoint of the rollout has the compaction item of this answer")
		return
	}
	if stored.k == 0 || !same {
		return // Codex does not load the record, or the difference is told already
	}
	p.checkpoint(e, stored, rows, out)
}

// checkpoint compares a stored checkpoint with what the rules make of the request.
func (p *captureBeside) checkpoint(e *capture.Exchange, stored checkpointAt, rows []history.Row, out *captureSink) {
	rec, err := p.rollout.CompactionRecord(stored.k)
	if err != nil {
		return
	}
	kept, remote := viewStored(&rec, newFactMemo())
	if !remote || e.Request.Partial {
		return
	}
	sent := sentRows(e.Request.Input)
	metas := map[string]parse.Sidecar{}
	for _, r := range rows {
		if id := r.Item.ID(); id != "" {
			metas[id] = r.Meta
		}
	}
	for i := range sent { // sidecars never leave: the rollout has them
		sent[i].Meta = metas[sent[i].Item.ID()]
	}
	recorded := compaction.NewRecorded(sent, rowsOf(kept.items, rec.Number), history.Facts{}, rec)
	if recorded.KeepsAll() {
		return
	}
	if x := recorded.Explain(); !x.Matches {
		out.at(e, "X062", "/body/input", fmt.Sprintf("the checkpoint on line %d of the rollout is not what the rules give for this request: %s", rec.Number, x.Words()))
	}
}
