package history

import (
	"encoding/xml"
	"io"
	"strings"
)

// IsHookPrompt reports whether text, trimmed, is one XML element with a non-blank
// hook_run_id attribute and non-blank text (rule 18). The element's name does not
// matter (U4 of the reference); child elements do not occur.
func IsHookPrompt(text string) bool {
	t := trim(text)
	if !strings.HasPrefix(t, "<") || !strings.Contains(t, "hook_run_id") {
		return false
	}
	dec := xml.NewDecoder(strings.NewReader(t))
	dec.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, io.ErrUnexpectedEOF }
	tok, err := dec.RawToken()
	start, ok := tok.(xml.StartElement)
	if err != nil || !ok || !hasRunID(start) {
		return false
	}
	var body strings.Builder
	for {
		tok, err := dec.RawToken()
		if err != nil {
			return false
		}
		switch tok := tok.(type) {
		case xml.CharData:
			body.Write(tok)
		case xml.Comment:
		case xml.EndElement:
			return tok.Name == start.Name && trim(body.String()) != "" && dec.InputOffset() == int64(len(t))
		default:
			return false
		}
	}
}

func hasRunID(el xml.StartElement) bool {
	for _, a := range el.Attr {
		if a.Name.Space == "" && a.Name.Local == "hook_run_id" {
			return trim(a.Value) != ""
		}
	}
	return false
}

// IsHookPromptMessage reports whether a user message holds hook prompts: every part
// is an input_text, each a hook prompt or another fragment, at least one of them a
// hook prompt (rule 36).
func isHookPromptParts(texts []string, allInputText bool) bool {
	if !allInputText {
		return false
	}
	hooks := 0
	for _, t := range texts {
		switch {
		case IsHookPrompt(t):
			hooks++
		case !isUserFragment(t):
			return false
		}
	}
	return hooks > 0
}
