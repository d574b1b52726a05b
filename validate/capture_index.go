package validate

import (
	"hash/maphash"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// sessionIndex is what a captureBeside keeps of the lines of a rollout (history.Watcher): where
// items stand, by hashes, and usage by response.
type sessionIndex struct {
	seed maphash.Seed

	thread      string
	lines       map[uint64][]int // of an item, by its id or ciphertext
	stored      map[uint64]int   // how often a user message is stored as a record of its own
	prompts     map[string][]uint64
	checkpoints map[uint64]checkpointAt // by the ciphertext of the compaction item
	usage       map[string]recordedUsage
}

type checkpointAt struct{ k, line int }

type recordedUsage struct {
	line int
	capture.Usage
}

// indexed is what Look notes of a line.
type indexed struct {
	line       int
	thread     string
	response   string
	usage      capture.Usage
	items      []uint64
	checkpoint bool
	summary    uint64
	prompt     uint64
	turn       string
}

func newSessionIndex() *sessionIndex {
	return &sessionIndex{
		seed: maphash.MakeSeed(), lines: map[uint64][]int{}, stored: map[uint64]int{},
		prompts: map[string][]uint64{}, checkpoints: map[uint64]checkpointAt{}, usage: map[string]recordedUsage{},
	}
}

func (x *sessionIndex) idKey(id string) uint64 { return maphash.String(x.seed, "id:"+id) }

func (x *sessionIndex) cipherKey(v jsonraw.Value) uint64 {
	var h maphash.Hash
	h.SetSeed(x.seed)
	h.WriteString("enc:")
	h.Write(v)
	return h.Sum64()
}

// keys stand for an item: its id, its ciphertext.
func (x *sessionIndex) keys(it parse.Item) []uint64 {
	var out []uint64
	if id := it.ID(); id != "" {
		out = append(out, x.idKey(id))
	}
	if enc := it.Fields.Get("encrypted_content"); enc.HasText() {
		out = append(out, x.cipherKey(enc))
	}
	return out
}

// Look notes one line (history.Watcher).
func (x *sessionIndex) Look(_ int, v history.View) any {
	if v.Record == nil || v.Result.Verdict != accept.OK {
		return nil
	}
	n := &indexed{line: v.Number}
	fields := v.Record.Fields()
	switch v.Record.Type {
	case parse.RecordSessionMeta:
		n.thread = fields.Text("id")
	case parse.RecordTokenUsage:
		n.response = fields.Text("response_id")
		n.usage = storedUsage(fields.Get("usage"))
	case parse.RecordResponseItem:
		it := v.Record.Item()
		n.items = x.keys(it)
		if id := it.ID(); id != "" && history.ClassifyUser(it) == history.RealUser {
			n.prompt, n.turn = x.idKey(id), it.Passthrough().TurnID()
		}
	case parse.RecordCompacted:
		items, _, err := history.CheckpointItems(fields)
		if err != nil {
			return nil
		}
		n.checkpoint = true
		for _, raw := range items {
			it, err := parse.ViewItem(raw)
			if err != nil {
				continue
			}
			n.items = append(n.items, x.keys(it)...)
			if it.Type == parse.ItemCompaction {
				n.summary = x.cipherKey(it.Fields.Get("encrypted_content"))
			}
		}
	default:
		return nil
	}
	return n
}

// Take folds the note of a line into the index, in file order (history.Watcher).
func (x *sessionIndex) Take(note any) error {
	n, ok := note.(*indexed)
	if !ok {
		return nil
	}
	if x.thread == "" {
		x.thread = n.thread
	}
	if n.response != "" {
		x.usage[n.response] = recordedUsage{n.line, n.usage}
	}
	for _, key := range n.items {
		x.lines[key] = append(x.lines[key], n.line)
	}
	if n.prompt != 0 {
		x.stored[n.prompt]++
		x.prompts[n.turn] = append(x.prompts[n.turn], n.prompt)
	}
	if n.checkpoint && n.summary != 0 {
		x.checkpoints[n.summary] = checkpointAt{line: n.line}
	}
	return nil
}

// storedUsage reads usage as rollouts have it (format.md 3.3).
func storedUsage(v jsonraw.Value) capture.Usage {
	o, ok := jsonraw.SplitObject(v)
	if !ok {
		return capture.Usage{}
	}
	number := func(name string) int64 {
		n, _ := o.Get(name).Int64()
		return n
	}
	return capture.Usage{
		Known: true, Input: number("input_tokens"), Cached: number("cached_input_tokens"), Output: number("output_tokens"),
		Reasoning: number("reasoning_output_tokens"), Total: number("total_tokens"),
	}
}
