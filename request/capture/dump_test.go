package capture

import (
	"path/filepath"
	"strings"
	"testing"
)

const sseAnswer = "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"resp_1\"}}\n\n" +
	"data: {\"type\":\"response.output_item.done\",\"item\":" + answ + "}\n\n" +
	"data: {\"type\":\"response.completed\",\"response\":{\"id\":\"resp_1\",\"usage\":{\"input_tokens\":10,\"input_tokens_details\":{\"cached_tokens\":4},\"output_tokens\":2,\"output_tokens_details\":{\"reasoning_tokens\":1},\"total_tokens\":12}}}\n\n"

// quoted is text as a JSON string, for texts of ASCII.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(s) + `"`
}

func dumpReq(body string) string {
	return `{"method":"POST","url":"/v1/responses?key=abc","headers":[{"name":"Authorization","value":"Bearer sk-very-secret"},{"name":"X-Codex-Window-Id","value":"t:0"},{"name":"Cookie","value":"a=b c"}],"body":` + body + `}`
}

func dumpRes(status, headers, body string) string {
	return `{"status":` + status + `,"headers":[` + headers + `],"body":` + body + "}\n"
}

func TestDump(t *testing.T) {
	const state = `{"name":"x-codex-turn-state","value":"s1"},{"name":"content-type","value":"text/event-stream"}`
	dir := write(t, map[string]string{
		// The second run of the proxy starts at 1 again.
		"000001-1793610009000-request.json":  dumpReq(`{"input":[` + again + `]}`),
		"000001-1793610009000-response.json": dumpRes("500", "", `"upstream is down"`),
		"000001-1793610000000-request.json":  dumpReq(`{"input":[` + hello + `]}`),
		"000001-1793610000000-response.json": dumpRes("200", state, quoted(sseAnswer)),
		"notes.txt":                          "no part of it",
	})
	got, problems := readAll(t, dir)
	wantProblems(t, problems)
	if len(got) != 2 {
		t.Fatalf("%d exchanges", len(got))
	}
	e := got[0]
	if e.Time.UnixMilli() != 1793610000000 || e.Request.URL != "/v1/responses" || e.Request.Method != "POST" {
		t.Errorf("time %v, %s %s", e.Time, e.Request.Method, e.Request.URL)
	}
	if v, _ := e.Request.Headers.Get("authorization"); v != "Bearer "+Redacted {
		t.Errorf("authorization %q", v)
	}
	if v, _ := e.Request.Headers.Get("cookie"); v != Redacted {
		t.Errorf("cookie %q", v)
	}
	if v, _ := e.Request.Headers.Get("x-codex-window-id"); v != "t:0" {
		t.Errorf("window id %q", v)
	}
	r := e.Response
	if !r.OK() || r.ID != "resp_1" || len(r.Items) != 1 || string(r.Items[0].Raw) != answ || r.TurnState != "s1" {
		t.Errorf("response %+v", r)
	}
	if want := (Usage{true, 10, 4, 2, 1, 12}); r.Usage != want {
		t.Errorf("usage %+v, want %+v", r.Usage, want)
	}
	if r := got[1].Response; r.OK() || r.Status != 500 || r.Error != "HTTP status 500" || !r.Known {
		t.Errorf("failed response %+v", r)
	}
	// One file of it.
	one, problems := readAll(t, filepath.Join(dir, "000001-1793610000000-request.json"))
	wantProblems(t, problems)
	if len(one) != 1 || !one[0].Response.OK() {
		t.Errorf("one file: %+v", one)
	}
}

func TestDumpWithHoles(t *testing.T) {
	const lossy = "(\ufffd/\ufffd\u0000X"
	dir := write(t, map[string]string{
		"000001-1000-request.json":  dumpReq(`{"input":[]}`),
		"000002-2000-response.json": dumpRes("200", "", quoted(sseAnswer)),
		"000003-3000-request.json":  dumpReq(`"` + strings.ReplaceAll(lossy, "\u0000", `\u0000`) + `"`),
		"000003-3000-response.json": dumpRes("200", "", quoted(sseAnswer)),
		"000004-4000-request.json":  `{"method":"POST","url":"/v1/resp`,
		"000004-4000-response.json": dumpRes("200", "", quoted(sseAnswer)),
		"000005-5000-request.json":  dumpReq(`{"input":[` + hello + `]}`),
		"000005-5000-response.json": dumpRes("200", "", quoted(sseAnswer[:len(sseAnswer)-20])),
	})
	got, problems := readAll(t, dir)
	wantProblems(t, problems,
		Problem{Kind: ProblemPair, Exchange: 0, Message: "the response of this request is not in the folder"},
		Problem{Kind: ProblemPair, Exchange: 1, Message: "the request of this response is not in the folder"},
		Problem{Kind: ProblemBody, Exchange: 2, Message: "stored as text: its bytes are lost"},
		Problem{Kind: ProblemCut, Exchange: 3, Message: "no JSON object", Place: Place{Offset: 32}},
		Problem{Kind: ProblemCut, Exchange: 4, Message: "the last event is cut off"},
	)
	if len(got) != 5 {
		t.Fatalf("%d exchanges", len(got))
	}
	for i, known := range []bool{true, false, false, false, true} {
		if got[i].Request.Known() != known {
			t.Errorf("exchange %d: request known %v", i, !known)
		}
	}
	for i, ok := range []bool{false, true, true, true, false} {
		if got[i].Response.OK() != ok {
			t.Errorf("exchange %d: response whole %v", i, !ok)
		}
	}
	if len(got[4].Response.Items) != 1 {
		t.Error("the item before the cut is gone")
	}
}

func TestEncodings(t *testing.T) {
	const body = `{"input":[]}`
	latin := func(s string) string {
		var b strings.Builder
		for i := range len(s) {
			b.WriteRune(rune(s[i]))
		}
		return b.String()
	}
	z := compressed(t, body)
	for name, tt := range map[string]struct {
		text   string
		base64 bool
		want   string // of the error, "" for the body
	}{
		"plain":            {body, false, ""},
		"zstd":             {z, false, ""},
		"zstd as Latin-1":  {latin(z), false, ""},
		"zstd as UTF-8":    {strings.ToValidUTF8(z, "\ufffd"), false, "its bytes are lost"},
		"zstd cut off":     {z[:len(z)-4], false, "zstd"},
		"base64":           {"eyJpbnB1dCI6W119", true, ""},
		"base64 with dirt": {"eyJp*", true, "base64"},
		"gzip cut off":     {"\x1f\x8b\x08", false, "gzip"},
	} {
		got, err := textBody([]byte(tt.text), tt.base64)
		if tt.want == "" && (err != nil || string(got) != body) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %q, %v, want an error with %q", name, got, err, tt.want)
		}
	}
}

func TestEvents(t *testing.T) {
	type told struct {
		data  string
		whole bool
	}
	for name, tt := range map[string]struct {
		stream string
		want   []told
	}{
		"one":             {"data: a\n\n", []told{{"a", true}}},
		"no space":        {"data:a\n\n", []told{{"a", true}}},
		"two spaces":      {"data:  a\n\n", []told{{" a", true}}},
		"lines":           {"data: a\ndata: b\n\n", []told{{"a\nb", true}}},
		"carriage return": {"data: a\r\n\r\ndata: b\r\r", []told{{"a", true}, {"b", true}}},
		"other fields":    {": ping\nevent: x\nid: 1\ndatax: no\ndata: a\nretry: 5\n\n", []told{{"a", true}}},
		"only a comment":  {": ping\n\n", nil},
		"empty data":      {"data\n\n", []told{{"", true}}},
		"cut off":         {"data: a\n\ndata: b\n", []told{{"a", true}, {"b", false}}},
		"byte order mark": {"\ufeffdata: a\n\n", []told{{"a", true}}},
		"nothing":         {"", nil},
	} {
		var got []told
		events([]byte(tt.stream), func(data []byte, _ int, whole bool) bool {
			got = append(got, told{string(data), whole})
			return true
		})
		if len(got) != len(tt.want) {
			t.Errorf("%s: %v", name, got)
			continue
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("%s: event %d is %v, want %v", name, i, got[i], tt.want[i])
			}
		}
	}
}

func TestAnswers(t *testing.T) {
	ev := func(s ...string) string { return "data: " + strings.Join(s, "\n\ndata: ") + "\n\n" }
	item := `{"type":"response.output_item.done","item":` + answ + `}`
	for name, tt := range map[string]struct {
		stream    string
		items     int
		completed bool
		err       string
		state     string
	}{
		"item and completed":   {ev(item, `{"type":"response.completed","response":{"id":"r"}}`), 1, true, "", ""},
		"output of completed":  {ev(`{"type":"response.completed","response":{"id":"r","output":[` + answ + `,` + answ + `]}}`), 2, true, "", ""},
		"items are told twice": {ev(item, `{"type":"response.completed","response":{"id":"r","output":[`+answ+`]}}`), 1, true, "", ""},
		"not completed":        {ev(item), 1, false, "", ""},
		"failed":               {ev(`{"type":"response.failed","response":{"error":{"message":"overloaded"}}}`), 0, false, "overloaded", ""},
		"incomplete":           {ev(`{"type":"response.incomplete","response":{"incomplete_details":{"reason":"max_output_tokens"}}}`), 0, false, "incomplete: max_output_tokens", ""},
		"error event":          {ev(`{"type":"error","error":{"code":"bad"}}`), 0, false, "bad", ""},
		"turn state":           {ev(`{"type":"codex.response.metadata","headers":{"X-Codex-Turn-State":["s"]}}`, `{"type":"response.metadata","headers":{"x-codex-turn-state":"later"}}`), 0, false, "", "s"},
		"end mark":             {ev(item, "[DONE]"), 1, false, "", ""},
	} {
		r, e := &Reader{}, &Exchange{}
		r.takeBody(e, []byte(tt.stream))
		res := e.Response
		if len(res.Items) != tt.items || res.Completed != tt.completed || res.Error != tt.err || res.TurnState != tt.state || len(r.problems) > 0 {
			t.Errorf("%s: %d items, completed %v, error %q, state %q, problems %v", name, len(res.Items), res.Completed, res.Error, res.TurnState, r.problems)
		}
	}
}
