package main

import (
	"github.com/rollout-tool/rollout-tool/compaction"
	"github.com/rollout-tool/rollout-tool/diff"
	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/request"
	"github.com/rollout-tool/rollout-tool/request/capture"
	"github.com/rollout-tool/rollout-tool/tokens"
)

func (d diffRun) compare(from, to place) (diff.Result, error) {
	date, err := profile(d.c)
	if err != nil {
		return diff.Result{}, err
	}
	opt := diff.Options{Estimator: tokens.ForProfile(date), IgnoreBookkeeping: d.c.Bool("ignore-bookkeeping")}
	if from.s.capture != nil || to.s.capture != nil {
		before, after, err := d.requests(from, to)
		return diff.Compare(before, after, opt), err
	}
	before, err := d.view(from)
	if err != nil {
		return diff.Result{}, err
	}
	after, err := d.view(to)
	if err != nil {
		return diff.Result{}, err
	}
	if !aroundOne(from, to) {
		return diff.Compare(before.side(d.can), after.side(d.can), opt), nil
	}
	e, err := d.recorded(before, after)
	if err != nil {
		return diff.Result{}, err
	}
	opt.Explain = e.Reason
	r := diff.Compare(before.side(d.can), after.side(d.can), opt)
	r.Recorded = e
	return r, nil
}

// aroundOne reports whether the two places are before and after the same compaction.
func aroundOne(from, to place) bool {
	return from.s == to.s && from.at.N == to.at.N &&
		from.at.Kind == history.BeforeCompaction && to.at.Kind == history.AfterCompaction
}

// recorded computes a stored compaction again, so that each item gets its rule.
func (d diffRun) recorded(before, after placeView) (*diff.Explanation, error) {
	rec, err := before.s.CompactionRecord(before.at.N)
	if err != nil {
		return nil, err
	}
	recorded := compaction.NewRecorded(before.rows, after.rows, before.facts, rec)
	recorded.Options.Modalities = d.can
	date, err := profile(d.c)
	if err != nil {
		return nil, err
	}
	if !date.IsZero() { // else the generation that wrote the record
		recorded.Date = date
	}
	return &diff.Explanation{Explanation: recorded.Explain()}, nil
}

// placeView is a place of a rollout with the history there.
type placeView struct {
	place
	rows  []history.Row
	facts history.Facts
}

func (d diffRun) view(p place) (placeView, error) {
	if p.at.isRequest {
		return placeView{}, usageError("%s is a request of a capture, and %s is a rollout", p.at, clean(p.s.path))
	}
	st, err := p.s.At(p.at.Point)
	if err != nil {
		return placeView{}, err
	}
	facts, err := p.s.Facts(st.Line)
	return placeView{p, st.Rows, facts}, unreadable(err)
}

func (v placeView) side(can history.Modalities) diff.Side {
	s := diff.FromBody(request.Turn(history.Normalize(v.rows, can).Rows, v.facts), v.facts)
	s.Point, s.File = v.at.String(), v.s.path
	s.NoInstructions = false // of two rollouts, one without them differs
	return s
}

// requests are the two sides when at least one is a captured request.
func (d diffRun) requests(from, to place) (before, after diff.Side, err error) {
	var sent [2]*capture.Exchange
	for i, p := range [2]place{from, to} {
		if p.s.capture == nil {
			continue
		}
		if sent[i], err = d.exchange(p); err != nil {
			return before, after, err
		}
	}
	if before, err = d.requestSide(from, sent[0], sent[1]); err != nil {
		return before, after, err
	}
	after, err = d.requestSide(to, sent[1], sent[0])
	return before, after, err
}

// exchange reads the request at a place, and says what of it is missing.
func (d diffRun) exchange(p place) (*capture.Exchange, error) {
	n, err := p.s.capture.index(p.at)
	if err != nil {
		return nil, err
	}
	e, err := p.s.capture.exchange(n)
	if err != nil {
		return nil, err
	}
	for _, problem := range e.Problems {
		if problem.Kind == capture.ProblemPair {
			continue // without its answer a request is as good
		}
		d.warn(d.c, "request %d: %s", n, p.s.capture.say(problem))
	}
	return e, nil
}

// requestSide is the side of a captured request, or of a rollout that is compared with
// one: then a body of the same kind, in the form in which it would be sent.
func (d diffRun) requestSide(p place, own, other *capture.Exchange) (diff.Side, error) {
	if own != nil {
		s := diff.FromExchange(own)
		s.Point, s.File = (diffPoint{isRequest: true, request: own.Index}).String(), p.s.capture.path
		return s, nil
	}
	if !p.at.given {
		at, ok, err := pointOf(p.s.session, other)
		if err != nil {
			return diff.Side{}, err
		}
		if ok {
			p.at.Point = at
		} else {
			d.warn(d.c, "%s: no record has the last item of request %d; compared at the end, choose another point with --from or --to", clean(p.s.path), other.Index)
		}
	}
	v, err := d.view(p)
	if err != nil {
		return diff.Side{}, err
	}
	body, err := d.rebuilt(v, other)
	if err != nil {
		return diff.Side{}, err
	}
	s := diff.FromBody(body, v.facts)
	s.Point, s.File = v.at.String(), v.s.path
	return s, nil
}

// rebuilt is the body of a rollout that corresponds to a captured request.
func (d diffRun) rebuilt(v placeView, other *capture.Exchange) (request.Body, error) {
	var body request.Body
	if len(other.Request.Triggers()) > 0 {
		date, err := profile(d.c)
		if err != nil {
			return body, err
		}
		opt := compaction.TrimOptions{
			Instructions: compaction.InstructionTokens(v.facts, v.rows),
			Estimator:    v.s.est, Profile: compaction.ProfileFor(date),
		}
		if v.facts.HasWindow {
			opt.Window = &v.facts.Window
		}
		trimmed := compaction.Trim(v.rows, opt)
		body = request.Compaction(history.Normalize(trimmed.Rows, d.can).Rows, v.facts)
	} else {
		body = request.Turn(history.Normalize(v.rows, d.can).Rows, v.facts)
	}
	body.Wire(v.facts.Provider() == "openai")
	return body, nil
}
