package ops

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/validate"
)

// shape is something that earlier builds wrote in another form than today's.
type shape struct {
	name   string   // for --only and --skip
	reason string   // what is done about it
	source string   // where the reference has it
	codes  []string // findings that are gone afterwards
	// drops says that the record goes; edit changes it and says whether it did. An edit
	// never overlaps with that of another shape.
	drops func(r *rewrite.Record) bool
	edit  func(r *rewrite.Record, e *rewrite.Editing, c *change) bool
}

// envelopeShape is about whole files, and handled apart.
const envelopeShape = "envelope"

// shapes lists all of them, the oldest first.
func shapes() []shape {
	return []shape{
		{name: envelopeShape, reason: "envelope added", source: "format.md 2.8", codes: []string{"S006"}},
		{name: "sandbox-mode", reason: "sandbox_policy: mode is type", source: "format.md 3.2, 8.4", codes: []string{"R007"}, edit: sandboxMode},
		{name: "review-prompt", reason: "review: prompt is a custom target", source: "format.md 3.9, 8.6", codes: []string{"R008"}, edit: reviewPrompt},
		{name: "resets-at", reason: "resets_at in unix seconds", source: "format.md 3.9, 8.5", codes: []string{"R009"}, edit: resetsAt},
		{name: "ghosts", reason: "ghost snapshot taken out", source: "format.md 2.7, rule 3", codes: []string{"L015", "B013", "M005"}, drops: isGhost, edit: checkpointGhosts},
		{name: "compaction-summary", reason: "compaction_summary is compaction", source: "format.md 5.1", edit: eachItem(compactionAlias)},
		{name: "flat-collaboration", reason: "collaboration_mode: settings", source: "format.md 3.2, 8.3", codes: []string{"R011"}, edit: flatCollaboration},
		{name: "retired-events", reason: "retired event dropped", source: "format.md 3.9, 8.2", codes: []string{"R006"}, drops: isRetired},
		{name: "exec-cwd", reason: "cwd as a file URI", source: "format.md 3.9, 8.7", codes: []string{"R010"}, edit: execCwd},
		{name: "window-id", reason: "numeric window_id is window_number", source: "format.md 4.3, rule 5", codes: []string{"W006"}, edit: windowNumber},
		{name: "item-metadata", reason: "metadata inside an item is its passthrough", source: "format.md 5.5", codes: []string{"M014"}, edit: eachItem(insideMetadata)},
	}
}

func shapeNames() []string {
	var names []string
	for _, s := range shapes() {
		names = append(names, s.name)
	}
	return names
}

func shapeCodes() []string {
	var codes []string
	for _, s := range shapes() {
		codes = append(codes, s.codes...)
	}
	slices.Sort(codes)
	return codes
}

// isRetired holds for events that Codex no longer knows. It skips such a line, so nothing
// that it sees goes with it.
func isRetired(r *rewrite.Record) bool {
	return r.Type == parse.RecordEvent && validate.RetiredEvent(r.Kind()) && r.Judge().Verdict == accept.Err
}

// sandboxMode names the kind of a sandbox policy type, as mode was called until 2025-11-13.
func sandboxMode(r *rewrite.Record, e *rewrite.Editing, _ *change) bool {
	policy := r.Fields().Get("sandbox_policy")
	if r.Type != parse.RecordTurnContext || policy.Kind() != jsonraw.KindObject ||
		jsonraw.Lookup(policy, "type") != nil || jsonraw.Lookup(policy, "mode") == nil {
		return false
	}
	e.Rename(policy, "mode", "type")
	return true
}

// flatCollaboration puts the settings that January 2026 wrote beside the mode into settings.
func flatCollaboration(r *rewrite.Record, e *rewrite.Editing, _ *change) bool {
	mode, ok := jsonraw.SplitObject(r.Fields().Get("collaboration_mode"))
	if r.Type != parse.RecordTurnContext || !ok || mode.Get("settings") != nil {
		return false
	}
	names := []string{"model", "reasoning_effort", "developer_instructions"}
	var settings, rest []jsonraw.Pair
	for _, name := range names {
		settings = append(settings, jsonraw.Pair{Name: name, Value: mode.Get(name)}) // nil: left out
	}
	for _, m := range mode.Members {
		if !slices.Contains(names, m.Name) {
			rest = append(rest, jsonraw.Pair{Name: m.Name, Value: m.Value})
		}
	}
	if len(rest) == len(mode.Members) {
		return false
	}
	e.Replace(mode.Raw, jsonraw.Build(append(rest, jsonraw.Pair{Name: "settings", Value: jsonraw.Build(settings...)})...))
	return true
}

// resetsAt writes the dates of 2025-10-17 to 2025-10-20 in unix seconds.
func resetsAt(r *rewrite.Record, e *rewrite.Editing, _ *change) bool {
	if r.Type != parse.RecordEvent || r.Kind() != "token_count" {
		return false
	}
	limits, _ := jsonraw.SplitObject(r.Fields().Get("rate_limits"))
	found := false
	for _, name := range []string{"primary", "secondary"} {
		window, _ := jsonraw.SplitObject(limits.Get(name))
		if at, err := time.Parse(time.RFC3339, window.Text("resets_at")); err == nil {
			e.Replace(window.Get("resets_at"), jsonraw.Int(at.Unix()))
			found = true
		}
	}
	return found
}

// reviewPrompt makes a target of the prompt that a review had before 2025-12-02.
func reviewPrompt(r *rewrite.Record, e *rewrite.Editing, _ *change) bool {
	f := r.Fields()
	prompt := f.Get("prompt")
	if r.Type != parse.RecordEvent || r.Kind() != "entered_review_mode" || f.Get("target") != nil || prompt.Kind() != jsonraw.KindString {
		return false
	}
	e.Rename(r.Payload, "prompt", "target").Replace(prompt, jsonraw.Build(
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote("custom")}, jsonraw.Pair{Name: "instructions", Value: prompt}))
	return true
}

// execCwd makes a file URI of the plain path that a command event of older builds has.
func execCwd(r *rewrite.Record, e *rewrite.Editing, _ *change) bool {
	if kind := r.Kind(); r.Type != parse.RecordEvent || kind != "exec_command_begin" && kind != "exec_command_end" {
		return false
	}
	cwd := r.Fields().Get("cwd")
	text, _ := cwd.Text()
	uri, ok := fileURI(text)
	if ok {
		e.Replace(cwd, jsonraw.Quote(uri))
	}
	return ok
}

// fileURI is the URI of an absolute path, of Unix or with a drive letter of Windows; false
// for other texts and for what is a URI.
func fileURI(text string) (string, bool) {
	switch {
	case strings.HasPrefix(text, "file:"):
		return "", false
	case len(text) > 2 && isLetter(text[0]) && text[1] == ':' && (text[2] == '\\' || text[2] == '/'):
		text = "/" + strings.ReplaceAll(text, `\`, "/")
	case !path.IsAbs(text):
		return "", false
	}
	return (&url.URL{Scheme: "file", Path: text}).String(), true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
