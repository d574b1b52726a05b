package diff

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollout-tool/rollout-tool/history"
	"github.com/rollout-tool/rollout-tool/internal/jsonraw"
	"github.com/rollout-tool/rollout-tool/request"
	"github.com/rollout-tool/rollout-tool/request/capture"
)

// sent is the side of a request body, with headers as name and value in turn; without
// any, headers were not captured.
func sent(t testing.TB, body string, headers ...string) Side {
	t.Helper()
	path := filepath.Join(t.TempDir(), "body.json")
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := capture.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	e, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		e.Request.HasHeaders = true
		e.Request.Headers = append(e.Request.Headers, capture.Header{Name: headers[i], Value: headers[i+1]})
	}
	return FromExchange(e)
}

// changed lists pointer, value before and value after of each member.
func changed(list []TextChange) []string {
	var out []string
	for _, m := range list {
		out = append(out, strings.TrimSpace(m.Pointer+" "+string(m.Before)+" -> "+string(m.After)))
	}
	return out
}

func TestMembers(t *testing.T) {
	meta := func(window string) string {
		return `"client_metadata":{"thread_id":"t","x-codex-turn-metadata":` + quote(`{"window_id":"`+window+`","request_kind":"turn"}`) + `}`
	}
	tests := []struct {
		name          string
		before, after string // members of the body, after the input
		ignore        bool
		want          []string
	}{
		{"nothing", `"model":"m"`, `"model":"m"`, false, nil},
		{"spelling", `"model":"m","reasoning":{"effort":"low"}`, `"reasoning": {"effort": "l\u006fw"}, "model":"m"`, false, nil},
		{"an object is gone into", `"reasoning":{"effort":"low","summary":"auto"}`, `"reasoning":{"effort":"high"}`, false,
			[]string{`/body/reasoning/effort "low" -> "high"`, `/body/reasoning/summary "auto" ->`}},
		{"an element of a list", `"include":["a","b"]`, `"include":["a","c"]`, false, []string{`/body/include/1 "b" -> "c"`}},
		{"a new member", ``, `"service_tier":"priority"`, false, []string{`/body/service_tier  -> "priority"`}},
		{"null is not none", ``, `"service_tier":null`, false, []string{`/body/service_tier  -> null`}},
		{"numbers as written", `"n":1.0`, `"n":1`, false, []string{`/body/n 1.0 -> 1`}},
		{"an object in a text is gone into", meta("w:0"), meta("w:1"), false,
			[]string{`/body/client_metadata/x-codex-turn-metadata/window_id "w:0" -> "w:1"`}},
		{"session and turn are bookkeeping", meta("w:0") + `,"prompt_cache_key":"a"`, meta("w:1") + `,"prompt_cache_key":"b"`, true, nil},
		{"a cache key counts", `"prompt_cache_key":"a"`, `"prompt_cache_key":"b"`, false, []string{`/body/prompt_cache_key "a" -> "b"`}},
		{"the transport does not count", `"type":"response.create"`, `"generate":false`, false, nil},
		{"of duplicate keys the last counts", `"model":"a","model":"b"`, `"model":"b"`, false, nil},
		{"a name with a slash", `"a/b~c":1`, `"a/b~c":2`, false, []string{`/body/a~1b~0c 1 -> 2`}},
		{"secrets are not shown", `"client_metadata":{"x-attestation":"one"}`, `"client_metadata":{"x-attestation":"two"}`, false,
			[]string{`/body/client_metadata/x-attestation "[REDACTED]" -> "[REDACTED]"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := func(members string) string {
				if members != "" {
					members = "," + members
				}
				return `{"input":[]` + members + `}`
			}
			r := Compare(sent(t, body(tt.before)), sent(t, body(tt.after)), Options{IgnoreBookkeeping: tt.ignore})
			if got := changed(r.Members); !slices.Equal(got, tt.want) {
				t.Errorf("(-want +got):\n%s", cmp.Diff(tt.want, got))
			}
			if r.Equal() != (len(tt.want) == 0) {
				t.Errorf("Equal is %v", r.Equal())
			}
			if len(r.NotCompared) != 0 {
				t.Errorf("not compared: %q", r.NotCompared)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	const body = `{"model":"m","input":[]}`
	tests := []struct {
		name          string
		before, after []string
		ignore        bool
		want, skipped []string
	}{
		{name: "case of names", before: []string{"X-A", "1"}, after: []string{"x-a", "1"}},
		{name: "one is new", before: []string{"x-a", "1"}, after: []string{"x-a", "1", "x-codex-beta-features", "f"},
			want: []string{`/headers/x-codex-beta-features  -> "f"`}},
		{name: "several of a name are a list", before: []string{"x-a", "1", "x-a", "2"}, after: []string{"x-a", "1, 2"}},
		{name: "order does not count", before: []string{"x-a", "1", "x-b", "2"}, after: []string{"x-b", "2", "x-a", "1"}},
		{name: "metadata is gone into", before: []string{"x-codex-turn-metadata", `{"window_number":0}`},
			after: []string{"x-codex-turn-metadata", `{"window_number":1}`}, want: []string{`/headers/x-codex-turn-metadata/window_number 0 -> 1`}},
		{name: "session and turn are bookkeeping", ignore: true,
			before: []string{"x-codex-turn-metadata", `{"window_number":0}`, "x-codex-window-id", "w:0"},
			after:  []string{"x-codex-turn-metadata", `{"window_number":1}`, "x-codex-turn-state", "s"}},
		{name: "secrets that were not read", before: []string{"authorization", "Bearer [REDACTED]"}, after: []string{"Authorization", "[REDACTED]"},
			skipped: []string{"/headers/authorization"}},
		{name: "secrets of another caller", before: []string{"authorization", "Bearer one"}, after: []string{"authorization", "Bearer two"},
			want: []string{`/headers/authorization "[REDACTED]" -> "[REDACTED]"`}},
		{name: "the same secret", before: []string{"cookie", "one"}, after: []string{"cookie", "one"}},
		{name: "a secret that is new", before: []string{"x-a", "1"}, after: []string{"x-a", "1", "x-api-key", "[REDACTED]"},
			want: []string{`/headers/x-api-key  -> "[REDACTED]"`}},
		{name: "headers of one side", before: []string{"x-a", "1"}, skipped: []string{"/headers"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Compare(sent(t, body, tt.before...), sent(t, body, tt.after...), Options{IgnoreBookkeeping: tt.ignore})
			if got := changed(r.Members); !slices.Equal(got, tt.want) {
				t.Errorf("(-want +got):\n%s", cmp.Diff(tt.want, got))
			}
			if !slices.Equal(r.NotCompared, tt.skipped) {
				t.Errorf("not compared: %q, want %q", r.NotCompared, tt.skipped)
			}
		})
	}
}

// No report shows a secret, whoever made the sides.
func TestSecretsAreNotShown(t *testing.T) {
	const body = `{"model":"m","input":[],"client_metadata":{"x-secret-key":"hush-%"}}`
	before := sent(t, strings.Replace(body, "%", "1", 1), "authorization", "Bearer hush-3", "set-cookie", "hush-5")
	after := sent(t, strings.Replace(body, "%", "2", 1), "authorization", "Bearer hush-4", "x-amz-security-token", "hush-6")
	r := Compare(before, after, Options{})
	if len(r.Members) != 4 {
		t.Errorf("%q", changed(r.Members))
	}
	for name, report := range reports(t, r) {
		if strings.Contains(report, "hush") {
			t.Errorf("%s shows a secret:\n%s", name, report)
		}
	}
}

// What only one side can know is not compared, and said.
func TestRolloutAgainstRequest(t *testing.T) {
	item := user("hello")
	facts := history.Facts{BaseInstructions: "Be brief.", HasBase: true, TurnContext: object(t, jsonraw.Value(`{"model":"m","effort":"low"}`))}
	rebuilt := func(f history.Facts) Side { return FromBody(request.Turn(rows(t, item), f), f) }
	whole := sent(t, `{"model":"m","instructions":"Be brief.","input":[`+item+`],"tools":[{"type":"function","name":"sh"}],`+
		`"parallel_tool_calls":false,"reasoning":{"effort":"low","summary":"auto"},"store":false}`, "x-a", "1")

	r := Compare(rebuilt(facts), whole, Options{})
	if !r.Equal() || !r.SameInstructions || len(r.Breaks) != 0 || r.Prefix.Items != 1 || r.Tools != nil {
		t.Errorf("%+v", r)
	}
	want := []string{"/body/tools", "/body/reasoning/summary", "/body/parallel_tool_calls", "/body/store", "/headers"}
	if !slices.Equal(r.NotCompared, want) {
		t.Errorf("not compared (-want +got):\n%s", cmp.Diff(want, r.NotCompared))
	}

	none := history.Facts{}
	r = Compare(rebuilt(none), whole, Options{})
	if !r.Equal() || !slices.Contains(r.NotCompared, "/body/instructions") || !slices.Contains(r.NotCompared, "/body/model") {
		t.Errorf("without facts: %+v", r)
	}

	other := facts
	other.BaseInstructions, other.TurnContext = "Be long.", object(t, jsonraw.Value(`{"model":"other","effort":"low"}`))
	r = Compare(rebuilt(other), whole, Options{})
	if got := changed(r.Members); r.SameInstructions || !slices.Equal(got, []string{`/body/model "other" -> "m"`}) || r.Equal() {
		t.Errorf("another model: %q, %+v", got, r)
	}

	// Of two rollouts the same is unknown: nothing to say about it.
	if r = Compare(rebuilt(facts), rebuilt(other), Options{}); len(r.NotCompared) != 0 || len(r.Members) != 1 {
		t.Errorf("two rollouts: %+v", r)
	}
}

// An incremental frame and a trace of a compaction leave members out.
func TestPartialRequests(t *testing.T) {
	whole := sent(t, `{"model":"m","instructions":"i","input":[],"tools":[{"name":"a"}],"store":false}`)
	frame := sent(t, `{"type":"response.create","previous_response_id":"r","model":"m","input":[]}`)
	r := Compare(whole, frame, Options{})
	if want := []string{"/body/instructions", "/body/tools", "/body/store"}; !slices.Equal(r.NotCompared, want) || !r.Equal() {
		t.Errorf("%+v", r)
	}
	// What an HTTP request lacks was not sent.
	r = Compare(whole, sent(t, `{"model":"m","input":[]}`), Options{})
	if got := changed(r.Members); r.SameInstructions || !slices.Equal(got, []string{"/body/store false ->"}) || r.Tools == nil || r.Tools.Words() != "1 removed" {
		t.Errorf("%q, %+v", got, r)
	}
}

// An output that a capture holds was not inserted by normalisation (rule 31).
func TestRule31NotInCaptures(t *testing.T) {
	r := Compare(sent(t, `{"model":"m","input":[]}`), sent(t, `{"model":"m","input":[`+output("c", "x")+`]}`), Options{})
	if got := brief(r); got != "add - 0 only after\n" {
		t.Errorf("got %s", got)
	}
}

// Requests to other addresses differ; that of a body is not known.
func TestPath(t *testing.T) {
	at := func(path string) Side {
		s := sent(t, `{"model":"m","input":[]}`)
		s.Request.Path = path
		return s
	}
	r := Compare(at("/v1/responses"), at("/v1/responses/compact"), Options{})
	if got := changed(r.Members); !slices.Equal(got, []string{`/path "/v1/responses" -> "/v1/responses/compact"`}) {
		t.Errorf("got %q", got)
	}
	if r := Compare(at("/v1/responses"), at(""), Options{}); !r.Equal() {
		t.Errorf("got %q", changed(r.Members))
	}
}

// Whatever the bodies are, a request is like itself, and what differs is in both orders
// at the same pointers.
func FuzzRequests(f *testing.F) {
	f.Add(`{"model":"a","client_metadata":{"m":"{\"x\":1}"}}`, `{"model":"b","client_metadata":{"m":"{\"x\":2}"}}`, `[{"name":"a"},{"tools":[{"name":"b"}]}]`, `[7,{"name":"a","x":[]}]`)
	f.Add(`{"a":{"a":{"a":1}},"a":2}`, `{"a":"{\"a\":\"{}\"}"}`, `{}`, `null`)
	f.Fuzz(func(t *testing.T, before, after, toolsBefore, toolsAfter string) {
		side := func(body, tools string) Side {
			o, err := jsonraw.ParseObject(jsonraw.Value(body))
			if err != nil || !jsonraw.Valid(jsonraw.Value(tools)) {
				t.Skip()
			}
			return Side{Request: &Request{Members: o.Members, Tools: jsonraw.Value(tools)}}
		}
		b, a := side(before, toolsBefore), side(after, toolsAfter)
		if r := Compare(b, b, Options{}); !r.Equal() || len(r.Breaks) != 0 {
			t.Fatalf("not like itself: %q %+v", changed(r.Members), r.Tools)
		}
		there, back := Compare(b, a, Options{}), Compare(a, b, Options{})
		if x, y := pointersOf(there.Members), pointersOf(back.Members); !slices.Equal(x, y) {
			t.Errorf("there %q, back %q", x, y)
		}
		if len(there.Tools.Changes) == 0 != (len(back.Tools.Changes) == 0) {
			t.Errorf("tools there %+v, back %+v", there.Tools, back.Tools)
		}
		for _, report := range reports(t, there) {
			if report == "" {
				t.Error("an empty report")
			}
		}
	})
}

func pointersOf(list []TextChange) []string {
	var out []string
	for _, m := range list {
		out = append(out, m.Pointer)
	}
	slices.Sort(out)
	return out
}
