package diff

import (
	"fmt"
	"slices"
	"strings"
	"time"

	rules "github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/history"
)

// Recorded is a compaction that a session stored, with what is needed to compute it
// again from the rules.
type Recorded struct {
	// Before is the history that was compacted, as replayed.
	Before []history.Row
	// After is the stored checkpoint.
	After []history.Row
	// Options are those of Codex's defaults for the session: instructions, window,
	// modalities. Feature switches are tried in turn.
	Options rules.Options
	// Local: the record holds a summary and no checkpoint, so the history was rebuilt
	// by a local compaction (rule 23).
	Local bool
	// Date is the day of the record, which picks the generation of the rules; the
	// zero time stands for the newest.
	Date time.Time
}

// Explanation says how well the rules give the stored checkpoint. Its Explain is a
// hook for Options.
type Explanation struct {
	// Matches: the stored items are those of the rules, injected context and the
	// summary left aside.
	Matches bool
	// With names the generation and the switches that fit best, in words.
	With string
	// Tried names all that was tried, when nothing matches.
	Tried []string
	// Missing and Extra count the items that the rules give and the checkpoint has
	// not, and the other way round.
	Missing, Extra int

	plan   rules.Plan
	source []int // index in Before of each row of the normalised input
}

// attempt is one set of options to compute a checkpoint with.
type attempt struct {
	name  string
	opt   rules.Options
	local bool
}

func (a attempt) plan(rows []history.Row) rules.Plan {
	if a.local {
		return rules.LocalCompact(rows, a.opt)
	}
	return rules.Compact(rows, a.opt)
}

// Explain computes the checkpoint again and, when the session's own generation with
// default switches does not give it, looks for switches that do.
func (r Recorded) Explain() Explanation {
	stored := essences(r.After)
	best := Explanation{Missing: -1}
	var tried []string
	for _, a := range r.attempts() {
		plan := a.plan(r.Before)
		missing, extra := compareLists(essences(plan.Items), stored)
		tried = append(tried, a.name)
		if best.Missing < 0 || missing+extra < best.Missing+best.Extra {
			best = Explanation{With: a.name, Missing: missing, Extra: extra, plan: plan}
		}
		if missing+extra == 0 {
			best.Matches = true
			break
		}
	}
	if !best.Matches {
		best.Tried = tried
	}
	best.source = history.Normalize(r.Before, r.Options.Modalities).Source
	return best
}

// attempts lists what is tried, the likeliest first: the generation of the record,
// then the newest; each with its default switches, then one, then two of them turned.
func (r Recorded) attempts() []attempt {
	local := r.withProfile(r.Date)
	local.name, local.local = "local compaction, "+local.name, true
	if r.Local {
		return []attempt{local}
	}
	profiles := []attempt{r.withProfile(r.Date)}
	if !r.Date.IsZero() {
		if newest := r.withProfile(time.Time{}); newest.name != profiles[0].name {
			profiles = append(profiles, newest)
		}
	}
	switches := []struct {
		name string
		turn func(*rules.Options)
	}{
		{"no image budget", func(o *rules.Options) { o.NoImageBudget = true }},
		{"client developer messages retained", func(o *rules.Options) { o.RetainClientDeveloper = true }},
		{"client tool outputs retained", func(o *rules.Options) { o.RetainClientToolOutputs = true }},
		{"text and images only", func(o *rules.Options) { o.Modalities = history.Modalities{Image: true} }},
		{"text only", func(o *rules.Options) { o.Modalities = history.Modalities{} }},
	}
	var one, two []attempt
	for _, p := range profiles {
		for i, s := range switches {
			a := attempt{p.name + ", " + s.name, p.opt, p.local}
			s.turn(&a.opt)
			one = append(one, a)
			for _, t := range switches[i+1:] {
				b := attempt{a.name + ", " + t.name, a.opt, a.local}
				t.turn(&b.opt)
				two = append(two, b)
			}
		}
	}
	return slices.Concat(profiles, []attempt{local}, one, two)
}

func (r Recorded) withProfile(date time.Time) attempt {
	p := rules.ProfileFor(date)
	a := attempt{name: "rules of generation " + p.Name(), opt: r.Options}
	a.opt.Profile, a.opt.Estimator = p, p.Estimator()
	return a
}

// essences are what a stored checkpoint and a plan are compared by: role, texts and
// media. Ids, kinds of parts, injected context and the summary are left aside.
func essences(rows []history.Row) []string {
	var out []string
	for _, row := range rows {
		it := row.Item
		kind := Kind(it)
		if kind == KindContext || isSummary(kind) {
			continue
		}
		var b strings.Builder
		b.WriteString(it.Type)
		for _, name := range []string{"role", "author", "recipient", "call_id", "name", "output"} {
			b.WriteByte(0)
			b.Write(it.Fields.Get(name))
		}
		for _, p := range it.Content() {
			b.WriteString("\x00" + p.Type + "\x00" + p.Text())
			b.Write(p.Fields.Get("image_url"))
			b.Write(p.Fields.Get("file_id"))
			b.Write(p.AudioURL())
			b.Write(p.Encrypted())
		}
		out = append(out, b.String())
	}
	return out
}

// compareLists counts what is only in want and only in got, each as often as it stands there.
func compareLists(want, got []string) (missing, extra int) {
	count := map[string]int{}
	for _, s := range want {
		count[s]++
	}
	for _, s := range got {
		count[s]--
	}
	for _, n := range count {
		if n > 0 {
			missing += n
		} else {
			extra -= n
		}
	}
	return missing, extra
}

// Reason names the rule and the reason of a change between the normalised input
// before the compaction and the checkpoint; see Options.Explain.
func (e Explanation) Reason(ch Change) (rule int, reason string, ok bool) {
	switch {
	case ch.Before == nil:
		return addedReason(ch)
	case ch.After != nil && ch.Kind == KindContext:
		return 0, "context refreshed", true
	case ch.Before.Index >= len(e.source):
		return 0, "", false
	}
	at := e.source[ch.Before.Index]
	if at < 0 {
		return 31, "output added to the request for a call without one; not retained", true
	}
	d := e.decision(at)
	if d == nil {
		return 0, "", false
	}
	if agrees(ch.Op, d.Action) {
		if ch.Op == Altered {
			return d.Rule, d.Reason + "; ids or bookkeeping differ", true
		}
		return d.Rule, d.Reason, true
	}
	return 0, fmt.Sprintf("not explained by the rules: rule %d gives %s (%s)", d.Rule, d.Action, d.Reason), true
}

func addedReason(ch Change) (int, string, bool) {
	switch {
	case isSummary(ch.Kind):
		return 43, "summary of this compaction", true
	case ch.Kind == KindContext:
		return 0, "context refreshed", true
	}
	return 0, "not explained by the rules: no item before the compaction gives this one", true
}

// decision finds the decision on a row of the input; decisions come in input order,
// with added items between them.
func (e Explanation) decision(index int) *rules.Decision {
	for i := index; i < len(e.plan.Decisions); i++ {
		if d := &e.plan.Decisions[i]; d.Index == index {
			return d
		}
	}
	return nil
}

// agrees reports whether what happened to an item is what the rules decided.
func agrees(op Op, a rules.Action) bool {
	switch op {
	case Keep, Move, Altered:
		return a == rules.Kept || a == rules.Rewritten
	case Cut:
		return a == rules.Cut || a == rules.Rewritten
	case Drop:
		return a == rules.Dropped
	}
	return false
}

// Words says in one line how the stored checkpoint fits the rules.
func (e Explanation) Words() string {
	if e.Matches {
		return "the stored checkpoint is what the rules give (" + e.With + ")"
	}
	return fmt.Sprintf("the stored checkpoint is not what the rules give: %d items missing, %d not expected (closest: %s; %d settings tried)",
		e.Missing, e.Extra, e.With, len(e.Tried))
}
