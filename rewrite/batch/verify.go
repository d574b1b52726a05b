package batch

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
	"github.com/rollout-tool/rollout-tool/tokens"
	"github.com/rollout-tool/rollout-tool/validate"
)

// looker counts findings and tokens of files before and after. It is for one goroutine.
type looker struct {
	registry validate.Registry
	opt      *Options
	workers  int
	checkers []*accept.Checker
	validate *validate.Validator
	bases    map[uuid.UUID]func() (*parse.Source, error) // files of the unit, as they will be
}

func newLooker(opt *Options, workers int) *looker {
	l := &looker{registry: validate.NewRegistry(), opt: opt, workers: workers}
	for range workers {
		l.checkers = append(l.checkers, opt.Checker.Clone())
	}
	l.validate = validate.New(validate.Options{Workers: workers, Accept: opt.Accept, FindBase: l.base})
	return l
}

// base finds the file that a history_base names: the rewritten one when it is in the unit.
func (l *looker) base(near string, id uuid.UUID) (*parse.Source, error) {
	if open := l.bases[id]; open != nil {
		return open()
	}
	if l.opt.FindBase == nil {
		return nil, history.ErrNoBase
	}
	return l.opt.FindBase(near, id)
}

// findings counts the findings of a source by code. A stream that breaks off is no error
// for a caller who salvages.
func (l *looker) findings(src *parse.Source, salvage bool) (map[string]int, error) {
	found := map[string]int{}
	_, err := l.validate.File(src, func(f validate.Finding) { found[f.Code]++ })
	var cut *parse.StreamError
	if salvage && errors.As(err, &cut) {
		err = nil
	}
	return found, err
}

// allAccepted fails when Codex rejects a line.
func (l *looker) allAccepted(src *parse.Source) error {
	f, err := l.validate.File(src, func(validate.Finding) {})
	if err == nil && len(f.Rejected) > 0 {
		err = fmt.Errorf("%d lines are not accepted, the first is line %d (--strict)", len(f.Rejected), f.Rejected[0])
	}
	return err
}

// maxReplay bounds the memory, in bytes, that an estimate may take: a history is held as a
// whole while it is replayed.
const maxReplay = 32 << 20

// tokens estimates the history at the end of a source; false when it cannot be replayed,
// or is too long.
func (l *looker) tokens(src *parse.Source) (int64, bool) {
	r, err := history.Load(src, history.Options{
		Workers: l.workers, Checkers: l.checkers,
		FindBase: func(id uuid.UUID) (*parse.Source, error) { return l.base(src.Path, id) },
	})
	if err != nil {
		return 0, false
	}
	defer r.Close()
	if r.ReplayBytes() > maxReplay {
		return 0, false
	}
	st, err := r.At(history.Point{})
	if err != nil {
		return 0, false
	}
	var est tokens.Estimator
	var n int64
	for _, row := range st.Rows {
		n += est.Item(row.Item)
	}
	return n, true
}

// compare notes what was cured and what is new, and refuses a result that has an error or
// a warning the input had not. Findings of severity info say how a stored checkpoint
// compares with the rules and the like: they may come, and are counted.
func (l *looker) compare(o *Outcome, before, after map[string]int) error {
	o.Removed, o.Added = map[string]int{}, map[string]int{}
	var worse []string
	for _, code := range slices.Sorted(maps.Keys(merged(before, after))) {
		if code[0] == 'F' && (!l.opt.InPlace || l.opt.DryRun()) {
			continue // names: the result has another one
		}
		switch n := after[code] - before[code]; {
		case n < 0:
			o.Removed[code] = -n
		case n > 0:
			o.Added[code] = n
			if c := l.registry[code]; c.Severity != validate.Info {
				worse = append(worse, fmt.Sprintf("%s (%s, %d more)", code, c.Title, n))
			}
		}
	}
	if len(worse) > 0 {
		return rewrite.Refuse("the result would have findings that the input has not: "+strings.Join(worse, ", "),
			"see rollout-tool explain "+strings.Fields(worse[0])[0]+"; nothing was changed")
	}
	return nil
}

func merged(a, b map[string]int) map[string]int {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
