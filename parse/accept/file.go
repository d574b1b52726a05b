package accept

// Loads and aborts of a file (format.md 2.6).
const (
	LoadOK    = "ok"
	LoadAbort = "abort"
)

// File applies the rules of a whole file (format.md 2.6) to the results of its
// lines. The zero File is ready for Add.
type File struct {
	Items    int    // accepted records before an abort
	Errors   int    // rejected lines before an abort
	ThreadID string // of the first accepted session_meta, canonical; "" if none

	lines      int // lines added
	seen       int // of them not blank
	abortLine  int
	abortCause string
}

// Add counts the next line. After an abort lines are still counted as such, but
// change nothing else.
func (f *File) Add(r Result) {
	f.lines++
	if r.Verdict != Blank {
		f.seen++
	}
	if f.abortLine > 0 {
		return
	}
	switch {
	case r.InvalidUTF8:
		f.abortLine, f.abortCause = f.lines, r.Message
	case r.BadHistoryMode && f.ThreadID == "":
		f.abortLine, f.abortCause = f.lines, "invalid session metadata history_mode"
	case r.Verdict == Err:
		f.Errors++
	case r.Verdict == OK:
		f.Items++
		if f.ThreadID == "" {
			f.ThreadID = r.ThreadID
		}
	}
}

// Aborted reports the 1-based line at which the load stops, and why. A file
// without any line that is not blank aborts at line 0. Ask after the last Add.
func (f *File) Aborted() (line int, message string, aborted bool) {
	switch {
	case f.abortLine > 0:
		return f.abortLine, f.abortCause, true
	case f.seen == 0:
		return 0, "empty session file", true
	}
	return 0, "", false
}

// Load is LoadOK or LoadAbort, after the last Add.
func (f *File) Load() string {
	if _, _, aborted := f.Aborted(); aborted {
		return LoadAbort
	}
	return LoadOK
}
