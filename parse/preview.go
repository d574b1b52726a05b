package parse

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// Preview says in one unabridged text what the item is about: its first text, a
// call's name and arguments, an output, or what it is when it holds no text. White
// space and control characters stay as they are: a caller squeezes, escapes and
// cuts for its medium.
func Preview(it Item) string {
	f := it.Fields
	switch it.Type {
	case ItemMessage:
		return previewParts(it.Content())
	case ItemAgentMessage:
		return join(f.Text("author")+" -> "+f.Text("recipient"), previewParts(it.Content()))
	case ItemReasoning:
		return previewReasoning(it)
	case ItemFunctionCall:
		return join(f.Text("name"), f.Text("arguments"))
	case ItemCustomToolCall:
		return join(f.Text("name"), f.Text("input"))
	case ItemFunctionOutput, ItemCustomToolOutput:
		if out := it.Output(); !out.IsText {
			return previewParts(out.Parts())
		}
		return it.Output().Text()
	case ItemLocalShellCall:
		return previewShell(f.Get("action"))
	case ItemWebSearchCall:
		return previewSearch(f.Get("action"))
	case ItemToolSearchCall:
		return string(f.Get("arguments"))
	case ItemToolSearchOutput, ItemAdditionalTools:
		return previewTools(f.Get("tools"))
	case ItemImageGenerationCall:
		return f.Text("revised_prompt")
	case ItemCompaction, ItemContextCompaction:
		return previewEncrypted(f.Get("encrypted_content"))
	}
	return ""
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// previewParts is the first text that is not blank, else the first part that is no
// text.
func previewParts(parts []Part) string {
	other := ""
	for _, p := range parts {
		if t := p.Text(); strings.TrimSpace(t) != "" {
			return t
		}
		switch {
		case other != "" || p.TextValue() != nil:
		case p.Type == PartEncryptedContent:
			other = previewEncrypted(p.Encrypted())
		default:
			other = "[" + p.Type + "]"
		}
	}
	return other
}

func previewReasoning(it Item) string {
	if summary := previewParts(viewParts(it.Fields.Get("summary"))); summary != "" {
		return summary
	}
	if text := previewParts(it.Content()); text != "" {
		return text
	}
	return previewEncrypted(it.Fields.Get("encrypted_content"))
}

func previewEncrypted(v jsonraw.Value) string {
	if v.Kind() != jsonraw.KindString {
		return ""
	}
	return "[encrypted, " + string(jsonraw.Int(int64(v.TextLen()))) + " bytes]"
}

func previewShell(action jsonraw.Value) string {
	o, _ := jsonraw.ParseObject(action)
	words, _ := jsonraw.Strings(o.Get("command"))
	return strings.Join(words, " ")
}

// previewSearch is what was looked for: a query, a page, a pattern.
func previewSearch(action jsonraw.Value) string {
	o, _ := jsonraw.ParseObject(action)
	for _, name := range []string{"query", "pattern", "url"} {
		if s := o.Text(name); s != "" {
			return s
		}
	}
	queries, _ := jsonraw.Strings(o.Get("queries"))
	return strings.Join(queries, ", ")
}

func previewTools(tools jsonraw.Value) string {
	elems, _ := jsonraw.Elements(tools)
	var names []string
	for _, e := range elems {
		o, _ := jsonraw.ParseObject(e)
		if n := o.Text("name"); n != "" {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return "[" + string(jsonraw.Int(int64(len(elems)))) + " tools]"
	}
	return strings.Join(names, ", ")
}
