package parse

import "github.com/rollout-tool/rollout-tool/internal/jsonraw"

// Types of content parts and tool output parts (format.md 5.1, 5.6).
const (
	PartInputText        = "input_text"
	PartOutputText       = "output_text"
	PartInputImage       = "input_image"
	PartInputAudio       = "input_audio"
	PartEncryptedContent = "encrypted_content"
	PartSummaryText      = "summary_text"
	PartReasoningText    = "reasoning_text"
	PartText             = "text"
)

// Part is a view of one entry of a content or output list.
type Part struct {
	Raw    jsonraw.Value
	Type   string
	Fields jsonraw.Object
}

// ViewPart looks at raw as a content part.
func ViewPart(raw jsonraw.Value) Part {
	o, _ := jsonraw.SplitObject(raw)
	return Part{Raw: raw, Type: o.Word("type"), Fields: o}
}

func viewParts(list jsonraw.Value) []Part {
	elems, ok := jsonraw.SplitArray(list)
	if !ok {
		return nil
	}
	parts := make([]Part, len(elems))
	for i, e := range elems {
		parts[i] = ViewPart(e)
	}
	return parts
}

// IsText reports whether the part is input_text or output_text.
func (p Part) IsText() bool { return p.Type == PartInputText || p.Type == PartOutputText }

// TextValue is the raw text member of a text part; nil for other parts.
func (p Part) TextValue() jsonraw.Value {
	if !p.IsText() && p.Type != PartSummaryText && p.Type != PartReasoningText && p.Type != PartText {
		return nil
	}
	return p.Fields.Get("text")
}

// Text is the decoded text of a text part, "" for other parts.
func (p Part) Text() string {
	s, _ := p.TextValue().Text()
	return s
}

// ImageURL is the image_url of an image; nil when it is absent or no string (then
// the file id counts, format.md 6.4).
func (p Part) ImageURL() jsonraw.Value {
	if v := p.Fields.Get("image_url"); p.Type == PartInputImage && v.Kind() == jsonraw.KindString {
		return v
	}
	return nil
}

// Detail is the detail of an image, "" when there is none.
func (p Part) Detail() string { return p.Fields.Text("detail") }

// AudioURL is the audio_url of an audio part, nil for other parts.
func (p Part) AudioURL() jsonraw.Value {
	if p.Type != PartInputAudio {
		return nil
	}
	return p.Fields.Get("audio_url")
}

// Encrypted is the ciphertext of an encrypted_content part, nil for other parts.
func (p Part) Encrypted() jsonraw.Value {
	if p.Type != PartEncryptedContent {
		return nil
	}
	return p.Fields.Get("encrypted_content")
}

// Output is a view of the body of a tool output: a string or a list of parts.
type Output struct {
	Raw    jsonraw.Value
	IsText bool
}

// Text is the decoded body when it is a string.
func (o Output) Text() string { s, _ := o.Raw.Text(); return s }

// Parts are the entries when the body is a list.
func (o Output) Parts() []Part { return viewParts(o.Raw) }
