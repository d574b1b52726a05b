package main

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/rollout-tool/rollout-tool/internal/pipeline"
	"github.com/rollout-tool/rollout-tool/internal/textfmt"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/tokens"
)

// seen is one physical line with its verdict and, where it is JSON, its record.
type seen struct {
	parse.Line
	rec      parse.Record
	readable bool // rec is set
	res      accept.Result
	turn     string // set in file order
	tokens   int64  // estimate of the record's items, -1 when it has none
	label    string
	preview  string // squeezed, its start
}

// previewBytes bounds the preview of a row, in bytes: more than a wide terminal shows.
const previewBytes = 400

// scanOptions says what a scan computes for each line.
type scanOptions struct {
	jobs   int
	date   time.Time
	detail bool // labels, previews and estimates too
}

// scan reads a stream forward and hands each line to take, in order. The line's
// bytes are valid during the call only. A read error comes after the lines that
// could be read.
func scan(in io.Reader, opt scanOptions, take func(*seen) error) error {
	workers := max(opt.jobs, 1)
	checkers := make([]*accept.Checker, workers)
	for i := range checkers {
		checkers[i] = accept.NewChecker(acceptOptions(opt.date)...)
	}
	est := tokens.ForProfile(opt.date)
	blocks := parse.NewBlockReader(in, 1, 0)
	free := make(chan []byte, 3*workers+1)
	decided, startsOld := false, false
	type job struct {
		parse.Block
		bare bool
	}
	type batch struct {
		data  []byte
		lines []seen
	}
	var turns parse.TurnTracker
	return pipeline.Ordered(workers,
		func() (job, error) {
			var buf []byte
			select {
			case buf = <-free:
			default:
			}
			b, err := blocks.Next(buf)
			if err == nil && !decided {
				startsOld, decided = startsBare(b)
			}
			return job{b, startsOld}, err
		},
		func(w int, b job) batch {
			out := batch{data: b.Data, lines: make([]seen, 0, bytes.Count(b.Data, []byte{'\n'})+1)}
			b.Lines(func(l parse.Line) bool {
				out.lines = append(out.lines, look(l, checkers[w], b.bare, est, opt.detail))
				return true
			})
			return out
		},
		func(b batch) error {
			for i := range b.lines {
				s := &b.lines[i]
				if s.readable && (s.res.Verdict == accept.OK || s.rec.Bare) {
					s.turn = turns.Turn(&s.rec)
				}
				if err := take(s); err != nil {
					return err
				}
			}
			select {
			case free <- b.data[:0]:
			default:
			}
			return nil
		})
}

// startsBare reports whether a block's first non-blank line is that of a generation
// 0 file, and whether there was one.
func startsBare(b parse.Block) (bare, decided bool) {
	b.Lines(func(l parse.Line) bool {
		if parse.IsBlank(l.Bytes) {
			return true
		}
		rec, err := parse.ViewRecord(l)
		bare, decided = err == nil && parse.IsBareMeta(rec), true
		return false
	})
	return bare, decided
}

func look(l parse.Line, c *accept.Checker, bare bool, est tokens.Estimator, detail bool) seen {
	s := seen{Line: l, res: c.Line(l.Bytes), tokens: -1}
	if s.res.Verdict == accept.Blank {
		return s
	}
	if line, payload, ok := c.Members(); ok && s.res.Verdict == accept.OK {
		s.rec = parse.ViewMembers(l, line, payload)
	} else if s.res.Verdict == accept.OK {
		s.rec = parse.ViewAccepted(l)
	} else {
		rec, err := parse.ViewRecord(l)
		if err != nil {
			return s
		}
		s.rec = rec
	}
	if bare {
		s.rec = parse.AsBare(s.rec)
	}
	s.readable = true
	s.rec.Fields() // split once, here, off the consumer's goroutine
	if detail {
		s.label, s.tokens = s.rec.KindLabel(), estimate(&s.rec, est)
		s.preview = textfmt.Squeeze(s.rec.Describe(4*previewBytes), previewBytes)
	}
	return s
}

// estimate is the estimate of the items that a record brings, -1 for none.
func estimate(r *parse.Record, est tokens.Estimator) int64 {
	switch r.Type {
	case parse.RecordResponseItem:
		return est.Item(r.Item())
	case parse.RecordCompacted:
		return compactedTokens(r, est)
	}
	return -1
}

// problem is what is wrong with a line, in words, "" when nothing is.
func (s *seen) problem() string {
	if s.res.Verdict != accept.Err {
		return ""
	}
	msg := s.res.Message
	if s.res.Pointer != "" {
		msg += " at " + s.res.Pointer
	}
	for _, d := range []struct {
		is   parse.Defect
		text string
	}{
		{parse.DefectBOM, "byte order mark"},
		{parse.DefectNUL, "NUL bytes"},
		{parse.DefectInvalidUTF8, "invalid UTF-8"},
		{parse.DefectTorn, "torn tail: the file ends inside the line"},
	} {
		if s.Defects(s.readable)&d.is != 0 {
			msg += fmt.Sprintf(" (%s)", d.text)
		}
	}
	return msg
}
