package ops

import (
	"bytes"
	"path/filepath"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/validate"
)

// removedKind is the kind of a text that stands for an image (rule 34).
var removedKind = jsonraw.Quote(history.RemovedImageKind)

// Reasons of edits, in the order in which the first that fits is given.
const (
	reasonStripped   = "images stripped"
	reasonWritten    = "images written to files"
	reasonCopies     = "copies of images removed"
	reasonInvalid    = "invalid images replaced"
	reasonMediaTypes = "media types of images corrected"
)

// imagesEditor is one pass.
type imagesEditor struct {
	*imagesPlan
	counter
	finder
	checker *accept.Checker
	seen    map[imageKey]bool // images that dedupe has met where any copy could stay
	// wrote is asked to write an image that goes; nil when nothing is written.
	wrote func(*imageFacts, []byte)
}

// verdict is what becomes of an image.
type verdict struct {
	reason  string // "" when it stays
	text    string // that takes its place
	file    string // that it was written to, "" for none
	lost    bool   // it is nowhere else
	declare string // the media type that its data URL should have
}

// Edit replaces the images of a record.
func (e *imagesEditor) Edit(r *rewrite.Record) rewrite.Edit {
	k := e.next(r)
	found := e.find(r, e.bare)
	if len(found) == 0 || !e.reads(r) && !e.readsWithout(r, found) {
		return rewrite.Keep() // what Codex does not read is not cured by less of it
	}
	change, reason, lost := r.Change(), "", false
	for _, at := range found {
		v := e.judge(at, k)
		switch {
		case v.reason == "":
			continue
		case v.declare != "":
			correct(change, at.data, v.declare)
		default:
			at.replace(change, v.text, v.file)
		}
		lost = lost || v.lost
		if reason == "" || weight(v.reason) < weight(reason) {
			reason = v.reason
		}
	}
	e.finish(change)
	ed := change.Done(reason)
	if lost {
		ed = ed.Lossy()
	}
	return ed
}

// readsWithout reports whether Codex reads the record when the images without a source are
// gone (R019). Windows would be counted otherwise then: where they matter the record stays.
func (e *imagesEditor) readsWithout(r *rewrite.Record, found []*imagePlace) bool {
	if e.windows != nil {
		return false
	}
	change := r.Change()
	for _, at := range found {
		if at.data == nil {
			at.replace(change, history.InvalidImageText, "")
		}
	}
	line := change.Done(reasonInvalid).Result()
	return line != nil && e.checker.Line(line).Verdict == accept.OK
}

func weight(reason string) int {
	switch reason {
	case reasonInvalid:
		return 1
	case reasonMediaTypes:
		return 2
	}
	return 0
}

// judge says what becomes of an image in window k.
func (e *imagesEditor) judge(at *imagePlace, k int) verdict {
	if !e.chosen(k) {
		return verdict{}
	}
	payload, media := at.payload()
	switch {
	case e.mode == modeDedupe:
		return e.dedupe(at, k, payload, media)
	case payload == nil || e.which == whichInvalid:
		return e.invalid(at, payload, media)
	}
	f := e.facts(payload, media)
	switch {
	case f.decodes && e.mode == modeExternalise:
		return e.toFile(f, payload, reasonWritten)
	case f.decodes:
		return verdict{reason: reasonStripped, text: history.RemovedImageText(f.what()), lost: true}
	case at.alone:
		return verdict{} // not understood
	}
	return verdict{reason: reasonInvalid, text: history.InvalidImageText, lost: true}
}

// facts looks into an image once.
func (p *imagesPlan) facts(payload, media []byte) *imageFacts {
	key := keyOf(payload)
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.known[key]
	if f == nil {
		f = lookInto(payload, media)
		p.known[key] = f
	}
	return f
}

// invalid replaces an image that the server refuses: one of an item.
func (e *imagesEditor) invalid(at *imagePlace, payload, media []byte) verdict {
	switch {
	case !at.sent || at.alone:
		return verdict{}
	case at.data == nil:
		return verdict{reason: reasonInvalid, text: history.InvalidImageText}
	}
	switch code := e.defect(at.data); code {
	case "", "I027":
		return verdict{}
	case "I024":
		return verdict{reason: reasonMediaTypes, declare: e.facts(payload, media).media}
	}
	if payload != nil && e.mode == modeExternalise {
		if f := e.facts(payload, media); f.decodes {
			return e.toFile(f, payload, reasonInvalid)
		}
	}
	return verdict{reason: reasonInvalid, text: history.InvalidImageText, lost: true}
}

// defect is the code of what is wrong with the image at a URL.
func (p *imagesPlan) defect(url jsonraw.Value) string {
	key := keyOf(url) // the media type counts
	p.mu.Lock()
	defer p.mu.Unlock()
	code, known := p.defects[key]
	if !known {
		code = validate.ImageDefect(url.Unquoted())
		p.defects[key] = code
	}
	return code
}

// dedupe takes a copy of an image that stays elsewhere.
func (e *imagesEditor) dedupe(at *imagePlace, k int, payload, media []byte) verdict {
	if payload == nil || !e.mayGo(at, k) {
		return verdict{}
	}
	key := keyOf(payload)
	if !e.kept[key] && !e.seen[key] {
		e.seen[key] = true
		return verdict{}
	}
	f := e.facts(payload, media)
	if !f.decodes {
		return verdict{}
	}
	return verdict{reason: reasonCopies, text: history.RemovedImageText(f.what() + ", a copy is in this session")}
}

// toFile has an image written.
func (e *imagesEditor) toFile(f *imageFacts, payload []byte, reason string) verdict {
	name := f.fileName()
	if e.wrote != nil {
		e.wrote(f, payload)
	}
	v := verdict{reason: reason, text: history.RemovedImageText(f.what() + ", file " + filepath.ToSlash(filepath.Join(e.to, name)))}
	if path, err := filepath.Abs(filepath.Join(e.to, name)); err == nil {
		v.file = path
	}
	return v
}

// correct puts a media type in the place of the one that a data URL has. Parameters stay.
func correct(change *rewrite.Editing, url jsonraw.Value, media string) {
	if end := bytes.IndexByte(url, ';'); end > 0 {
		change.Replace(url[1:end], []byte("data:"+media))
	}
}
