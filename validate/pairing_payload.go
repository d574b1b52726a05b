package validate

import (
	"fmt"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
)

// Check looks at the pairs of the next request. It replays only where the stream does not
// show them: after a rollback, with a history_base, or when another checkpoint than the
// last seeds the history.
func (p *pairing) Check(f *fileView, out *sink) error {
	r := f.Rollout
	if r == nil || r.BaseError() != nil {
		return nil
	}
	if !p.rolledBack && !p.based && r.BaseOf(r.Lines()) == p.seeds {
		return nil
	}
	end, err := r.At(history.Point{})
	if err != nil {
		return err
	}
	request := history.Normalize(end.Rows, history.AllModalities)
	own := len(end.Files) - 1
	calls, outputs := unpaired{state: end}, unpaired{state: end}
	for i, source := range request.Source {
		if source < 0 {
			calls.add(p, end.Rows[request.Source[i-1]])
		}
	}
	for _, i := range request.Removed {
		row := end.Rows[i]
		if o, waits := p.orphans[row.Line]; waits && row.File == own {
			p.report(o, out)
			continue
		}
		outputs.add(p, row)
	}
	calls.report(out, "P020", "call without its output", "calls without their outputs")
	outputs.report(out, "P021", "output without its call", "outputs without their calls")
	return nil
}

// unpaired counts the items of a request that have no partner in it and keeps the first.
type unpaired struct {
	state history.State
	n     int
	first history.Row
}

func (u *unpaired) add(p *pairing, row history.Row) {
	if row.File == len(u.state.Files)-1 && p.reported[row.Line] {
		return
	}
	if u.n++; u.n == 1 {
		u.first = row
	}
}

func (u *unpaired) report(out *sink, code, one, many string) {
	if u.n == 0 {
		return
	}
	what := "one " + one
	if u.n > 1 {
		what = fmt.Sprintf("%d %s", u.n, many)
	}
	where := fmt.Sprintf("line %d", u.first.Line)
	if u.first.File != len(u.state.Files)-1 {
		where += " of " + u.state.Files[u.first.File]
	}
	out.File(code, fmt.Sprintf("the history at the end has %s: %s on %s", what, parse.ItemLabel(u.first.Item), where))
}
