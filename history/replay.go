package history

import (
	"fmt"
	"io"
	"slices"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// State is the history at a point and what stands beside it.
type State struct {
	Rows []Row
	// BaseLine is the line of the checkpoint that seeded the replay, 0 for none.
	BaseLine int
	// BaseFile is the file that holds it: an index into Files.
	BaseFile int
	// Files are the paths of the lineage, oldest first, the rollout itself last.
	Files []string
	// Line is the last physical line that counted.
	Line int
}

// At replays the rollout to a point (rules 10 to 24).
func (r *Rollout) At(p Point) (State, error) {
	line, err := r.Resolve(p)
	if err != nil {
		return State{}, err
	}
	return r.AtLine(line)
}

// AtLine replays the records up to and including a physical line.
func (r *Rollout) AtLine(line int) (State, error) {
	limit := position{r.self(), line}
	s := State{Line: line}
	for _, x := range r.files {
		s.Files = append(s.Files, x.src.Path)
	}
	from := position{file: r.oldest(limit)}
	var offset int64
	if cp := r.base(limit); cp != nil {
		rec, err := r.files[cp.file].read(ref{cp.line, cp.offset, true})
		if err != nil {
			return s, err
		}
		if s.Rows, err = checkpointRows(&rec, cp.file); err != nil {
			return s, fmt.Errorf("%s:%d: %w", r.files[cp.file].src.Path, cp.line, err)
		}
		s.BaseLine, s.BaseFile = cp.line, cp.file
		from, offset = position{cp.file, cp.line}, cp.offset+rec.Size()
	}
	for f := from.file; f < len(r.files); f++ {
		rp := replay{rows: s.Rows, file: f, limit: r.opt.ToolOutputLimit,
			digester: digester{checker: r.opt.Checkers[0], bare: r.files[f].bare}}
		err := rp.run(r.files[f], from.line, offset, limit)
		s.Rows = rp.rows
		if err != nil {
			return s, err
		}
		from, offset = position{}, 0
	}
	return s, nil
}

// replay takes the records of one file forward (rule 15).
type replay struct {
	digester
	rows  []Row
	file  int
	limit *uint64
}

func (rp *replay) run(x *fileIndex, after int, offset int64, limit position) error {
	in, err := x.open(offset)
	if err != nil {
		return err
	}
	defer in.Close()
	lines := parse.NewLineReader(in, after+1, offset)
	for {
		if rp.file == limit.file && after >= limit.line {
			return nil
		}
		l, err := lines.Next()
		if err != nil {
			if err == io.EOF || x.readErr != nil { // the index has reported it
				return nil
			}
			return fmt.Errorf("%s: %w", x.src.Path, err)
		}
		after = l.Number
		rec, ok := rp.accepted(x, l)
		if !ok {
			continue
		}
		if rp.keeps(&rec) {
			l.Bytes = lines.Own(l)
			rec = rp.again(l)
		}
		rp.take(&rec)
	}
}

// accepted views the line when it is a record that counts, by what the index knows.
func (rp *replay) accepted(x *fileIndex, l parse.Line) (parse.Record, bool) {
	if x.full {
		rec, res, seen := rp.record(l)
		return rec, seen && res.Verdict == accept.OK
	}
	_, skipped := slices.BinarySearch(x.skipped, int32(l.Number))
	if skipped {
		return parse.Record{}, false
	}
	return rp.again(l), true
}

// keeps reports whether the record becomes a row that aliases its bytes.
func (rp *replay) keeps(rec *parse.Record) bool {
	if rec.Type != parse.RecordResponseItem {
		return false
	}
	it, meta := rec.Item(), parse.ViewSidecar(rec.Metadata)
	return recorded(it, meta) && !IsDelivery(it, meta)
}

// RowOf is the row that an accepted record of a file adds to the history; false for a
// record that adds none. It aliases the record where it can. limit is the model's output
// limit in tokens (rule 22), nil for none.
func RowOf(rec *parse.Record, limit *uint64) (Row, bool) {
	switch rec.Type {
	case parse.RecordResponseItem:
		it, meta := rec.Item(), parse.ViewSidecar(rec.Metadata)
		if recorded(it, meta) && !IsDelivery(it, meta) {
			return Row{Line: rec.Number, Item: limitOutput(it, meta, limit), Meta: meta}, true
		}
	case parse.RecordInterAgent:
		return Row{Line: rec.Number, Item: fromInterAgent(rec.Fields())}, true
	}
	return Row{}, false
}

// again views an accepted line whose bytes have moved.
func (rp *replay) again(l parse.Line) parse.Record {
	rec := parse.ViewAccepted(l)
	if rp.bare {
		rec = parse.AsBare(rec)
	}
	return rec
}

func (rp *replay) take(rec *parse.Record) {
	switch rec.Type {
	case parse.RecordResponseItem, parse.RecordInterAgent:
		if row, ok := RowOf(rec, rp.limit); ok {
			row.File = rp.file
			rp.rows = append(rp.rows, row)
		}
	case parse.RecordCompacted:
		if rec.Fields().Get("replacement_history").Missing() {
			rp.rows = LegacyRebuild(rp.rows, rec.Fields().Text("message"), rec.Number)
			for i := range rp.rows {
				rp.rows[i].File = rp.file
			}
		}
	case parse.RecordEvent:
		if f := rec.Fields(); f.Text("type") == "thread_rolled_back" {
			n, _ := f.Get("num_turns").Uint64()
			rp.rows = rollBack(rp.rows, n, rp.checker)
		}
	}
}

// checkpointRows are the items of a compacted record, as they are (rules 3, 4, 15).
// The rows alias rec.
func checkpointRows(rec *parse.Record, file int) ([]Row, error) {
	items, metas, err := CheckpointItems(rec.Fields())
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(items))
	for i, raw := range items {
		it, err := parse.ViewItem(raw)
		if err != nil {
			return nil, err
		}
		rows[i] = Row{Line: rec.Number, File: file, Item: it}
		if metas != nil {
			rows[i].Meta = parse.ViewSidecar(metas[i])
		}
	}
	return rows, nil
}

// CheckpointItems splits a compacted payload into items and their sidecars (nil
// without a sidecar), ghost snapshots taken out of both (rules 3, 4). It fails when
// the two do not align.
func CheckpointItems(compacted jsonraw.Object) (items, metas []jsonraw.Value, err error) {
	history := compacted.Get("replacement_history")
	items, ok := jsonraw.SplitArray(history)
	if !ok {
		return nil, nil, fmt.Errorf("replacement_history: %s where an array is needed", history.Kind().Name())
	}
	sidecar := compacted.Get("replacement_history_metadata")
	if !sidecar.Missing() {
		if metas, ok = jsonraw.SplitArray(sidecar); !ok {
			return nil, nil, fmt.Errorf("replacement_history_metadata: %s where an array is needed", sidecar.Kind().Name())
		}
	}
	if sidecar.IsNull() {
		return items, nil, nil // an explicit null: the ghosts stay, as unknown items
	}
	if sidecar != nil && len(metas) != len(items) {
		return nil, nil, fmt.Errorf("replacement_history_metadata has %d entries for %d history items", len(metas), len(items))
	}
	var keptItems, keptMetas []jsonraw.Value
	for i, raw := range items {
		if o, ok := jsonraw.SplitObject(raw); ok && o.Text("type") == parse.ItemGhostSnapshot {
			continue
		}
		keptItems = append(keptItems, raw)
		if metas != nil {
			keptMetas = append(keptMetas, metas[i])
		}
	}
	return keptItems, keptMetas, nil
}
