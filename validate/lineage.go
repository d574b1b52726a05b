package validate

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

const basePointer = "/payload/history_base"

// checkBase checks a history_base against the files that it leads to (format.md 1.9).
// meta is the line of the session_meta that has it. It returns the ordinal behind the
// last inherited record when that is not end_ordinal_exclusive, else nil.
func checkBase(f *fileView, base *historyBase, meta *Looked, out *sink) *uint64 {
	report := func(code, member, message string) { out.At(meta, code, basePointer+member, message) }
	if f.Rollout == nil {
		return nil
	}
	if err := f.Rollout.BaseError(); err != nil {
		switch {
		case errors.Is(err, errNotLookedFor):
		case errors.Is(err, history.ErrBaseCycle):
			report("O010", "", err.Error())
		case errors.Is(err, history.ErrBaseOffset):
			report("O011", "/end_byte_offset", err.Error())
		default:
			report("O009", "/thread_id", err.Error())
		}
		return nil
	}
	ancestors := f.Rollout.Ancestors()
	if len(ancestors) == 0 {
		return nil
	}
	for _, src := range ancestors {
		switch paginated, err := isPaginated(src, f.Check); {
		case err != nil:
			report("O009", "/thread_id", "history_base: "+err.Error())
			return nil
		case !paginated:
			report("O014", "/thread_id", "history_base leads to "+src.Path+", which is not paginated")
			return nil
		}
	}
	last := ancestors[len(ancestors)-1]
	path := last.Path
	end, err := inherited(last, base.endByte, f.Check)
	want := end.ordinal + 1
	switch {
	case err != nil:
		report("O009", "/thread_id", "history_base: "+err.Error())
	case !end.boundary:
		report("O012", "/end_byte_offset", fmt.Sprintf("end_byte_offset %d is inside a line of %s", base.endByte, path))
	case !end.found && base.endOrdinal > 0:
		report("O013", "/end_ordinal_exclusive", fmt.Sprintf("end_ordinal_exclusive is %d, but no record of %s is inherited", base.endOrdinal, path))
	case !end.found:
	case !end.has:
		report("O013", "/end_ordinal_exclusive", "the last inherited record of "+path+" has no ordinal")
	case want != base.endOrdinal:
		report("O013", "/end_ordinal_exclusive", fmt.Sprintf("end_ordinal_exclusive is %d, but the last inherited record of %s has ordinal %d",
			base.endOrdinal, path, end.ordinal))
		return &want
	}
	return nil
}

// errNotLookedFor is a lineage that was not followed, as on standard input: it says
// nothing about the file.
var errNotLookedFor = errors.New("not looked for")

// isPaginated reads the first accepted session_meta of a file.
func isPaginated(src *parse.Source, check *accept.Checker) (bool, error) {
	in, err := src.ReadFrom(0)
	if err != nil {
		return false, err
	}
	defer in.Close()
	lines := parse.NewLineReader(in, 1, 0)
	for {
		l, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if res := check.Line(l.Bytes); res.Verdict == accept.OK && res.ThreadID != "" {
			rec := parse.ViewAccepted(l)
			return rec.Fields().Text("history_mode") == "paginated", nil
		}
	}
}

// tail is what stands before a byte offset of a file.
type tail struct {
	boundary bool // the offset is 0 or just behind a newline
	found    bool // a record is accepted before it
	has      bool // that record has an ordinal
	ordinal  uint64
}

// inherited looks at the last record before byte offset end of a file. It reads
// backwards in growing pieces, up to the longest line.
func inherited(src *parse.Source, end uint64, check *accept.Checker) (tail, error) {
	for size := uint64(64 << 10); ; size *= 4 {
		from := end - min(end, size)
		piece, err := readPiece(src, from, end)
		if err != nil {
			return tail{}, err
		}
		t := tail{boundary: len(piece) == 0 || piece[len(piece)-1] == '\n'}
		if !t.boundary {
			return t, nil
		}
		if from > 0 { // the first line of the piece may be cut
			piece = piece[bytes.IndexByte(piece, '\n')+1:]
		}
		if t.last(piece, check); t.found || from == 0 {
			return t, nil
		}
	}
}

// last finds the last accepted record of some whole lines.
func (t *tail) last(lines []byte, check *accept.Checker) {
	for len(lines) > 0 {
		lines = lines[:len(lines)-1]
		line := lines[bytes.LastIndexByte(lines, '\n')+1:]
		if res := check.Line(line); res.Verdict == accept.OK {
			t.found = true
			o, _ := jsonraw.SplitObject(jsonraw.Value(bytes.TrimSpace(line)))
			t.ordinal, t.has = o.Get("ordinal").Uint64()
			return
		}
		lines = lines[:len(lines)-len(line)]
	}
}

func readPiece(src *parse.Source, from, end uint64) ([]byte, error) {
	in, err := src.ReadFrom(int64(from))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	piece := make([]byte, end-from)
	_, err = io.ReadFull(in, piece)
	return piece, err
}
