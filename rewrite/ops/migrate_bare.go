package ops

import (
	"io"
	"strings"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// envelope gives the lines of a file of generation 0 (format.md 2.8) an envelope.
type envelope struct {
	stamp  jsonraw.Value // of the bare meta: no other line has a time
	cwd    string
	events bool
}

// planEnvelope looks for what the session_meta of the file needs.
func planEnvelope(in *rewrite.Input, cwd string, events bool) (*envelope, error) {
	p := &envelope{cwd: cwd, events: events}
	var first []byte
	err := in.Records(false, func(r *rewrite.Record) error {
		switch bare := parse.AsBare(r.Record); {
		case first == nil && bare.Type == parse.RecordSessionMeta:
			p.stamp = append(p.stamp, r.Envelope.Get("timestamp")...)
			first = append(first, r.Bytes...)
		case p.cwd == "" && isBareLine(r) && bare.Type == parse.RecordResponseItem:
			p.cwd = recordedCwd(bare.Item())
		}
		if first != nil && p.cwd != "" {
			return io.EOF
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if p.cwd == "" {
		p.cwd = "." // required, and nothing says where the session ran
	}
	rec, err := parse.ViewRecord(parse.Line{Bytes: first})
	if err != nil {
		return nil, err
	}
	if res := in.Checker().Line(p.line(parse.RecordSessionMeta, p.meta(rec), false)); res.Verdict != accept.OK {
		return nil, rewrite.Refuse("the session_meta of the file would not be accepted: "+res.Message, "correct its first line")
	}
	return p, nil
}

// recordedCwd is the working folder that a context message names, "" for none.
func recordedCwd(it parse.Item) string {
	if history.ClassifyUser(it) != history.Contextual {
		return ""
	}
	for _, part := range it.Content() {
		if _, rest, ok := strings.Cut(part.Text(), "<cwd>"); ok {
			cwd, _, _ := strings.Cut(rest, "</cwd>")
			return strings.TrimSpace(cwd)
		}
	}
	return ""
}

// isBareLine reports whether a line of a file of generation 0 has no envelope: a newer
// build may have appended some that have.
func isBareLine(r *rewrite.Record) bool {
	return r.Payload == nil || r.Envelope.Get("timestamp") == nil
}

func (p *envelope) edit(r *rewrite.Record) rewrite.Edit {
	bare := parse.AsBare(r.Record)
	switch bare.Type {
	case parse.RecordSessionMeta:
		return rewrite.Line(p.line(bare.Type, p.meta(bare), r.CRLF()), "envelope added")
	case parse.RecordResponseItem:
		done := rewrite.Line(p.line(bare.Type, bare.Payload, r.CRLF()), "envelope added")
		if event := p.event(bare.Item()); event != nil && p.events {
			return done.After("event added", p.line(parse.RecordEvent, event, r.CRLF()))
		}
		return done
	}
	if r.Envelope.Get("record_type") != nil {
		return rewrite.Drop("state line dropped") // it holds nothing
	}
	return rewrite.Keep()
}

// line is a record of the file's time.
func (p *envelope) line(typ string, payload jsonraw.Value, crlf bool) []byte {
	b := jsonraw.Build(
		jsonraw.Pair{Name: "timestamp", Value: p.stamp},
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(typ)},
		jsonraw.Pair{Name: "payload", Value: payload},
	)
	if crlf {
		b = append(b, '\r')
	}
	return b
}

// meta is the bare meta with the members that a session_meta needs (format.md 3.1). Only
// the command line wrote files at that time; its version is not in them.
func (p *envelope) meta(bare parse.Record) jsonraw.Value {
	o := bare.Envelope
	for _, add := range [][2]string{{"cwd", p.cwd}, {"originator", "codex_cli_rs"}, {"cli_version", "0.0.0"}, {"source", "cli"}} {
		if o.Get(add[0]) == nil {
			o, _ = jsonraw.SplitObject(o.Set(add[0], jsonraw.Quote(add[1])))
		}
	}
	return o.Raw
}

// event is the event that a later build would have stored beside a message: lists and
// transcripts are made of them (format.md 3.9). Nil for items without.
func (p *envelope) event(it parse.Item) jsonraw.Value {
	kind := ""
	switch {
	case history.ClassifyUser(it) == history.RealUser:
		kind = "user_message"
	case it.IsMessage("assistant"):
		kind = "agent_message"
	default:
		return nil
	}
	var text strings.Builder
	for _, part := range it.Content() {
		text.WriteString(part.Text())
	}
	if text.Len() == 0 {
		return nil
	}
	return jsonraw.Build(
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(kind)},
		jsonraw.Pair{Name: "message", Value: jsonraw.Quote(text.String())},
	)
}
