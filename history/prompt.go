package history

import (
	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// Modalities says what a model can take besides text. The zero value is text only.
type Modalities struct{ Image, Audio bool }

// AllModalities leaves images and audio alone: the tool's default.
var AllModalities = Modalities{Image: true, Audio: true}

// Texts and kinds that replace media which a model cannot take (rule 34).
const (
	noImageText = "image content omitted because you do not support image input"
	noImageKind = "images.unsupported"
	noAudioText = "audio content omitted because you do not support audio input"
	noAudioKind = "audio.unsupported"
)

// Prompt is the history as a request carries it (rules 31 to 34).
type Prompt struct {
	Rows []Row
	// Source holds, for each row, its index in the input, -1 for an inserted row.
	Source []int
	// Removed are the indexes in the input of the rows that rule 33 took out.
	Removed []int
}

// Normalize turns history into the input of a request: missing outputs inserted,
// orphans removed, media that the model cannot take replaced (rules 31 to 34). The
// order is not touched and duplicates stay. rows is not changed.
func Normalize(rows []Row, can Modalities) Prompt {
	p := insertMissing(rows)
	p = dropOrphans(p)
	if can.Image && can.Audio {
		return p
	}
	for i, r := range p.Rows {
		p.Rows[i].Item = replaceMedia(r.Item, can)
	}
	return p
}

// family is one kind of tool call with its kind of output (rules 31, 33).
type family struct {
	output string // item type of the output
	prefix string // of a synthetic id
}

// callFamily is the family of a call that needs an output; false for other items.
func callFamily(it parse.Item) (family, bool) {
	switch it.Type {
	case parse.ItemFunctionCall, parse.ItemLocalShellCall:
		return family{parse.ItemFunctionOutput, "fco"}, true
	case parse.ItemCustomToolCall:
		return family{parse.ItemCustomToolOutput, "ctco"}, true
	case parse.ItemToolSearchCall:
		return family{parse.ItemToolSearchOutput, "tso"}, true
	}
	return family{}, false
}

type callKey struct{ output, call string }

// insertMissing puts an "aborted" output behind each call without one (rule 31).
func insertMissing(rows []Row) Prompt {
	have := map[callKey]bool{}
	for _, r := range rows {
		switch r.Item.Type {
		case parse.ItemFunctionOutput, parse.ItemCustomToolOutput, parse.ItemToolSearchOutput:
			if id, ok := r.Item.CallID(); ok {
				have[callKey{r.Item.Type, id}] = true
			}
		}
	}
	p := Prompt{Rows: make([]Row, 0, len(rows))}
	for i, r := range rows {
		p.Rows, p.Source = append(p.Rows, r), append(p.Source, i)
		fam, isCall := callFamily(r.Item)
		id, ok := r.Item.CallID()
		if isCall && ok && !have[callKey{fam.output, id}] {
			p.Rows, p.Source = append(p.Rows, Row{File: r.File, Item: syntheticOutput(r.Item, fam)}), append(p.Source, -1)
		}
	}
	return p
}

// outputNamespace is the UUID namespace of synthetic ids (rule 32).
var outputNamespace = uuid.MustParse("90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4")

// syntheticID is the id of an output made for a call: none when the call has none.
// The name hashes the call's item id, not its call_id (rule 32).
func syntheticID(call parse.Item, prefix string) jsonraw.Value {
	id := call.ID()
	if id == "" {
		return nil
	}
	return jsonraw.Quote(prefix + "_" + uuid.NewSHA1(outputNamespace, []byte(prefix+":"+id)).String())
}

// abortedOutput is the body of a synthetic output (rule 31).
const abortedOutput = "aborted"

func syntheticOutput(call parse.Item, fam family) parse.Item {
	pairs := []jsonraw.Pair{
		{Name: "type", Value: jsonraw.Quote(fam.output)},
		{Name: "id", Value: syntheticID(call, fam.prefix)},
		{Name: "call_id", Value: call.Fields.Get("call_id")},
	}
	if fam.output == parse.ItemToolSearchOutput {
		pairs = append(pairs,
			jsonraw.Pair{Name: "status", Value: jsonraw.Quote("completed")},
			jsonraw.Pair{Name: "execution", Value: jsonraw.Quote("client")},
			jsonraw.Pair{Name: "tools", Value: jsonraw.Array(nil)})
	} else {
		pairs = append(pairs, jsonraw.Pair{Name: "output", Value: jsonraw.Quote(abortedOutput)})
	}
	return mustView(jsonraw.Build(pairs...))
}

// dropOrphans takes out outputs whose call is not in the history (rule 33).
func dropOrphans(p Prompt) Prompt {
	calls := map[callKey]bool{}
	for _, r := range p.Rows {
		if fam, ok := callFamily(r.Item); ok {
			if id, ok := r.Item.CallID(); ok {
				calls[callKey{fam.output, id}] = true
			}
		}
	}
	out := Prompt{Rows: make([]Row, 0, len(p.Rows)), Source: make([]int, 0, len(p.Rows))}
	for i, r := range p.Rows {
		if isOrphan(r.Item, calls) {
			out.Removed = append(out.Removed, p.Source[i])
			continue
		}
		out.Rows, out.Source = append(out.Rows, r), append(out.Source, p.Source[i])
	}
	return out
}

func isOrphan(it parse.Item, calls map[callKey]bool) bool {
	switch it.Type {
	case parse.ItemFunctionOutput, parse.ItemCustomToolOutput:
	case parse.ItemToolSearchOutput:
		if it.Fields.Text("execution") == "server" {
			return false
		}
	default:
		return false
	}
	id, ok := it.CallID()
	return ok && !calls[callKey{it.Type, id}]
}

// replaceMedia applies rule 34 to one item. Every message gets its kinds rewritten,
// touched or not.
func replaceMedia(it parse.Item, can Modalities) parse.Item {
	switch {
	case it.Type == parse.ItemMessage:
		parts := KindedContent(it)
		for i, p := range parts {
			switch {
			case p.Type == parse.PartInputImage && !can.Image:
				parts[i] = KindedPart{TextPart(noImageText), noImageKind}
			case p.Type == parse.PartInputAudio && !can.Audio:
				parts[i] = KindedPart{TextPart(noAudioText), noAudioKind}
			}
		}
		return WithContent(it, parts)
	case it.IsToolOutput():
		return replaceOutputMedia(it, can)
	case it.Type == parse.ItemImageGenerationCall && !can.Image:
		return it.Replace("result", jsonraw.Quote(""))
	}
	return it
}

func replaceOutputMedia(it parse.Item, can Modalities) parse.Item {
	parts := it.Output().Parts()
	raws := make([]jsonraw.Value, len(parts))
	changed := false
	for i, p := range parts {
		raws[i] = p.Raw
		switch {
		case p.Type == parse.PartInputImage && !can.Image:
			raws[i], changed = TextPart(noImageText).Raw, true
		case p.Type == parse.PartInputAudio && !can.Audio:
			raws[i], changed = TextPart(noAudioText).Raw, true
		}
	}
	if !changed {
		return it
	}
	return it.Replace("output", jsonraw.Array(raws))
}
