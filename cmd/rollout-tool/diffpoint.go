package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rollout-tool/rollout-tool/history"
)

// diffPoint is a point of a rollout, or a request of a capture.
type diffPoint struct {
	history.Point
	isRequest bool
	request   int  // from 0 as validate counts, negative from the end
	given     bool // by the user
}

// parseDiffPoint reads a point of history.ParsePoint, or request:N.
func parseDiffPoint(s string) (diffPoint, error) {
	if num, ok := strings.CutPrefix(s, "request:"); ok {
		n, err := strconv.Atoi(num)
		if err != nil {
			return diffPoint{}, fmt.Errorf("point %q: want request:N, from 0, negative from the end", s)
		}
		return diffPoint{isRequest: true, request: n, given: true}, nil
	}
	p, err := history.ParsePoint(s)
	if err != nil {
		return diffPoint{}, fmt.Errorf("%w; of a capture also request:N", err)
	}
	return diffPoint{Point: p, given: true}, nil
}

func (p diffPoint) String() string {
	if p.isRequest {
		return fmt.Sprintf("request:%d", p.request)
	}
	return p.Point.String()
}

// points are --from and --to, the end where they are not given.
func (d diffRun) points() (from, to diffPoint, err error) {
	for _, f := range []struct {
		name string
		p    *diffPoint
	}{{"from", &from}, {"to", &to}} {
		if !d.c.IsSet(f.name) {
			continue
		}
		if *f.p, err = parseDiffPoint(d.c.String(f.name)); err != nil {
			return from, to, usageError("--%s: %w", f.name, err)
		}
	}
	return from, to, nil
}

// aroundCompaction are the points before and after compaction k.
func aroundCompaction(k int) (before, after diffPoint) {
	before.Point = history.Point{Kind: history.BeforeCompaction, N: k}
	after.Point = history.Point{Kind: history.AfterCompaction, N: k}
	return before, after
}
