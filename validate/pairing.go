package validate

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/rollout-tool/rollout-tool/parse"
)

// pairingRule pairs calls with outputs: in the stream of records from one checkpoint to
// the next, in each checkpoint, and in the history at the end where that is another one.
func pairingRule() rule {
	seed := maphash.MakeSeed() // of all goroutines: their keys are compared
	var current *pairing       // stream and history are asked for by turns, for each file
	return rule{
		name: "pairing",
		line: func() lineRule { return pairingLook{seed} },
		stream: func() streamRule {
			current = &pairing{
				calls: map[uint64]pairCount{}, open: map[uint64]openPair{}, early: map[uint64]openPair{},
				orphans: map[int]Finding{}, reported: map[int]bool{},
			}
			return current
		},
		history: func() historyRule { return current },
	}
}

// openPair is a call or an output whose partner has not come yet.
type openPair struct {
	finding Finding
	turn    int // the turn that was open
	users   int // user turns before it
	n       int // of an output: how many with the same key
}

// pairing follows the history as far as calls and outputs go. It grows with the call
// ids between two checkpoints.
type pairing struct {
	calls map[uint64]pairCount
	open  map[uint64]openPair // calls without output
	early map[uint64]openPair // outputs without call

	turn   int  // counts the beginnings and ends of turns
	events bool // the file has those
	users  int  // user turns in the history since the last checkpoint

	last       Looked // the line before
	seeds      int    // the last compaction with a replacement history, from 1
	compacted  int    // compactions so far
	replaced   bool   // one of them has replaced the history
	rolledBack bool
	named      bool            // a session_meta was accepted
	based      bool            // the first has a history_base
	orphans    map[int]Finding // outputs whose calls may be in the base, by line
	reported   map[int]bool    // lines with a finding that says the partner is missing
}

func (p *pairing) Take(l *Looked, note any, out *sink) {
	if !isAccepted(l) {
		return
	}
	repeated := p.last.Number > 0 && l.Key == p.last.Key && l.Number == p.last.Number+1 // L011
	p.last = placeOf(l)
	if l.Type == parse.RecordEvent && (endsTurn(l.Kind) || beginsTurn(l.Kind)) {
		p.turn++
		p.events = true
	}
	switch n := note.(type) {
	case pairMark:
		if repeated {
			return
		}
		if n.call {
			p.call(l, n, out)
		} else {
			p.output(l, n, out)
		}
	case pairBoundary:
		p.users++
		if !p.events {
			p.turn++
		}
	case pairMeta:
		p.based = p.based || !p.named && n.based
		p.named = true
	case pairRollback:
		p.rollBack(uint64(n))
	case *pairCheckpoint:
		p.checkpoint(n, out)
	}
}

func (p *pairing) call(l *Looked, m pairMark, out *sink) {
	c := p.calls[m.key]
	if c.calls++; c.calls == 1 {
		c.callUsers = p.users
	}
	p.calls[m.key] = c
	if early, ok := p.early[m.key]; ok {
		delete(p.early, m.key)
		f := early.finding
		f.Code, f.Message = "P003", fmt.Sprintf("an output before its call: %s %q is on line %d", m.typ, m.id, l.Number)
		p.report(f, out)
		return
	}
	switch {
	case c.calls > 1:
		p.report(at(l, "P004", m.twice()), out)
	case c.outputs == 0:
		p.open[m.key] = openPair{finding: at(l, "P001", m.unanswered()), turn: p.turn, users: p.users}
	}
}

func (p *pairing) output(l *Looked, m pairMark, out *sink) {
	c := p.calls[m.key]
	if c.outputs++; c.outputs == 1 {
		c.outputUsers = p.users
	}
	p.calls[m.key] = c
	call, waited := p.open[m.key]
	delete(p.open, m.key)
	switch {
	case waited && call.users < p.users && call.finding.Pointer == "":
		p.report(at(l, "P008", fmt.Sprintf("a message stands between %s %q and its call on line %d", m.typ, m.id, call.finding.Line)), out)
	case m.server:
	case c.calls > 0 && c.outputs > c.calls:
		p.report(at(l, "P005", m.again()), out)
	case c.calls == 0:
		p.wait(m.key, at(l, "P002", m.orphan()))
	}
}

// wait keeps an output without call until its call comes; several wait as one.
func (p *pairing) wait(key uint64, f Finding) {
	first, waits := p.early[key]
	if !waits {
		p.early[key] = openPair{finding: f, turn: p.turn, users: p.users, n: 1}
		return
	}
	first.n++
	first.finding.Message = fmt.Sprintf("%s; there are %d of them", f.Message, first.n)
	p.early[key] = first
}

func (p *pairing) report(f Finding, out *sink) {
	switch f.Code {
	case "P001", "P002", "P007":
		p.reported[f.Line] = true
	}
	out.emit(f)
}

// rollBack takes out what waits in the last n user turns (rule 16).
func (p *pairing) rollBack(n uint64) {
	if n == 0 {
		return
	}
	p.rolledBack = true
	left := 0
	if n < uint64(p.users) {
		left = p.users - int(n)
	}
	for _, waiting := range []map[uint64]openPair{p.open, p.early} {
		for key, w := range waiting {
			if w.users > left {
				delete(waiting, key)
			}
		}
	}
	for key, c := range p.calls {
		if c.callUsers > left {
			c.calls = 0
		}
		if c.outputUsers > left {
			c.outputs = 0
		}
		p.calls[key] = c
	}
	p.users = left
}

// checkpoint starts over: what still waits waits in vain.
func (p *pairing) checkpoint(n *pairCheckpoint, out *sink) {
	if p.inherits() {
		clear(p.early) // their calls may be in the base, and all of it is replaced now
	}
	p.settle(out)
	p.compacted++
	p.users, p.calls, p.replaced = 0, map[uint64]pairCount{}, true
	if !n.stored {
		return
	}
	p.seeds = p.compacted
	for key, c := range n.calls {
		p.calls[key] = c
	}
	for _, o := range n.open {
		p.open[o.key] = openPair{finding: o.finding, turn: p.turn}
	}
	for _, o := range n.orphans {
		p.wait(o.key, o.finding)
	}
}

// inherits reports whether calls may be in the file that a history_base names.
func (p *pairing) inherits() bool { return p.based && !p.replaced }

// settle reports all that waits, in file order.
func (p *pairing) settle(out *sink) {
	var found []Finding
	for _, waiting := range []map[uint64]openPair{p.open, p.early} {
		for _, w := range waiting {
			found = append(found, w.finding)
		}
		clear(waiting)
	}
	slices.SortFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Offset, b.Offset))
	})
	for _, f := range found {
		p.report(f, out)
	}
}

func (p *pairing) End(_ *fileView, out *sink) {
	for key, o := range p.open {
		if o.turn == p.turn && p.events && o.finding.Pointer == "" {
			o.finding.Code = "P007"
			o.finding.Message += " yet"
			p.open[key] = o
		}
	}
	if p.inherits() {
		for _, o := range p.early { // Check knows whether the base has their calls
			p.orphans[o.finding.Line] = o.finding
		}
		clear(p.early)
	}
	p.settle(out)
}
