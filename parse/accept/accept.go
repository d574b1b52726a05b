package accept

import (
	"bytes"
	"unicode/utf8"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// Verdict says what Codex's loader does with one line.
type Verdict uint8

// The verdicts (format.md 2.6, 2.7).
const (
	OK      Verdict = iota // a record
	Err                    // rejected: counted and skipped
	Blank                  // white space only: skipped
	Dropped                // a legacy ghost snapshot: skipped without an error
)

// String is "ok", "err", "blank" or "dropped".
func (v Verdict) String() string {
	return [...]string{"ok", "err", "blank", "dropped"}[v]
}

// Profile is the day of the reader that judges, "2026-08-21" or "2026-08".
// format.md 6.4 says how the readers of that day and of today differ; for
// earlier days only the dates at which fields and types appeared are known.
type Profile string

// Newest is the newest reader known (N in format.md 0).
const Newest Profile = ""

// Result is the judgement of one line, alone.
type Result struct {
	Verdict Verdict
	// Message says why the line is rejected, close to Codex's own words.
	Message string
	// Pointer is the JSON pointer of the offending value, "" for the whole line.
	// For a missing field it is the object that lacks it.
	Pointer string
	// Offset is the byte offset of that value in the line.
	Offset int
	// Kind is the record type: as written, or "retained_context" for a delivered
	// assistant message (format.md 2.5). It is "" when there is none.
	Kind string
	// ThreadID is the id of an accepted session_meta in canonical form.
	ThreadID string
	// BadHistoryMode says that the line is a session_meta whose history_mode
	// stops the load if none has been accepted before (format.md 2.6 step 5).
	BadHistoryMode bool
	// Repeats says that the line has a member twice in one object, where that matters: at
	// least one that Codex knows, or one whose other value would be rejected. It is not
	// looked for in what is kept opaque.
	Repeats bool
	// InvalidUTF8 says that the line stops the load (format.md 2.3).
	InvalidUTF8 bool
}

// Option configures NewChecker.
type Option func(*Checker)

// WithProfile makes the checker judge as the reader of that day. The default is
// Newest.
func WithProfile(p Profile) Option { return func(c *Checker) { c.profile = p } }

// OnWindows makes the checker judge as a reader on Windows, where other paths are
// absolute (format.md 3.2). The default is a reader on Unix, on every system.
func OnWindows() Option { return func(c *Checker) { c.windows = true } }

// Checker judges lines. It may be used again and again, by one goroutine at a
// time. Judging an accepted line allocates nothing (a session_meta: its id), and
// memory beyond the line itself stays small however long the line is.
type Checker struct {
	profile Profile
	windows bool
	root    *node
	scan    jsonraw.Scanner
	line    []byte
	twice   bool // the scan's members are not those of the line
	state
}

// state is what the checker knows of the current line.
type state struct {
	err       problem      // the first problem; no message means none
	muted     int          // > 0: problems do not count
	duplicate bool         // a known field came twice
	skip      map[int]bool // offsets of overridden member names
	record    *node        // the record type, nil when it is unknown
	kind      jsonraw.Value
	ghost     bool // the last response item was a ghost snapshot
	kept      [slots]jsonraw.Value
	history   listState
	sidecar   listState
}

// problem is why a line is rejected.
type problem struct {
	message string
	offset  int
}

func (p problem) none() bool { return p.message == "" }

// NewChecker returns a checker for the newest reader, or as the options say.
func NewChecker(opts ...Option) *Checker {
	c := new(Checker)
	for _, o := range opts {
		o(c)
	}
	tables := compiler{profile: c.profile, windows: c.windows, done: map[*typ]*node{}}
	c.root = tables.compile(line)
	c.ready()
	return c
}

// Clone returns a checker for another goroutine, with the same options. It costs next to
// nothing, where NewChecker prepares the tables, which takes longer than a small file.
func (c *Checker) Clone() *Checker {
	other := &Checker{profile: c.profile, windows: c.windows, root: c.root}
	other.ready()
	return other
}

func (c *Checker) ready() {
	c.scan.Outline = 2
	c.scan.LongNumber = func(off int, lit jsonraw.Value) {
		if wideInteger(lit) {
			c.fail(off, "number out of range: integer `"+string(lit)+"` needs 128 bits")
		}
	}
}

// Line judges a physical line without its newline (rule 1). It may end in \r.
func (c *Checker) Line(line []byte) Result {
	if isBlank(line) {
		c.twice = true
		return Result{Verdict: Blank}
	}
	c.twice = false
	c.run(line, nil)
	if c.scan.Err() == nil && (c.duplicate || !c.err.none()) {
		// The last of several members with one name counts, at any depth. That
		// matters only here: judge again without the others.
		if skip := jsonraw.Overridden(line); skip != nil {
			c.twice = true
			c.run(line, skip)
		}
	}
	res := c.result()
	res.Repeats = c.twice
	c.line, c.state = nil, state{history: c.history.emptied(), sidecar: c.sidecar.emptied()}
	return res
}

// Members returns the members of the line that was judged last and those of its
// payload, which the judging has come by. They alias that line. It is false for a line
// that is no JSON object, and where duplicate members made it look twice.
func (c *Checker) Members() (line, payload jsonraw.Object, ok bool) { return c.MembersIn(nil) }

// MembersIn is Members with memory for them: they are valid until *buf is used again.
func (c *Checker) MembersIn(buf *[]jsonraw.Member) (line, payload jsonraw.Object, ok bool) {
	if c.twice {
		return jsonraw.Object{}, jsonraw.Object{}, false
	}
	return c.scan.MembersIn("payload", buf)
}

// run reads the line once, leaving out the members whose names are at skip.
func (c *Checker) run(line []byte, skip map[int]bool) {
	c.line = line
	c.state = state{skip: skip, history: c.history.emptied(), sidecar: c.sidecar.emptied()}
	c.scan.Reset(line)
	if k := c.scan.Next(); k == jsonraw.KindObject {
		c.value(c.root, k)
	} else {
		off := c.scan.Offset()
		c.scan.Skip()
		c.fail(off, "rollout line must be a JSON object")
	}
	c.scan.End()
}

func (c *Checker) result() Result {
	res := Result{Kind: c.kindName()}
	if err := c.scan.Err(); err != nil {
		res.Verdict, res.Message = Err, err.Error()
		if se, ok := err.(*jsonraw.SyntaxError); ok {
			res.Message, res.Offset = se.Msg, se.Offset
		}
		if !utf8.Valid(c.line) {
			res.InvalidUTF8, res.Message = true, "stream did not contain valid UTF-8"
		}
		res.Kind = ""
		return res
	}
	mode := c.kept[keepHistoryMode]
	res.BadHistoryMode = c.isRecord("session_meta") && mode != nil && !knownHistoryMode(mode)
	switch {
	case c.isRecord("response_item") && c.ghost:
		res.Verdict = Dropped
	case !c.err.none():
		res.Verdict, res.Message, res.Offset = Err, c.err.message, c.err.offset
		res.Pointer = jsonraw.Pointer(c.line, c.err.offset)
	case c.isRecord("session_meta"):
		res.ThreadID, _ = parseUUID(c.kept[keepID].Unquoted())
	case c.isRecord("response_item") && c.delivered():
		res.Kind = "retained_context"
	}
	return res
}

func (c *Checker) isRecord(kind string) bool { return c.record != nil && c.record.label == kind }

func (c *Checker) kindName() string {
	if c.record != nil {
		return c.record.label
	}
	return string(c.kind.Unquoted())
}

// fail records a problem of the value at off. The first one is kept, and reading
// goes on: a syntax error further on would be the one that Codex reports.
func (c *Checker) fail(off int, message string) {
	if c.muted == 0 && c.err.none() {
		c.err = problem{message, off}
	}
}

// isBlank reports whether a line is only Unicode White_Space (format.md 2.3).
func isBlank(line []byte) bool {
	return len(line) == 0 || line[0] != '{' && len(bytes.TrimSpace(line)) == 0
}
