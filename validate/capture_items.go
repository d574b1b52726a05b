package validate

import (
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// itemsRule follows items by their ids through the requests of a thread.
type itemsRule struct {
	threads map[string]*knownItems
}

type knownItems struct {
	created map[string]string // create_time as written, by item id
	sources map[string]string // what a notice stands behind, by its id
}

func newItemsRule() *itemsRule { return &itemsRule{threads: map[string]*knownItems{}} }

func (*itemsRule) end(*captureSink) {}

func (r *itemsRule) take(e *capture.Exchange, out *captureSink) {
	t := r.threads[e.Thread]
	if t == nil {
		t = &knownItems{created: map[string]string{}, sources: map[string]string{}}
		r.threads[e.Thread] = t
	}
	items := e.Request.Input
	summary := lastCompactionItem(items)
	for i, it := range items {
		id := it.ID()
		if v := it.Passthrough().Fields.Get("create_time"); id != "" && !v.Missing() {
			if old, ok := t.created[id]; !ok {
				t.created[id] = string(v)
			} else if old != string(v) {
				out.at(e, "X040", inputPointer(e, i), "item "+itoa(i)+" ("+labelOf(it)+") has create_time "+clip(string(v))+", in a request before "+clip(old))
			}
		}
		if history.IsResizeNotice(it) {
			t.notice(e, i, i < summary, out)
		}
	}
}

// notice checks that a resize notice stands behind its source; retained says that a
// compaction has put it there (compaction.md 2.1, 3.1).
func (t *knownItems) notice(e *capture.Exchange, i int, retained bool, out *captureSink) {
	items := e.Request.Input
	var before parse.Item
	if i > 0 {
		before = items[i-1]
	}
	id := items[i].ID()
	source, known := t.sources[id]
	if !known && id != "" && before.ID() != "" {
		t.sources[id] = before.ID()
	}
	switch {
	case known && source != before.ID():
		out.at(e, "X041", inputPointer(e, i), "the resize notice, item "+itoa(i)+", does not stand behind the item that it stood behind before")
	case !known && retained && !before.IsMessage("user") && !before.IsMessage("developer") && !before.IsToolOutput():
		out.at(e, "X041", inputPointer(e, i), "the resize notice, item "+itoa(i)+", does not stand behind a message or an output")
	}
}
