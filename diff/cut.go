package diff

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// Texts that Codex leaves where something was taken out (rules 27, 29).
const (
	trimmedOutput = "Output exceeded the available model context and was truncated"
	markerEdge    = "…"
	tokensCut     = " tokens truncated" + markerEdge
	charsCut      = " chars truncated" + markerEdge
)

// maxMarkers is how many places of a text are tried as the cut.
const maxMarkers = 64

// cutKind says what was taken out of an item.
type cutKind uint8

const (
	notCut    cutKind = iota
	trimmed           // the whole output, to make the prompt fit the window (rule 29)
	shortened         // the middle of a text (rule 27)
	lessText          // whole texts
	lessMedia         // images or audio, no text
	emptied           // every part
)

// cutOf reports whether after is before with something taken out, and what.
func cutOf(before, after parse.Item) cutKind {
	if before.Type != after.Type || before.Role() != after.Role() {
		return notCut
	}
	switch {
	case before.Type == parse.ItemMessage:
		return partsCut(before.Content(), after.Content())
	case before.Type == parse.ItemToolSearchOutput:
		if listLen(before.Fields.Get("tools")) > 0 && listLen(after.Fields.Get("tools")) == 0 {
			return trimmed
		}
	case before.IsToolOutput():
		return outputCut(before.Output(), after.Output())
	}
	return notCut
}

func listLen(v jsonraw.Value) int {
	elems, err := jsonraw.Elements(v)
	if err != nil {
		return -1
	}
	return len(elems)
}

func outputCut(before, after parse.Output) cutKind {
	switch {
	case !after.IsText && !before.IsText:
		return partsCut(before.Parts(), after.Parts())
	case !after.IsText || !mayHoldMarker(after.Raw): // both texts of a cut have that word
		return notCut
	}
	text := after.Text()
	switch {
	case text == trimmedOutput && (!before.IsText || before.Text() != trimmedOutput):
		return trimmed
	case before.IsText && cutText(before.Text(), text) != nil:
		return shortened
	}
	return notCut
}

// partsCut matches the parts of after with those of before, in order.
func partsCut(before, after []parse.Part) cutKind {
	if len(before) > 0 && len(after) == 0 {
		return emptied
	}
	var short, texts, media bool
	j := 0
	for _, b := range before {
		if j < len(after) {
			if same, cut := samePart(b, after[j]); same || cut {
				short = short || cut
				j++
				continue
			}
		}
		if b.IsText() {
			texts = texts || b.Text() != ""
		} else {
			media = true
		}
	}
	switch {
	case j < len(after):
		return flattened(before, after)
	case short:
		return shortened
	case texts:
		return lessText
	case media:
		return lessMedia
	}
	return notCut
}

func samePart(b, a parse.Part) (same, cut bool) {
	if b.Type != a.Type {
		return false, false
	}
	if !b.IsText() {
		return sameValue(b.Raw, a.Raw), false
	}
	if sameValue(b.TextValue(), a.TextValue()) {
		return true, false
	}
	return false, mayHoldMarker(a.TextValue()) && cutText(b.Text(), a.Text()) != nil
}

// mayHoldMarker looks at a text before it is decoded.
func mayHoldMarker(v jsonraw.Value) bool { return bytes.Contains(v, []byte("truncated")) }

// flattened is a message whose parts a local compaction made into one text (rule 23).
func flattened(before, after []parse.Part) cutKind {
	if len(after) != 1 || !after[0].IsText() {
		return notCut
	}
	var all strings.Builder
	media := false
	for _, p := range before {
		all.WriteString(p.Text())
		media = media || !p.IsText()
	}
	switch text := after[0].Text(); {
	case cutText(all.String(), text) != nil:
		return shortened
	case media && all.String() == text:
		return lessMedia
	}
	return notCut
}

// textCut is what middle truncation left of a text (rule 27).
type textCut struct {
	head, marker, tail string
	removed            string // what stood where the marker is
}

// cutText finds out how after was cut from before; nil when it was not.
func cutText(before, after string) *textCut {
	at := 0
	for range maxMarkers {
		from, to := nextMarker(after, at)
		if from < 0 {
			return nil
		}
		c := textCut{head: after[:from], marker: after[from:to], tail: after[to:]}
		kept := len(c.head) + len(c.tail)
		if kept < len(before) && strings.HasPrefix(before, c.head) && strings.HasSuffix(before, c.tail) {
			c.removed = before[len(c.head) : len(before)-len(c.tail)]
			if kept > 0 || saysAll(c.marker, before) {
				return &c
			}
		}
		at = from + len(markerEdge)
	}
	return nil
}

// nextMarker finds `…N tokens truncated…` or `…N chars truncated…` at or after from;
// -1 when there is none.
func nextMarker(s string, from int) (start, end int) {
	for from < len(s) {
		k := strings.Index(s[from:], markerEdge)
		if k < 0 {
			break
		}
		start = from + k
		from = start + len(markerEdge)
		digits := from
		for digits < len(s) && '0' <= s[digits] && s[digits] <= '9' {
			digits++
		}
		if digits == from {
			continue
		}
		for _, unit := range [...]string{tokensCut, charsCut} {
			if strings.HasPrefix(s[digits:], unit) {
				return start, digits + len(unit)
			}
		}
	}
	return -1, -1
}

// saysAll reports whether a marker that stands alone gives the size of the whole
// text: only then is it known to be this text's.
func saysAll(marker, text string) bool {
	all := tokens.Text(text)
	if strings.HasSuffix(marker, charsCut) {
		all = int64(utf8.RuneCountInString(text))
	}
	return bytes.HasPrefix([]byte(marker), append([]byte(markerEdge), append(jsonraw.Int(all), ' ')...))
}
