package validate

import (
	"hash/maphash"
	"sync"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// itemFacts is what rules ask of an item that a checkpoint holds, and of its sidecar.
type itemFacts struct {
	typ, role string // role is that of a message
	id        string // "" for none
	brief     compaction.Brief
	injected  uint64 // sum of role and content of context (compaction.IsInjected), 0 for others
	traits    itemTraits
}

type itemTraits uint8

const (
	traitPlain        itemTraits = 1 << iota // no rule that goes from item to item has anything to say
	traitNotice                              // an image resize notice (rule 28)
	traitClients                             // client_authored
	traitClientOutput                        // a client asked to retain a tool output (rule 29)
	traitLocalSummary                        // the summary of a local compaction
	traitToolOutput                          // an output with a body
)

func (f *itemFacts) is(t itemTraits) bool { return f.traits&t != 0 }

func (f *itemFacts) isMessage(role string) bool { return f.typ == parse.ItemMessage && f.role == role }

func (f *itemFacts) isCompaction() bool {
	return f.typ == parse.ItemCompaction || f.typ == parse.ItemContextCompaction
}

// factMemo holds facts by the bytes of items and sidecars. Each checkpoint holds again
// most of what the one before held, and to look into an item costs much more than to hash
// it. It serves several goroutines.
type factMemo struct {
	briefer compaction.Briefer
	seed    maphash.Seed

	mu    sync.Mutex
	known map[factKey]*itemFacts
}

type factKey struct {
	item, meta uint64
	size       int
}

// maxFacts bounds what is remembered; about 200 bytes each.
const maxFacts = 1 << 15

func newFactMemo() *factMemo {
	return &factMemo{briefer: compaction.NewBriefer(), seed: maphash.MakeSeed(), known: map[factKey]*itemFacts{}}
}

// of returns the facts of an item as stored and its sidecar, nil for none. It is false
// when the item is no object.
func (m *factMemo) of(raw, meta jsonraw.Value) (*itemFacts, bool) {
	if meta.IsNull() {
		meta = nil
	}
	key := factKey{maphash.Bytes(m.seed, raw), maphash.Bytes(m.seed, meta), len(raw)}
	m.mu.Lock()
	f, ok := m.known[key]
	m.mu.Unlock()
	if ok {
		return f, true
	}
	it, err := parse.ViewItem(raw)
	if err != nil {
		return nil, false
	}
	f = m.look(it, meta)
	m.mu.Lock()
	if len(m.known) == maxFacts {
		clear(m.known)
	}
	m.known[key] = f
	m.mu.Unlock()
	return f, true
}

func (m *factMemo) look(it parse.Item, meta jsonraw.Value) *itemFacts {
	row := history.Row{Item: it, Meta: parse.ViewSidecar(meta)}
	f := &itemFacts{typ: it.Type, role: it.Role(), id: it.ID(), brief: m.briefer.Brief(row)}
	set := func(t itemTraits, is bool) {
		if is {
			f.traits |= t
		}
	}
	set(traitNotice, history.IsResizeNotice(it))
	set(traitClients, row.Meta.ClientAuthored())
	set(traitClientOutput, isClientOutput(row))
	set(traitLocalSummary, compaction.IsLocalSummary(it))
	set(traitToolOutput, it.IsToolOutput())
	set(traitPlain, isPlain(it, meta))
	if compaction.IsInjected(it) {
		f.injected = maphash.String(m.seed, it.Role()+string(it.Fields.Get("content"))) | 1
	}
	return f
}

// isPlain reports whether an item in a checkpoint is one that the rules which go from
// item to item say nothing about, and keep no count of: most messages.
func isPlain(it parse.Item, meta jsonraw.Value) bool {
	switch it.Role() {
	case "user", "assistant", "developer":
	default:
		return false
	}
	content := it.Fields.Get("content")
	if it.Fields.Get("metadata") != nil || it.Fields.Get("encrypted_content") != nil || mayHold(content, parse.PartInputImage) {
		return false
	}
	probe := lineView{looked: &Looked{}}
	one := heldItem{Item: it, meta: meta}
	checkID(&probe, &one)
	checkKinds(&probe, &one)
	return checkSidecar(&probe, &one, nil) == nil && len(probe.looked.Findings) == 0
}
