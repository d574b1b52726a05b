package validate

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// Options says how files are validated.
type Options struct {
	// Workers is how many goroutines look at lines; below 1 means one for each core.
	Workers int
	// Accept are the options of the acceptance checker (the reader's profile).
	Accept []accept.Option
	// Read, unless it is nil, is kept at the number of bytes of the file under way that
	// were read (decompressed bytes).
	Read *atomic.Int64
	// FindBase opens the rollout that a history_base names; nil means: not found.
	FindBase func(near string, rollout uuid.UUID) (*parse.Source, error)
}

// Validator validates one file after another. It is for one goroutine.
type Validator struct {
	opt      Options
	rules    []rule
	checkers []*accept.Checker
	memo     *factMemo
}

// New returns a validator with all rules.
func New(opt Options) *Validator {
	if opt.Workers < 1 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	v := &Validator{opt: opt, rules: rules(), memo: newFactMemo()}
	v.checkers = append(v.checkers, accept.NewChecker(opt.Accept...))
	for len(v.checkers) < opt.Workers {
		v.checkers = append(v.checkers, v.checkers[0].Clone())
	}
	return v
}

// File validates one rollout. emit gets each finding as soon as it is known: those of
// lines in file order, then those that need the whole file. The error is that of input
// that cannot be read to its end, after what could be read was judged; findings are no
// error.
func (v *Validator) File(src *parse.Source, emit func(Finding)) (File, error) {
	run := &fileRun{rules: v.rules, memo: v.memo, check: v.checkers[0], sink: &sink{emit}, file: &File{Path: src.Path, Generation: parse.GenerationAny.String()}}
	run.read = v.opt.Read
	run.start(v.opt.Workers)
	opt := history.Options{
		Workers: v.opt.Workers, Accept: v.opt.Accept, Checkers: v.checkers, Watch: run,
		FindBase: func(id uuid.UUID) (*parse.Source, error) {
			if v.opt.FindBase == nil {
				return nil, errNotLookedFor
			}
			return v.opt.FindBase(src.Path, id)
		},
	}
	r, err := history.Load(src, opt)
	if err != nil {
		return *run.file, err
	}
	defer r.Close()
	if err := run.finish(src.Path, r); err != nil {
		return *run.file, err
	}
	return *run.file, r.ReadError()
}

// fileRun is the validation of one file.
type fileRun struct {
	rules  []rule
	lines  [][]lineRule // by goroutine, then by rule; nil where a rule has none
	stream []streamRule // by rule
	sink   *sink
	file   *File
	memo   *factMemo
	read   *atomic.Int64
	check  *accept.Checker // idle when the lines have been looked at

	judged     accept.File
	generation parse.Generation
	mode       string
	bare       bool

	looking []looking // by goroutine
	free    sync.Pool // of *lookedLine
}

// looking is what a goroutine uses again for each line.
type looking struct {
	view   lineView
	newest bool // a line of the newest generation was seen
}

func (r *fileRun) start(workers int) {
	r.generation = parse.GenerationAny
	r.looking = make([]looking, workers)
	r.free.New = func() any { return new(lookedLine) }
	r.lines = make([][]lineRule, workers)
	for w := range r.lines {
		r.lines[w] = make([]lineRule, len(r.rules))
		for i, rule := range r.rules {
			if rule.line != nil {
				r.lines[w][i] = rule.line()
			}
		}
	}
	r.stream = make([]streamRule, len(r.rules))
	for i, rule := range r.rules {
		if rule.stream != nil {
			r.stream[i] = rule.stream()
		}
	}
}

// lookedLine is what Look hands to Take.
type lookedLine struct {
	Looked
	result     accept.Result
	generation parse.Generation
	mode       string // history_mode of an accepted session_meta
	bare       bool
}

// Look runs the line rules (history.Watcher).
func (r *fileRun) Look(worker int, view history.View) any {
	own := &r.looking[worker]
	out := r.free.Get().(*lookedLine)
	out.result, out.generation, out.bare = view.Result, parse.GenerationAny, view.Bare
	l := &out.Looked
	l.Number, l.Offset, l.Size, l.Verdict = view.Number, view.Offset, view.Size(), view.Result.Verdict
	l.Key = recordKey(view.Bytes)
	if rec := view.Record; rec != nil {
		l.Readable, l.Type, l.Kind = true, rec.Type, rec.Kind()
		l.Ordinal, l.HasOrd = rec.Ordinal()
		if !own.newest {
			out.generation = parse.GenerationOf(rec)
			own.newest = out.generation == parse.GenerationNewest
		}
		if rec.Type == parse.RecordSessionMeta && view.Result.Verdict == accept.OK {
			if out.mode = rec.Fields().Text("history_mode"); out.mode == "" {
				out.mode = "legacy"
			}
		}
	}
	lv := &own.view
	lv.View, lv.looked, lv.memo = view, l, r.memo
	lv.held.reset()
	for i, rule := range r.lines[worker] {
		if rule == nil {
			continue
		}
		if n := rule.Look(lv); n != nil {
			l.notes = append(l.notes, note{i, n})
		}
	}
	return out
}

// Take folds a line into the file and runs the stream rules (history.Watcher).
func (r *fileRun) Take(looked any) error {
	line := looked.(*lookedLine)
	l := &line.Looked
	r.bare = line.bare
	r.judged.Add(line.result)
	r.file.Lines = l.Number
	r.file.Bytes = l.Offset + l.Size
	if r.read != nil {
		r.read.Store(r.file.Bytes)
	}
	r.generation = max(r.generation, line.generation)
	if r.mode == "" {
		r.mode = line.mode
	}
	if l.Verdict == accept.Err || line.bare && l.Verdict == accept.OK {
		r.file.Rejected = append(r.file.Rejected, l.Number)
	}
	if l.Verdict == accept.OK && l.Type == parse.RecordCompacted {
		r.file.Checkpoints = append(r.file.Checkpoints, l.Number)
	}
	for _, f := range l.Findings {
		r.sink.emit(f)
	}
	next := 0
	for i, s := range r.stream {
		var n any
		if next < len(l.notes) && l.notes[next].rule == i {
			n = l.notes[next].value
			next++
		}
		if s != nil {
			s.Take(l, n, r.sink)
		}
	}
	clear(l.notes)
	*line = lookedLine{Looked: Looked{notes: l.notes[:0]}}
	r.free.Put(line)
	return nil
}

// finish runs what needs the whole file.
func (r *fileRun) finish(path string, rollout *history.Rollout) error {
	f := r.file
	f.Generation, f.HistoryMode = r.generation.String(), r.mode
	view := &fileView{Path: path, Rollout: rollout, Bare: r.bare, File: f, Check: r.check}
	f.Loadable, f.Why = r.loadable()
	if f.Lines == 0 && view.cutOff() {
		f.Loadable, f.Why = DoesNotLoad, "nothing of it can be read"
	}
	for i, s := range r.stream {
		if s != nil {
			s.End(view, r.sink)
		}
		if h := r.rules[i].history; h != nil {
			if err := h().Check(view, r.sink); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *fileRun) loadable() (Loadable, string) {
	line, why, aborted := r.judged.Aborted()
	switch {
	case r.bare:
		return DoesNotLoad, "generation 0 file: no line has an envelope"
	case aborted && line > 0:
		return DoesNotLoad, fmt.Sprintf("line %d: %s", line, why)
	case aborted:
		return DoesNotLoad, why
	case r.judged.ThreadID == "":
		return DoesNotLoad, "no session_meta is accepted"
	case r.judged.Errors > 0:
		return LoadsWithLoss, ""
	}
	return Loads, ""
}
