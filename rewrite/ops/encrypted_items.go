package ops

import (
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// fate is what becomes of an item.
type fate uint8

const (
	stays   fate = 0
	goes    fate = 1 << iota // as a whole
	summary                  // as a whole; in a checkpoint a message takes its place
	opens                    // without its ciphertext
	loosens                  // without its id
)

// notReadable stands where ciphertext stood among readable parts.
const notReadable = "(encrypted content, not readable any more)"

// judge says what becomes of the next item. It follows which of the model's items came
// with reasoning that goes: servers refuse their ids without it.
func (d *decrypter) judge(it parse.Item) fate {
	foreign := d.isForeign()
	switch it.Type {
	case parse.ItemReasoning:
		d.orphaned = d.all || d.reasoning || foreign
		if d.orphaned {
			return goes // never without its ciphertext: servers look it up by id
		}
		return stays
	case parse.ItemCompaction, parse.ItemContextCompaction:
		if d.all || d.compaction || foreign {
			return summary
		}
		return stays
	}
	out := stays
	switch {
	case isModels(it):
		if d.orphaned && it.Fields.Get("id").HasText() {
			out |= loosens
		}
	case it.Type == parse.ItemMessage || it.Type == parse.ItemAgentMessage:
		d.orphaned = false
	}
	if (d.all || foreign) && holdsCiphertext(it) {
		out |= opens
	}
	return out
}

// isModels reports whether an item is output of the model that a server pairs with the
// reasoning before it.
func isModels(it parse.Item) bool {
	switch it.Type {
	case parse.ItemFunctionCall, parse.ItemCustomToolCall, parse.ItemLocalShellCall, parse.ItemToolSearchCall,
		parse.ItemWebSearchCall, parse.ItemImageGenerationCall:
		return true
	}
	return it.IsMessage("assistant")
}

// cipherList is the list of an item that may have encrypted parts, nil for none.
func cipherList(it parse.Item) jsonraw.Value {
	list := jsonraw.Value(nil)
	switch {
	case it.IsToolOutput():
		list = it.Fields.Get("output")
	case it.Type == parse.ItemAgentMessage:
		list = it.Fields.Get("content")
	}
	if list.Kind() != jsonraw.KindArray {
		return nil
	}
	return list
}

// cipherParts are the encrypted parts of an item.
func cipherParts(it parse.Item) []jsonraw.Value {
	var out []jsonraw.Value
	parts, _ := jsonraw.SplitArray(cipherList(it))
	for _, raw := range parts {
		if parse.ViewPart(raw).Encrypted().HasText() {
			out = append(out, raw)
		}
	}
	return out
}

// cipherMembers are the members of a readable item that hold ciphertext or say where it is.
func cipherMembers(it parse.Item) []string {
	var out []string
	if it.Fields.Get("encrypted_content").HasText() {
		out = append(out, "encrypted_content")
	}
	if args, _ := jsonraw.SplitArray(it.Fields.Get("encrypted_function_args")); len(args) > 0 {
		out = append(out, "encrypted_function_args")
	}
	return out
}

// holdsCiphertext reports whether a readable item has ciphertext in it.
func holdsCiphertext(it parse.Item) bool {
	return len(cipherMembers(it)) > 0 || len(cipherParts(it)) > 0
}

// openItem takes ciphertext and id out of an item that stays, as its fate says.
func openItem(e *rewrite.Editing, it parse.Item, f fate) *rewrite.Editing {
	if f&loosens != 0 {
		e.Remove(it.Raw, "id")
	}
	if f&opens == 0 {
		return e
	}
	for _, name := range cipherMembers(it) {
		e.Remove(it.Raw, name)
	}
	for _, raw := range cipherParts(it) {
		e.Replace(raw, jsonraw.Build(
			jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.PartInputText)},
			jsonraw.Pair{Name: "text", Value: jsonraw.Quote(notReadable)}))
	}
	return e
}
