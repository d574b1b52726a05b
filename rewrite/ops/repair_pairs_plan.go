package ops

import (
	"hash/maphash"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// place is where an item stands: in the record with this number, from 0, and in the
// replacement history there, -1 for the item of a response_item.
type place struct{ record, item int }

// mending is what is to be done with the calls and outputs of a file.
type mending struct {
	drop   map[place]string  // reasons
	rename map[place]int     // of several calls with one call_id: which it is, from 2
	answer map[place]bool    // calls that get an output
	bring  map[place][]place // outputs that go behind a call
	moved  map[place]bool    // they are
}

func (m *mending) empty() bool {
	return len(m.drop)+len(m.rename)+len(m.answer)+len(m.bring) == 0
}

// records are the numbers of the records in which anything is to be done.
func (m *mending) records() map[int]bool {
	out := map[int]bool{}
	for p := range m.drop {
		out[p.record] = true
	}
	for p := range m.rename {
		out[p.record] = true
	}
	for p := range m.answer {
		out[p.record] = true
	}
	for p := range m.bring {
		out[p.record] = true
	}
	for p := range m.moved {
		out[p.record] = true
	}
	return out
}

// waiting is a call without output so far, or an output without call.
type waiting struct {
	at    place
	turn  int // the turn that was open
	users int // user turns before it
	copy  int // of a call: which of those with the same call_id, from 1
}

// callFamily is what one history has of a call_id.
type callFamily struct {
	calls, outputs         int
	callUsers, outputUsers int
	texts                  []uint64 // hashes of the calls
	open, early            []waiting
}

// pairing follows the history from checkpoint to checkpoint, as far as calls and outputs
// go. It grows with the call ids between two checkpoints.
type pairing struct {
	mending
	openCalls bool // calls of a turn that goes on are answered, too
	bare      bool
	seed      maphash.Seed

	families map[uint64]*callFamily
	n        int // number of the record
	turn     int // counts the beginnings and ends of turns
	events   bool
	users    int
	named    bool // a session_meta was accepted
	based    bool // the first has a history_base
	replaced bool // a checkpoint has replaced what the base has

	lastN    int // the last call or output of the stream, and its hash
	lastHash uint64
}

func newPairing(openCalls, bare bool) *pairing {
	return &pairing{
		mending:   mending{map[place]string{}, map[place]int{}, map[place]bool{}, map[place][]place{}, map[place]bool{}},
		openCalls: openCalls, bare: bare, seed: maphash.MakeSeed(), families: map[uint64]*callFamily{}, n: -1, lastN: -2,
	}
}

// look takes the next record.
func (p *pairing) look(r *rewrite.Record) error {
	p.n++
	rec := &r.Record
	if p.bare {
		bare := parse.AsBare(*rec)
		rec = &bare
	} else if !r.Accepted() {
		return nil
	}
	switch rec.Type {
	case parse.RecordSessionMeta:
		p.based = p.based || !p.named && !rec.Fields().Get("history_base").Missing()
		p.named = true
	case parse.RecordEvent:
		p.event(rec)
	case parse.RecordInterAgent:
		p.boundary()
	case parse.RecordResponseItem:
		p.stream(rec.Item(), r.Bytes)
	case parse.RecordCompacted:
		p.checkpoint(rec.Fields())
	}
	return nil
}

func (p *pairing) event(rec *parse.Record) {
	switch rec.Kind() {
	case "task_started", "turn_started", "task_complete", "turn_complete", "turn_aborted":
		p.turn++
		p.events = true
	case "thread_rolled_back":
		if n, _ := rec.Fields().Get("num_turns").Uint64(); n > 0 {
			p.rollBack(n)
		}
	}
}

func (p *pairing) boundary() {
	p.users++
	if !p.events {
		p.turn++
	}
}

func (p *pairing) stream(it parse.Item, line []byte) {
	if p.item(it, place{p.n, -1}, line) {
		return
	}
	if it.Type == parse.ItemAgentMessage || it.IsMessage("user") && history.ClassifyUser(it) == history.RealUser {
		p.boundary()
	}
}

// item takes a call or an output; false for other items. line is that of an item of the
// stream.
func (p *pairing) item(it parse.Item, at place, line []byte) bool {
	if it.Type == parse.ItemFunctionOutput && it.Fields.Text("name") == "" {
		if _, ok := it.CallID(); !ok {
			p.drop[at] = "output that answers nothing"
			return true
		}
	}
	key, call := history.CallOf(it)
	if !call {
		var output bool
		if key, output = history.OutputOf(it); !output {
			return false
		}
	}
	if line != nil { // a line that is repeated counts once
		hash := maphash.Bytes(p.seed, line)
		again := p.lastN == p.n-1 && p.lastHash == hash
		p.lastN, p.lastHash = p.n, hash
		if again {
			return true
		}
	}
	id := maphash.String(p.seed, key.Output+" "+key.Call)
	f := p.families[id]
	if f == nil {
		f = &callFamily{}
		p.families[id] = f
	}
	if call {
		p.call(f, at, maphash.Bytes(p.seed, it.Raw))
	} else {
		server := it.Type == parse.ItemToolSearchOutput && it.Fields.Text("execution") == "server"
		p.output(f, at, server)
	}
	return true
}

func (p *pairing) call(f *callFamily, at place, text uint64) {
	for _, t := range f.texts {
		if t == text {
			p.drop[at] = "copy of a call"
			return
		}
	}
	f.texts = append(f.texts, text)
	if f.calls++; f.calls == 1 {
		f.callUsers = p.users
	}
	if f.calls > 1 {
		p.rename[at] = f.calls
	}
	if len(f.early) > 0 {
		out := f.early[0]
		p.bring[at] = append(p.bring[at], out.at)
		p.moved[out.at] = true
		if f.calls > 1 {
			p.rename[out.at] = f.calls
		}
		for _, more := range f.early[1:] {
			p.drop[more.at] = "second output"
		}
		f.early = nil
		return
	}
	f.open = append(f.open, waiting{at, p.turn, p.users, f.calls})
}

func (p *pairing) output(f *callFamily, at place, server bool) {
	if f.outputs++; f.outputs == 1 {
		f.outputUsers = p.users
	}
	switch {
	case len(f.open) > 0:
		if n := f.open[0].copy; n > 1 {
			p.rename[at] = n
		}
		f.open = f.open[1:]
	case server:
	case f.calls > 0:
		p.drop[at] = "second output"
	default:
		f.early = append(f.early, waiting{at: at, users: p.users})
	}
}

// rollBack takes out what the last n user turns hold (rule 16).
func (p *pairing) rollBack(n uint64) {
	left := 0
	if n < uint64(p.users) {
		left = p.users - int(n)
	}
	gone := func(list []waiting) []waiting {
		kept := list[:0]
		for _, w := range list {
			if w.users <= left {
				kept = append(kept, w)
			}
		}
		return kept
	}
	for _, f := range p.families {
		f.open, f.early = gone(f.open), gone(f.early)
		if f.callUsers > left {
			f.calls, f.texts = 0, nil
		}
		if f.outputUsers > left {
			f.outputs = 0
		}
	}
	p.users = left
}

// checkpoint starts over: what still waits waits in vain.
func (p *pairing) checkpoint(compacted jsonraw.Object) {
	if p.inherits() {
		for _, f := range p.families { // their calls may be in the base, and all of it is replaced now
			f.early = nil
		}
	}
	p.settle()
	p.users, p.replaced = 0, true
	clear(p.families)
	items, _ := jsonraw.SplitArray(compacted.Get(historyKey))
	for i, raw := range items {
		if it, err := parse.ViewItem(raw); err == nil {
			p.item(it, place{p.n, i}, nil)
		}
	}
}

// inherits reports whether calls may be in the file that a history_base names.
func (p *pairing) inherits() bool { return p.based && !p.replaced }

// settle decides about all that waits.
func (p *pairing) settle() {
	for _, f := range p.families {
		for _, call := range f.open {
			p.answer[call.at] = true
		}
		for _, out := range f.early {
			p.drop[out.at] = "output without a call"
		}
		f.open, f.early = nil, nil
	}
}

// end decides about what waits at the end of the file, where a turn may go on.
func (p *pairing) end() {
	for _, f := range p.families {
		var ended []waiting
		for _, call := range f.open {
			if p.openCalls || call.turn != p.turn || !p.events || call.at.item >= 0 {
				ended = append(ended, call)
			}
		}
		f.open = ended
		if p.inherits() {
			f.early = nil // the base may have their calls
		}
	}
	p.settle()
}
