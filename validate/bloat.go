package validate

import (
	"bytes"
	"hash/maphash"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

const (
	// maxMigrated is the length in bytes of the longest line that Codex's migration
	// keeps (format.md 8.1).
	maxMigrated = 16 << 20
	// maxString is the length in bytes from which on JavaScript readers cannot hold a
	// file as one string (openai/codex#22004).
	maxString = 512 << 20
	// worthwhile is the number of bytes below which a rewrite is not worth proposing.
	worthwhile = 1 << 20
	// usualCopies is how often an image is stored without anyone's fault: with its
	// item, with an event, and in one checkpoint.
	usualCopies = 3
	// imageShare is the part of the checkpoints, in percent, from which on they are
	// mostly images.
	imageShare = 50
	// maxOutput is the size in tokens to which the usual limit cuts an output as it
	// enters the history: 10,000 and the allowance of a fifth (rule 22).
	maxOutput = 12_000
)

// bloatRule adds up bytes: limits of readers, and what a rewrite could save.
func bloatRule() rule {
	seed := maphash.MakeSeed() // of all goroutines: their sums are compared
	return rule{
		name:   "bloat",
		line:   func() lineRule { return bloatLook{seed} },
		stream: func() streamRule { return &bloat{images: map[imageKey]*imageCopies{}} },
	}
}

// bloatNote is what bloatLook measures in a line.
type bloatNote struct {
	images     []imageKey // inline images, by their base64 text
	checkpoint bool       // a compacted record with a replacement history
	ghosts     int64      // bytes of ghost snapshots in it
	output     int64      // tokens of a large tool output
}

type bloatLook struct{ seed maphash.Seed }

func (r bloatLook) Look(v *lineView) any {
	if !v.OK() {
		return nil
	}
	var note bloatNote
	for _, image := range v.imagesHeld() {
		r.addURL(&note, image.url)
	}
	switch v.Record.Type {
	case parse.RecordResponseItem:
		it := &v.itemsHeld()[0]
		note.output = largeOutput(it.Item)
		if it.Type == parse.ItemImageGenerationCall {
			r.add(&note, it.Fields.Get("result"))
		}
	case parse.RecordCompacted:
		history := v.Record.Fields().Get("replacement_history")
		note.checkpoint = !history.Missing()
		note.ghosts = ghostBytes(history)
	case parse.RecordEvent:
		r.event(&note, v.looked.Kind, v.Record.Fields())
	}
	if note.images == nil && !note.checkpoint && note.output == 0 {
		return nil
	}
	left := note // a copy: most lines leave none, and allocate none
	return &left
}

// add notes an image by its base64 text.
func (r bloatLook) add(note *bloatNote, text jsonraw.Value) {
	if text.Kind() == jsonraw.KindString && len(text) > 2 {
		r.addPayload(note, text[1:len(text)-1])
	}
}

func (r bloatLook) addURL(note *bloatNote, url jsonraw.Value) {
	const mark = ";base64,"
	if url.Kind() != jsonraw.KindString {
		return
	}
	if i := bytes.Index(url[:min(len(url), 128)], []byte(mark)); i >= 0 {
		r.addPayload(note, url[i+len(mark):len(url)-1])
	}
}

func (r bloatLook) addPayload(note *bloatNote, text []byte) {
	note.images = append(note.images, imageKey{maphash.Bytes(r.seed, text), len(text)})
}

// event notes the images of an event (format.md 3.9).
func (r bloatLook) event(note *bloatNote, kind string, f jsonraw.Object) {
	switch kind {
	case "user_message":
		urls, _ := jsonraw.SplitArray(f.Get("images"))
		for _, url := range urls {
			r.addURL(note, url)
		}
	case "image_generation_end":
		r.add(note, f.Get("result"))
	case "item_completed":
		item := f.Get("item")
		if !mayHoldImage(item) {
			return
		}
		o, _ := jsonraw.SplitObject(item)
		switch o.Text("type") {
		case "ImageGeneration":
			r.add(note, o.Get("result"))
		case "UserMessage":
			parts, _ := jsonraw.SplitArray(o.Get("content"))
			for _, p := range parts {
				part, _ := jsonraw.SplitObject(p)
				r.addURL(note, part.Get("image_url"))
			}
		}
	}
}

// mayHoldImage tells from its start, where it can, that an item of a turn is of a type
// without images: most are, and some are long.
func mayHoldImage(item jsonraw.Value) bool {
	const start = `{"type":"`
	typ, ok := bytes.CutPrefix(item, []byte(start))
	if !ok {
		return true
	}
	typ, _, _ = bytes.Cut(typ[:min(len(typ), 64)], []byte(`"`))
	return bytes.Equal(typ, []byte("UserMessage")) || bytes.Equal(typ, []byte("ImageGeneration")) || bytes.ContainsRune(typ, '\\')
}

// largeOutput is the size of a tool output's texts in tokens, 0 when it is not large.
func largeOutput(it parse.Item) int64 {
	if !it.IsToolOutput() {
		return 0
	}
	out := it.Output()
	if tokens.FromBytes(int64(len(out.Raw))) <= maxOutput {
		return 0
	}
	n := int64(0)
	if out.IsText {
		n = int64(out.Raw.TextLen())
	} else {
		for _, p := range out.Parts() {
			n += int64(p.TextValue().TextLen())
		}
	}
	if n = tokens.FromBytes(n); n > maxOutput {
		return n
	}
	return 0
}

// ghostBytes adds up the ghost snapshots in a replacement history.
func ghostBytes(history jsonraw.Value) int64 {
	if !mayHold(history, parse.ItemGhostSnapshot) {
		return 0
	}
	n := int64(0)
	items, _ := jsonraw.SplitArray(history)
	for _, raw := range items {
		if it, err := parse.ViewItem(raw); err == nil && it.Type == parse.ItemGhostSnapshot {
			n += int64(len(raw))
		}
	}
	return n
}
