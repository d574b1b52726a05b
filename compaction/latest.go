package compaction

import (
	"strings"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
)

// LatestContext takes the context of a history to put it into a plan: of each kind of
// injected message the newest, in the order of the history. It returns nil when there
// is none. Notes about what happened (an aborted turn, a shell command, a skill) are no
// context.
func LatestContext(rows []history.Row) *Context {
	newest := map[string]int{}
	for i, r := range rows {
		if key := contextKey(r.Item); key != "" {
			newest[key] = i
		}
	}
	var ctx *Context
	for i, r := range rows {
		if key := contextKey(r.Item); key != "" && newest[key] == i {
			if ctx == nil {
				ctx = &Context{}
			}
			ctx.Normal = append(ctx.Normal, history.Row{Item: r.Item, Meta: r.Meta})
		}
	}
	return ctx
}

// rendered are the openings of user texts that a session renders anew at every
// compaction (compaction.md 3.5, 4.2).
var rendered = []string{"# agents.md instructions", "<environment_context>", "<external_", "<recommended_plugins>"}

// contextKey names what an injected message is about: its role and the opening of its
// first contextual text. It is "" for any other item.
func contextKey(it parse.Item) string {
	role := it.Role()
	if role != "developer" && role != "user" {
		return ""
	}
	for _, p := range it.Content() {
		if p.Type != parse.PartInputText {
			continue
		}
		text := strings.ToLower(strings.TrimSpace(p.Text()))
		if role == "developer" && history.IsContextualDeveloperText(text) {
			opening, _, _ := strings.Cut(text, ">")
			if !strings.HasPrefix(opening, "<") {
				opening, _, _ = strings.Cut(text, ":")
			}
			return role + opening
		}
		for _, r := range rendered {
			if role == "user" && strings.HasPrefix(text, r) && history.IsContextualUserText(p.Text()) {
				return role + r
			}
		}
	}
	return ""
}
