package main

import (
	"slices"
	"strings"
	"time"

	"github.com/itchyny/gojq"
	"github.com/urfave/cli/v2"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// selection is the set of lines that the flags of parse pick.
type selection struct {
	all          bool
	types        []string
	turn         string
	from, to     int
	since, until time.Time
	filter       *gojq.Code
}

func newSelection(c *cli.Context) (*selection, error) {
	s := &selection{all: true, from: 1, to: int(^uint(0) >> 1), turn: c.String("turn")}
	for _, list := range c.StringSlice("type") {
		for _, t := range strings.Split(list, ",") {
			if t = strings.TrimSpace(t); t != "" {
				s.types = append(s.types, t)
			}
		}
	}
	var err error
	if c.IsSet("line") {
		if s.from, s.to, err = lineRange(c.String("line")); err != nil {
			return nil, err
		}
	}
	for flag, at := range map[string]*time.Time{"since": &s.since, "until": &s.until} {
		if v := c.String(flag); v != "" {
			if *at, err = parseTime(flag, v); err != nil {
				return nil, err
			}
		}
	}
	if v := c.String("filter"); v != "" {
		query, err := gojq.Parse(v)
		if err == nil {
			s.filter, err = gojq.Compile(query)
		}
		if err != nil {
			return nil, usageError("--filter: %w", err)
		}
	}
	for _, name := range []string{"type", "turn", "line", "since", "until", "filter"} {
		s.all = s.all && !c.IsSet(name)
	}
	return s, nil
}

// takes reports whether the line is picked. Lines that hold no record are picked by
// their number alone.
func (s *selection) takes(l *seen) (bool, error) {
	if s.all {
		return true, nil
	}
	if l.Number < s.from || l.Number > s.to {
		return false, nil
	}
	byContent := s.types != nil || s.turn != "" || !s.since.IsZero() || !s.until.IsZero() || s.filter != nil
	if !l.readable {
		return !byContent, nil
	}
	if s.types != nil && !slices.Contains(s.types, l.rec.Type) && !slices.Contains(s.types, l.rec.Fields().Text("type")) {
		return false, nil
	}
	if s.turn != "" && s.turn != l.turn {
		return false, nil
	}
	if !s.since.IsZero() || !s.until.IsZero() {
		t, err := time.Parse(time.RFC3339Nano, l.rec.Timestamp())
		if err != nil || t.Before(s.since) || !s.until.IsZero() && !t.Before(s.until) {
			return false, nil
		}
	}
	if s.filter == nil {
		return true, nil
	}
	return s.truthy(l)
}

// truthy runs the filter: the record is picked unless the first result is false or
// null, or there is none. An error inside the expression ends the run.
func (s *selection) truthy(l *seen) (bool, error) {
	in, err := jsonraw.Decode(l.rec.Envelope.Raw)
	if err != nil {
		return false, nil
	}
	v, ok := s.filter.Run(in).Next()
	if !ok {
		return false, nil
	}
	if err, isErr := v.(error); isErr {
		return false, usageError("--filter: line %d: %w", l.Number, err)
	}
	return v != nil && v != false, nil
}
