package compaction

import (
	"fmt"
	"hash/maphash"
	"slices"
	"time"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
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
	Options Options
	// Local: the record holds a summary and no checkpoint, so the history was rebuilt
	// by a local compaction (rule 23).
	Local bool
	// Date is the day of the record, which picks the generation of the rules; the
	// zero time stands for the newest.
	Date time.Time
}

// NewRecorded puts together what a session proves about a compaction: the history
// before the record and after it, the facts at the line before, and the record itself.
// The date is that of the record's timestamp.
func NewRecorded(before, after []history.Row, facts history.Facts, compacted parse.Record) Recorded {
	r := Recorded{Before: before, After: after, Options: Defaults(), Date: RecordDate(&compacted)}
	fields := compacted.Fields()
	r.Options.Instructions = InstructionTokens(facts, before)
	r.Options.Summary = fields.Text("message")
	r.Local = fields.Get("replacement_history").Missing()
	return r
}

// RecordDate is the time of a record's envelope, the zero time (the newest profile)
// when it cannot be read.
func RecordDate(r *parse.Record) time.Time {
	t, err := time.Parse(time.RFC3339Nano, r.Timestamp())
	if err != nil {
		return time.Time{}
	}
	return t
}

// Explanation says how well the rules give a stored checkpoint.
type Explanation struct {
	// Matches: the stored items are those of the rules, in their order (rule 43),
	// injected context and the summary left aside.
	Matches bool
	// With names the generation and the switches that fit best, in words.
	With string
	// Tried names all that was tried, when nothing matches.
	Tried []string
	// Missing and Extra count the items that the rules give and the checkpoint has
	// not, and the other way round.
	Missing, Extra int
	// Moved lists, when nothing is missing nor extra, the rows of After that stand out
	// of the order of the rules: the fewest that can.
	Moved []int
	// Plan is the one that fits best. Its decisions are on the rows of Before.
	Plan Plan
	// Source is the index in Before of each row of the normalised input, negative for
	// an added output.
	Source []int
}

// Explain computes the checkpoint again and, when the session's own generation with
// default switches does not give it, looks for switches that do.
func (r Recorded) Explain() Explanation {
	seed := maphash.MakeSeed()
	stored := essences(seed, withoutGoalEdits(r.After))
	best := Explanation{Missing: -1}
	var tried []string
	for _, a := range r.attempts() {
		plan := a.plan(r.Before)
		given := essences(seed, plan.Items)
		missing, extra := compareLists(given, stored)
		var moved []int
		if missing+extra == 0 {
			moved = misplaced(given, stored)
		}
		tried = append(tried, a.name)
		off := missing + extra - best.Missing - best.Extra
		if best.Missing < 0 || off < 0 || off == 0 && len(moved) < len(best.Moved) {
			best = Explanation{With: a.name, Missing: missing, Extra: extra, Moved: moved, Plan: plan}
		}
		if missing+extra+len(moved) == 0 {
			best.Matches = true
			break
		}
	}
	if !best.Matches {
		best.Tried = tried
	}
	best.Source = history.Normalize(r.Before, r.Options.Modalities).Source
	return best
}

// Decision is the decision on a row of Before, nil when there is none.
func (e Explanation) Decision(index int) *Decision {
	for i := index; i < len(e.Plan.Decisions); i++ { // input order, with added items in between
		if d := &e.Plan.Decisions[i]; d.Index == index {
			return d
		}
	}
	return nil
}

// Words says in one line how the stored checkpoint fits the rules.
func (e Explanation) Words() string {
	if e.Matches {
		return "the stored checkpoint is what the rules give (" + e.With + ")"
	}
	if n := len(e.Moved); n > 0 {
		return fmt.Sprintf("the stored checkpoint has the items that the rules give in another order: %d out of place (closest: %s; %d settings tried)",
			n, e.With, len(e.Tried))
	}
	return fmt.Sprintf("the stored checkpoint is not what the rules give: %d items missing, %d not expected (closest: %s; %d settings tried)",
		e.Missing, e.Extra, e.With, len(e.Tried))
}

// attempt is one set of options to compute a checkpoint with.
type attempt struct {
	name  string
	opt   Options
	local bool
}

func (a attempt) plan(rows []history.Row) Plan {
	if a.local {
		return LocalCompact(rows, a.opt)
	}
	return Compact(rows, a.opt)
}

// attempts lists what is tried, the likeliest first: the generation of the record,
// then the newest; each with its default switches, then one, then two of them turned. A
// checkpoint without a compaction item may be that of a local compaction.
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
	switches := switchesFor(r.Before)
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
	if !slices.ContainsFunc(r.After, func(row history.Row) bool { return isCompactionItem(row.Item) }) {
		profiles = append(profiles, local)
	}
	return slices.Concat(profiles, one, two)
}

func (r Recorded) withProfile(date time.Time) attempt {
	p := ProfileFor(date)
	a := attempt{name: "rules of generation " + p.Name(), opt: r.Options}
	a.opt.Profile, a.opt.Estimator = p, p.Estimator()
	return a
}

// featureSwitch is a setting of the session that the file does not tell.
type featureSwitch struct {
	name string
	turn func(*Options)
}

// switchesFor lists the switches that can change what is retained of rows.
func switchesFor(rows []history.Row) []featureSwitch {
	var images, audio, developers, outputs bool
	for _, row := range rows {
		for _, p := range partsOf(row.Item) {
			images = images || p.Type == parse.PartInputImage
			audio = audio || p.Type == parse.PartInputAudio
		}
		developers = developers || isClientDeveloper(row)
		outputs = outputs || isClientOutput(row)
	}
	var out []featureSwitch
	add := func(matters bool, name string, turn func(*Options)) {
		if matters {
			out = append(out, featureSwitch{name, turn})
		}
	}
	add(images, "no image budget", func(o *Options) { o.NoImageBudget = true })
	add(developers, "client developer messages retained", func(o *Options) { o.RetainClientDeveloper = true })
	add(outputs, "client tool outputs retained", func(o *Options) { o.RetainClientToolOutputs = true })
	add(audio, "text and images only", func(o *Options) { o.Modalities = history.Modalities{Image: true} })
	add(images || audio, "text only", func(o *Options) { o.Modalities = history.Modalities{} })
	return out
}

// withoutGoalEdits leaves out what was appended behind the compaction item: goal edits
// that came too late for the request (compaction.md 3.6 step 3d).
func withoutGoalEdits(rows []history.Row) []history.Row {
	for i := len(rows) - 1; i >= 0; i-- {
		if isCompactionItem(rows[i].Item) {
			return rows[:i+1]
		}
	}
	return rows
}

func isCompactionItem(it parse.Item) bool {
	return it.Type == parse.ItemCompaction || it.Type == parse.ItemContextCompaction
}
