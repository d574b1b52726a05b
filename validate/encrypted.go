package validate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// encryptedRule compares the provider that made bound items with the one that is to read
// them.
func encryptedRule() rule {
	return rule{
		name:   "encrypted",
		line:   func() lineRule { return encryptedLook{} },
		stream: func() streamRule { return &encrypted{bound: map[string]*boundItems{}} },
	}
}

// Notes of encryptedLook.
type (
	boundNote    string                             // the type of a bound item
	boundHistory int                                // bound items in a replacement history
	providerOf   struct{ thread, provider string }  // of a session_meta
	newProvider  struct{ provider, pointer string } // of applied settings
)

type encryptedLook struct{}

func (encryptedLook) Look(v *lineView) any {
	if !v.OK() {
		return nil
	}
	switch v.Record.Type {
	case parse.RecordSessionMeta:
		meta := v.Record.Fields()
		return providerOf{meta.Text("id"), meta.Text("model_provider")}
	case parse.RecordEvent:
		if v.looked.Kind == "thread_settings_applied" {
			settings, _ := jsonraw.SplitObject(v.Record.Fields().Get("thread_settings"))
			return newProvider{settings.Text("model_provider_id"), "/payload/thread_settings/model_provider_id"}
		}
	case parse.RecordInterAgent:
		if v.Record.Fields().Get("encrypted_content").HasText() {
			return boundNote("inter-agent message")
		}
	case parse.RecordCompacted:
		n := 0
		items := v.itemsHeld()
		for i := range items {
			checkCompactionItem(v, &items[i])
			if isBound(items[i].Item) {
				n++
			}
		}
		return boundHistory(n)
	case parse.RecordResponseItem:
		it := &v.itemsHeld()[0]
		checkCompactionItem(v, it)
		if isBound(it.Item) {
			return boundNote(it.Type)
		}
	}
	return nil
}

func checkCompactionItem(v *lineView, it *heldItem) {
	if it.Type == parse.ItemCompaction && !it.Fields.Get("encrypted_content").HasText() {
		v.Add("E003", it.at("/encrypted_content"), "the compaction item is empty")
	}
}

// isBound reports whether only the provider that made an item can read it.
func isBound(it parse.Item) bool {
	if it.Fields.Get("encrypted_content").HasText() {
		return true
	}
	list := "content"
	switch {
	case it.IsToolOutput():
		list = "output"
	case it.Type == parse.ItemFunctionCall:
		args, _ := jsonraw.SplitArray(it.Fields.Get("encrypted_function_args"))
		return len(args) > 0
	case it.Type != parse.ItemAgentMessage:
		return false
	}
	raw := it.Fields.Get(list)
	if raw.Kind() != jsonraw.KindArray || !mayHold(raw, parse.PartEncryptedContent) {
		return false
	}
	parts, _ := jsonraw.SplitArray(raw)
	for _, p := range parts {
		if parse.ViewPart(p).Encrypted().HasText() {
			return true
		}
	}
	return false
}

// boundItems are the items of the history that are bound to one provider.
type boundItems struct {
	total
	kind     string // of the first
	reported bool
}

// encrypted follows the provider and what is bound to it. A provider that no record
// names is "", and never differs.
type encrypted struct {
	thread   string // of the first session_meta
	own      string // the provider that the session goes on with
	provider string // that makes the items which follow
	foreign  *Looked
	bound    map[string]*boundItems
}

func (e *encrypted) Take(l *Looked, note any, out *sink) {
	switch n := note.(type) {
	case providerOf:
		switch {
		case e.thread == "":
			e.thread, e.own, e.provider = n.thread, n.provider, n.provider
		case n.thread != e.thread: // copied with the history of a parent
			e.provider = n.provider
			if differ(n.provider, e.own) {
				at := placeOf(l)
				e.foreign = &at
			}
		default:
			e.change(l, n.provider, "/payload/model_provider", out)
		}
	case newProvider:
		e.change(l, n.provider, n.pointer, out)
	case boundHistory:
		clear(e.bound)
		e.add(l, "checkpoint", int(n), out)
	case boundNote:
		e.add(l, string(n), 1, out)
	}
}

// differ reports whether two providers are known and not the same.
func differ(a, b string) bool { return a != "" && b != "" && a != b }

// add counts bound items that the current provider has made.
func (e *encrypted) add(l *Looked, kind string, n int, out *sink) {
	if n == 0 {
		return
	}
	b := e.bound[e.provider]
	if b == nil {
		b = &boundItems{kind: kind}
		e.bound[e.provider] = b
	}
	b.total.add(l, n)
	if e.foreign != nil {
		out.At(e.foreign, "E002", "/payload/model_provider",
			fmt.Sprintf("the copied history, from line %d on, has items bound to provider %q; this session has provider %q", l.Number, clip(e.provider), clip(e.own)))
		e.foreign, b.reported = nil, true
	}
}

// change reports what is bound to other providers when the session gets a new one.
func (e *encrypted) change(l *Looked, provider, pointer string, out *sink) {
	if provider == "" {
		return
	}
	for _, from := range slices.Sorted(maps.Keys(e.bound)) {
		b := e.bound[from]
		if b.reported || !differ(from, provider) {
			continue
		}
		b.reported = true
		items := "one item is"
		if b.n > 1 {
			items = itoa(b.n) + " items are"
		}
		out.At(l, "E001", pointer, fmt.Sprintf("the provider is %q from here on; %s bound to provider %q, the first (%s) on line %d",
			clip(provider), items, clip(from), b.kind, b.first.Number))
	}
	e.own, e.provider, e.foreign = provider, provider, nil
}

func (*encrypted) End(*fileView, *sink) {}
