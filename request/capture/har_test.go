package capture

import (
	"bytes"
	"compress/gzip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func harEntry(url, body, response string) string {
	return `{"startedDateTime":"2026-11-20T08:30:00.5Z","request":{"method":"POST","url":"` + url + `","headers":[{"name":"thread-id","value":"t"}],"postData":{"mimeType":"application/json","text":` + quoted(body) + `}},` +
		`"response":{"status":200,"headers":[{"name":"x-codex-turn-state","value":"s"}],"content":{"size":1,"mimeType":"text/event-stream","text":` + quoted(response) + `}}}`
}

func harFile(entries ...string) string {
	return `{"log":{"version":"1.2","creator":{"name":"x","entries":"no"},"entries":[` + strings.Join(entries, ",\n") + `],"pages":[]}}`
}

func frame(dir, data string) string {
	return `{"type":"` + dir + `","time":1793610000.25,"opcode":1,"data":` + quoted(data) + `}`
}

// socketEntry has its messages before the request, as browsers write them.
func socketEntry(messages ...string) string {
	return `{"_resourceType":"websocket","_webSocketMessages":[` + strings.Join(messages, ",") + `],"request":{"method":"GET","url":"wss://user:pw@api.example/v1/responses?k=v","headers":[]},"response":{"status":101,"headers":[],"content":{}}}`
}

const (
	create1 = `{"type":"response.create","model":"m","input":[` + hello + `],"client_metadata":{"thread_id":"t"}}`
	create2 = `{"type":"response.create","model":"m","previous_response_id":"resp_1","input":[` + again + `]}`
)

func answerFrames(id string) []string {
	return []string{
		frame("receive", `{"type":"response.created","response":{"id":"`+id+`"}}`),
		frame("receive", `{"type":"response.output_item.done","item":`+answ+`}`),
		frame("receive", `{"type":"response.completed","response":{"id":"`+id+`","usage":{"total_tokens":7}}}`),
	}
}

func writeHAR(t testing.TB, text string) string {
	return filepath.Join(write(t, map[string]string{"a.har": text}), "a.har")
}

func TestHAR(t *testing.T) {
	socket := append([]string{frame("send", create1)}, answerFrames("resp_1")...)
	socket = append(socket, `{"type":"receive","time":1.5,"opcode":2,"data":"AAEC"}`, frame("send", create2))
	text := harFile(
		harEntry("https://telemetry.example/v1/events", `{"x":1}`, "{}"),
		harEntry("https://api.example/v1/responses", `{"input":[`+hello+`]}`, sseAnswer),
		socketEntry(socket...),
		harEntry("https://api.example/v1/responses/compact", `{"input":[`+hello+`]}`, `{"output":[{"type":"compaction","encrypted_content":"e"}]}`),
	)
	got, problems := readAll(t, writeHAR(t, text))
	wantProblems(t, problems)
	if len(got) != 4 {
		t.Fatalf("%d exchanges", len(got))
	}
	e := got[0]
	if e.Transport != HTTP || e.Thread != "t" || !e.Response.OK() || e.Response.TurnState != "s" || e.Time.Format("15:04:05.0") != "08:30:00.5" {
		t.Errorf("first: %+v", e)
	}
	if at := strings.Index(text, `"{\"input`); e.Request.Place.Offset != int64(at) || e.Request.Place.Pointer != "/postData/text" {
		t.Errorf("the body stands at %d, not at %+v", at, e.Request.Place)
	}
	if e = got[1]; e.Transport != WebSocket || e.Connection != 1 || !e.Response.OK() || e.Response.Usage.Total != 7 ||
		e.Request.URL != "wss://api.example/v1/responses" || e.Response.Status != 101 && e.Response.Status != 0 {
		t.Errorf("frame: %+v", e)
	}
	if e = got[2]; e.Request.Own != 2 || len(e.Request.Input) != 3 || e.Request.Partial || e.Response.Known {
		t.Errorf("second frame: %+v", e)
	}
	if e = got[3]; !e.Request.IsCompaction() || len(e.Response.Items) != 1 || !e.Response.OK() {
		t.Errorf("older endpoint: %+v", e)
	}
}

func TestHARCutOff(t *testing.T) {
	socket := append([]string{frame("send", create1)}, answerFrames("resp_1")...)
	text := harFile(
		harEntry("https://api.example/v1/responses", `{"input":[`+hello+`]}`, sseAnswer),
		socketEntry(append(socket, frame("send", create2))...),
		harEntry("https://api.example/v1/responses", `{"input":[`+again+`]}`, sseAnswer),
	)
	last := strings.LastIndex(text, `"startedDateTime"`)
	for name, tt := range map[string]struct {
		end, exchanges int
	}{
		"in the last response": {strings.LastIndex(text, `"content"`), 4},
		"in the last request":  {last + 60, 3},
		"between entries":      {last - 1, 3},
		"in a message":         {strings.Index(text, `resp_1\",\"input`), 2},
		"before the entries":   {30, 0},
		"after the entries":    {strings.Index(text, `"pages"`), 4},
	} {
		path := writeHAR(t, text[:tt.end])
		got, problems := readAll(t, path)
		if len(got) != tt.exchanges {
			t.Errorf("%s: %d exchanges, want %d", name, len(got), tt.exchanges)
		}
		if name == "after the entries" { // nothing that counts is missing
			wantProblems(t, problems)
			continue
		}
		if len(problems) != 1 || problems[0].Kind != ProblemCut || problems[0].Place.Offset != int64(tt.end) {
			t.Errorf("%s (%d bytes): %v", name, tt.end, problems)
		}
	}
}

func TestHARCompressed(t *testing.T) {
	text := harFile(harEntry("https://api.example/v1/responses", `{"input":[`+hello+`]}`, sseAnswer))
	got, problems := readAll(t, writeHAR(t, compressed(t, text)))
	wantProblems(t, problems)
	if len(got) != 1 || !got[0].Response.OK() {
		t.Errorf("%d exchanges", len(got))
	}
	long := harFile(harEntry("https://api.example/v1/responses", `{"input":[`+hello+`]}`, sseAnswer), `{"comment":"`+strings.Repeat("x", 1<<20)+`"}`)
	packed := compressed(t, long)
	got, problems = readAll(t, writeHAR(t, packed[:len(packed)-8]))
	if len(problems) == 0 || problems[0].Kind != ProblemCut || !strings.Contains(problems[0].Message, "the compressed stream breaks off") {
		t.Errorf("cut off: %d exchanges, %v", len(got), problems)
	}
}

// TestHARCompressedCutOff: wherever a compressed HAR breaks off, it is a HAR that breaks off.
func TestHARCompressedCutOff(t *testing.T) {
	text := harFile(harEntry("https://api.example/v1/responses", `{"input":[`+hello+`]}`, sseAnswer))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, whole := range map[string]string{"a.har.zst": compressed(t, text), "a.har.gz": packed.String()} {
		for end := 5; end < len(whole)-8; end += 7 { // the last bytes are a checksum and a size
			path := filepath.Join(write(t, map[string]string{name: whole[:end]}), name)
			got, problems := readAll(t, path)
			cut := slices.ContainsFunc(problems, func(p Problem) bool {
				return p.Kind == ProblemCut && strings.Contains(p.Message, "the compressed stream breaks off")
			})
			if len(got) > 1 || !cut {
				t.Fatalf("%s, %d of %d bytes: %d exchanges, %v", name, end, len(whole), len(got), problems)
			}
		}
	}
}

func TestHARBodies(t *testing.T) {
	raw := harEntry("https://api.example/v1/responses", "X", "Y")
	binary := strings.Replace(raw, `"text":"X"`, `"encoding":"base64","text":"eyJpbnB1dCI6W119"`, 1)
	binary = strings.Replace(binary, `"text":"Y"`, `"encoding":"base64","text":"eyJvdXRwdXQiOltdfQ=="`, 1)
	noText := strings.Replace(binary, `,"text":"eyJvdXRwdXQiOltdfQ=="`, "", 1)
	noPost := strings.Replace(binary, `"postData"`, `"_data"`, 1)
	bad := strings.Replace(raw, `"text":"X"`, `"text":"{\"input\":7}"`, 1)
	got, problems := readAll(t, writeHAR(t, harFile(binary, noText, noPost, bad)))
	wantProblems(t, problems,
		Problem{Kind: ProblemBody, Exchange: 2, Message: "no body of this request"},
		Problem{Kind: ProblemBody, Exchange: 3, Message: "the input is no list, but a number"},
		Problem{Kind: ProblemBody, Exchange: 3, Message: "neither JSON nor a stream"},
	)
	if len(got) != 4 {
		t.Fatalf("%d exchanges", len(got))
	}
	if e := got[0]; !e.Request.Known() || !e.Response.OK() {
		t.Errorf("base64: %+v", e)
	}
	if e := got[1]; !e.Response.Known || e.Response.HasBody || e.Response.Completed {
		t.Errorf("no text: %+v", e.Response)
	}
}

func FuzzHAR(f *testing.F) {
	socket := append([]string{frame("send", create1)}, answerFrames("resp_1")...)
	f.Add(harFile(harEntry("https://api.example/v1/responses", `{"input":[`+hello+`]}`, sseAnswer), socketEntry(socket...)))
	f.Add(`{"log":{"entries":[{"_webSocketMessages":[{"type":"send","data":"{}"}`)
	f.Add(`{"log":{"entries":[1,{},null]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		r := &Reader{}
		src, err := openHAR("a.har", strings.NewReader(text), int64(len(text)), r)
		if err != nil {
			t.Fatal("an error that is no problem: ", err)
		}
		for n := 0; ; n++ {
			e := &Exchange{Index: n}
			if err := src.next(e); err != nil {
				break
			}
			if n > len(text) {
				t.Fatal("more exchanges than bytes")
			}
			if e.Request.Own > len(e.Request.Input) {
				t.Error("the frame's own items start behind the input")
			}
		}
		for _, p := range r.problems {
			if p.Place.Offset < 0 || p.Place.Offset > int64(len(text)) {
				t.Errorf("%v: outside of the file", p)
			}
		}
	})
}

func FuzzEvents(f *testing.F) {
	f.Add(sseAnswer)
	f.Add("data: a\r\rdata\n\n")
	f.Fuzz(func(t *testing.T, stream string) {
		events([]byte(stream), func(data []byte, off int, _ bool) bool {
			if off < 0 || off > len(stream) || len(data) > len(stream) {
				t.Errorf("event of %d bytes at %d of %d", len(data), off, len(stream))
			}
			return true
		})
		r, e := &Reader{}, &Exchange{}
		r.takeBody(e, []byte(stream))
		if e.Response.OK() && !e.Response.Completed {
			t.Error("whole, but not completed")
		}
	})
}
