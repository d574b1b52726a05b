package parse

import (
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// Record types (format.md 2.2).
const (
	RecordSessionMeta        = "session_meta"
	RecordResponseItem       = "response_item"
	RecordEvent              = "event_msg"
	RecordCompacted          = "compacted"
	RecordTurnContext        = "turn_context"
	RecordInterAgent         = "inter_agent_communication"
	RecordInterAgentMetadata = "inter_agent_communication_metadata"
	RecordWorldState         = "world_state"
	RecordSecurityRiskScore  = "security_risk_score"
	RecordTokenUsage         = "token_usage_record"
	RecordRetainedContext    = "retained_context"
	RecordRealtimeItem       = "realtime_item"
)

// RecordTypes lists the record types that Codex knows.
func RecordTypes() []string {
	return []string{
		RecordSessionMeta, RecordResponseItem, RecordEvent, RecordCompacted, RecordTurnContext,
		RecordInterAgent, RecordInterAgentMetadata, RecordWorldState, RecordSecurityRiskScore,
		RecordTokenUsage, RecordRetainedContext, RecordRealtimeItem,
	}
}

// Record is a line seen through its envelope (format.md 2.1). All values alias
// the line's bytes.
type Record struct {
	Line
	Envelope jsonraw.Object // the members of the line
	Type     string         // "" when there is none
	Payload  jsonraw.Value  // nil when there is none
	Metadata jsonraw.Value  // the sidecar of a response_item; nil when absent
	// Bare holds for a line of generation 0: no envelope, the whole line is the payload.
	Bare bool

	fields jsonraw.Object // with split
	split  bool
	kind   string // type inside the payload, with split
}

// ViewRecord splits a line into its envelope. It fails when the line is no JSON
// object; whether Codex accepts the record is for parse/accept.
func ViewRecord(l Line) (Record, error) {
	o, err := jsonraw.ParseObject(trimSpace(l.Bytes))
	if err != nil {
		return Record{Line: l}, err
	}
	return recordOf(l, o), nil
}

// ViewAccepted is ViewRecord for a line that the loader's checker has accepted: it is
// not checked again.
func ViewAccepted(l Line) Record {
	o, _ := jsonraw.SplitObject(trimSpace(l.Bytes))
	return recordOf(l, o)
}

// ViewMembers is ViewAccepted for a line whose members, and those of its payload, are
// known already.
func ViewMembers(l Line, envelope, payload jsonraw.Object) Record {
	r := recordOf(l, envelope)
	r.fields, r.kind, r.split = payload, payload.Word("type"), true
	return r
}

func recordOf(l Line, o jsonraw.Object) Record {
	r := Record{Line: l, Envelope: o}
	r.Type = o.Word("type")
	r.Payload = o.Get("payload")
	r.Metadata = o.Get("metadata")
	return r
}

// trimSpace cuts JSON white space (a trailing carriage return too).
func trimSpace(b []byte) jsonraw.Value {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return jsonraw.Value(b[:len(b):len(b)])
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// Fields are the members of the payload, split once; empty when it is no object.
func (r *Record) Fields() jsonraw.Object {
	if !r.split {
		r.fields, _ = jsonraw.SplitObject(r.Payload)
		r.kind, r.split = r.fields.Word("type"), true
	}
	return r.fields
}

// Kind is the `type` inside the payload of a response_item, event_msg,
// retained_context or realtime_item; "" for other records.
func (r *Record) Kind() string {
	switch r.Type {
	case RecordResponseItem, RecordEvent, RecordRetainedContext, RecordRealtimeItem:
		r.Fields()
		return r.kind
	}
	return ""
}

// Item is the payload of a response_item as a view.
func (r *Record) Item() Item {
	fields := r.Fields()
	return itemOf(r.Payload, fields, r.kind)
}

// Timestamp is the text of the envelope's timestamp, "" when there is none.
func (r *Record) Timestamp() string { return r.Envelope.Text("timestamp") }

// Ordinal is the record's ordinal; false when it is absent, null or no u64.
func (r *Record) Ordinal() (uint64, bool) { return r.Envelope.Get("ordinal").Uint64() }

// OwnTurn is the turn id that the record itself carries, "" when it carries none.
func (r *Record) OwnTurn() string {
	switch r.Type {
	case RecordTurnContext, RecordTokenUsage, RecordRetainedContext, RecordEvent:
		return r.Fields().Text("turn_id")
	case RecordResponseItem:
		turn, _ := jsonraw.Lookup(r.Fields().Get(PassthroughKey), "turn_id").Text()
		return turn
	}
	return ""
}
