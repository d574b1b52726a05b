package parse

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// Preview says in one text what the item is about: its first text, a call's name and
// arguments, an output, or what it is when it holds no text. Each of these is cut to
// about limit bytes, 0 for whole texts. White space and control characters stay as
// they are: a caller squeezes, escapes and cuts for its medium.
func Preview(it Item, limit int) string { return previewer(limit).item(it) }

// previewer is the number of bytes that each text may have, 0 for no limit.
type previewer int

func (p previewer) text(v jsonraw.Value) string {
	if p > 0 {
		v = v.Head(int(p))
	}
	s, _ := v.Text()
	return s
}

func (p previewer) item(it Item) string {
	f := it.Fields
	switch it.Type {
	case ItemMessage:
		return p.parts(it.Content())
	case ItemAgentMessage:
		return join(p.text(f.Get("author"))+" -> "+p.text(f.Get("recipient")), p.parts(it.Content()))
	case ItemReasoning:
		return p.reasoning(it)
	case ItemFunctionCall:
		return join(p.text(f.Get("name")), p.text(f.Get("arguments")))
	case ItemCustomToolCall:
		return join(p.text(f.Get("name")), p.text(f.Get("input")))
	case ItemFunctionOutput, ItemCustomToolOutput:
		if out := it.Output(); !out.IsText {
			return p.parts(out.Parts())
		}
		return p.text(it.Output().Raw)
	case ItemLocalShellCall:
		return previewShell(f.Get("action"))
	case ItemWebSearchCall:
		return p.search(f.Get("action"))
	case ItemToolSearchCall:
		return string(f.Get("arguments"))
	case ItemToolSearchOutput, ItemAdditionalTools:
		return previewTools(f.Get("tools"))
	case ItemImageGenerationCall:
		return p.text(f.Get("revised_prompt"))
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

// parts is the first text that is not blank, else the first part that is no
// text.
func (p previewer) parts(parts []Part) string {
	other := ""
	for _, part := range parts {
		if t := p.text(part.TextValue()); strings.TrimSpace(t) != "" {
			return t
		}
		switch {
		case other != "" || part.TextValue() != nil:
		case part.Type == PartEncryptedContent:
			other = previewEncrypted(part.Encrypted())
		default:
			other = "[" + part.Type + "]"
		}
	}
	return other
}

func (p previewer) reasoning(it Item) string {
	if summary := p.parts(viewParts(it.Fields.Get("summary"))); summary != "" {
		return summary
	}
	if text := p.parts(it.Content()); text != "" {
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

// search is what was looked for: a query, a page, a pattern.
func (p previewer) search(action jsonraw.Value) string {
	o, _ := jsonraw.ParseObject(action)
	for _, name := range []string{"query", "pattern", "url"} {
		if s := p.text(o.Get(name)); s != "" {
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
