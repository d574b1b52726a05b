package ops

import (
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// replayOptions are the options that trim and compact share, named as the flags of the
// plans that the command shows.
func replayOptions() []Option {
	return []Option{
		{Name: "at", Kind: Text, Default: "end", Usage: "the `POINT` of the plan; a result is written at end only"},
		{Name: "profile", Kind: Text, Usage: "rules of a build of `DATE` (YYYY-MM or YYYY-MM-DD), or newest"},
		{Name: "context-window", Kind: Text, Usage: "the effective context window in tokens `N` (95 % of the model's), or auto: the newest one recorded"},
		{Name: "instructions", Kind: Text, Usage: "base instructions `TEXT|@FILE` instead of the recorded ones"},
		{Name: "retain-client-tool-outputs", Kind: Bool, Usage: "tool outputs that a client asked to retain stay"},
		{Name: "tool-output-token-limit", Kind: Int, Usage: "the model's limit for a tool output, in tokens `N`"},
	}
}

// replaying is what those options say.
type replaying struct {
	date         time.Time // of the profile; zero for the newest
	window       *int64    // nil for none
	auto         bool      // the window is the newest one recorded
	instructions *string   // nil for the recorded ones
	retain       bool      // client tool outputs
	outputLimit  *uint64   // nil for none
}

func newReplaying(v Values) (replaying, error) {
	o := replaying{retain: v.Bool("retain-client-tool-outputs")}
	if at := v.Text("at"); at != "end" {
		return o, optionError("at", "%q: a result goes to the end of the file; leave the option out, or look at the plan only", at)
	}
	var err error
	if o.date, err = profileDate(v.Text("profile")); err != nil {
		return o, err
	}
	switch w := v.Text("context-window"); {
	case !v.Set("context-window"):
	case w == "auto":
		o.auto = true
	default:
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil || n < 0 {
			return o, optionError("context-window", "%q: want a number of tokens or auto", w)
		}
		o.window = &n
	}
	if v.Set("instructions") {
		text, err := textOrFile(v, "instructions")
		if err != nil {
			return o, err
		}
		o.instructions = &text
	}
	if v.Set("tool-output-token-limit") {
		n := v.Int("tool-output-token-limit")
		if n < 0 {
			return o, optionError("tool-output-token-limit", "%d: want 0 or more tokens", n)
		}
		limit := uint64(n)
		o.outputLimit = &limit
	}
	return o, nil
}

func profileDate(v string) (time.Time, error) {
	if v == "" || v == "newest" {
		return time.Time{}, nil
	}
	for _, layout := range []string{"2006-01-02", "2006-01"} {
		if t, err := time.Parse(layout, v); err == nil {
			return t, nil
		}
	}
	return time.Time{}, optionError("profile", "%q: want YYYY-MM, YYYY-MM-DD or newest", v)
}

// textOrFile is the value of an option that takes TEXT or @FILE.
func textOrFile(v Values, name string) (string, error) {
	text := v.Text(name)
	file, ok := strings.CutPrefix(text, "@")
	if !ok {
		return text, nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return "", optionError(name, "%w", err)
	}
	return string(b), nil
}

// checker is one of the profile.
func (o replaying) checker(in *rewrite.Input) *accept.Checker {
	if o.date.IsZero() {
		return in.Checker()
	}
	return accept.NewChecker(accept.WithProfile(accept.Profile(o.date.Format("2006-01-02"))))
}

// replay is a file replayed to its end.
type replay struct {
	*history.Rollout
	head  rewrite.Header
	state history.State
	facts history.Facts
}

// replay loads what the operations before have left. Half a history is an error (rule
// 15), as is a text that breaks off: what would be written would not be what a resume
// of the whole file needs. watch sees the lines on the way; nil for nobody.
func (o replaying) replay(in *rewrite.Input, watch history.Watcher) (*replay, error) {
	head, err := rewrite.ReadHeader(in.Source(), in.Checker())
	if err != nil {
		return nil, err
	}
	if head.Bare {
		return nil, rewrite.Refuse("the file is of before the envelope, which Codex does not load", "migrate it first: rollout-tool rewrite migrate")
	}
	h, err := in.History(history.Options{Checkers: []*accept.Checker{o.checker(in)}, Watch: watch, ToolOutputLimit: o.outputLimit})
	if err != nil {
		return nil, err
	}
	r := &replay{Rollout: h, head: head}
	if err = h.ReadError(); err == nil {
		err = h.BaseError()
	}
	if err == nil {
		r.state, err = h.At(history.Point{})
	}
	if err == nil {
		r.facts, err = h.Facts(math.MaxInt)
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return r, nil
}

// trimOptions are the options for the plan.
func (o replaying) trimOptions(r *replay) (compaction.TrimOptions, error) {
	opt := compaction.TrimOptions{
		Window:                  o.window,
		Instructions:            compaction.InstructionTokens(r.facts, r.state.Rows),
		RetainClientToolOutputs: o.retain,
		Estimator:               tokens.ForProfile(o.date),
		Profile:                 compaction.ProfileFor(o.date),
	}
	if o.instructions != nil {
		opt.Instructions = tokens.Instructions(*o.instructions)
	}
	if o.auto {
		if !r.facts.HasWindow {
			return opt, rewrite.Refuse("no record has a model_context_window", "give --context-window as a number")
		}
		opt.Window = &r.facts.Window
	}
	return opt, nil
}
