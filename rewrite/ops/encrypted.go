package ops

import (
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

func encryptedInfo() Info {
	return Info{
		Name:    "encrypted",
		Summary: "take out what only another provider can read",
		About: `Reasoning, compaction items and other ciphertext belong to the provider, organisation and
key that made them; a request with them is refused elsewhere. What was made under another
provider than the one the session goes on with goes: reasoning items as a whole, with the ids
of the model's items that came with them. In a checkpoint a readable message that says what is
missing takes the place of the compaction item. Readable texts, calls and outputs stay.`,
		Examples: []string{
			"rewrite encrypted fixtures/invalid/E001-provider-changed/bad.jsonl",
			"rewrite encrypted --all -o readable.jsonl fixtures/demo/rollout.jsonl",
		},
		Cures: []string{"E001", "E002", "I012", "I013"},
		Options: []Option{
			{Name: "foreign", Kind: Bool, Usage: "what was made under another provider than the session's (the default, when nothing else is chosen)"},
			{Name: "reasoning", Kind: Bool, Usage: "all reasoning items"},
			{Name: "compaction", Kind: Bool, Usage: "all compaction items"},
			{Name: "all", Kind: Bool, Usage: "everything that is encrypted, and all reasoning"},
			{Name: "placeholder", Kind: Text, Default: "(no summary available)", Usage: "what a checkpoint says in the place of its summary: `TEXT`"},
		},
		New: func(v Values) (rewrite.Operation, error) {
			op := encrypted{
				foreign: v.Bool("foreign"), reasoning: v.Bool("reasoning"), compaction: v.Bool("compaction"), all: v.Bool("all"),
				placeholder: v.Text("placeholder"),
			}
			switch chosen := op.reasoning || op.compaction || op.all; {
			case op.placeholder == "":
				return nil, optionError("placeholder", "is empty: the model has to be told that something is missing")
			case !chosen && v.Set("foreign") && !op.foreign:
				return nil, optionError("foreign", "is off, and nothing else is chosen; give --reasoning, --compaction or --all")
			case !chosen:
				op.foreign = true
			}
			return op, nil
		},
	}
}

// encrypted is the operation.
type encrypted struct {
	foreign, reasoning, compaction, all bool
	placeholder                         string
}

func (encrypted) Name() string { return "encrypted" }

// Plan finds the provider that the session goes on with.
func (op encrypted) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	var p providers
	if op.foreign {
		err := in.Records(false, func(r *rewrite.Record) error {
			p.follow(r)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	own, bare := p.own, in.Header.Bare
	return func() rewrite.Editor { return &decrypter{encrypted: op, own: own, bare: bare} }, nil
}

// providers follows which provider makes the items of a file. One that no record names is
// "", and never counts as another.
type providers struct {
	thread  string // of the first session_meta
	own     string // the one that the session goes on with
	current string // the one that makes the items which follow
}

// follow takes the next record.
func (p *providers) follow(r *rewrite.Record) {
	switch r.Type {
	case parse.RecordSessionMeta:
		if !r.Accepted() {
			return
		}
		meta := r.Fields()
		switch thread, name := meta.Text("id"), meta.Text("model_provider"); {
		case p.thread == "":
			p.thread, p.own, p.current = thread, name, name
		case thread != p.thread: // copied with the history of a parent
			p.current = name
		default:
			p.change(name)
		}
	case parse.RecordEvent:
		if r.Kind() == "thread_settings_applied" && r.Accepted() {
			settings, _ := jsonraw.SplitObject(r.Fields().Get("thread_settings"))
			p.change(settings.Text("model_provider_id"))
		}
	}
}

func (p *providers) change(name string) {
	if name != "" {
		p.own, p.current = name, name
	}
}

// decrypter is the editor.
type decrypter struct {
	encrypted
	own  string // the provider at the end of the file
	bare bool
	providers

	orphaned bool // the model's items that follow came with reasoning that went
}

// Edit takes ciphertext out of one record.
func (d *decrypter) Edit(r *rewrite.Record) rewrite.Edit {
	d.follow(r)
	rec := &r.Record
	if d.bare {
		bare := parse.AsBare(*rec)
		rec = &bare
	}
	switch rec.Type {
	case parse.RecordResponseItem:
		if d.bare || r.Accepted() {
			return d.stream(r, rec.Item())
		}
	case parse.RecordCompacted:
		if r.Accepted() {
			return d.checkpoint(r)
		}
	case parse.RecordInterAgent:
		if r.Accepted() {
			d.orphaned = false
			return d.message(r)
		}
	}
	return rewrite.Keep()
}

// isForeign reports whether what is made here is for another provider than the one that
// the session goes on with.
func (d *decrypter) isForeign() bool {
	return d.foreign && d.current != "" && d.own != "" && d.current != d.own
}

func (d *decrypter) stream(r *rewrite.Record, it parse.Item) rewrite.Edit {
	switch f := d.judge(it); {
	case f&(goes|summary) != 0:
		return rewrite.Drop("bound " + it.Type)
	case f&opens != 0:
		return openItem(r.Change(), it, f).Done("encrypted content beside readable").Lossy()
	default:
		return openItem(r.Change(), it, f).Done("id of an item whose reasoning went")
	}
}

// message opens an inter_agent_communication (format.md 3.6).
func (d *decrypter) message(r *rewrite.Record) rewrite.Edit {
	if !d.all && !d.isForeign() || !r.Fields().Get("encrypted_content").HasText() {
		return rewrite.Keep()
	}
	e := r.Change().Remove(r.Payload, "encrypted_content")
	if r.Fields().Text("content") == "" {
		e.Replace(r.Fields().Get("content"), jsonraw.Quote(notReadable))
	}
	return e.Done("encrypted message of an agent").Lossy()
}
