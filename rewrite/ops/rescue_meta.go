package ops

import (
	"bytes"
	"io"
	"strconv"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// restoreMeta makes a session_meta for a file that has none which Codex accepts: without
// one a resume ends in "failed to parse thread ID from rollout file" (format.md 2.6).
type restoreMeta struct{}

func (restoreMeta) Name() string { return "rescue" }

// Repairs, so that what the file says about itself is read again behind it.
func (restoreMeta) Repairs() bool { return true }

func (restoreMeta) Plan(in *rewrite.Input) (func() rewrite.Editor, error) {
	if in.Header.Found {
		return func() rewrite.Editor { return keepAll{} }, nil
	}
	f := factsOfMeta{checker: in.Checker()}
	if name, ok := parse.ParseFileName(in.Path); ok && name.HasIDs {
		f.thread = name.Thread.String()
	}
	if err := in.Records(false, f.look); err != nil {
		return nil, err
	}
	if !f.any {
		return nil, rewrite.Refuse("no line of the file is a record that Codex accepts", "see rollout-tool validate: it may be no rollout")
	}
	if f.thread == "" {
		return nil, rewrite.Refuse("there is no session_meta, and neither the file name nor a record tells the thread id",
			"give the file its name back: rollout-<date>-<thread id>.jsonl")
	}
	line := f.line()
	if res := in.Checker().Line(line); res.Verdict != accept.OK {
		return nil, rewrite.Refuse("a session_meta made from the records would not be accepted: "+res.Message, "")
	}
	return func() rewrite.Editor { return &metaRestorer{line: line} }, nil
}

// factsOfMeta is what records tell of the session_meta that is gone.
type factsOfMeta struct {
	any       bool
	stamp     string
	thread    string
	cwd       string
	paginated bool // the first record has an ordinal
	// gone is a session_meta that is rejected: what it says is taken as far as it goes.
	gone    jsonraw.Object
	checker *accept.Checker
}

// look goes on until everything is known.
func (f *factsOfMeta) look(r *rewrite.Record) error {
	if r.Type == parse.RecordSessionMeta && f.gone.Raw == nil {
		f.gone, _ = jsonraw.SplitObject(bytes.Clone(r.Payload))
		f.cwd = f.gone.Text("cwd")
		if id := f.gone.Text("id"); f.thread == "" && isUUID(id) {
			f.thread = id
		}
		return nil
	}
	if !r.Accepted() {
		return nil
	}
	if !f.any {
		f.any, f.stamp = true, r.Timestamp()
		_, f.paginated = r.Ordinal()
	}
	switch r.Type {
	case parse.RecordTurnContext:
		if f.cwd == "" {
			f.cwd = r.Fields().Text("cwd")
		}
	case parse.RecordEvent, parse.RecordTokenUsage:
		if id := r.Fields().Text("thread_id"); f.thread == "" && isUUID(id) {
			f.thread = id
		}
	}
	if f.thread != "" && f.cwd != "" {
		return io.EOF
	}
	return nil
}

func isUUID(s string) bool {
	_, err := uuid.Parse(s)
	return err == nil
}

// line is the session_meta: what is required, with what the rejected one said.
func (f *factsOfMeta) line() []byte {
	orElse := func(name, text string) jsonraw.Pair {
		if v := f.gone.Get(name); v.Kind() == jsonraw.KindString {
			return jsonraw.Pair{Name: name, Value: v}
		}
		return jsonraw.Pair{Name: name, Value: jsonraw.Quote(text)}
	}
	cwd := f.cwd
	if cwd == "" {
		cwd = "." // required, and nothing says where the session ran
	}
	mode := "legacy"
	if f.paginated {
		mode = "paginated"
	}
	payload := []jsonraw.Pair{
		{Name: "id", Value: jsonraw.Quote(f.thread)},
		orElse("timestamp", f.stamp),
		{Name: "cwd", Value: jsonraw.Quote(cwd)},
		orElse("originator", "rollout-tool"),
		orElse("cli_version", "0.0.0"),
		{Name: "history_mode", Value: jsonraw.Quote(mode)},
	}
	for _, name := range []string{"base_instructions", "dynamic_tools", "context_window", "git", "model_provider", "source"} {
		payload = f.keep(payload, name)
	}
	return f.envelope(payload)
}

// envelope has no ordinal.
func (f *factsOfMeta) envelope(payload []jsonraw.Pair) []byte {
	return jsonraw.Build(
		jsonraw.Pair{Name: "timestamp", Value: jsonraw.Quote(f.stamp)},
		jsonraw.Pair{Name: "type", Value: jsonraw.Quote(parse.RecordSessionMeta)},
		jsonraw.Pair{Name: "payload", Value: jsonraw.Build(payload...)})
}

// keep adds a member of the rejected session_meta when Codex takes it.
func (f *factsOfMeta) keep(payload []jsonraw.Pair, name string) []jsonraw.Pair {
	v := f.gone.Get(name)
	if v.Missing() {
		return payload
	}
	with := append(payload[:len(payload):len(payload)], jsonraw.Pair{Name: name, Value: v})
	if f.checker.Line(f.envelope(with)).Verdict != accept.OK {
		return payload
	}
	return with
}

// metaRestorer puts the line in front of the first record, or in its place when that is the
// session_meta which is rejected.
type metaRestorer struct {
	line []byte
	done bool
}

func (m *metaRestorer) Edit(r *rewrite.Record) rewrite.Edit {
	if m.done || r.Broken != nil {
		return rewrite.Keep()
	}
	m.done = true
	const reason = "session_meta made anew"
	n, ok := r.Ordinal()
	if r.Type == parse.RecordSessionMeta {
		return rewrite.Line(m.numbered(n, ok), reason).Lossy()
	}
	// In the place of the first line, and not in front of it: a record that is added needs
	// an ordinal to follow. The ordinals behind it are mended next.
	return rewrite.Line(m.numbered(max(n, 1)-1, ok), reason).After("", bytes.Clone(r.Bytes))
}

// numbered is the line with an ordinal, when it is to have one.
func (m *metaRestorer) numbered(n uint64, has bool) []byte {
	if !has {
		return m.line
	}
	o, _ := jsonraw.SplitObject(m.line)
	return o.Set("ordinal", strconv.AppendUint(nil, n, 10))
}
