package capture

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// write puts files, by path below a new folder, and returns the folder.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// readAll reads a capture to its end.
func readAll(t testing.TB, path string) ([]*Exchange, []Problem) {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out []*Exchange
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, r.Problems()
		}
		if err != nil {
			t.Fatal(err)
		}
		if e.Index != len(out) {
			t.Errorf("exchange %d has index %d", len(out), e.Index)
		}
		out = append(out, e)
	}
}

// wantProblems compares problems by kind and a part of their words.
func wantProblems(t testing.TB, got []Problem, want ...Problem) {
	t.Helper()
	for i, p := range got {
		if i >= len(want) {
			t.Errorf("unexpected problem %d: %v", i, p)
			continue
		}
		if w := want[i]; p.Kind != w.Kind || p.Exchange != w.Exchange || !strings.Contains(p.Message, w.Message) ||
			w.Place.Offset != 0 && p.Place.Offset != w.Place.Offset {
			t.Errorf("problem %d: kind %d of exchange %d at byte %d: %v\nwant kind %d of exchange %d at byte %d: %s",
				i, p.Kind, p.Exchange, p.Place.Offset, p, w.Kind, w.Exchange, w.Place.Offset, w.Message)
		}
	}
	if len(got) < len(want) {
		t.Errorf("%d problems, want %d", len(got), len(want))
	}
}

func compressed(t testing.TB, text string) string {
	t.Helper()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(enc.EncodeAll([]byte(text), nil))
}

const (
	hello = `{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}`
	answ  = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}`
	again = `{"type":"message","role":"user","content":[{"type":"input_text","text":"again"}]}`
)

func TestSniff(t *testing.T) {
	dir := write(t, map[string]string{
		"body.json":                              `{"model":"m","input":[` + hello + `]}`,
		"long.json":                              `{"model":"m","instructions":"` + strings.Repeat("x", sniffLimit) + `","input":[]}`,
		"body.json.zst":                          compressed(t, `{"model":"m","input":[]}`),
		"bom.json":                               "\xef\xbb\xbf{\"input\":[]}",
		"rollout.jsonl":                          `{"timestamp":"2026-11-02T09:00:00.000Z","type":"session_meta","payload":{"input":[]}}` + "\n",
		"gen0.jsonl":                             `{"id":"0199b001-0000-7000-8000-000000000001","timestamp":"2025-07-01T00:00:00Z","instructions":null}` + "\n",
		"item.json":                              hello,
		"net.har":                                ` {"log":{"version":"1.2","entries":[]}}`,
		"log.json":                               `{"log":"text"}`,
		"array.json":                             `[{"input":[]}]`,
		"empty":                                  "",
		"broken.json":                            `{"input`,
		"torn.zst":                               "\x28\xb5\x2f\xfd\x00",
		"torn.har.zst":                           "\x28\xb5\x2f\xfd\x00",
		"torn.HAR.gz":                            "\x1f\x8b\x08",
		"torn.har":                               `{"lo`,
		"other.har":                              `{"name":"app"}`,
		"dump/000001-1793610000000-request.json": `{"method":"POST","url":"/v1/responses","headers":[],"body":{}}`,
		"other/notes.json":                       `{}`,
		"trace/manifest.json":                    `{"schema_version":1,"raw_event_log":"trace.jsonl"}`,
		"app/manifest.json":                      `{"name":"app"}`,
	})
	for name, want := range map[string]Form{
		"body.json": FormBody, "long.json": FormBody, "body.json.zst": FormBody, "bom.json": FormBody,
		"rollout.jsonl": FormNone, "gen0.jsonl": FormNone, "item.json": FormNone,
		"net.har": FormHAR, "log.json": FormNone, "array.json": FormNone, "empty": FormNone,
		"broken.json": FormNone, "torn.zst": FormNone,
		"torn.har.zst": FormHAR, "torn.HAR.gz": FormHAR, "torn.har": FormHAR, "other.har": FormNone,
		"dump": FormDump, "dump/000001-1793610000000-request.json": FormBody,
		"other": FormNone, "trace": FormBundle, "app": FormNone,
	} {
		got, err := Sniff(filepath.Join(dir, name))
		if err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	if _, err := Sniff(filepath.Join(dir, "missing")); err == nil {
		t.Error("a missing path gives no error")
	}
	if _, err := Open(filepath.Join(dir, "rollout.jsonl")); !errors.Is(err, ErrNoCapture) {
		t.Errorf("a rollout: %v", err)
	}
}

// TestSniffStream: a stream is told without reading it to its end.
func TestSniffStream(t *testing.T) {
	har := `{"log":{"entries":[]}}`
	for name, tt := range map[string]struct {
		text, name string
		want       Form
	}{
		"HAR":            {har, "-", FormHAR},
		"HAR as zstd":    {compressed(t, har), "-", FormHAR},
		"body":           {`{"input":[]}`, "-", FormBody},
		"rollout":        {`{"timestamp":"t","type":"session_meta","payload":{}}` + "\n", "-", FormNone},
		"cut, no name":   {"\x1f\x8b\x08", "-", FormNone},
		"cut, with name": {"\x1f\x8b\x08", "a.har.gz", FormHAR},
	} {
		if got := SniffStream(strings.NewReader(tt.text), tt.name); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	first := `{"timestamp":"t","type":"session_meta","payload":{}}` + "\n"
	in := strings.NewReader(first + strings.Repeat("x", sniffLimit))
	if got := SniffStream(in, "-"); got != FormNone || in.Len() < sniffLimit/2 {
		t.Errorf("a long rollout: %q, %d bytes are left", got, in.Len())
	}
}

func TestBodyFile(t *testing.T) {
	body := `{"model":"m","input":[` + hello + `,{"type":"compaction_trigger"}],"client_metadata":{"thread_id":"t1","turn_id":"u1"}}`
	dir := write(t, map[string]string{"a.json": body, "a.json.zst": compressed(t, body)})
	for _, name := range []string{"a.json", "a.json.zst"} {
		got, problems := readAll(t, filepath.Join(dir, name))
		wantProblems(t, problems)
		if len(got) != 1 {
			t.Fatalf("%s: %d exchanges", name, len(got))
		}
		e := got[0]
		if len(e.Request.Input) != 2 || string(e.Request.Input[0].Raw) != hello || !e.Request.IsCompaction() ||
			e.Thread != "t1" || e.Turn != "u1" || e.Transport != HTTP || e.Response.Known || e.Request.HasHeaders {
			t.Errorf("%s: %+v", name, e)
		}
	}
}
