package history

import (
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
)

// Facts are what the records up to a line prove about the session besides its items.
type Facts struct {
	// Meta is the payload of the first session_meta, empty when there is none.
	Meta jsonraw.Object
	// BaseInstructions is base_instructions.text of the first session_meta that
	// has it (rule 30); HasBase tells "" from none.
	BaseInstructions string
	HasBase          bool
	// DynamicTools is dynamic_tools of the first session_meta that has it, as
	// stored; nil when none has.
	DynamicTools jsonraw.Value
	// TurnContext is the payload of the newest turn_context, even one that Codex
	// would reject (rule 1); empty when there is none.
	TurnContext         jsonraw.Object
	TurnContextLine     int
	TurnContextRejected bool
	// Window is the newest model_context_window in tokens; HasWindow tells 0 from none.
	Window    int64
	HasWindow bool
}

// Provider is the session's model provider; Codex's default is openai.
func (f Facts) Provider() string {
	if p, ok := f.Meta.Get("model_provider").Text(); ok {
		return p
	}
	return "openai"
}

// SessionID is the id of the root session: session_id, else id (format.md 3.1).
func (f Facts) SessionID() string {
	if id, ok := f.Meta.Get("session_id").Text(); ok {
		return id
	}
	return f.Meta.Text("id")
}

// Facts collects what is known at a line.
func (r *Rollout) Facts(line int) (Facts, error) {
	var f Facts
	limit := position{r.self(), line}
	for i, oldest := r.self(), r.oldest(limit); i >= oldest; i-- { // the rollout itself goes before its ancestors
		if err := r.metaFacts(&f, i, limit); err != nil {
			return f, err
		}
		if err := r.turnFacts(&f, i, limit); err != nil {
			return f, err
		}
	}
	return f, nil
}

func (r *Rollout) metaFacts(f *Facts, file int, limit position) error {
	for _, at := range r.files[file].metas {
		if limit.before(position{file, at.line}) {
			break
		}
		if f.Meta.Raw != nil && f.HasBase && f.DynamicTools != nil {
			break
		}
		rec, err := r.files[file].read(at)
		if err != nil {
			return err
		}
		meta := rec.Fields()
		if f.Meta.Raw == nil {
			f.Meta = meta
		}
		if base, err := jsonraw.ParseObject(meta.Get("base_instructions")); err == nil && !f.HasBase {
			f.BaseInstructions, f.HasBase = base.Get("text").Text()
		}
		if tools := meta.Get("dynamic_tools"); f.DynamicTools == nil && tools.Kind() == jsonraw.KindArray {
			f.DynamicTools = tools
		}
	}
	return nil
}

func (r *Rollout) turnFacts(f *Facts, file int, limit position) error {
	x := r.files[file]
	for i := len(x.contexts) - 1; i >= 0 && f.TurnContext.Raw == nil; i-- {
		at := x.contexts[i]
		if limit.before(position{file, at.line}) {
			continue
		}
		rec, err := x.read(at)
		if err != nil {
			return err
		}
		f.TurnContext, f.TurnContextLine, f.TurnContextRejected = rec.Fields(), at.line, !at.accepted
	}
	for i := len(x.windows) - 1; i >= 0 && !f.HasWindow; i-- {
		if w := x.windows[i]; !limit.before(position{file, w.line}) {
			f.Window, f.HasWindow = w.value.Int64()
		}
	}
	return nil
}

// HasRecordedInstructions reports whether the history holds its base instructions as
// a message of kind model.base_instructions (rule 30; unconfirmed, U8).
func HasRecordedInstructions(rows []Row) bool {
	for _, r := range rows {
		if r.Item.Type != parse.ItemMessage {
			continue
		}
		kinds, _ := r.Item.Passthrough().ContentItemKinds()
		for _, k := range kinds {
			if k == "model.base_instructions" {
				return true
			}
		}
	}
	return false
}
