package accept

import (
	"bytes"
	"fmt"
	"math"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// Rules over several fields of a record.

// Markers of a delivered assistant message (format.md 2.5, rule 6).
const (
	deliveredComplete   = "codex:code-mode-delivery:v1:complete"
	deliveredIncomplete = "codex:code-mode-delivery:v1:incomplete:"
)

func (c *Checker) finish(f finish, start int) {
	switch f {
	case finishCompacted:
		c.alignment()
	case finishDuration:
		c.duration(start)
	}
}

// listState is what rules 3 and 4 need to know of one of the two lists of a
// compacted record.
type listState struct {
	seen   bool // the key is there, be it null
	isList bool
	start  int // byte offset of the value
	length int
	ghosts []int     // history: indexes of ghost snapshots
	spoilt []spoiled // entries with problems that a removed entry takes along
}

type spoiled struct {
	index int
	problem
}

func (l listState) emptied() listState {
	return listState{ghosts: l.ghosts[:0], spoilt: l.spoilt[:0]}
}

// tracked reads one of the two lists entry by entry.
func (c *Checker) tracked(n *node, kind jsonraw.Kind, l *listState, entry func(*Checker, *node, int)) {
	*l = l.emptied()
	l.seen, l.start = true, c.scan.Offset()
	if kind != jsonraw.KindArray {
		c.mismatch(n)
		return
	}
	l.isList = true
	c.scan.OpenArray()
	for c.scan.Element(l.length == 0) {
		entry(c, n.elem, l.length)
		l.length++
	}
}

// historyEntry notes ghost snapshots and the problems inside them.
func (c *Checker) historyEntry(n *node, i int) {
	before := c.err
	c.ghost = false
	c.value(n, c.scan.Next())
	if !c.ghost {
		return
	}
	c.history.ghosts = append(c.history.ghosts, i)
	if before.none() && !c.err.none() {
		c.history.spoilt = append(c.history.spoilt, spoiled{i, c.err})
		c.err = before
	}
}

// sidecarEntry notes the problems of each entry; the slot of a ghost may be bad.
func (c *Checker) sidecarEntry(n *node, i int) {
	before := c.err
	c.value(n, c.scan.Next())
	if before.none() && !c.err.none() {
		c.sidecar.spoilt = append(c.sidecar.spoilt, spoiled{i, c.err})
		c.err = before
	}
}

// alignment applies rule 3 (ghost snapshots go, with their slot, if the sidecar
// allows it) and rule 4 (history and sidecar have one length).
func (c *Checker) alignment() {
	h, s := &c.history, &c.sidecar
	filtered := h.isList && len(h.ghosts) > 0 && (!s.seen || s.isList && s.length == h.length)
	for _, l := range []*listState{h, s} {
		ghosts := h.ghosts
		for _, bad := range l.spoilt {
			for len(ghosts) > 0 && ghosts[0] < bad.index {
				ghosts = ghosts[1:]
			}
			if filtered && len(ghosts) > 0 && ghosts[0] == bad.index {
				continue
			}
			c.fail(bad.offset, bad.message)
		}
	}
	switch {
	case !s.isList:
	case !h.isList:
		c.fail(s.start, "replacement_history_metadata requires replacement_history")
	case h.length != s.length:
		c.fail(s.start, fmt.Sprintf("replacement_history_metadata has %d entries for %d history items", s.length, h.length))
	}
}

// duration rejects a sum of seconds and nanoseconds that does not fit.
func (c *Checker) duration(start int) {
	secs, ok := c.kept[keepSecs].Uint64()
	nanos, _ := c.kept[keepNanos].Uint64()
	if ok && secs > math.MaxUint64-nanos/1e9 {
		c.fail(start, "overflow deserializing Duration")
	}
}

// delivered reports whether an accepted response_item is a delivery event
// (rule 6). Almost no line gets past the first test.
func (c *Checker) delivered() bool {
	marker := c.kept[keepDelivered].Unquoted()
	if string(marker) != deliveredComplete && !bytes.HasPrefix(marker, []byte(deliveredIncomplete)) {
		return false
	}
	item, err := jsonraw.ParseObject(c.kept[keepPayload])
	if err != nil || c.kept[keepUserInputOrder] == nil || item.Text("type") != "message" || item.Text("role") != "assistant" {
		return false
	}
	parts, err := jsonraw.Elements(item.Get("content"))
	if err != nil || len(parts) != 1 {
		return false
	}
	part, err := jsonraw.ParseObject(parts[0])
	if err != nil || part.Text("type") != "output_text" {
		return false
	}
	pass, err := jsonraw.ParseObject(item.Get("internal_chat_message_metadata_passthrough"))
	return err == nil && pass.Get("turn_id").Kind() == jsonraw.KindString
}

// knownHistoryMode reports whether the value of history_mode lets a load go on.
func knownHistoryMode(v jsonraw.Value) bool {
	mode, ok := v.Text()
	return ok && (mode == "legacy" || mode == "paginated")
}
