package validate

import (
	"bytes"
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
		h.items = checkpointItems(v.Record.Fields())
	}
	return h.items
}

// stored is the replacement history of an accepted compacted record; false when it has
// none.
func (v *lineView) stored() (stored, bool) {
	if v.held.checkpoint == nil {
		s, _ := viewStored(v.Record)
		v.held.checkpoint = &s
	}
	return *v.held.checkpoint, v.held.checkpoint.fields.Get("replacement_history").Kind() == jsonraw.KindArray
}

// checkpointItems are the items of an accepted compacted payload, with their places in
// the stored list.
func checkpointItems(payload jsonraw.Object) []heldItem {
	raws, ok := jsonraw.SplitArray(payload.Get("replacement_history"))
	if !ok {
		return nil
	}
	sidecar := payload.Get("replacement_history_metadata")
	metas, _ := jsonraw.SplitArray(sidecar)
	items := make([]heldItem, 0, len(raws))
	for i, raw := range raws {
		it, err := parse.ViewItem(raw)
		if err != nil || it.Type == parse.ItemGhostSnapshot && !sidecar.IsNull() {
			continue
		}
		one := heldItem{Item: it, index: i}
		if i < len(metas) {
			one.meta = metas[i]
		}
		items = append(items, one)
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
