package ops

import (
	"bytes"
	"errors"
	"hash/maphash"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// repairLines takes out lines that are not records: blank ones, the starts of records
// that come again, a torn end, repetitions.
type repairLines struct {
	parts          map[string]bool
	dropUnreadable bool
}

func (repairLines) Name() string  { return "repair" }
func (repairLines) Repairs() bool { return true }

// Plan finds the lines that only those behind them tell about.
func (op repairLines) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	goes := map[int]string{}
	if op.parts[partCutOff] || op.parts[partTorn] {
		if err := op.look(in, goes); err != nil {
			return nil, err
		}
	}
	return func() rewrite.Editor {
		return &lineDropper{repairLines: op, bare: in.Header.Bare, goes: goes, seed: maphash.MakeSeed()}
	}, nil
}

// look notes fragments by their place among the lines, from 0.
func (op repairLines) look(in *rewrite.Input, goes map[int]string) error {
	var cut parse.Fragment // the line before, when it is the start of a record
	n := -1
	torn := false
	err := in.Records(true, func(r *rewrite.Record) error {
		n++
		if op.parts[partCutOff] && cut.Starts(parse.FragmentOf(r.Bytes)) {
			goes[n-1] = "cut-off record in front of the whole one"
		}
		cut = parse.Fragment{}
		off := cutOff(r)
		if off {
			cut = parse.FragmentOf(r.Bytes)
		}
		torn = off && !r.Terminated
		return nil
	})
	if torn && op.parts[partTorn] {
		goes[n] = "torn end"
	}
	return err
}

// cutOff reports whether a line is over before its record is.
func cutOff(r *rewrite.Record) bool {
	if r.Broken == nil || errors.Is(r.Broken, rewrite.ErrBlank) {
		return false
	}
	var scan jsonraw.Scanner
	scan.Reset(r.Bytes)
	scan.Skip()
	var syntax *jsonraw.SyntaxError
	if !errors.As(scan.Err(), &syntax) {
		return false
	}
	if strings.HasPrefix(syntax.Msg, "EOF while") {
		return true
	}
	rest := strings.TrimRight(string(r.Bytes[min(syntax.Offset, len(r.Bytes)):]), " \t\r")
	return rest == "" || strings.HasPrefix("null", rest) || strings.HasPrefix("true", rest) || strings.HasPrefix("false", rest)
}

// lineDropper is the editor.
type lineDropper struct {
	repairLines
	bare bool
	goes map[int]string // reasons, by place among the lines
	seed maphash.Seed

	n    int
	last uint64 // hash of the record before, when it was accepted
	size int    // its bytes, 0 for none
}

// Edit looks at one line.
func (d *lineDropper) Edit(r *rewrite.Record) rewrite.Edit {
	reason := d.goes[d.n]
	d.n++
	switch {
	case reason != "":
		return rewrite.Drop(reason)
	case errors.Is(r.Broken, rewrite.ErrBlank):
		if d.parts[partBlank] {
			return rewrite.Drop("blank line")
		}
		return rewrite.Keep()
	case r.Broken != nil:
		d.size = 0
		if d.dropUnreadable {
			return rewrite.Drop("unreadable line")
		}
		return rewrite.Keep()
	case d.repeated(r):
		return rewrite.Drop("repeated line").WithoutFiller()
	case !r.Terminated && d.parts[partNewline]:
		return rewrite.Line(r.Bytes, "newline at the end").Ended()
	}
	return rewrite.Keep()
}

// repeated reports whether a record is the one before it once more, byte for byte. Lines
// of generation 0 have no time: equal ones may well be two.
func (d *lineDropper) repeated(r *rewrite.Record) bool {
	if !d.parts[partRepeated] || d.bare {
		return false
	}
	if !r.Accepted() {
		d.size = 0
		return false
	}
	b := bytes.TrimSuffix(r.Bytes, []byte{'\r'})
	hash := maphash.Bytes(d.seed, b)
	if d.size == len(b) && d.last == hash {
		return true
	}
	d.last, d.size = hash, len(b)
	return false
}

// dropShapeless drops objects that cannot be records: they have no type or no payload.
// Records of types that are not known stay. In a file of generation 0 nothing has a
// payload, and all stays.
type dropShapeless struct{}

func (dropShapeless) Name() string { return "repair" }

func (dropShapeless) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	keep := in.Header.Bare
	return func() rewrite.Editor {
		return rewrite.Each("repair", func(r *rewrite.Record) rewrite.Edit {
			typ := r.Envelope.Get("type")
			if keep || r.Judge().Verdict != accept.Err || typ.Kind() == jsonraw.KindString && r.Payload != nil {
				return rewrite.Keep()
			}
			return rewrite.Drop("unreadable line")
		}).(rewrite.Editor)
	}, nil
}
