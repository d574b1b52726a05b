package history

import (
	"fmt"
	"strings"
)

// ParseModalities reads a list of what a model takes: text, image, audio, with commas.
// Text has to be among them.
func ParseModalities(list string) (Modalities, error) {
	var m Modalities
	text := false
	for _, v := range strings.Split(list, ",") {
		switch strings.TrimSpace(v) {
		case "text":
			text = true
		case "image":
			m.Image = true
		case "audio":
			m.Audio = true
		default:
			return m, fmt.Errorf("%q: want a list of text, image, audio", list)
		}
	}
	if !text {
		return m, fmt.Errorf("%q: text is always needed", list)
	}
	return m, nil
}
