package validate

import (
	"fmt"
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// itemRule looks at each item by itself, in response_items and in checkpoints.
func itemRule() rule {
	return rule{
		name: "item",
		line: func() lineRule {
			return &itemLook{images: imageCheck{seed: maphash.MakeSeed(), known: map[imageKey]imageDefect{}}}
		},
		stream: func() streamRule { return &itemTake{} },
	}
}

// maxIDLength is how many characters of an id the server takes (openai/codex#44414).
const maxIDLength = 64

type itemLook struct{ images imageCheck }

// plainReasoning is what itemLook notes of a line with reasoning items that have no
// encrypted content: how many, and where the first is.
type plainReasoning struct {
	named, bare     int // with an id and nothing else; the others
	namedAt, bareAt string
}

func (r *itemLook) Look(v *lineView) any {
	var plain plainReasoning
	items := v.itemsHeld()
	for i := range items {
		it := &items[i]
		checkID(v, it)
		switch {
		case it.Type == parse.ItemReasoning:
			plain.add(it)
		case !parse.KnownItem(it.Type):
			if it.Type != parse.ItemGhostSnapshot && !isFiller(it.Item) { // ghosts: M005
				v.Add("I010", it.at("/type"), "unknown item type `"+clip(it.Type)+"`: not part of the history")
			}
		case it.IsMessage("system") && !it.inCheckpoint(): // in a checkpoint: C008
			v.Add("I011", it.at("/role"), "system message stored: not part of the history")
		}
	}
	for _, image := range v.imagesHeld() {
		if d := r.images.of(image.url); d.code != "" {
			v.Add(d.code, image.pointer(), d.message)
		}
	}
	if plain.named+plain.bare == 0 {
		return nil
	}
	return plain
}

// add counts a reasoning item without encrypted content.
func (p *plainReasoning) add(it *heldItem) {
	if it.Fields.Get("encrypted_content").HasText() {
		return
	}
	if it.ID() != "" && len(it.Content()) == 0 {
		if p.named++; p.named == 1 {
			p.namedAt = it.at("")
		}
		return
	}
	if p.bare++; p.bare == 1 {
		p.bareAt = it.at("")
	}
}

// checkID looks at the id of an item, where there is one.
func checkID(v *lineView, it *heldItem) {
	raw := it.Fields.Get("id")
	if raw.Kind() != jsonraw.KindString || !hasID(it.Type) {
		return
	}
	text := raw.Unquoted()
	if plainID(text) {
		return
	}
	id := string(text)
	code, why := "", ""
	switch n := utf8.RuneCountInString(id); {
	case id == "":
		code, why = "I003", "the id is empty"
	case n > maxIDLength:
		code, why = "I001", fmt.Sprintf("the id has %d characters, at most %d are allowed", n, maxIDLength)
	default:
		if i := strings.IndexFunc(id, func(r rune) bool { return r >= utf8.RuneSelf || !idByte(byte(r)) }); i >= 0 {
			r, _ := utf8.DecodeRuneInString(id[i:])
			code, why = "I002", fmt.Sprintf("the id %q has the character %q", clip(id), r)
		} else {
			code, why = "I004", fmt.Sprintf("the id %q has no prefix: it is not sent", id)
		}
	}
	v.Add(code, it.at("/id"), why)
}

// plainID reports whether nothing is wrong with an id.
func plainID(id []byte) bool {
	prefix := -1
	for i, c := range id {
		if !idByte(c) {
			return false
		}
		if c == '_' && prefix < 0 {
			prefix = i
		}
	}
	return len(id) <= maxIDLength && prefix > 0 && prefix < len(id)-1
}

// idByte reports whether ids may have c: a letter, a digit, _ or -.
func idByte(c byte) bool {
	const (
		low  = 1<<'-' | (1<<10-1)<<'0'                    // below '@'
		high = 1<<('_'-64) | (1<<26-1)<<1 | (1<<26-1)<<33 // from '@' on
	)
	if c < 64 {
		return low>>c&1 != 0
	}
	return c < 128 && uint64(high)>>(c-64)&1 != 0
}

// hasID reports whether Codex reads an id in items of a type (format.md 5.1).
func hasID(typ string) bool {
	return parse.KnownItem(typ) && typ != parse.ItemConfigurationUpdate && typ != parse.ItemCompactionTrigger
}

// itemTake sums up what providers without encrypted reasoning repeat in every response.
type itemTake struct {
	named, bare     total
	namedAt, bareAt string
}

func (t *itemTake) Take(l *Looked, note any, _ *sink) {
	p, ok := note.(plainReasoning)
	if !ok {
		return
	}
	if t.named.add(l, p.named) {
		t.namedAt = p.namedAt
	}
	if t.bare.add(l, p.bare) {
		t.bareAt = p.bareAt
	}
}

func (t *itemTake) End(_ *fileView, out *sink) {
	t.named.report(out, "I012", t.namedAt, "reasoning with an id, but without encrypted_content and content",
		"reasoning items have an id, but no encrypted_content and no content")
	t.bare.report(out, "I013", t.bareAt, "reasoning without encrypted_content", "reasoning items have no encrypted_content")
}

// isFiller reports whether an item is what rewriters leave in the place of a record that
// they took out of a paginated file: the type "other" and nothing else (needs.md 3).
func isFiller(it parse.Item) bool { return it.Type == parse.ItemOther && len(it.Fields.Members) == 1 }
