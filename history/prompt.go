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

// CallKey pairs a call with its output: the item type of the output, which names
// the family of the call (rules 31, 33), and the call id.
type CallKey struct{ Output, Call string }

// CallOf is the key of a call that needs an output; false for other items and for
// a call without call_id.
func CallOf(it parse.Item) (CallKey, bool) {
	id, ok := it.CallID()
	switch it.Type {
	case parse.ItemFunctionCall, parse.ItemLocalShellCall:
		return CallKey{parse.ItemFunctionOutput, id}, ok
	case parse.ItemCustomToolCall:
		return CallKey{parse.ItemCustomToolOutput, id}, ok
	case parse.ItemToolSearchCall:
		return CallKey{parse.ItemToolSearchOutput, id}, ok
	}
	return CallKey{}, false
}

// OutputOf is the key of an output; false for other items and for an output
// without call_id.
func OutputOf(it parse.Item) (CallKey, bool) {
	switch it.Type {
	case parse.ItemFunctionOutput, parse.ItemCustomToolOutput, parse.ItemToolSearchOutput:
		id, ok := it.CallID()
		return CallKey{it.Type, id}, ok
	}
	return CallKey{}, false
}

// outputPrefix starts the id of a synthetic output (rule 32).
func outputPrefix(output string) string {
	switch output {
	case parse.ItemCustomToolOutput:
		return "ctco"
	case parse.ItemToolSearchOutput:
		return "tso"
	}
	return "fco"
}

// insertMissing puts an "aborted" output behind each call without one (rule 31).
func insertMissing(rows []Row) Prompt {
	have := map[CallKey]bool{}
	for _, r := range rows {
		if key, ok := OutputOf(r.Item); ok {
			have[key] = true
		}
	}
	p := Prompt{Rows: make([]Row, 0, len(rows))}
	for i, r := range rows {
		p.Rows, p.Source = append(p.Rows, r), append(p.Source, i)
		if key, ok := CallOf(r.Item); ok && !have[key] {
			p.Rows, p.Source = append(p.Rows, Row{File: r.File, Item: syntheticOutput(r.Item, key.Output)}), append(p.Source, -1)
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

func syntheticOutput(call parse.Item, output string) parse.Item {
	pairs := []jsonraw.Pair{
		{Name: "type", Value: jsonraw.Quote(output)},
		{Name: "id", Value: syntheticID(call, outputPrefix(output))},
		{Name: "call_id", Value: call.Fields.Get("call_id")},
	}
	if output == parse.ItemToolSearchOutput {
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
	calls := map[CallKey]bool{}
	for _, r := range p.Rows {
		if key, ok := CallOf(r.Item); ok {
			calls[key] = true
		}
	}
	out := Prompt{Rows: make([]Row, 0, len(p.Rows)), Source: make([]int, 0, len(p.Rows))}
	for i, r := range p.Rows {
		if key, ok := OutputOf(r.Item); ok && !calls[key] && !fromServer(r.Item) {
			out.Removed = append(out.Removed, p.Source[i])
			continue
		}
		out.Rows, out.Source = append(out.Rows, r), append(out.Source, p.Source[i])
	}
	return out
}

// fromServer reports whether a tool search ran at the server: its output needs no call.
func fromServer(it parse.Item) bool {
	return it.Type == parse.ItemToolSearchOutput && it.Fields.Text("execution") == "server"
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
