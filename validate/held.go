package validate

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// held caches the items and images of a line: several rules go through them, and to
// split a checkpoint of many megabytes costs more than to look at its items.
type held struct {
	split, viewed bool
	one           [1]heldItem
	items         []heldItem
	images        []heldImage
	checkpoint    *stored
	replaces      bool // the checkpoint replaces the history
}

// reset forgets the line before, so that none of its memory is kept.
func (h *held) reset() {
	if h.items != nil {
		h.one[0] = heldItem{}
	}
	h.split, h.viewed, h.replaces = false, false, false
	h.items, h.images, h.checkpoint = nil, nil, nil
}

// heldItem is an item that a line holds: the payload of a response_item or an entry of
// a replacement history.
type heldItem struct {
	parse.Item
	meta    jsonraw.Value // its sidecar as stored, nil when absent
	index   int           // in the replacement history, -1 for a response_item
	pointer string        // of the response_item's payload
}

// at is the JSON pointer of something inside the item.
func (h *heldItem) at(rest string) string {
	if h.index < 0 {
		return h.pointer + rest
	}
	return historyPointer + "/" + strconv.Itoa(h.index) + rest
}

// sidecarAt is the JSON pointer of something inside the item's sidecar.
func (h *heldItem) sidecarAt(rest string) string {
	if h.index < 0 {
		return "/metadata" + rest
	}
	return sidecarPointer + "/" + strconv.Itoa(h.index) + rest
}

// inCheckpoint reports whether the item stands in a replacement history.
func (h *heldItem) inCheckpoint() bool { return h.index >= 0 }

// itemsHeld are the items that an accepted line holds, ghost snapshots that Codex takes
// out left out (rule 3).
func (v *lineView) itemsHeld() []heldItem {
	h := &v.held
	if h.split {
		return h.items
	}
	h.split = true
	if !v.OK() {
		return nil
	}
	switch v.Record.Type {
	case parse.RecordResponseItem:
		h.one[0] = heldItem{Item: v.Record.Item(), meta: v.Record.Metadata, index: -1, pointer: "/payload"}
		if v.Bare {
			h.one[0].pointer = "" // a line of generation 0 has no envelope
		}
		h.items = h.one[:]
	case parse.RecordCompacted:
		h.items = v.checkpointItems()
	}
	return h.items
}

// stored is the replacement history of an accepted compacted record; false when it has
// none.
func (v *lineView) stored() (*stored, bool) {
	h := &v.held
	if h.checkpoint == nil {
		h.checkpoint, h.replaces = viewStored(v.Record, v.memo)
	}
	return h.checkpoint, h.replaces
}

// checkpointItems are the items of an accepted compacted record that are not plain, with
// their places in the stored list.
func (v *lineView) checkpointItems() []heldItem {
	s, ok := v.stored()
	if !ok {
		return nil
	}
	var items []heldItem
	add := func(one storedItem) {
		if !one.is(traitPlain) {
			items = append(items, heldItem{Item: one.view(), meta: one.meta, index: one.index})
		}
	}
	for _, one := range s.items {
		add(one)
	}
	if s.ghosts != nil && s.fields.Get("replacement_history_metadata").IsNull() { // they stay (rule 3)
		for _, one := range s.ghosts {
			add(one)
		}
		slices.SortFunc(items, func(a, b heldItem) int { return a.index - b.index })
	}
	return items
}

// heldImage is an image inside an item that a line holds.
type heldImage struct {
	item *heldItem
	list string // the member of the item that has the part
	part int    // in that list
	url  jsonraw.Value
}

// pointer is the JSON pointer of the part.
func (i *heldImage) pointer() string { return i.item.at("/" + i.list + "/" + strconv.Itoa(i.part)) }

// imagesHeld are the images with an image_url in messages and tool outputs of the line.
func (v *lineView) imagesHeld() []heldImage {
	h := &v.held
	if h.viewed {
		return h.images
	}
	h.viewed = true
	items := v.itemsHeld()
	for i := range items {
		it := &items[i]
		switch {
		case it.Type == parse.ItemMessage:
			h.addImages(it, "content")
		case it.IsToolOutput():
			h.addImages(it, "output")
		}
	}
	return h.images
}

func (h *held) addImages(it *heldItem, list string) {
	raw := it.Fields.Get(list)
	if raw.Kind() != jsonraw.KindArray || !mayHold(raw, parse.PartInputImage) {
		return
	}
	parts, _ := jsonraw.SplitArray(raw)
	for i, p := range parts {
		if url := parse.ViewPart(p).ImageURL(); url != nil {
			h.images = append(h.images, heldImage{item: it, list: list, part: i, url: url})
		}
	}
}

// mayHold reports whether a JSON text can have a string with an ASCII word in it: as it
// is, or with a letter written as an escape. It is much faster than a look.
func mayHold(raw jsonraw.Value, word string) bool {
	return bytes.Contains(raw, []byte(word)) || bytes.Contains(raw, []byte(`\u`))
}
