package ops

import (
	"bytes"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// imagePlace is where a record holds an image.
type imagePlace struct {
	// data is the string that holds it: a URL, or base64 alone. It is nil for an
	// input_image that has neither an image_url nor a file_id (R019).
	data  jsonraw.Value
	alone bool   // base64 alone
	media []byte // media type beside base64 alone, nil when it is not said
	sent  bool   // part of an item, so that a request can hold it

	// One of these says what takes its place.
	part jsonraw.Value // a part: one of the type textType
	list *imageList    // an entry of a list: nothing

	textType string
	kind     jsonraw.Value // of the part in content_item_kinds, nil for none
	index    int           // in the list
	owner    jsonraw.Value // the object with base64 alone, where it can name a file
	path     string        // the member for the name of the file, "" for none
}

// imageList is the list of images of a user_message event, with what is aligned with it.
type imageList struct {
	urls, details, order jsonraw.Value
	inline               []int        // for each image its place in order
	gone                 map[int]bool // images that go
}

// payload is the base64 text of an inline image with the media type as written; nil when
// the place holds none.
func (at *imagePlace) payload() (payload, media []byte) {
	text := at.data.Unquoted()
	if at.alone {
		if len(text) == 0 {
			return nil, nil
		}
		return text, at.media
	}
	media, payload, ok := tokens.DataURL(text)
	if !ok {
		return nil, nil
	}
	return payload, media
}

// finder lists the places of images in a record. Its memory is used again for the next.
type finder struct {
	places []imagePlace
	found  []*imagePlace
	lists  []*imageList
}

// find lists the places. bare holds in a file of generation 0.
func (f *finder) find(r *rewrite.Record, bare bool) []*imagePlace {
	f.places, f.found, f.lists = f.places[:0], f.found[:0], nil
	rec := r.Record
	if bare {
		rec = parse.AsBare(rec)
	}
	switch rec.Type {
	case parse.RecordResponseItem:
		f.item(rec.Item())
	case parse.RecordCompacted:
		f.items(rec.Fields().Get(historyKey))
		f.items(rec.Fields().Get("guardian_history"))
	case parse.RecordEvent:
		f.event(rec.Kind(), rec.Fields())
	}
	for i := range f.places {
		f.found = append(f.found, &f.places[i])
	}
	return f.found
}

func (f *finder) items(list jsonraw.Value) {
	items, _ := jsonraw.SplitArray(list)
	for _, raw := range items {
		if it, err := parse.ViewItem(raw); err == nil {
			f.item(it)
		}
	}
}

// item lists the images of an item (format.md 5.1, 5.6).
func (f *finder) item(it parse.Item) {
	from := len(f.places)
	switch {
	case it.Type == parse.ItemMessage:
		f.parts(it.Fields.Get("content"), parse.PartInputImage, "image_url", parse.PartInputText, it.Passthrough().Fields.Get("content_item_kinds"))
	case it.IsToolOutput():
		f.parts(it.Fields.Get("output"), parse.PartInputImage, "image_url", parse.PartInputText, nil)
	case it.Type == parse.ItemImageGenerationCall:
		f.result(it.Raw, it.Fields, "")
	}
	for i := from; i < len(f.places); i++ {
		f.places[i].sent = true
	}
}

// parts lists the images in a list of parts: those of a type, with the URL in a member.
func (f *finder) parts(list jsonraw.Value, typ, url, textType string, kinds jsonraw.Value) {
	if !bytes.Contains(list, []byte(typ)) && !bytes.Contains(list, []byte(`\u`)) {
		return
	}
	parts, _ := jsonraw.SplitArray(list)
	var aligned []jsonraw.Value
	if names, ok := jsonraw.Strings(kinds); ok && len(names) == len(parts) {
		aligned, _ = jsonraw.SplitArray(kinds)
	}
	for i, raw := range parts {
		p := parse.ViewPart(raw)
		if p.Type != typ {
			continue
		}
		at := imagePlace{data: p.Fields.Get(url), part: raw, textType: textType}
		if at.data.Kind() != jsonraw.KindString {
			if p.Fields.Get("file_id").Kind() == jsonraw.KindString {
				continue
			}
			at.data = nil
		}
		if aligned != nil {
			at.kind = aligned[i]
		}
		f.places = append(f.places, at)
	}
}

// result lists the image of something generated: base64 alone.
func (f *finder) result(owner jsonraw.Value, fields jsonraw.Object, path string) {
	if v := fields.Get("result"); v.Kind() == jsonraw.KindString {
		f.places = append(f.places, imagePlace{data: v, alone: true, owner: owner, path: path})
	}
}

// event lists the images of an event (format.md 3.9).
func (f *finder) event(kind string, e jsonraw.Object) {
	switch kind {
	case "user_message":
		f.userMessage(e)
	case "image_generation_end":
		f.result(e.Raw, e, "saved_path")
	case "mcp_tool_call_end":
		f.mcp(jsonraw.Lookup(e.Get("result"), "Ok"))
	case "dynamic_tool_call_response":
		f.parts(e.Get("content_items"), "inputImage", "imageUrl", "inputText", nil)
	case "item_completed", "item_started":
		if item := e.Get("item"); item.Kind() == jsonraw.KindObject {
			o, _ := jsonraw.SplitObject(item)
			f.turnItem(item, o)
		}
	}
}

// turnItem lists the images of an item of a turn.
func (f *finder) turnItem(raw jsonraw.Value, o jsonraw.Object) {
	switch o.Word("type") {
	case "UserMessage":
		f.parts(o.Get("content"), "image", "image_url", "text", nil)
	case "FunctionCallOutput":
		f.parts(o.Get("output"), parse.PartInputImage, "image_url", parse.PartInputText, nil)
	case "DynamicToolCall":
		f.parts(o.Get("content_items"), "inputImage", "imageUrl", "inputText", nil)
	case "McpToolCall":
		f.mcp(o.Get("result"))
	case "ImageGeneration":
		f.result(raw, o, "saved_path")
	case "Extension":
		if o.Text("kind") == "image_gen.generation" {
			f.result(raw, o, "savedPath")
		}
	}
}

// mcp lists the images of an MCP result: blocks with base64 alone.
func (f *finder) mcp(result jsonraw.Value) {
	if result.Kind() != jsonraw.KindObject {
		return
	}
	blocks, _ := jsonraw.SplitArray(jsonraw.Lookup(result, "content"))
	for _, raw := range blocks {
		o, ok := jsonraw.SplitObject(raw)
		if !ok || o.Text("type") != "image" {
			continue
		}
		if data := o.Get("data"); data.Kind() == jsonraw.KindString {
			f.places = append(f.places, imagePlace{data: data, alone: true, media: o.Get("mimeType").Unquoted(), part: raw, textType: "text"})
		}
	}
}

// userMessage lists the images of a user_message event.
func (f *finder) userMessage(e jsonraw.Object) {
	urls, _ := jsonraw.SplitArray(e.Get("images"))
	if len(urls) == 0 {
		return
	}
	l := &imageList{urls: e.Get("images"), gone: map[int]bool{}}
	if details, _ := jsonraw.SplitArray(e.Get("image_details")); len(details) == len(urls) {
		l.details = e.Get("image_details")
	}
	if order, ok := jsonraw.Strings(e.Get("image_order")); ok {
		for i, of := range order {
			if of == "inline" {
				l.inline = append(l.inline, i)
			}
		}
		if len(l.inline) == len(urls) {
			l.order = e.Get("image_order")
		}
	}
	f.lists = append(f.lists, l)
	for i, url := range urls {
		if url.Kind() == jsonraw.KindString {
			f.places = append(f.places, imagePlace{data: url, list: l, index: i})
		}
	}
}

// replace puts a text in the place of the image. file is the path of the file that it was
// written to, "" for none.
func (at *imagePlace) replace(e *rewrite.Editing, text, file string) {
	switch {
	case at.part != nil:
		e.Replace(at.part, jsonraw.Build(
			jsonraw.Pair{Name: "type", Value: jsonraw.Quote(at.textType)},
			jsonraw.Pair{Name: "text", Value: jsonraw.Quote(text)},
		))
		if at.kind != nil {
			e.Replace(at.kind, removedKind)
		}
	case at.list != nil:
		at.list.gone[at.index] = true
	default:
		e.Replace(at.data, jsonraw.Quote("")) // as Codex does (rule 34)
		if file == "" || at.path == "" {
			return
		}
		switch old := jsonraw.Lookup(at.owner, at.path); {
		case old == nil:
			e.Add(at.owner, at.path, jsonraw.Quote(file))
		case old.IsNull():
			e.Replace(old, jsonraw.Quote(file))
		}
	}
}

// finish takes the entries that go out of lists, and what is aligned with them.
func (f *finder) finish(e *rewrite.Editing) {
	for _, l := range f.lists {
		if len(l.gone) == 0 {
			continue
		}
		drop := func(i int) bool { return l.gone[i] }
		e.RemoveElements(l.urls, drop)
		if l.details != nil {
			e.RemoveElements(l.details, drop)
		}
		if l.order != nil {
			goes := map[int]bool{}
			for i := range l.gone {
				goes[l.inline[i]] = true
			}
			e.RemoveElements(l.order, func(i int) bool { return goes[i] })
		}
	}
}
