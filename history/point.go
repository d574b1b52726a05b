package history

import (
	"fmt"
	"strconv"
	"strings"
)

// PointKind says how a Point names its place.
type PointKind uint8

// The kinds of points.
const (
	AtEnd            PointKind = iota // after the last record
	AtLine                            // after the records up to and including a physical line
	AtTurn                            // after the last record of a turn
	BeforeCompaction                  // just before a readable compacted record
	AfterCompaction                   // just after it
)

// Point is a place in a rollout, as the user named it.
type Point struct {
	Kind PointKind
	// N is the 1-based line of AtLine, or the number of the compaction: from 1,
	// negative from the end.
	N int
	// Turn is the turn id of AtTurn.
	Turn string
}

// ParsePoint reads `end`, `line:N`, `turn:ID`, `compaction:K:before` or
// `compaction:K:after`.
func ParsePoint(s string) (Point, error) {
	kind, rest, _ := strings.Cut(s, ":")
	switch kind {
	case "end":
		if s == "end" {
			return Point{}, nil
		}
	case "line":
		if n, err := strconv.Atoi(rest); err == nil && n >= 0 {
			return Point{Kind: AtLine, N: n}, nil
		}
	case "turn":
		if rest != "" {
			return Point{Kind: AtTurn, Turn: rest}, nil
		}
	case "compaction":
		num, side, _ := strings.Cut(rest, ":")
		k, err := strconv.Atoi(num)
		if err == nil && k != 0 {
			switch side {
			case "before":
				return Point{Kind: BeforeCompaction, N: k}, nil
			case "after":
				return Point{Kind: AfterCompaction, N: k}, nil
			}
		}
	}
	return Point{}, fmt.Errorf("point %q: want end, line:N, turn:ID, compaction:K:before or compaction:K:after", s)
}

// String is the point as ParsePoint reads it.
func (p Point) String() string {
	switch p.Kind {
	case AtLine:
		return fmt.Sprintf("line:%d", p.N)
	case AtTurn:
		return "turn:" + p.Turn
	case BeforeCompaction:
		return fmt.Sprintf("compaction:%d:before", p.N)
	case AfterCompaction:
		return fmt.Sprintf("compaction:%d:after", p.N)
	}
	return "end"
}

// PointError reports a point that the rollout does not have, with those it has.
type PointError struct {
	Point       Point
	Compactions int
	Turns       []string
	Lines       int
}

func (e *PointError) Error() string {
	return fmt.Sprintf("no point %s; the points are %s", e.Point, e.Known())
}

// maxTurnsShown bounds the turns that an error lists.
const maxTurnsShown = 12

// Known lists the points that exist.
func (e *PointError) Known() string {
	known := []string{"end", fmt.Sprintf("line:0 to line:%d", e.Lines)}
	switch e.Compactions {
	case 0:
		known = append(known, "no compaction")
	case 1:
		known = append(known, "compaction:1:before", "compaction:1:after")
	default:
		known = append(known, fmt.Sprintf("compaction:1 to compaction:%d, each :before and :after", e.Compactions))
	}
	for i, t := range e.Turns {
		if i == maxTurnsShown {
			known = append(known, fmt.Sprintf("and %d more turns", len(e.Turns)-i))
			break
		}
		known = append(known, "turn:"+t)
	}
	return strings.Join(known, ", ")
}
