package main

import (
	"fmt"
	"time"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// list prints a row for each physical line of one file.
func (p *parseRun) list(path string) error {
	p.opt.detail = true
	switch p.c.String("format") {
	case "jsonl":
		return p.scanFile(path, func(s *seen) error {
			if ok, err := p.sel.takes(s); err != nil || !ok {
				return err
			}
			p.rowJSON(s)
			return p.stdout.WriteByte('\n')
		})
	case "json":
		d := newDoc(p.stdout)
		d.text("path", path)
		d.name("records")
		p.stdout.WriteByte('[')
		n := 0
		err := p.scanFile(path, func(s *seen) error {
			ok, err := p.sel.takes(s)
			if err != nil || !ok {
				return err
			}
			if n++; n > 1 {
				p.stdout.WriteByte(',')
			}
			p.rowJSON(s)
			return nil
		})
		p.stdout.WriteByte(']')
		d.int("count", int64(n))
		d.end()
		return err
	}
	g := p.recordGrid()
	g.header()
	return p.scanFile(path, func(s *seen) error {
		ok, err := p.sel.takes(s)
		if ok && err == nil {
			p.rowText(g, s)
			if p.outTTY {
				err = p.stdout.Flush()
			}
		}
		return err
	})
}

// rowJSON writes the object of one physical line (the contract of `parse --format jsonl`).
func (p *parseRun) rowJSON(s *seen) {
	d := openObject(p.stdout)
	d.int("line", int64(s.Number))
	d.int("offset", s.Offset)
	d.int("bytes", s.Size())
	if s.readable && s.rec.Type != "" {
		d.text("type", s.rec.Type)
	} else {
		d.null("type")
	}
	d.text("verdict", s.res.Verdict.String())
	if s.res.Verdict == accept.Err {
		d.text("error", s.problem())
		if s.res.Pointer != "" {
			d.text("pointer", s.res.Pointer)
		}
		d.int("error_offset", s.Offset+int64(s.res.Offset))
	}
	if s.readable {
		d.maybeText("timestamp", s.rec.Timestamp())
		if n, ok := s.rec.Ordinal(); ok {
			d.raw("ordinal", jsonraw.Value(fmt.Sprint(n)))
		}
		d.maybeText("kind", s.rec.Kind())
		d.maybeText("turn", s.turn)
		d.text("generation", parse.GenerationOf(&s.rec).String())
		if s.tokens >= 0 {
			d.int("tokens", s.tokens)
		}
		d.maybeText("preview", s.preview)
	}
	d.close()
}

func (p *parseRun) recordGrid() *grid {
	g := &grid{w: p.stdout, width: p.columns(), color: p.color(p.c), cols: []column{
		{title: "line", width: 6, right: true}, {title: "time", width: 8, drop: 2}, {title: "record", width: 24},
		{title: "turn", width: 8, drop: 4}, {title: "bytes", width: 9, right: true, drop: 3},
		{title: "tokens", width: 7, right: true, drop: 1}, {title: "text"},
	}}
	if g.width < 100 {
		g.cols[2].width = 20
	}
	return g
}

func (p *parseRun) rowText(g *grid, s *seen) {
	cost := ""
	if s.tokens >= 0 {
		cost = number(s.tokens)
	}
	paint, label, text := paintNone, s.label, s.preview
	switch s.res.Verdict {
	case accept.Blank:
		paint, text = paintDim, "(blank)"
	case accept.Dropped:
		paint, text = paintDim, "(ghost snapshot: dropped) "+text
	case accept.Err:
		if s.rec.Bare { // the whole file is refused; what is in it still counts here
			break
		}
		paint, text = paintBad, "rejected: "+s.problem()
		if label == "" {
			label = "(unreadable)"
		}
	}
	if s.readable && s.rec.Type == parse.RecordCompacted && paint == paintNone {
		paint = paintMark
	}
	clock, turn := "", ""
	if s.readable {
		clock, turn = clockOf(s.rec.Timestamp()), shortID(s.turn)
	}
	g.row(paint, fmt.Sprint(s.Number), clock, label, turn, number(s.Size()), cost, text)
}

// clockOf is the time of day of a timestamp, as far as it is one.
func clockOf(stamp string) string {
	t, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		return stamp
	}
	return t.Format(time.TimeOnly)
}

// shortID is the end of a long id: UUIDv7 ids of one session share their start.
func shortID(id string) string {
	if len(id) > 12 {
		return id[len(id)-8:]
	}
	return id
}
