package validate

// Finding is one thing that is wrong.
type Finding struct {
	Code    string // an id of the registry
	Message string // what is wrong here, lower case, without the place
	// Line is the 1-based physical line, 0 for the file as a whole.
	Line int
	// Offset is the byte offset of the offending value from the start of the
	// (decompressed) file.
	Offset int64
	// Pointer is the JSON pointer of the offending value in its line, "" for the whole line.
	Pointer string
	// Ordinal is the record's ordinal; HasOrdinal tells 0 from none.
	Ordinal    uint64
	HasOrdinal bool
	// Request is the index of the request in a capture, from 0; HasRequest tells 0 from
	// none. Line is then 0, Offset counts from the start of the file that has the request.
	Request    int
	HasRequest bool
	// File is the file that has the request in a capture that is a folder, "" otherwise.
	File string
	// Fix is a more exact fix than that of the code; "" for that one.
	Fix string
	// Key identifies the record for baselines: equal for equal bytes, wherever they
	// stand. 0 for the file as a whole.
	Key uint64
}

// Loadable says what Codex would do with a file.
type Loadable string

// The answers: "no" when the load aborts or no session_meta is accepted, "with_loss"
// when a line is rejected, else "yes".
const (
	Loads         Loadable = "yes"
	LoadsWithLoss Loadable = "with_loss"
	DoesNotLoad   Loadable = "no"
)

// File is what is known about a file after the last finding.
type File struct {
	Path        string
	SHA256      string // of the stored bytes, "" unless asked for
	Bytes       int64  // decompressed
	Lines       int
	Generation  string // the newest that a record needs, "any" when none does
	HistoryMode string // legacy or paginated, "" when no session_meta is accepted
	Loadable    Loadable
	// Why says why Loadable is "no", "" otherwise.
	Why string
	// Requests is the number of requests of a capture, 0 for a rollout.
	Requests int
	// Rejected are the lines that Codex rejects, each judged alone.
	Rejected []int
	// Checkpoints are the lines of readable compacted records.
	Checkpoints []int
}
