package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/parse"
	"github.com/rollout-tool/rollout-tool/parse/accept"
)

// metadataRule looks at sidecars: whether they align with a replacement history, and
// what they say. It has the rejections that rejectRule leaves to it.
func metadataRule() rule {
	return rule{
		name:   "metadata",
		line:   func() lineRule { return metadataLook{} },
		stream: func() streamRule { return &metadataTake{keys: map[string]*keyTotal{}} },
	}
}

type metadataLook struct{}

// metadataNote is what Look leaves for the totals of the file.
type metadataNote struct {
	keys   []unknownKey
	beside bool // metadata beside another record
	inside int  // items with metadata in their payload
	at     string
}

// unknownKey is a sidecar key that is not known, with its pointer.
type unknownKey struct{ name, pointer string }

func (metadataLook) Look(v *lineView) any {
	if v.Result.Verdict == accept.Err && leftToMetadata(v.Result) {
		v.Add(rejectedSidecar(v))
		return nil
	}
	if !v.OK() || v.Bare {
		return nil
	}
	var note metadataNote
	switch v.Record.Type {
	case parse.RecordCompacted:
		checkGhosts(v)
	case parse.RecordResponseItem:
	default:
		note.beside = v.Record.Metadata != nil
	}
	items := v.itemsHeld()
	for i := range items {
		it := &items[i]
		note.keys = checkSidecar(v, it, note.keys)
		if it.Fields.Get("metadata") != nil {
			if note.inside++; note.inside == 1 {
				note.at = it.at("/metadata")
			}
		}
		checkKinds(v, it)
	}
	if note.keys == nil && !note.beside && note.inside == 0 {
		return nil
	}
	left := note // a copy: most lines leave none, and allocate none
	return &left
}

// rejectedSidecar is the finding about a sidecar for which Codex rejects the line
// (format.md 4.2): its code, pointer and message.
func rejectedSidecar(v *lineView) (code, pointer, message string) {
	res := v.Result
	switch {
	case strings.HasPrefix(res.Message, sidecarAlone):
		return "M002", sidecarPointer, res.Message
	case !strings.HasPrefix(res.Message, sidecarLength):
		return "M003", res.Pointer, res.Message
	}
	if n := ghosts(v.Record); n > 0 {
		return "M004", sidecarPointer, fmt.Sprintf("%s, %d of them ghost snapshots", res.Message, n)
	}
	return "M001", sidecarPointer, res.Message
}

// ghosts counts the ghost snapshots in the replacement history of a compacted record.
func ghosts(rec *parse.Record) int {
	n := 0
	history := rec.Fields().Get("replacement_history")
	if !mayHold(history, parse.ItemGhostSnapshot) {
		return 0
	}
	items, _ := jsonraw.SplitArray(history)
	for _, raw := range items {
		if it, err := parse.ViewItem(raw); err == nil && it.Type == parse.ItemGhostSnapshot {
			n++
		}
	}
	return n
}

// checkGhosts looks for ghosts that an explicit null keeps (rule 3).
func checkGhosts(v *lineView) {
	if !v.Record.Fields().Get("replacement_history_metadata").IsNull() {
		return
	}
	if n := ghosts(v.Record); n > 0 {
		v.Add("M005", sidecarPointer, fmt.Sprintf("null: %d ghost snapshots stay in the history", n))
	}
}

// sidecarKeys are the keys of a sidecar (rule 8).
var sidecarKeys = [...]string{
	"client_authored", "user_input_order", "compaction_model_hash", "retained_source", "delivered_assistant_message",
	"fallback_token_limit_override", "harness_authored_configuration", "compaction_output", "inherited_user_message",
	"mcp_attribution", "sender_user_messages", "guardian_sources", "guardian_review_ids", "guardian_source_order_guidance",
	"guardian_retained_omissions",
}

// checkSidecar looks at what a sidecar says of its item, and adds keys that are unknown.
func checkSidecar(v *lineView, it *heldItem, unknown []unknownKey) []unknownKey {
	if it.meta.Missing() {
		return unknown
	}
	meta := parse.ViewSidecar(it.meta)
	for _, m := range meta.Fields.Members {
		if !slices.Contains(sidecarKeys[:], m.Name) {
			unknown = append(unknown, unknownKey{m.Name, it.sidecarAt("/" + escapePointer(m.Name))})
		}
	}
	if meta.ClientAuthored() && !mayBeClients(it.Item) {
		v.Add("M010", it.sidecarAt("/client_authored"), "client_authored on "+article(parse.ItemLabel(it.Item)))
	}
	if hash := meta.Fields.Get("compaction_model_hash"); !hash.Missing() && !isCompactionItem(it.Item) {
		v.Add("M011", it.sidecarAt("/compaction_model_hash"), "compaction_model_hash on "+article(parse.ItemLabel(it.Item)))
	}
	if a := meta.Fields.Get("mcp_attribution"); a != nil {
		if why := attributionDefect(a); why != "" {
			v.Add("M015", it.sidecarAt("/mcp_attribution"), "mcp_attribution does not decode: "+why)
		}
	}
	return unknown
}

// mayBeClients reports whether client_authored means something for an item: a developer
// message, or an output that answers no call and has a name.
func mayBeClients(it parse.Item) bool {
	if it.Type == parse.ItemFunctionOutput {
		_, called := it.CallID()
		return !called && it.Fields.Text("name") != ""
	}
	return it.IsMessage("developer")
}

func article(label string) string {
	if strings.ContainsRune("aeiou", rune((label + " ")[0])) {
		return "an " + label
	}
	return "a " + label
}

// escapePointer writes a member name as a token of a JSON pointer (RFC 6901).
func escapePointer(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// checkKinds compares content_item_kinds with the content (format.md 5.5).
func checkKinds(v *lineView, it *heldItem) {
	if it.Type != parse.ItemMessage {
		return
	}
	raw := it.Passthrough().Fields.Get("content_item_kinds")
	if raw.Missing() {
		return
	}
	pointer := it.at("/" + parse.PassthroughKey + "/content_item_kinds")
	kinds, ok := jsonraw.Strings(raw)
	if !ok {
		v.Add("M016", pointer, "content_item_kinds is no list of strings")
		return
	}
	if parts, _ := jsonraw.SplitArray(it.Fields.Get("content")); len(parts) != len(kinds) {
		v.Add("M016", pointer, fmt.Sprintf("content_item_kinds has %d entries for %d parts", len(kinds), len(parts)))
	}
}
