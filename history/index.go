package history

import (
	"errors"
	"io"
	"math"
	"runtime"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/internal/pipeline"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// event is one step of the backward scan, in file order. Runs of records that
// change nothing are folded, so that events grow with turns and not with lines.
type event struct {
	line int
	kind eventKind
	turn string
	n    uint64 // num_turns of a rollback, or the index of a checkpoint
}

// ref is where a record that is read again later stands.
type ref struct {
	line     int
	offset   int64
	accepted bool
}

// windowAt is a model context window in force from a line on.
type windowAt struct {
	line  int
	value jsonraw.Value
}

// fileIndex is one file read through once.
type fileIndex struct {
	src   *parse.Source
	end   int64 // only so many bytes count; -1 for all
	bare  bool
	lines int
	// longest is the length of the longest line in bytes.
	longest int64
	size    int64 // decompressed bytes seen

	// skipped are the lines that are no record (rejected, blank, dropped), in order;
	// when there are more than maxSkipped, full holds and a replay judges again.
	skipped []int32
	full    bool

	judged      accept.File
	rejected    int
	firstReject ref
	readErr     error // a stream that broke off; what was read counts

	events      []event
	checkpoints []checkpoint
	metas       []ref
	contexts    []ref
	windows     []windowAt
	turns       map[string]int // last line of a turn
	turnOrder   []string
}

// indexFile reads src through (up to end bytes unless end is negative).
func indexFile(src *parse.Source, end int64, opt Options) (*fileIndex, error) {
	x := &fileIndex{src: src, end: end, turns: map[string]int{}}
	var err error
	if x.bare, err = startsBare(src); err != nil {
		return nil, err
	}
	in, err := x.open(0)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	workers := max(opt.Workers, 1)
	digesters := make([]digester, workers)
	for i := range digesters {
		digesters[i] = digester{checker: opt.Checkers[i], bare: x.bare}
	}
	type batch struct {
		block   parse.Block
		digests []digest
		looked  []any
	}
	free := make(chan []byte, 3*workers+1)
	spare := make(chan batch, 3*workers+1) // without a block
	blocks := parse.NewBlockReader(in, 1, 0)
	var open parse.TurnTracker
	var watchErr error
	large, ended := make(chan struct{}, workers), make(chan struct{})
	err = pipeline.Ordered(workers,
		func() (parse.Block, error) {
			var buf []byte
			select {
			case buf = <-free:
			default:
			}
			b, err := blocks.Next(buf)
			if len(b.Data) > largeLine {
				select {
				case large <- struct{}{}:
				case <-ended:
				}
			}
			return b, err
		},
		func(w int, b parse.Block) batch {
			var out batch
			select {
			case out = <-spare:
			default:
			}
			out.block = b
			b.Lines(func(l parse.Line) bool {
				d, v := digesters[w].line(l)
				out.digests = append(out.digests, d)
				if opt.Watch != nil {
					out.looked = append(out.looked, opt.Watch.Look(w, v))
				}
				return true
			})
			return out
		},
		func(b batch) error {
			for i, d := range b.digests {
				x.add(d, &open)
				if opt.Watch != nil {
					if watchErr = opt.Watch.Take(b.looked[i]); watchErr != nil {
						close(ended)
						return watchErr
					}
				}
			}
			x.longest = max(x.longest, int64(len(b.block.Data)))
			x.size = b.block.Offset + int64(len(b.block.Data))
			if len(b.block.Data) > largeLine {
				<-large
			} else {
				select {
				case free <- b.block.Data[:0]:
				default:
				}
			}
			clear(b.digests)
			clear(b.looked)
			select {
			case spare <- batch{digests: b.digests[:0], looked: b.looked[:0]}:
			default:
			}
			return nil
		})
	if watchErr != nil {
		return nil, watchErr
	}
	if err != io.EOF {
		x.readErr = err
	}
	if x.longest > hugeLine {
		// What the pass has read is garbage now, and a replay takes as much again: it
		// must not add up.
		runtime.GC()
	}
	return x, nil
}

// largeLine is the length in bytes above which a line counts: there are no more of them in
// memory than goroutines that judge, and the one that is read.
const largeLine = 1 << 20

// hugeLine is the length in bytes above which a line's buffers are given back at once.
const hugeLine = 32 << 20

// open starts a pass at a byte offset, bounded by end.
func (x *fileIndex) open(offset int64) (io.ReadCloser, error) {
	in, err := x.src.ReadFrom(offset)
	if err != nil || x.end < 0 {
		return in, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(in, max(x.end-offset, 0)), in}, nil
}

// startsBare reports whether the first non-blank line is that of a generation 0 file.
func startsBare(src *parse.Source) (bool, error) {
	in, err := src.ReadFrom(0)
	if err != nil {
		return false, err
	}
	defer in.Close()
	lines := parse.NewLineReader(in, 1, 0)
	for {
		l, err := lines.Next()
		var broken *parse.StreamError
		if err == io.EOF || errors.As(err, &broken) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if parse.IsBlank(l.Bytes) {
			continue
		}
		rec, err := parse.ViewRecord(l)
		return err == nil && parse.IsBareMeta(rec), nil
	}
}

// add folds one line in.
func (x *fileIndex) add(d digest, turn *parse.TurnTracker) {
	x.lines = d.line
	if !x.bare {
		x.judged.Add(d.verdict)
	}
	here := ref{d.line, d.offset, d.verdict.Verdict == accept.OK}
	if !here.accepted {
		x.skip(d.line)
	}
	if d.verdict.Verdict == accept.Err {
		if x.rejected++; x.rejected == 1 {
			x.firstReject = here
		}
	}
	switch d.typ {
	case parse.RecordTurnContext:
		x.contexts = append(x.contexts, here)
	case parse.RecordSessionMeta:
		if here.accepted {
			x.metas = append(x.metas, here)
		}
	}
	if !here.accepted {
		return
	}
	x.trackTurn(d, turn)
	if d.window != nil && (len(x.windows) == 0 || string(x.windows[len(x.windows)-1].value) != string(d.window)) {
		x.windows = append(x.windows, windowAt{d.line, d.window})
	}
	e := event{line: d.line, kind: d.event, turn: d.turn, n: d.n}
	switch {
	case e.kind == nothing:
		return
	case e.kind == compacts:
		e.n = uint64(len(x.checkpoints))
		x.checkpoints = append(x.checkpoints, d.cp)
	case e.kind == aborts && e.turn == "":
		return // neither opens nor names a segment
	case len(x.events) > 0 && redundant(x.events[len(x.events)-1], e):
		return
	}
	x.events = append(x.events, e)
}

// maxSkipped bounds what the index keeps of lines that are no record.
const maxSkipped = 1 << 20

func (x *fileIndex) skip(line int) {
	if len(x.skipped) == maxSkipped || line > math.MaxInt32 {
		x.full = true
		return
	}
	x.skipped = append(x.skipped, int32(line))
}

// redundant reports whether e changes nothing after last: going backwards, last
// opens the segment too and, where e counts, counts too.
func redundant(last, e event) bool {
	switch e.kind {
	case opens:
		return last.kind != starts && last.kind != rollback
	case counts:
		return last.kind == counts
	}
	return false
}

// trackTurn notes the last line of each turn.
func (x *fileIndex) trackTurn(d digest, open *parse.TurnTracker) {
	own := open.Next(d.own, d.event == starts || d.event == context, d.event == completes || d.event == aborts)
	if own == "" {
		return
	}
	if _, known := x.turns[own]; !known {
		x.turnOrder = append(x.turnOrder, own)
	}
	x.turns[own] = d.line
}
