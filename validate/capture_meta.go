package validate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// Values that turn metadata may have (compaction.md 6.4).
var (
	requestKinds = []string{capture.KindTurn, capture.KindPrewarm, capture.KindCompaction, capture.KindMemory}
	// compactionValues are the members of the compaction object, in order.
	compactionValues = []struct {
		name   string
		values []string
	}{
		{"trigger", []string{"manual", "auto"}},
		{"reason", []string{"user_requested", "context_limit", "model_downshift", "comp_hash_changed"}},
		{"implementation", []string{"responses", "responses_compaction_v2", "responses_compact"}},
		{"phase", []string{"standalone_turn", "pre_turn", "mid_turn", "post_turn"}},
		{"strategy", []string{"memento", "prefix_compaction"}},
	}
)

// betaFeature has to be listed in compaction requests (compaction.md 6.4).
const betaFeature = "remote_compaction_v2"

// Where metadata stands in a request.
const (
	headerMeta = "/headers/" + capture.HeaderTurnMetadata
	clientMeta = "/body/client_metadata/" + capture.HeaderTurnMetadata
)

// metaRule looks at headers, client_metadata and turn metadata of each request by itself.
type metaRule struct{}

func (*metaRule) end(*captureSink) {}

func (*metaRule) take(e *capture.Exchange, out *captureSink) {
	body, bodyOK := e.Request.BodyMetadata()
	var header jsonraw.Object
	headerOK := true
	if e.Transport == capture.HTTP { // a handshake's headers are those of an older request
		header, headerOK = e.Request.HeaderMetadata()
	}
	switch {
	case !headerOK:
		out.at(e, "X037", headerMeta, "the header "+capture.HeaderTurnMetadata+" is no JSON object")
	case !bodyOK:
		out.at(e, "X037", clientMeta, "client_metadata has a "+capture.HeaderTurnMetadata+" that is no text of a JSON object")
	default:
		compareMetadata(e, header, body, out)
	}
	checkWindowID(e, header, body, out)
	at, meta := clientMeta, body
	if meta.Raw == nil {
		at, meta = headerMeta, header
	}
	if meta.Raw != nil {
		checkKind(e, at, meta, out)
	}
	checkBeta(e, out)
}

// compareMetadata: both places say the same; the header leaves tool_namespaces_info out.
func compareMetadata(e *capture.Exchange, header, body jsonraw.Object, out *captureSink) {
	if header.Raw == nil || body.Raw == nil {
		return
	}
	for _, m := range body.Members {
		other := header.Get(m.Name)
		if m.Name == "window_id" || other == nil || sameJSON(other, m.Value) {
			continue
		}
		out.at(e, "X037", headerMeta, "header and client_metadata disagree about "+clip(m.Name))
		return
	}
}

// sameJSON compares values whatever their spelling is.
func sameJSON(a, b jsonraw.Value) bool {
	x, errA := jsonraw.Compact(a)
	y, errB := jsonraw.Compact(b)
	return errA == nil && errB == nil && string(x) == string(y)
}

// windowPlaces are the window ids of a request with their pointers.
func windowPlaces(e *capture.Exchange, header, body jsonraw.Object) (ids, pointers []string) {
	add := func(id, pointer string) {
		if id != "" {
			ids, pointers = append(ids, id), append(pointers, pointer)
		}
	}
	if e.Transport == capture.HTTP {
		id, _ := e.Request.Headers.Get(capture.HeaderWindowID)
		add(id, "/headers/"+capture.HeaderWindowID)
	}
	add(header.Text("window_id"), headerMeta)
	add(e.Request.ClientMetadata().Text(capture.HeaderWindowID), "/body/client_metadata/"+capture.HeaderWindowID)
	add(body.Text("window_id"), clientMeta)
	return ids, pointers
}

func checkWindowID(e *capture.Exchange, header, body jsonraw.Object, out *captureSink) {
	ids, pointers := windowPlaces(e, header, body)
	for i := range ids {
		if ids[i] != ids[0] {
			out.at(e, "X030", pointers[i], "the window id is "+quote(ids[i])+" here and "+quote(ids[0])+" in "+pointers[0])
			return
		}
	}
	if len(ids) == 0 {
		return
	}
	thread, number, ok := cutWindowID(ids[0])
	meta := e.Request.Metadata()
	switch {
	case !ok:
		out.at(e, "X031", pointers[0], "the window id "+quote(ids[0])+" is not thread:number")
	case meta.Text("thread_id") != "" && meta.Text("thread_id") != thread:
		out.at(e, "X031", pointers[0], "the window id names thread "+clip(thread)+", the metadata "+clip(meta.Text("thread_id")))
	default:
		if n, has := meta.Get("window_number").Uint64(); has && n != number {
			out.at(e, "X031", pointers[0], "the window id ends in "+strconv.FormatUint(number, 10)+", window_number is "+strconv.FormatUint(n, 10))
		}
	}
	if meta.Get("window_number") != nil && meta.Get("context_window_id").Missing() {
		out.at(e, "X039", metaPointer(e), "the metadata has window_number and no context_window_id")
	}
}

// metaPointer is where Metadata of a request stands.
func metaPointer(e *capture.Exchange) string {
	if m, ok := e.Request.BodyMetadata(); ok && m.Raw != nil {
		return clientMeta
	}
	return headerMeta
}

// cutWindowID splits a window id (compaction.md 3.6 rule 2).
func cutWindowID(id string) (thread string, number uint64, ok bool) {
	i := strings.LastIndexByte(id, ':')
	if i <= 0 {
		return "", 0, false
	}
	n, err := strconv.ParseUint(id[i+1:], 10, 64)
	return id[:i], n, err == nil
}

func quote(s string) string { return strconv.Quote(clip(s)) }

func checkKind(e *capture.Exchange, at string, meta jsonraw.Object, out *captureSink) {
	kind := meta.Text("request_kind")
	if !meta.Get("request_kind").Missing() && !slices.Contains(requestKinds, kind) {
		out.at(e, "X033", at, "request_kind "+quote(kind)+" is none that Codex has")
	}
	object, ok := jsonraw.SplitObject(meta.Get("compaction"))
	switch {
	case !ok && kind == capture.KindCompaction:
		out.at(e, "X036", at, "the request is a compaction and its metadata has no compaction object")
	case ok && kind != capture.KindCompaction && kind != "":
		out.at(e, "X036", at, "the metadata has a compaction object and the request is a "+clip(kind))
	}
	if !ok {
		return
	}
	for _, field := range compactionValues {
		v := object.Get(field.name)
		if text, _ := v.Text(); v != nil && !slices.Contains(field.values, text) {
			out.at(e, "X034", at, "compaction."+field.name+" "+clip(string(v))+" is none that Codex has")
			return
		}
	}
	checkManual(e, at, object, out)
}

// checkManual: a compaction that somebody asked for is all three: manual, user_requested,
// standalone_turn.
func checkManual(e *capture.Exchange, at string, object jsonraw.Object, out *captureSink) {
	var yes, no []string
	for _, f := range [...][2]string{{"trigger", "manual"}, {"reason", "user_requested"}, {"phase", "standalone_turn"}} {
		switch text := object.Text(f[0]); text {
		case "":
		case f[1]:
			yes = append(yes, f[0]+" "+text)
		default:
			no = append(no, f[0]+" "+text)
		}
	}
	if len(yes) > 0 && len(no) > 0 {
		out.at(e, "X035", at, "the compaction object has "+strings.Join(yes, ", ")+" and "+strings.Join(no, ", "))
	}
}

func checkBeta(e *capture.Exchange, out *captureSink) {
	if roleOf(e) != roleCompaction || !e.Request.HasHeaders {
		return
	}
	list, _ := e.Request.Headers.Get(capture.HeaderBetaFeatures)
	for _, f := range strings.Split(list, ",") {
		if strings.TrimSpace(f) == betaFeature {
			return
		}
	}
	out.at(e, "X038", "/headers/"+capture.HeaderBetaFeatures, "the header "+capture.HeaderBetaFeatures+" does not list "+betaFeature)
}
