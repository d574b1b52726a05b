package ops

import (
	"path/filepath"
	"sync"

	"github.com/rollout-tool/rollout-tool/rewrite"
)

func imagesInfo() Info {
	return Info{
		Name:    "images",
		Summary: "take inline images out, write them to files, or keep one copy of each",
		About: `Images are stored as base64: with their message or output, with an event for the screen, and once more
in every checkpoint that keeps them. An image that goes is replaced in its place by a text with its type,
size and checksum, so that the kinds of parts stay aligned; an event that cannot hold a text loses the
entry. Images that the server refuses (I020 to I028, R019) become "Invalid image", as Codex writes it.
Images at web addresses and file ids stay.`,
		Examples: []string{
			"rewrite images fixtures/cures/images/repeated.jsonl",
			"rewrite images --mode dedupe fixtures/cures/images/repeated.jsonl",
			"rewrite images --which invalid fixtures/cures/images/refused.jsonl",
		},
		Cures: []string{"B001", "B010", "B011", "I020", "I021", "I022", "I023", "I024", "I025", "I026", "I028", "R019"},
		Options: []Option{
			{Name: "mode", Kind: Text, Default: modeStrip, Usage: "`MODE`: strip; externalise (write to files); dedupe (of equal images keep those that the next request needs, or the first)"},
			{Name: "which", Kind: Text, Default: whichAll, Usage: "`WHICH` images: all; invalid (the server refuses them); superseded (no request needs them: before the checkpoint that counts); before-last (before the last compaction)"},
			{Name: "to", Kind: Text, Usage: "folder for externalise; files are named by their sha256 and never overwritten: `DIR`"},
		},
		New: newImages,
	}
}

// The modes, and which images.
const (
	modeStrip       = "strip"
	modeExternalise = "externalise"
	modeDedupe      = "dedupe"

	whichAll        = "all"
	whichInvalid    = "invalid"
	whichSuperseded = "superseded"
	whichBeforeLast = "before-last"
)

func newImages(v Values) (rewrite.Operation, error) {
	op := images{mode: v.Text("mode"), which: v.Text("which"), to: v.Text("to")}
	switch op.mode {
	case modeStrip, modeDedupe:
		if v.Set("to") {
			return nil, optionError("to", "is for --mode externalise")
		}
	case modeExternalise:
		if op.to == "" {
			return nil, optionError("to", "is missing: --mode externalise needs a folder")
		}
		op.to = filepath.Clean(op.to)
	default:
		return nil, optionError("mode", "%q: want strip, externalise or dedupe", op.mode)
	}
	switch op.which {
	case whichAll, whichSuperseded, whichBeforeLast:
	case whichInvalid:
		if op.mode == modeDedupe {
			return nil, optionError("which", "invalid: want --mode strip or externalise, to keep one copy of an invalid image helps nobody")
		}
	default:
		return nil, optionError("which", "%q: want all, invalid, superseded or before-last", op.which)
	}
	return op, nil
}

// images is the operation.
type images struct{ mode, which, to string }

func (images) Name() string { return "images" }

// Needles are in every record that can hold an image, and in those that tell windows apart.
func (images) Needles() []string {
	return []string{"input_image", "image_generation", `"images"`, `"image"`, "inputImage", "ImageGeneration", "image_gen.generation", `"compacted"`}
}

func (op images) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	p := &imagesPlan{images: op, bare: in.Header.Bare, known: map[imageKey]*imageFacts{}, defects: map[imageKey]string{}}
	if op.mode == modeDedupe || op.which == whichSuperseded || op.which == whichBeforeLast {
		var err error
		if p.windows, err = neededWindows(in); err != nil {
			return nil, err
		}
	}
	if op.mode == modeDedupe {
		if err := p.findCopies(in); err != nil {
			return nil, err
		}
	}
	return func() rewrite.Editor {
		e := &imagesEditor{imagesPlan: p, checker: in.Checker(), seen: map[imageKey]bool{}}
		if op.mode == modeExternalise {
			return &imagesWriter{imagesEditor: e, folder: op.to}
		}
		return e
	}, nil
}

// imagesPlan is what passes over one file share. It grows with distinct images.
type imagesPlan struct {
	images
	bare    bool
	windows *neededSet
	// kept are the images of which a copy stays whatever dedupe does.
	kept map[imageKey]bool

	mu      sync.Mutex // several passes may be under way
	known   map[imageKey]*imageFacts
	defects map[imageKey]string // codes, by the URL
}

// findCopies finds the images of which a copy stays: one that a request needs, or one
// that is not among those to be looked at.
func (p *imagesPlan) findCopies(in *rewrite.Input) error {
	p.kept = map[imageKey]bool{}
	var c counter
	var f finder
	return in.Records(false, func(r *rewrite.Record) error {
		k := c.next(r)
		if !p.reads(r) {
			return nil
		}
		for _, at := range f.find(r, p.bare) {
			if payload, _ := at.payload(); payload != nil && !p.mayGo(at, k) {
				p.kept[keyOf(payload)] = true
			}
		}
		return nil
	})
}

// reads reports whether Codex reads the record.
func (p *imagesPlan) reads(r *rewrite.Record) bool { return p.bare || r.Accepted() }

// chosen reports whether the images of window k are among those to be looked at.
func (p *imagesPlan) chosen(k int) bool {
	switch p.which {
	case whichSuperseded:
		return !p.windows.needed(k)
	case whichBeforeLast:
		return k < p.windows.last
	}
	return true
}

// mayGo reports whether dedupe may take the copy at a place in window k.
func (p *imagesPlan) mayGo(at *imagePlace, k int) bool {
	return p.chosen(k) && !(at.sent && p.windows.needed(k))
}
