package validate

import (
	"hash/maphash"
	"slices"
	"strconv"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// streamRetries is how often Codex sends a compaction again whose answer broke off
// (compaction.md 3.0 rule 4).
const streamRetries = 2

// flowRule follows each thread from the requests of a compaction to those behind it.
type flowRule struct {
	seed    maphash.Seed
	threads map[string]*flow
}

// flow is what is known of a thread. Marks stand for items, so that memory does not grow
// with bodies.
type flow struct {
	attempts *attempts       // the compaction that is being tried, nil for none
	awaited  *accepted       // a compaction whose next request has not come yet
	rejected map[uint64]bool // output of attempts that failed
	noise    map[uint64]bool // output of compactions besides the compaction item
	dropped  map[string]bool // ids of items that the last compaction drops
}

type attempts struct {
	turn    string
	input   uint64 // of the first attempt
	window  string
	streams int // attempts whose answer broke off
}

type accepted struct {
	index   int
	summary uint64
	number  uint64 // of the window that was compacted
	known   bool
}

func newFlowRule() *flowRule {
	return &flowRule{seed: maphash.MakeSeed(), threads: map[string]*flow{}}
}

func (*flowRule) end(*captureSink) {}

func (f *flowRule) take(e *capture.Exchange, out *captureSink) {
	if !e.Request.Known() {
		return
	}
	t := f.threads[e.Thread]
	if t == nil {
		t = &flow{rejected: map[uint64]bool{}, noise: map[uint64]bool{}}
		f.threads[e.Thread] = t
	}
	f.checkInput(t, e, out)
	switch roleOf(e) {
	case roleCompaction:
		if len(e.Request.Triggers()) > 0 { // without one the answer is no summary
			f.compaction(t, e, out)
		}
	case roleTurn:
		if e.Request.Warmup() {
			return
		}
		t.attempts = nil
		f.followUp(t, e, out)
	}
}

// marks stand for an item: for its id, for its ciphertext, and where it has neither for
// its content.
func (f *flowRule) marks(it parse.Item) []uint64 {
	var out []uint64
	if enc := it.Fields.Get("encrypted_content"); enc.HasText() {
		out = append(out, f.mark("enc", enc))
	}
	if id := it.Fields.Get("id"); id.HasText() {
		return append(out, f.mark("id", id))
	}
	if len(out) == 0 {
		out = append(out, f.mark(it.Type, it.Fields.Get("content")))
	}
	return out
}

// mark hashes a value without copying it.
func (f *flowRule) mark(kind string, v jsonraw.Value) uint64 {
	var h maphash.Hash
	h.SetSeed(f.seed)
	h.WriteString(kind)
	h.WriteByte(':')
	h.Write(v)
	return h.Sum64()
}

func (f *flowRule) marked(set map[uint64]bool, it parse.Item) bool {
	if len(set) == 0 {
		return false
	}
	for _, m := range f.marks(it) {
		if set[m] {
			return true
		}
	}
	return false
}

// checkInput looks for items that no request may have.
func (f *flowRule) checkInput(t *flow, e *capture.Exchange, out *captureSink) {
	last := lastCompactionItem(e.Request.Input)
	for i := range e.Request.Input {
		it := e.Request.Input[i]
		switch {
		case f.marked(t.rejected, it):
			out.at(e, "X017", inputPointer(e, i), "item "+itoa(i)+" ("+labelOf(it)+") is from the answer of a compaction that failed")
		case f.marked(t.noise, it):
			out.at(e, "X018", inputPointer(e, i), "item "+itoa(i)+" ("+labelOf(it)+") stood beside the compaction item in the answer")
		case i < last && it.ID() != "" && t.dropped[it.ID()]:
			out.at(e, "X020", inputPointer(e, i), "item "+itoa(i)+" ("+labelOf(it)+") was before the compaction and is one that it drops")
		}
	}
}

// lastCompactionItem is the index of the newest compaction item, -1 for none.
func lastCompactionItem(items []parse.Item) int {
	for i := len(items) - 1; i >= 0; i-- {
		if items[i].Type == parse.ItemCompaction || items[i].Type == parse.ItemContextCompaction {
			return i
		}
	}
	return -1
}

// compaction follows one attempt of a compaction.
func (f *flowRule) compaction(t *flow, e *capture.Exchange, out *captureSink) {
	f.attempt(t, e, out)
	var summaries []parse.Item
	for _, it := range e.Response.Items {
		if it.Type == parse.ItemCompaction {
			summaries = append(summaries, it)
		}
	}
	for _, s := range summaries {
		f.ownSummary(e, s, out)
	}
	whole := e.Response.OK()
	if whole && e.Response.HasBody && len(summaries) != 1 {
		out.at(e, "X019", responsePointer, "the answer has "+itoa(len(summaries))+" compaction items, Codex takes exactly one")
	}
	if !whole || len(summaries) != 1 {
		for _, it := range e.Response.Items {
			f.add(t.rejected, it, e.Request.Input)
		}
		return
	}
	// A new attempt may give again what an older one gave: it counts as accepted.
	for _, m := range f.marks(summaries[0]) {
		delete(t.rejected, m)
	}
	for _, it := range e.Response.Items {
		if it.Type != parse.ItemCompaction {
			f.add(t.noise, it, e.Request.Input)
		}
	}
	t.attempts = nil
	a := &accepted{index: e.Index, summary: f.marks(summaries[0])[0]}
	_, a.number, a.known = cutWindowID(windowIDOf(e))
	t.awaited = a
	t.dropped = droppedIDs(e)
}

// add marks an item, unless the request had it before.
func (f *flowRule) add(set map[uint64]bool, it parse.Item, input []parse.Item) {
	own := map[uint64]bool{}
	for _, m := range f.marks(it) {
		own[m] = true
	}
	for _, old := range input {
		if f.marked(own, old) {
			return
		}
	}
	for m := range own {
		set[m] = true
	}
}

// ownSummary: a compaction item cannot be in the request that asks for it.
func (f *flowRule) ownSummary(e *capture.Exchange, summary parse.Item, out *captureSink) {
	own := map[uint64]bool{f.marks(summary)[0]: true}
	for i, it := range e.Request.Input {
		if it.Type == parse.ItemCompaction && f.marked(own, it) {
			out.at(e, "X015", inputPointer(e, i), "item "+itoa(i)+" is the summary that this request is answered with")
		}
	}
}

// windowIDOf is the window id of a request, "" when it has none or places disagree.
func windowIDOf(e *capture.Exchange) string {
	header, _ := e.Request.HeaderMetadata()
	body, _ := e.Request.BodyMetadata()
	ids, _ := windowPlaces(e, header, body)
	if slices.Sort(ids); len(ids) == 0 || ids[0] != ids[len(ids)-1] {
		return ""
	}
	return ids[0]
}

// attempt compares the attempts of one compaction.
func (f *flowRule) attempt(t *flow, e *capture.Exchange, out *captureSink) {
	var h maphash.Hash
	h.SetSeed(f.seed)
	for _, it := range e.Request.Input {
		h.Write(it.Raw)
		h.WriteByte(0)
	}
	a := t.attempts
	if a == nil || a.turn != e.Turn { // a compaction of another turn is another one
		a = &attempts{turn: e.Turn, input: h.Sum64(), window: windowIDOf(e)}
		t.attempts = a
	} else {
		if w := windowIDOf(e); w != "" && a.window != "" && w != a.window {
			out.at(e, "X032", windowPointer(e), "the window id is "+quote(w)+", in the attempt before "+quote(a.window))
		}
		if h.Sum64() != a.input {
			out.at(e, "X043", "/body/input", "the input is not that of the attempt before")
		}
	}
	if r := e.Response; r.Status != 0 && (r.Status < 200 || r.Status > 299) || e.Request.Partial {
		return // sent again below the stream, which counts elsewhere
	}
	if a.streams++; a.streams == streamRetries+2 {
		out.at(e, "X042", "", "the compaction is sent again for the "+strconv.Itoa(a.streams-1)+"rd time; Codex gives up after "+itoa(streamRetries))
	}
}

// windowPointer is where windowIDOf found its id.
func windowPointer(e *capture.Exchange) string {
	header, _ := e.Request.HeaderMetadata()
	body, _ := e.Request.BodyMetadata()
	if _, at := windowPlaces(e, header, body); len(at) > 0 {
		return at[0]
	}
	return ""
}

// followUp checks the first request after an accepted compaction.
func (f *flowRule) followUp(t *flow, e *capture.Exchange, out *captureSink) {
	a := t.awaited
	if a == nil {
		return
	}
	t.awaited = nil
	found := e.Request.Partial || e.Thread == "" // it may be of another thread
	want := map[uint64]bool{a.summary: true}
	for _, it := range e.Request.Input {
		found = found || f.marked(want, it)
	}
	if !found {
		out.at(e, "X016", "/body/input", "the input lacks the compaction item that request "+itoa(a.index)+" was answered with")
	}
	if _, n, ok := cutWindowID(windowIDOf(e)); ok && a.known && n != a.number+1 {
		out.at(e, "X032", windowPointer(e), "the window number is "+strconv.FormatUint(n, 10)+", request "+itoa(a.index)+" compacted window "+strconv.FormatUint(a.number, 10))
	}
}

// droppedIDs are the ids of items that no compaction retains (rule 36), whatever its
// switches and by the generation of its day: developer messages and outputs that a client
// may have written are left out, as sidecars are not in a request.
func droppedIDs(e *capture.Exchange) map[string]bool {
	rows := make([]history.Row, 0, len(e.Request.Input))
	for _, it := range e.Request.Input {
		switch {
		case it.Type == parse.ItemCompactionTrigger:
			continue
		case it.IsMessage("user") && len(it.Raw) > longMessage:
			it = someUser()
		}
		rows = append(rows, history.Row{Item: it})
	}
	opt := compaction.Defaults()
	opt.Budget = 1 << 40
	opt.Profile = compaction.ProfileFor(e.Time)
	out := map[string]bool{}
	for _, d := range compaction.Compact(rows, opt).Decisions {
		if d.Action != compaction.Dropped || d.Index < 0 {
			continue
		}
		it := rows[d.Index].Item
		if id := it.ID(); id != "" && !maybeClients(it) {
			out[id] = true
		}
	}
	return out
}

// longMessage is the length in bytes from which a user message is taken for one that is
// retained, unread: injected context is shorter, and looking would copy the text.
const longMessage = 1 << 20

// someUser stands for a user message that is retained.
func someUser() parse.Item {
	it, _ := parse.ViewItem(jsonraw.Value(`{"type":"message","role":"user","content":[]}`))
	return it
}

// maybeClients reports whether an item has the shape of one that a client can write.
func maybeClients(it parse.Item) bool {
	switch {
	case it.IsMessage("developer"):
		return !compaction.IsInjected(it) && !history.IsResizeNotice(it)
	case it.Type == parse.ItemFunctionOutput:
		_, called := it.CallID()
		return !called && it.Fields.Get("name").HasText()
	}
	return false
}
