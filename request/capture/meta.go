package capture

import (
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
)

// Headers and members that carry a request's identity (compaction.md 6.4).
const (
	HeaderTurnMetadata = "x-codex-turn-metadata"
	HeaderTurnState    = "x-codex-turn-state"
	HeaderWindowID     = "x-codex-window-id"
	HeaderBetaFeatures = "x-codex-beta-features"
	HeaderThreadID     = "thread-id"
)

// Values of request_kind (compaction.md 6.4).
const (
	KindTurn       = "turn"
	KindPrewarm    = "prewarm"
	KindCompaction = "compaction"
	KindMemory     = "memory"
)

// ClientMetadata is the client_metadata of the body; it has no members when there is none.
func (r *Request) ClientMetadata() jsonraw.Object {
	o, _ := jsonraw.SplitObject(r.Body.Get("client_metadata"))
	return o
}

// HeaderMetadata is the turn metadata of the header. ok is false when the header is there
// and is no JSON object.
func (r *Request) HeaderMetadata() (meta jsonraw.Object, ok bool) {
	text, has := r.Headers.Get(HeaderTurnMetadata)
	if !has {
		return jsonraw.Object{}, true
	}
	return parseText(text)
}

// BodyMetadata is the turn metadata of client_metadata. ok is false when it is there and
// is no text of a JSON object.
func (r *Request) BodyMetadata() (meta jsonraw.Object, ok bool) {
	v := r.ClientMetadata().Get(HeaderTurnMetadata)
	if v.Missing() {
		return jsonraw.Object{}, true
	}
	text, isText := v.Text()
	if !isText {
		return jsonraw.Object{}, false
	}
	return parseText(text)
}

func parseText(text string) (jsonraw.Object, bool) {
	o, err := jsonraw.ParseObject(jsonraw.Value(text))
	if err != nil {
		return jsonraw.Object{}, false
	}
	return o, true
}

// Metadata is the turn metadata of the request: that of client_metadata, else that of the
// header, which over WebSocket is as old as the connection.
func (r *Request) Metadata() jsonraw.Object {
	if m, ok := r.BodyMetadata(); ok && m.Raw != nil {
		return m
	}
	m, _ := r.HeaderMetadata()
	return m
}

// TurnState is the turn state that the request sends: by header, over WebSocket by
// client_metadata; "" when it sends none.
func (r *Request) TurnState(t Transport) string {
	if t == WebSocket {
		return r.ClientMetadata().Text(HeaderTurnState)
	}
	s, _ := r.Headers.Get(HeaderTurnState)
	return s
}

// identity fills Thread and Turn from what the request says about itself.
func (e *Exchange) identity() {
	meta, client := e.Request.Metadata(), e.Request.ClientMetadata()
	if e.Thread == "" {
		header, _ := e.Request.Headers.Get(HeaderThreadID)
		e.Thread = firstText(meta.Text("thread_id"), client.Text("thread_id"), header)
	}
	if e.Turn == "" {
		e.Turn = firstText(meta.Text("turn_id"), client.Text("turn_id"))
	}
}

func firstText(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}
