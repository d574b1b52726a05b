package validate

import (
	"fmt"
	"hash/maphash"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
)

// pairMark is what pairingLook notes of a call or an output.
type pairMark struct {
	key    uint64 // sum of family and call_id
	id     string // call_id, clipped
	typ    string // item type
	call   bool
	server bool // an output that needs no call
}

// pairBoundary is noted of a message that begins a user turn, pairRollback of a
// thread_rolled_back: its num_turns.
type (
	pairBoundary struct{}
	pairRollback uint64
)

// pairMeta is noted of a session_meta.
type pairMeta struct{ based bool } // has a history_base

// pairCheckpoint is noted of a compacted record.
type pairCheckpoint struct {
	stored  bool // has a replacement history
	calls   map[uint64]pairCount
	open    []pairFinding // calls without output in the checkpoint
	orphans []pairFinding // outputs without call
}

// pairCount says how often a call_id occurs, and how many user turns were before the
// first call and the first output.
type pairCount struct {
	calls, outputs         uint32
	callUsers, outputUsers int
}

// pairFinding is a finding about a call or output, by its key.
type pairFinding struct {
	key     uint64
	finding Finding
}

// pairingLook finds calls and outputs, and pairs those of a checkpoint.
type pairingLook struct{ seed maphash.Seed }

func (r pairingLook) Look(v *lineView) any {
	if !v.OK() {
		return nil
	}
	switch v.Record.Type {
	case parse.RecordResponseItem:
		it := &v.itemsHeld()[0]
		checkNamed(v, it)
		if mark, ok := r.mark(it.Item); ok {
			return mark
		}
		if isOwnMessage(it.Item) {
			return pairBoundary{}
		}
	case parse.RecordInterAgent:
		return pairBoundary{}
	case parse.RecordCompacted:
		return r.checkpoint(v)
	case parse.RecordSessionMeta:
		return pairMeta{!v.Record.Fields().Get("history_base").Missing()}
	case parse.RecordEvent:
		if v.looked.Kind == "thread_rolled_back" {
			n, _ := v.Record.Fields().Get("num_turns").Uint64()
			return pairRollback(n)
		}
	}
	return nil
}

// isOwnMessage reports whether an item begins a user turn as far as pairing needs to know
// (rule 17): a user's own message or one of an agent.
func isOwnMessage(it parse.Item) bool {
	return it.Type == parse.ItemAgentMessage || it.IsMessage("user") && history.ClassifyUser(it) == history.RealUser
}

// mark is the mark of a call or an output with a call_id.
func (r pairingLook) mark(it parse.Item) (pairMark, bool) {
	key, call := history.CallOf(it)
	if !call {
		var output bool
		if key, output = history.OutputOf(it); !output {
			return pairMark{}, false
		}
	}
	return pairMark{
		key: maphash.String(r.seed, key.Output+" "+key.Call), id: clip(key.Call), typ: it.Type, call: call,
		server: it.Type == parse.ItemToolSearchOutput && it.Fields.Text("execution") == "server",
	}, true
}

// checkNamed looks at an output without call_id: those of clients have a name.
func checkNamed(v *lineView, it *heldItem) {
	if it.Type != parse.ItemFunctionOutput || it.Fields.Text("name") != "" {
		return
	}
	if _, ok := it.CallID(); !ok {
		v.Add("P006", it.at(""), "function_call_output with neither a call_id nor a name")
	}
}

// checkpoint pairs the items of a replacement history. What has no partner is left to
// Take: the partner may follow behind the checkpoint.
func (r pairingLook) checkpoint(v *lineView) any {
	note := &pairCheckpoint{stored: !v.Record.Fields().Get("replacement_history").Missing()}
	var marks []pairMark
	var of []*heldItem
	items := v.itemsHeld()
	for i := range items {
		checkNamed(v, &items[i])
		if m, ok := r.mark(items[i].Item); ok {
			marks, of = append(marks, m), append(of, &items[i])
		}
	}
	if len(marks) == 0 {
		return note
	}
	note.calls = map[uint64]pairCount{}
	for _, m := range marks {
		c := note.calls[m.key]
		if m.call {
			c.calls++
		} else {
			c.outputs++
		}
		note.calls[m.key] = c
	}
	seen := map[uint64]pairCount{}
	for i, m := range marks {
		before, all := seen[m.key], note.calls[m.key]
		at := of[i].at("")
		switch {
		case m.call && before.calls > 0:
			v.Add("P004", at, m.twice()+" in the checkpoint")
		case m.call && all.outputs == 0:
			note.open = append(note.open, pairFinding{m.key, v.finding("P001", at, m.unanswered()+" in the checkpoint")})
		case !m.call && all.calls == 0 && !m.server:
			note.orphans = append(note.orphans, pairFinding{m.key, v.finding("P002", at, m.orphan()+" in the checkpoint")})
		case !m.call && all.calls > 0 && before.outputs >= all.calls:
			v.Add("P005", at, m.again()+" in the checkpoint")
		case !m.call && all.calls > 0 && before.calls == 0:
			v.Add("P003", at, m.early()+" in the checkpoint")
		}
		if m.call {
			before.calls++
		} else {
			before.outputs++
		}
		seen[m.key] = before
	}
	return note
}

func (m pairMark) unanswered() string { return fmt.Sprintf("%s %q has no output", m.typ, m.id) }
func (m pairMark) orphan() string     { return fmt.Sprintf("%s %q has no call", m.typ, m.id) }
func (m pairMark) early() string      { return fmt.Sprintf("%s %q comes before its call", m.typ, m.id) }
func (m pairMark) twice() string      { return fmt.Sprintf("%s %q is there already", m.typ, m.id) }
func (m pairMark) again() string      { return fmt.Sprintf("%s %q is one more output", m.typ, m.id) }
