package batch

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"unicode/utf8"

	"github.com/rollout-tool/rollout-tool/rewrite"
)

// appender adds whole JSON lines to a file that it makes, or goes on with.
type appender struct {
	mu   sync.Mutex
	file *os.File
	path string
}

// openAppender opens a file that is new, empty, or one of the same kind: its first line
// holds the mark.
func openAppender(path, flag, mark string) (*appender, error) {
	if path == "" {
		return nil, nil
	}
	ours, err := startsLike(path, mark)
	if err != nil {
		return nil, err
	}
	if !ours {
		return nil, fmt.Errorf("%s %s: %w: the file exists and holds something else", flag, path, ErrSideFile)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	return &appender{file: f, path: path}, nil
}

func (a *appender) add(v any) error {
	if a == nil {
		return nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	_, err = a.file.Write(append(b, '\n'))
	return err
}

func (a *appender) close() error {
	if a == nil {
		return nil
	}
	return a.file.Close()
}

// quarantine collects the records that go from one file, and joins them to the quarantine
// file when the result is about to be put in place.
type quarantine struct {
	to    *appender
	path  string
	spool *os.File
}

// lostRecord is a line of the quarantine file.
type lostRecord struct {
	Path      pathText `json:"path"`
	Line      int      `json:"line"`
	Offset    int64    `json:"byte_offset"`
	Operation string   `json:"operation"`
	Reason    string   `json:"reason"`
	// Text is a line that is no JSON; Base64 instead when it is no UTF-8. A record that is
	// JSON stands as it was in a last member "record".
	Text   *string `json:"text,omitempty"`
	Base64 string  `json:"base64,omitempty"`
}

func (q *quarantine) take(l rewrite.Lost) error {
	if q.spool == nil {
		f, err := os.CreateTemp(filepath.Dir(q.to.path), ".rollout-tool-quarantine-*.tmp")
		if err != nil {
			return fmt.Errorf("quarantine: %w", err)
		}
		q.spool = f
	}
	r := lostRecord{Path: pathText(q.path), Line: l.Record.Number, Offset: l.Record.Offset, Operation: l.Operation, Reason: l.Reason}
	old := l.Record.Bytes
	switch {
	case l.Record.Broken == nil:
	case utf8.Valid(old):
		text := string(old)
		r.Text = &text
	default:
		r.Base64 = base64.StdEncoding.EncodeToString(old)
	}
	head, err := json.Marshal(r)
	if err != nil {
		return err
	}
	parts := [][]byte{head, {'\n'}}
	if l.Record.Broken == nil {
		parts = [][]byte{head[:len(head)-1], []byte(`,"record":`), old, []byte("}\n")}
	}
	for _, b := range parts {
		if _, err := q.spool.Write(b); err != nil {
			return fmt.Errorf("quarantine: %w", err)
		}
	}
	return nil
}

// commit joins what was collected to the quarantine file and flushes it to the disk.
func (q *quarantine) commit() error {
	if q == nil || q.spool == nil {
		return nil
	}
	if _, err := q.spool.Seek(0, io.SeekStart); err != nil {
		return err
	}
	q.to.mu.Lock()
	defer q.to.mu.Unlock()
	if _, err := io.Copy(q.to.file, q.spool); err != nil {
		return fmt.Errorf("quarantine: %w", err)
	}
	return q.to.file.Sync()
}

func (q *quarantine) discard() {
	if q != nil && q.spool != nil {
		q.spool.Close()
		os.Remove(q.spool.Name())
		q.spool = nil
	}
}

// reportLine is a line of the report: what was done to a file, without its content.
type reportLine struct {
	Path         pathText       `json:"path"`
	Target       pathText       `json:"target,omitempty"`
	Backup       pathText       `json:"backup,omitempty"`
	State        string         `json:"state"`
	Error        string         `json:"error,omitempty"`
	BrokenOff    string         `json:"broken_off,omitempty"` // where a compressed stream could not be read on
	InputSHA     string         `json:"input_sha256,omitempty"`
	OutputSHA    string         `json:"output_sha256,omitempty"`
	StoredBefore int64          `json:"stored_bytes_before"`
	StoredAfter  int64          `json:"stored_bytes_after,omitempty"`
	BytesBefore  int64          `json:"bytes_before"`
	BytesAfter   int64          `json:"bytes_after"`
	TokensBefore *int64         `json:"tokens_before,omitempty"`
	TokensAfter  *int64         `json:"tokens_after,omitempty"`
	Removed      map[string]int `json:"findings_removed"`
	Added        map[string]int `json:"findings_added"`
	Operations   []reportOp     `json:"operations"`
}

type reportOp struct {
	Name    string         `json:"name"`
	Changed int            `json:"changed"`
	Dropped int            `json:"dropped"`
	Added   int            `json:"added"`
	Edits   []reportReason `json:"edits"`
}

type reportReason struct {
	Reason      string `json:"reason"`
	Records     int    `json:"records"`
	Lines       string `json:"lines,omitempty"`
	BytesBefore int64  `json:"bytes_before"`
	BytesAfter  int64  `json:"bytes_after"`
}

// Line is the outcome as one line of a report, JSON.
func (o *Outcome) Line() ([]byte, error) { return json.Marshal(o.line()) }

func (o *Outcome) line() reportLine {
	l := reportLine{
		Path: pathText(o.Path), Target: pathText(o.Target), Backup: pathText(o.Backup), State: o.State.String(), InputSHA: o.InputSHA, OutputSHA: o.OutputSHA,
		StoredBefore: o.StoredBefore, StoredAfter: o.StoredAfter, BytesBefore: o.Result.BytesIn, BytesAfter: o.Result.BytesOut,
		Removed: counts(o.Removed), Added: counts(o.Added), Operations: []reportOp{},
	}
	if o.Err != nil {
		l.Error = o.Err.Error()
	}
	if o.Result.BrokenOff != nil {
		l.BrokenOff = o.Result.BrokenOff.Error()
	}
	if o.HasTokens {
		l.TokensBefore, l.TokensAfter = &o.TokensBefore, &o.TokensAfter
	}
	for _, d := range o.Result.Operations {
		op := reportOp{Name: d.Name, Changed: d.Changed, Dropped: d.Dropped, Added: d.Added, Edits: []reportReason{}}
		for _, r := range d.Reasons {
			op.Edits = append(op.Edits, reportReason{r.Text, r.Records, r.Lines, r.BytesBefore, r.BytesAfter})
		}
		l.Operations = append(l.Operations, op)
	}
	return l
}

// counts is m, never null.
func counts(m map[string]int) map[string]int {
	if m == nil {
		return map[string]int{}
	}
	return m
}
