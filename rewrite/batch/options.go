package batch

import (
	"errors"
	"io"
	"time"

	"github.com/google/uuid"

	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/rewrite"
)

// Encoding says how results are stored.
type Encoding uint8

// The encodings.
const (
	AsInput Encoding = iota // zstd stays zstd, plain stays plain
	Zstd                    // compressed, ".zst" added to names that lack it
	Plain                   // not compressed, ".zst" taken from names
)

// DefaultQuiet is how long a session of a sessions tree must not have changed to be
// rewritten in place.
const DefaultQuiet = 10 * time.Minute

// Options says how a batch is run. Without Output, OutDir and InPlace it is a dry run.
type Options struct {
	Operations []rewrite.Operation
	// Fingerprint names the operations and their options; a journal of another batch is
	// told by it.
	Fingerprint string
	// Salvage: an operation takes a compressed stream that breaks off for ended there.
	Salvage bool

	Output  string    // the one result goes to this file, "-" for Stdout
	OutDir  string    // results go to a tree of their own
	InPlace bool      // results replace the files
	Dry     bool      // only ask what would be done, and whether it is allowed
	Stdin   io.Reader // for the path "-"
	Stdout  io.Writer

	BackupSuffix    string // the old file stays under its name with this suffix; "" for no backup
	PreserveOffsets bool
	Encoding        Encoding
	QuietFor        time.Duration // see DefaultQuiet
	AllowLive       bool          // no look at whether a session is running

	Strict bool // a file with a line that Codex rejects fails

	Jobs            int // files at once; below 1 means one
	ContinueOnError bool
	Journal         string // path, "" for none
	Report          string // path, "" for none
	Quarantine      string // path, "" for none

	Accept   []accept.Option // the reader's profile
	Checker  *accept.Checker // the reader; nil for one made of Accept
	FindBase func(near string, rollout uuid.UUID) (*parse.Source, error)
	Now      func() time.Time // nil for the system's
	NewID    func() (uuid.UUID, error)
	Progress *Progress // nil for nobody who looks

	// testHook is called at named places between the steps of a write.
	testHook func(step, path string)
}

// DryRun reports whether nothing is written.
func (o *Options) DryRun() bool { return o.Dry || o.Output == "" && o.OutDir == "" && !o.InPlace }

// Input is a file to rewrite.
type Input struct {
	Path string
	// Rel is the path below OutDir: the one below the folder that the user named.
	Rel string
}

// State says what became of a file.
type State uint8

// The states of a file.
const (
	Planned   State = iota // dry run: it would be changed
	Unchanged              // no operation has anything to do
	Written                // its result is in place
	Copied                 // no operation has anything to do; a copy is in place
	Done                   // an earlier run with the same journal has written it
	Refused                // see Outcome.Err, a *rewrite.Refusal
	Failed                 // see Outcome.Err: it cannot be read, or the result not be written
	NotTried               // an earlier file failed, or the run was interrupted
)

var stateNames = [...]string{"planned", "unchanged", "written", "copied", "done", "refused", "failed", "not_tried"}

// String is the state in one word, as reports write it.
func (s State) String() string { return stateNames[s] }

// Outcome says what was done, or would be done, to one file.
type Outcome struct {
	Path   string
	Target string // "" in a dry run
	Backup string // "" for none
	State  State
	Err    error
	// Result holds the counts of the operations.
	Result rewrite.Result
	// StoredBefore and StoredAfter are sizes on disk in bytes; StoredAfter is 0 when it is
	// not known (a dry run of a compressed file).
	StoredBefore, StoredAfter int64
	// TokensBefore and TokensAfter are the estimate of the history at the end; HasTokens
	// is false when it could not be replayed, or nothing changes.
	TokensBefore, TokensAfter int64
	HasTokens                 bool
	// Removed and Added count findings of validate by code.
	Removed, Added map[string]int
	// InputSHA and OutputSHA are of the stored bytes, in hex; "" when nobody asked.
	InputSHA, OutputSHA string
}

// Refusal returns why the file was refused, nil when it was not.
func (o *Outcome) Refusal() *rewrite.Refusal { return rewrite.AsRefusal(o.Err) }

// ErrWrite marks failures of writing: nothing is wrong with the input.
var ErrWrite = errors.New("the result could not be written")
