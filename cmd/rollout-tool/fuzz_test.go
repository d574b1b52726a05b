package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// A file that is read and not changed comes back byte for byte, whatever it holds.
// Only a stream with zstd's magic that does not decompress is exit 3, after the
// bytes that came before the break.
func FuzzRawRoundTrip(f *testing.F) {
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		f.Fatal(err)
	}
	packed := enc.EncodeAll([]byte(userLine("hi")+"\n\xff\x00torn"), nil)
	for _, seed := range []string{
		"", "\n", "\r\n", "\x00", "a\nb", userLine("hi"), "\ufeff" + userLine("hi"),
		`{"id":"a","timestamp":"b"}` + "\n" + `{"type":"message"}` + "\n" + `{"record_type":"state"}`,
		`{"type":"compacted","payload":{"replacement_history":[{"type":"ghost_snapshot"}],"replacement_history_metadata":[]}}`,
		`{"type":"session_meta","payload":{"history_mode":null}}`, `{"a":{"a":[[[1e400,-0,"\ud800"]]]}}`,
		strings.Repeat("[", 200), "\u00a0\n\u3000\n\u0085", "{\"a\":\"\xe9\"}\n",
		string(packed), string(packed[:len(packed)/2]), string(packed) + "x", "\x28\xb5\x2f\xfd",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		want, whole := in, true
		if bytes.HasPrefix(in, []byte("\x28\xb5\x2f\xfd")) {
			want, whole = unpack(in)
		}
		r := runTool(bytes.NewReader(in), "parse", "--raw", "--format", "jsonl", "-")
		if whole && r.code != exitOK || !whole && r.code != exitUnreadable {
			t.Fatalf("exit code %d, stream whole: %v, %s", r.code, whole, r.stderr)
		}
		if r.stdout != string(want) {
			t.Fatalf("got %q\nwant %q\n%s", r.stdout, want, r.stderr)
		}
		// The other views of the same bytes must not fail or lose count.
		r = runTool(bytes.NewReader(in), "parse", "--format", "jsonl", "-q", "-")
		lines := bytes.Count(want, []byte("\n"))
		if len(want) > 0 && want[len(want)-1] != '\n' {
			lines++
		}
		if got := strings.Count(r.stdout, "\n"); got != lines {
			t.Fatalf("%d rows for %d lines: %s", got, lines, r.stdout)
		}
	})
}

// unpack decompresses as much as there is, and says whether that was all.
func unpack(in []byte) ([]byte, bool) {
	dec, err := zstd.NewReader(bytes.NewReader(in), zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return nil, false
	}
	defer dec.Close()
	out, err := io.ReadAll(dec)
	return out, err == nil
}
