package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// inputHead is the start of an input: what was read to tell what it is.
type inputHead struct {
	text   []byte         // all bytes read
	lines  int            // physical lines read
	object jsonraw.Object // the object it starts with, empty when it starts with none
}

// is reports whether the input starts with an object that has the member; input has to
// be a list.
func (h inputHead) is(member string) bool {
	v := h.object.Get(member)
	return v != nil && (member != "input" || v.Kind() == jsonraw.KindArray)
}

// maxHead bounds how much is read in search of the end of an object, in bytes.
const maxHead = 1 << 30

var utf8BOM = []byte("\xef\xbb\xbf")

// firstObject reads the JSON object that the input starts with, be it over many lines,
// and stops as soon as it cannot be one. Leading blank lines and a byte order mark are
// passed over.
func firstObject(br *bufio.Reader) (inputHead, error) {
	var h inputHead
	for try := 1; len(h.text) < maxHead; {
		line, err := br.ReadBytes('\n')
		h.text = append(h.text, line...)
		h.lines++
		if err != nil && err != io.EOF {
			return h, err
		}
		text := bytes.TrimSpace(bytes.TrimPrefix(h.text, utf8BOM))
		switch {
		case parse.IsBlank(text):
			if err == io.EOF {
				return h, fmt.Errorf("empty: an item, a request body or a rollout is needed")
			}
			continue
		case h.lines < try && err == nil: // each try reads all again: double the lines
			continue
		}
		o, bad := jsonraw.ParseObject(text)
		if bad == nil {
			h.object = o
			return h, nil
		}
		var syntax *jsonraw.SyntaxError
		unfinished := errors.As(bad, &syntax) && (syntax.Offset >= len(text) || strings.HasPrefix(syntax.Msg, "EOF"))
		if !unfinished || err == io.EOF {
			return h, nil
		}
		try = 2 * h.lines
	}
	return h, nil
}
